#include "linalg/files/directories.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge {
namespace {

// The system cannot say what is behind a link to itself.
struct Unreadable {
  test::TemporaryDirectory folder;
  std::filesystem::path path = folder / "loop";
  std::string said = "cannot read " + path.string() + ": Too many levels of symbolic links";
  Unreadable() { std::filesystem::create_symlink("loop", path); }
};

TEST(Directories, what_is_not_there_is_an_answer) {
  const test::TemporaryDirectory folder;
  EXPECT_FALSE(is_there(folder / "a"));
  EXPECT_FALSE(is_a_file(folder / "a"));
  EXPECT_FALSE(is_a_directory(folder / "a/b"));
  EXPECT_FALSE(is_link(folder / "a"));
  EXPECT_FALSE(are_the_same(folder / "a", folder.path()));
  EXPECT_TRUE(is_a_directory(folder.path()));
}

TEST(Directories, what_the_system_cannot_say_is_an_error) {
  const Unreadable a;
  for (const auto& ask : {is_there, is_a_file, is_a_directory})
    EXPECT_EQ(test::message_of<IoError>([&] { (void)ask(a.path); }), a.said);
  EXPECT_EQ(test::message_of<IoError>([&] { (void)are_the_same(a.path, a.folder.path()); }),
            a.said);
  EXPECT_EQ(test::message_of<IoError>([&] { (void)bytes_of_file(a.path); }), a.said);
  EXPECT_EQ(test::message_of<IoError>([&] { (void)entries_of(a.path); }), a.said);
  EXPECT_TRUE(is_link(a.path));
  EXPECT_TRUE(may_be_there(a.path));
}

}  // namespace
}  // namespace hodge
