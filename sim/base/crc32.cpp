#include "sim/base/crc32.hpp"

#include <zlib.h>

namespace hodge::sim {

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace hodge::sim
