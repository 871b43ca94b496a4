#include "sim/app/run/console.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>

#include "sim/app/run/signals.hpp"
#include "tests/support/failing_file_system.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using test::lines_of;

TEST(Console, a_file_gets_plain_lines_and_so_does_the_log) {
  const test::TemporaryDirectory directory;
  {
    const FileDescriptor output(directory / "out.txt", O_WRONLY | O_CREAT);
    Console console(output.number(), directory / "log.txt");
    EXPECT_FALSE(console.is_terminal());
    console.line("one\ntwo");
    console.plain("three");
    console.redraw("never seen");
    console.log("for the log");
    console.check_log();
  }
  EXPECT_EQ(lines_of(directory / "out.txt"), (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(lines_of(directory / "log.txt"),
            (std::vector<std::string>{"one", "two", "three", "for the log"}));
}

TEST(Console, a_quiet_one_writes_to_the_log_alone) {
  const test::TemporaryDirectory directory;
  {
    const FileDescriptor output(directory / "out.txt", O_WRONLY | O_CREAT);
    Console console(output.number(), directory / "log.txt", false, Verbosity::quiet);
    EXPECT_FALSE(console.is_terminal());
    console.line("one");
    console.plain("two");
    console.redraw("three");
  }
  EXPECT_TRUE(lines_of(directory / "out.txt").empty());
  EXPECT_EQ(lines_of(directory / "log.txt"), (std::vector<std::string>{"one", "two"}));
}

TEST(Console, a_closed_pipe_silences_it_and_the_log_goes_on) {
  const test::TemporaryDirectory directory;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  {
    const SignalGuard signals;
    Console console(ends[1], directory / "log.txt");
    console.line("one");
    console.line("two");
    console.check_log();
  }
  ::close(ends[1]);
  EXPECT_EQ(lines_of(directory / "log.txt").size(), 2U);
}

TEST(Console, a_closed_descriptor_silences_it) {
  const test::TemporaryDirectory directory;
  Console console(-1, directory / "log.txt");
  console.line("one");
  console.check_log();
  EXPECT_EQ(lines_of(directory / "log.txt").size(), 1U);
}

TEST(Console, a_log_that_is_lost_is_told_when_asked) {
  const test::TemporaryDirectory directory;
  Console console(-1, directory / "log.txt");
  {
    const test::FileSizeLimit limit(4);
    console.line("longer than that");
  }
  EXPECT_THROW(console.check_log(), IoError);
}

// A loss of power may leave zeros and a cut-off line, which a continued log would keep for ever.
TEST(Console, a_continued_log_goes_on_after_its_last_whole_line) {
  const test::TemporaryDirectory directory;
  for (const std::string& end : {std::string(), std::string("tw"), std::string("\0\0two\n", 6)}) {
    test::write_text(directory / "log.txt", "one\n" + end);
    Console console(-1, directory / "log.txt", true);
    console.line("three");
    console.finish_log();
    EXPECT_EQ(test::read_text(directory / "log.txt"), "one\nthree\n");
  }
}

// As many raw characters of a terminal that is connected to `master`; fewer where no more come for
// 10 seconds.
std::string shown(int master, std::size_t count) {
  std::string text;
  pollfd ready{master, POLLIN, 0};
  while (text.size() < count && ::poll(&ready, 1, 10000) > 0) {
    char part[256];
    const ssize_t size = ::read(master, part, std::min(sizeof part, count - text.size()));
    if (size <= 0) break;
    text.append(part, static_cast<std::size_t>(size));
  }
  return text;
}

TEST(Console, a_terminal_has_one_line_that_is_redrawn_and_cut_to_its_width) {
  const test::TemporaryDirectory directory;
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) {
    GTEST_SKIP() << "this system has no pseudo-terminal";
  }
  {
    const FileDescriptor terminal(::ptsname(master), O_RDWR | O_NOCTTY);
    Console console(terminal.number(), directory / "log.txt");
    EXPECT_TRUE(console.is_terminal());
    EXPECT_EQ(console.width(), 80);
    console.redraw(std::string(200, '#'));
    console.plain("only for the log");
    console.line("done");
    const std::string expected = "\r\x1b[K" + std::string(79, '#') + "\r\x1b[Kdone\r\n";
    EXPECT_EQ(shown(master, expected.size()), expected);
  }
  ::close(master);
  EXPECT_EQ(lines_of(directory / "log.txt"),
            (std::vector<std::string>{"only for the log", "done"}));
}

}  // namespace
}  // namespace hodge::sim
