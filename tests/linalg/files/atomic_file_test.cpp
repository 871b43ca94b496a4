#include "linalg/files/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "linalg/base/errors.hpp"
#include "linalg/files/file_descriptor.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/failing_file_system.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::read_text;

std::size_t entries_in(const fs::path& directory) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

TEST(AtomicFile, replaces_what_was_there_and_leaves_nothing_else) {
  const test::TemporaryDirectory directory;
  write_file_atomically(directory / "a.txt", "first");
  write_file_atomically(directory / "a.txt", "second");
  EXPECT_EQ(read_text(directory / "a.txt"), "second");
  EXPECT_EQ(entries_in(directory.path()), 1U);
}

TEST(AtomicFile, keeps_the_old_file_when_the_disk_is_full) {
  const test::TemporaryDirectory directory;
  write_file_atomically(directory / "a.txt", "old");
  const std::string message = [&] {
    const test::FileSizeLimit limit(1000);
    return message_of<IoError>(
        [&] { write_file_atomically(directory / "a.txt", std::string(5000, 'x')); });
  }();
  EXPECT_EQ(message, "cannot write " + (directory / "a.txt").string() + ": File too large");
  EXPECT_EQ(read_text(directory / "a.txt"), "old");
  EXPECT_EQ(entries_in(directory.path()), 1U);
}

TEST(AtomicFile, keeps_the_old_file_when_the_writer_throws) {
  const test::TemporaryDirectory directory;
  write_file_atomically(directory / "a.txt", "old");
  EXPECT_THROW(write_file_atomically(directory / "a.txt",
                                     [](const fs::path& temporary) {
                                       test::write_text(temporary, "half");
                                       throw std::runtime_error("stop");
                                     }),
               std::runtime_error);
  EXPECT_EQ(read_text(directory / "a.txt"), "old");
  EXPECT_EQ(entries_in(directory.path()), 1U);
}

TEST(AtomicFile, names_the_path_and_the_reason_when_the_folder_is_read_only) {
  const test::TemporaryDirectory directory;
  fs::permissions(directory.path(), fs::perms::owner_read | fs::perms::owner_exec |
                                        fs::perms::others_read | fs::perms::others_exec);
  const test::OrdinaryUser user;
  EXPECT_EQ(message_of<IoError>([&] { write_file_atomically(directory / "a.txt", "text"); }),
            "cannot open " + (directory / "a.txt").string() + ": Permission denied");
}

TEST(AtomicFile, names_the_path_and_the_reason_when_the_folder_is_missing) {
  EXPECT_EQ(message_of<IoError>([] { write_file_atomically("/no/such/a.txt", "text"); }),
            "cannot open /no/such/a.txt: No such file or directory");
}

TEST(AtomicFile, writes_into_a_pipe_instead_of_replacing_it) {
  const test::TemporaryDirectory directory;
  const fs::path pipe = directory / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  FileDescriptor reader(pipe, O_RDONLY | O_NONBLOCK);
  write_file_atomically(pipe, "text");
  EXPECT_EQ(reader.read_to_end(), "text");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(AtomicFile, recognises_its_temporary_files) {
  EXPECT_TRUE(is_temporary(temporary_path("run/a.vti")));
  EXPECT_FALSE(is_temporary("run/a.vti"));
  EXPECT_FALSE(is_temporary("run/notes.tmp"));
}

}  // namespace
}  // namespace hodge
