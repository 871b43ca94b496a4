#include "sim/app/checkpoint/sparse_bytes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hodge::sim {
namespace {

std::string read(const SparseBytes& bytes, std::uint64_t begin, std::size_t count) {
  std::string text(count, '?');
  bytes.read(begin, text);
  return text;
}

TEST(SparseBytes, read_what_was_written_last_and_zeros_elsewhere) {
  SparseBytes bytes;
  EXPECT_EQ(bytes.end(), 0u);
  EXPECT_EQ(read(bytes, 5, 2), std::string(2, '\0'));
  bytes.write(10, "abcdef");
  bytes.write(12, "XY");
  EXPECT_EQ(read(bytes, 9, 8), std::string("\0abXYef\0", 8));
  EXPECT_EQ(bytes.end(), 16u);
}

TEST(SparseBytes, span_pages_and_lie_far_apart) {
  SparseBytes bytes;
  const std::uint64_t far = std::uint64_t{1} << 40;
  std::string long_text;
  for (int i = 0; i < 10000; ++i) long_text += static_cast<char>('a' + i % 26);
  bytes.write(far + 4000, long_text);
  bytes.write(7, "near");
  EXPECT_EQ(read(bytes, far + 4000, long_text.size()), long_text);
  EXPECT_EQ(read(bytes, far + 3998, 3), std::string("\0\0a", 3));
  EXPECT_EQ(bytes.end(), far + 14000);
  std::vector<std::uint64_t> begins;
  std::string all;
  bytes.for_each_page([&](std::uint64_t begin, std::string_view page) {
    begins.push_back(begin);
    all += page;
  });
  EXPECT_EQ(begins, (std::vector<std::uint64_t>{0, far, far + 4096, far + 8192, far + 12288}));
  EXPECT_EQ(all.substr(7, 4), "near");
  EXPECT_EQ(all.substr(4096 + 4000, long_text.size()), long_text);
}

}  // namespace
}  // namespace hodge::sim
