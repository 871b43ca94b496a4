#include "sim/app/output/run_directory.hpp"

#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/failing_file_system.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::read_text;
using test::write_text;

TEST(RunDirectory, is_made_with_its_parents_and_the_configuration) {
  const test::TemporaryDirectory directory;
  const RunDirectory run(directory / "a/b/run", false, "case: cavity\n");
  EXPECT_EQ(read_text(directory / "a/b/run/config.yaml"), "case: cavity\n");
  EXPECT_TRUE(fs::is_directory(directory / "a/b/run/frames"));
  EXPECT_EQ(run.log(), directory / "a/b/run/log.txt");
  EXPECT_EQ(run.log(), directory / "a/b/run/log.txt");
}

TEST(RunDirectory, an_empty_folder_will_do) {
  const test::TemporaryDirectory directory;
  RunDirectory(directory.path(), false, "case: cavity\n");
  EXPECT_TRUE(fs::exists(directory / "config.yaml"));
}

TEST(RunDirectory, refuses_a_folder_that_is_not_empty_and_touches_nothing) {
  const test::TemporaryDirectory directory;
  write_text(directory / "history.csv", "old");
  EXPECT_EQ(message_of<ConfigError>([&] { RunDirectory(directory.path(), false, "case: x\n"); }),
            "the output directory " + directory.path().string() +
                " is not empty: choose another with --output, add --overwrite to replace the "
                "run in it, or --restart latest to go on with it");
  EXPECT_THROW(RunDirectory::check(directory.path(), false), ConfigError);
  EXPECT_EQ(read_text(directory / "history.csv"), "old");
  EXPECT_FALSE(fs::exists(directory / "config.yaml"));
}

void fill_with_earlier_run(const fs::path& directory) {
  fs::create_directories(directory / "frames");
  for (const char* file : {"config.yaml", "log.txt", "history.csv", "forces.csv", "cavity.pvd",
                           "frames/cavity_000000.vti", "frames/cavity_000001.vtr"}) {
    write_text(directory / file, "old");
  }
  write_text(temporary_path(directory / "frames/cavity_000002.vti"), "half");
}

TEST(RunDirectory, overwriting_removes_what_hodge_wrote) {
  const test::TemporaryDirectory directory;
  fill_with_earlier_run(directory.path());
  RunDirectory(directory.path(), true, "case: new\n");
  EXPECT_EQ(read_text(directory / "config.yaml"), "case: new\n");
  EXPECT_TRUE(fs::is_empty(directory / "frames"));
  for (const char* file : {"log.txt", "history.csv", "forces.csv", "cavity.pvd"}) {
    EXPECT_FALSE(fs::exists(directory / file)) << file;
  }
}

TEST(RunDirectory, overwriting_keeps_the_files_of_others) {
  const test::TemporaryDirectory directory;
  fill_with_earlier_run(directory.path());
  for (const char* file : {"notes.txt", "plot.png", "frames/movie.mp4", "config.yaml.bak"}) {
    write_text(directory / file, "mine");
  }
  fs::create_directories(directory / "analysis.pvd");
  write_text(directory / "analysis.pvd/data.vti", "mine");
  RunDirectory(directory.path(), true, "case: new\n");
  for (const char* file :
       {"notes.txt", "plot.png", "frames/movie.mp4", "config.yaml.bak", "analysis.pvd/data.vti"}) {
    EXPECT_EQ(read_text(directory / file), "mine") << file;
  }
}

TEST(RunDirectory, a_file_in_its_place_is_an_error_with_or_without_overwriting) {
  const test::TemporaryDirectory directory;
  write_text(directory / "run", "a file");
  const std::string expected =
      "cannot write into " + (directory / "run").string() + ": Not a directory";
  for (const bool overwrite : {false, true}) {
    EXPECT_EQ(message_of<IoError>([&] { RunDirectory(directory / "run", overwrite, ""); }),
              expected);
  }
  EXPECT_EQ(read_text(directory / "run"), "a file");
}

TEST(RunDirectory, a_file_among_its_parents_is_an_error) {
  const test::TemporaryDirectory directory;
  write_text(directory / "a", "a file");
  EXPECT_EQ(message_of<IoError>([&] { RunDirectory(directory / "a/run", false, ""); }),
            "cannot make the directory " + (directory / "a/run").string() + ": Not a directory");
}

TEST(RunDirectory, a_folder_that_may_not_be_written_is_an_error) {
  const test::TemporaryDirectory directory;
  fs::permissions(directory.path(), fs::perms(0555));
  const test::OrdinaryUser user;
  EXPECT_EQ(message_of<IoError>([&] { RunDirectory(directory / "run", false, ""); }),
            "cannot make the directory " + (directory / "run").string() + ": Permission denied");
}

TEST(RunDirectory, a_folder_that_may_not_be_read_is_an_error) {
  const test::TemporaryDirectory directory;
  fs::create_directory(directory / "run");
  fs::permissions(directory / "run", fs::perms::none);
  fs::permissions(directory.path(), fs::perms(0755));
  const test::OrdinaryUser user;
  EXPECT_EQ(message_of<IoError>([&] { RunDirectory(directory / "run", true, ""); }),
            "cannot read " + (directory / "run/checkpoints").string() + ": Permission denied");
}

}  // namespace
}  // namespace hodge::sim
