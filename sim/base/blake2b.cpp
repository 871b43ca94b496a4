#include "sim/base/blake2b.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace hodge::sim {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as they lie in memory");

constexpr std::size_t digest_bytes = 32;
constexpr std::size_t rounds = 12;

constexpr std::array<std::uint64_t, 8> start = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

// The loops over rounds are unrolled, so that these are constants: 4 times as fast.
// Round r takes the words of the block in the order of row r mod 10.
constexpr unsigned char orders[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                          {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                          {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                          {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                          {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                          {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                          {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                          {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                          {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                          {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

using Words = std::array<std::uint64_t, 16>;

inline void mix(Words& v, int a, int b, int c, int d, std::uint64_t x, std::uint64_t y) {
  v[a] += v[b] + x;
  v[d] = std::rotr(v[d] ^ v[a], 32);
  v[c] += v[d];
  v[b] = std::rotr(v[b] ^ v[c], 24);
  v[a] += v[b] + y;
  v[d] = std::rotr(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = std::rotr(v[b] ^ v[c], 63);
}

}  // namespace

Blake2b::Blake2b() : state_(start) {
  state_[0] ^= 0x01010000 ^ digest_bytes;  // depth 1, fan-out 1, no key
}

void Blake2b::add(std::string_view bytes) {
  while (!bytes.empty()) {
    if (filled_ == block_.size()) compress(false);  // the last block waits for digest()
    const std::size_t now = std::min(bytes.size(), block_.size() - filled_);
    std::memcpy(block_.data() + filled_, bytes.data(), now);
    filled_ += now;
    bytes.remove_prefix(now);
  }
}

void Blake2b::compress(bool last) {
  added_ += filled_;
  filled_ = 0;
  Words m, v;
  std::memcpy(m.data(), block_.data(), block_.size());
  std::copy(state_.begin(), state_.end(), v.begin());
  std::copy(start.begin(), start.end(), v.begin() + 8);
  v[12] ^= added_;
  if (last) v[14] = ~v[14];
#pragma GCC unroll 12
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto& s = orders[round % 10];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) mix(v, i, 4 + i, 8 + i, 12 + i, m[s[2 * i]], m[s[2 * i + 1]]);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i)
      mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[s[8 + 2 * i]],
          m[s[9 + 2 * i]]);
  }
  for (std::size_t i = 0; i < state_.size(); ++i) state_[i] ^= v[i] ^ v[i + 8];
}

std::string Blake2b::digest() {
  std::fill(block_.begin() + static_cast<std::ptrdiff_t>(filled_), block_.end(), 0);
  compress(true);
  std::string digits;
  for (std::size_t i = 0; i < digest_bytes; ++i) {
    const std::uint64_t byte = state_[i / 8] >> 8 * (i % 8);
    for (const int shift : {4, 0}) digits += "0123456789abcdef"[byte >> shift & 15];
  }
  return digits;
}

std::string blake2b(std::string_view bytes) {
  Blake2b hash;
  hash.add(bytes);
  return hash.digest();
}

}  // namespace hodge::sim
