// Base64: the vectors of RFC 4648, and streams in pieces.
#include "sim/base/base64.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace hodge::sim {
namespace {

TEST(Base64, gives_the_text_of_the_standard_and_the_bytes_again) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
    EXPECT_EQ(base64_length(std::string(bytes).size()), std::string(text).size());
  }
  EXPECT_EQ(base64("\xff\xfe\x80"), "//6A");
}

TEST(Base64, pieces_of_any_length_give_the_text_of_the_whole) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes += static_cast<char>(7 * i + i * i / 3);
  for (const std::size_t piece : {1, 2, 3, 4, 5, 64, 997, 1000}) {
    Base64Encoder encoder;
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += piece)
      text += encoder.next(std::string_view(bytes).substr(at, piece));
    text += encoder.finish();
    EXPECT_EQ(text, base64(bytes)) << piece;
    EXPECT_EQ(from_base64(text), bytes) << piece;
  }
}

TEST(Base64, reading_ends_at_what_is_no_group) {
  EXPECT_EQ(from_base64("Zm9vYm"), "foo");
  EXPECT_EQ(from_base64("Zm9v<m9v"), "foo");
  EXPECT_EQ(from_base64("Zg==Zm9v"), "");
}

}  // namespace
}  // namespace hodge::sim
