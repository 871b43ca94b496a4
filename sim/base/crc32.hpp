// CRC-32 of zlib and PNG (polynomial 0x04c11db7, reflected).
#pragma once

#include <cstdint>
#include <string_view>

namespace hodge::sim {

// `before` is that of bytes in front.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

}  // namespace hodge::sim
