#include "sim/base/blake2b.hpp"

#include <gtest/gtest.h>

namespace hodge::sim {
namespace {

TEST(Blake2b, gives_the_published_digests) {
  EXPECT_EQ(blake2b(""), "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  EXPECT_EQ(blake2b("abc"), "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
}

// Of `b2sum -l 256`, on both sides of a block of 128 bytes.
TEST(Blake2b, agrees_with_b2sum_around_the_ends_of_blocks) {
  EXPECT_EQ(blake2b(std::string(127, 'a')),
            "59e2f1aba240f20aa591016f5ef429990bc9c2131dcd0d30f0ffd75ed18f317d");
  EXPECT_EQ(blake2b(std::string(128, 'a')),
            "ae2aa48507885c4c950fb809b2076f959cde9f8ea6da260d9a3587df33dac450");
  EXPECT_EQ(blake2b(std::string(129, 'a')),
            "2f64744a6de0d2c0b56e64cf6e29a5aaa255010d415d51c75ccc82f73dccd865");
}

TEST(Blake2b, does_not_depend_on_the_pieces) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += static_cast<char>(i % 251);
  for (const std::size_t piece : {1, 7, 127, 128, 129, 500}) {
    Blake2b hash;
    for (std::size_t at = 0; at < text.size(); at += piece) hash.add(text.substr(at, piece));
    EXPECT_EQ(hash.digest(), blake2b(text)) << piece;
  }
}

}  // namespace
}  // namespace hodge::sim
