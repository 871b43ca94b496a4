// BLAKE2b with a digest of 256 bits: M.-J. Saarinen, J.-P. Aumasson, RFC 7693 (2015), without a
// key. `b2sum -l 256` computes the same. About 1 GB/s per core.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hodge::sim {

class Blake2b {
 public:
  Blake2b();

  void add(std::string_view bytes);
  std::string digest();  // 64 hexadecimal digits; nothing may be added afterwards

 private:
  void compress(bool last);

  std::array<std::uint64_t, 8> state_;
  std::array<unsigned char, 128> block_{};
  std::size_t filled_ = 0;   // bytes of the block that wait
  std::uint64_t added_ = 0;  // bytes that were compressed
};

std::string blake2b(std::string_view bytes);

}  // namespace hodge::sim
