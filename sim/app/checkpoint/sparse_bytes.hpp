// The bytes of a large file of which little is written: pages that were never written take no
// memory, and read as zeros.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string_view>

namespace hodge::sim {

class SparseBytes {
 public:
  void write(std::uint64_t begin, std::string_view bytes);
  void read(std::uint64_t begin, std::span<char> to) const;
  // The first byte behind all that was written.
  std::uint64_t end() const { return end_; }

  // Calls f(begin, bytes) for each page of which something was written, in their order; the last
  // one may go beyond end().
  void for_each_page(const std::function<void(std::uint64_t, std::string_view)>& f) const;

 private:
  static constexpr std::size_t page_bytes = 4096;
  using Page = std::array<char, page_bytes>;

  std::map<std::uint64_t, Page> pages_;  // by number
  std::uint64_t end_ = 0;
};

}  // namespace hodge::sim
