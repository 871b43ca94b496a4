#include "linalg/files/text_lines.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge {
namespace {

struct File {
  explicit File(const std::string& text) { test::write_text(path, text); }
  test::TemporaryDirectory folder;
  std::filesystem::path path = folder / "a";
};

TEST(TextLines, gives_lines_and_words_of_files_of_any_length) {
  for (const std::size_t length : {0, 1, 79, 100000}) {  // the last one is several buffers long
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += "line " + std::to_string(i) + "\r\n";
    const File file(text + "end");
    TextLines lines(file.path);
    for (std::size_t i = 0; i < length; ++i) {
      ASSERT_TRUE(lines.next());
      ASSERT_EQ(lines.word(), "line");
      ASSERT_EQ(lines.word(), std::to_string(i));
      ASSERT_EQ(lines.word(), "");
    }
    ASSERT_TRUE(lines.next());
    EXPECT_EQ(lines.line(), "end");
    EXPECT_EQ(lines.line_number(), static_cast<long long>(length) + 1);
    EXPECT_FALSE(lines.next());
  }
}

TEST(TextLines, takes_lines_of_a_mebibyte_and_refuses_longer_ones) {
  const std::string longest(1 << 20, 'x');
  const File good("a\n" + longest + "\nb\n" + longest);
  TextLines lines(good.path);
  for (const std::size_t size : {std::size_t{1}, longest.size(), std::size_t{1}, longest.size()}) {
    ASSERT_TRUE(lines.next());
    EXPECT_EQ(lines.line().size(), size);
  }
  const File bad("a\n" + longest + "x\n");
  TextLines refused(bad.path);
  ASSERT_TRUE(refused.next());
  EXPECT_EQ(test::message_of<ConfigError>([&] { (void)refused.next(); }),
            bad.path.string() + ":2: the line has more than 1 MiB, expected a text file");
}

TEST(TextLines, takes_longer_lines_where_the_reader_says_so) {
  const std::string line(5 << 20, 'x');
  const File file(line + "\nb");
  TextLines lines(file.path, 1 << 30);
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), line);
  EXPECT_TRUE(lines.is_whole());
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), "b");
  EXPECT_FALSE(lines.is_whole());
}

// A directory opens, and every read of it fails.
TEST(TextLines, a_read_that_fails_is_not_the_end) {
  const test::TemporaryDirectory folder;
  EXPECT_EQ(test::message_of<IoError>([&] { (void)TextLines(folder.path()).next(); }),
            "cannot read " + folder.path().string() + ": Is a directory");
}

}  // namespace
}  // namespace hodge
