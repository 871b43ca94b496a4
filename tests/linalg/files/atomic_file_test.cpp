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
  fs::permissions(directory.path(), fs::perms(0555));
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

TEST(AtomicFile, recognises_its_temporary_files_and_whose_they_are) {
  EXPECT_EQ(name_behind(temporary_path("run/a.vti")), "a.vti");
  for (const char* other : {"run/a.vti", "run/notes.tmp", "run/.notes.tmp", "run/..00c0ffee.tmp",
                            "run/.a.00C0ffee.tmp", "run/a.00c0ffee.tmp", ".a.c0ffee.tmp"})
    EXPECT_FALSE(name_behind(other)) << other;
}

TEST(AtomicFile, has_another_temporary_file_every_time) {
  EXPECT_NE(temporary_path("a.txt"), temporary_path("a.txt"));
}

// A link in the place of the temporary file led to another file, which was overwritten.
TEST(AtomicFile, writes_through_no_link_that_was_put_in_its_way) {
  const test::TemporaryDirectory directory;
  test::write_text(directory / "precious", "mine");
  fs::create_symlink("precious", directory / ".a.txt.tmp");
  fs::create_symlink("precious", directory / "a.txt");
  write_file_atomically(directory / "a.txt", "text");
  EXPECT_EQ(read_text(directory / "precious"), "mine");
  EXPECT_EQ(read_text(directory / "a.txt"), "text");
  EXPECT_FALSE(fs::is_symlink(directory / "a.txt"));
}

TEST(AtomicFile, a_temporary_file_that_is_removed_while_it_is_written_is_an_error) {
  const test::TemporaryDirectory directory;
  EXPECT_EQ(message_of<IoError>([&] {
              write_file_atomically(directory / "a.txt",
                                    [](const fs::path& temporary) { fs::remove(temporary); });
            }),
            "cannot write " + (directory / "a.txt").string() + ": No such file or directory");
}

TEST(FileDescriptor, knows_whether_its_file_is_still_at_its_path) {
  const test::TemporaryDirectory directory;
  const FileDescriptor file(directory / "a", O_WRONLY | O_CREAT);
  EXPECT_TRUE(file.is_at(directory / "a"));
  fs::rename(directory / "a", directory / "b");
  EXPECT_FALSE(file.is_at(directory / "a"));
  test::write_text(directory / "a", "another");
  EXPECT_FALSE(file.is_at(directory / "a"));
}

TEST(FileDescriptor, finds_the_end_of_an_empty_file) {
  const test::TemporaryDirectory directory;
  FileDescriptor file(directory / "a", O_RDWR | O_CREAT);
  file.seek_end();
  EXPECT_EQ(file.size(), 0);
}

TEST(FileDescriptor, closing_a_closed_file_is_an_error) {
  const test::TemporaryDirectory directory;
  FileDescriptor file(directory / "a", O_WRONLY | O_CREAT);
  file.close();
  EXPECT_EQ(message_of<IoError>([&] { file.close(); }),
            "cannot close " + (directory / "a").string() + ": Bad file descriptor");
}

}  // namespace
}  // namespace hodge
