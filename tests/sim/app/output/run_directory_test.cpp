#include "sim/app/output/run_directory.hpp"

#include <gmock/gmock.h>
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
using testing::HasSubstr;

const Manifest cavity({"config.yaml", "log.txt", "history.csv", "cavity.pvd", "frames/cavity_#.vti",
                       "lines/a.csv", "checkpoints/cavity_#.h5"});
const RunContents contents{"case: cavity\n", cavity};

TEST(RunDirectory, is_made_with_its_parents_the_manifest_and_the_configuration) {
  const test::TemporaryDirectory directory;
  const RunDirectory run(directory / "a/b/run", false, contents);
  EXPECT_EQ(read_text(directory / "a/b/run/config.yaml"), "case: cavity\n");
  EXPECT_EQ(Manifest::read(directory / "a/b/run")->names(), cavity.names());
  EXPECT_TRUE(fs::is_directory(directory / "a/b/run/frames"));
  EXPECT_EQ(run.log(), directory / "a/b/run/log.txt");
}

TEST(RunDirectory, has_no_folder_for_frames_that_are_in_one_file) {
  const test::TemporaryDirectory directory;
  const RunDirectory run(directory / "run", false, {"", Manifest({"config.yaml", "box.vtkhdf"})});
  EXPECT_FALSE(fs::exists(directory / "run/frames"));
}

TEST(RunDirectory, an_empty_folder_will_do) {
  const test::TemporaryDirectory directory;
  RunDirectory(directory.path(), false, contents);
  EXPECT_TRUE(fs::exists(directory / "config.yaml"));
}

TEST(RunDirectory, what_a_run_leaves_that_is_killed_at_once_counts_as_empty) {
  const test::TemporaryDirectory directory;
  write_text(directory / ".lock", "process 1");
  write_text(temporary_path(directory / "manifest.txt"), "ho");
  RunDirectory(directory.path(), false, contents);
  EXPECT_TRUE(fs::exists(directory / "config.yaml"));
}

TEST(RunDirectory, refuses_a_folder_that_is_not_empty_and_touches_nothing) {
  const test::TemporaryDirectory directory;
  write_text(directory / "history.csv", "old");
  EXPECT_EQ(message_of<ConfigError>([&] { RunDirectory(directory.path(), false, contents); }),
            "the output directory " + directory.path().string() +
                " is not empty: choose another with --output, add --overwrite to replace the "
                "run in it, or --restart latest to go on with it");
  EXPECT_THROW(RunDirectory::check(directory.path(), false, cavity), ConfigError);
  EXPECT_EQ(read_text(directory / "history.csv"), "old");
  EXPECT_FALSE(fs::exists(directory / "config.yaml"));
}

void fill_with_earlier_run(const fs::path& directory) {
  RunDirectory(directory, false, contents);
  for (const char* folder : {"checkpoints", "lines"}) fs::create_directories(directory / folder);
  for (const char* file : {"log.txt", "history.csv", "cavity.pvd", "frames/cavity_000000.vti",
                           "lines/a.csv", "checkpoints/cavity_00000010.h5"})
    write_text(directory / file, "old");
  write_text(temporary_path(directory / "frames/cavity_000002.vti"), "half");
}

TEST(RunDirectory, overwriting_removes_what_the_manifest_lists) {
  const test::TemporaryDirectory directory;
  fill_with_earlier_run(directory.path());
  RunDirectory(directory.path(), true, {"case: new\n", cavity});
  EXPECT_EQ(read_text(directory / "config.yaml"), "case: new\n");
  for (const char* folder : {"frames", "lines", "checkpoints"})
    EXPECT_TRUE(fs::is_empty(directory / folder)) << folder;
  for (const char* file : {"log.txt", "history.csv", "cavity.pvd"})
    EXPECT_FALSE(fs::exists(directory / file)) << file;
}

TEST(RunDirectory, overwriting_removes_pieces_with_their_folders_but_no_files_of_others) {
  const test::TemporaryDirectory directory;
  const RunContents in_pieces{"case: cavity\n",
                              Manifest({"config.yaml", "cavity.pvd", "frames/cavity_#.pvti",
                                        "frames/cavity_#/cavity_#_#.vti"})};
  RunDirectory(directory.path(), false, in_pieces);
  for (const char* folder : {"frames/cavity_000000", "frames/cavity_000001"}) {
    fs::create_directory(directory / folder);
    for (const char* piece : {"_0.vti", "_1.vti"})
      write_text(directory / folder / (fs::path(folder).filename().string() + piece), "old");
  }
  write_text(temporary_path(directory / "frames/cavity_000001/cavity_000001_1.vti"), "half");
  write_text(directory / "frames/cavity_000001.pvti", "old");
  write_text(directory / "frames/cavity_000000/notes.txt", "mine");
  RunDirectory(directory.path(), true, contents);
  EXPECT_EQ(read_text(directory / "frames/cavity_000000/notes.txt"), "mine");
  EXPECT_FALSE(fs::exists(directory / "frames/cavity_000000/cavity_000000_0.vti"));
  EXPECT_FALSE(fs::exists(directory / "frames/cavity_000001"));
  EXPECT_FALSE(fs::exists(directory / "frames/cavity_000001.pvti"));
}

TEST(RunDirectory, removes_no_pieces_through_links) {
  const test::TemporaryDirectory directory, elsewhere;
  const RunContents in_pieces{"case: cavity\n", Manifest({"frames/cavity_#/cavity_#_#.vti"})};
  RunDirectory(directory / "run", false, in_pieces);
  write_text(elsewhere / "cavity_000000_0.vti", "precious");
  fs::create_directory_symlink(elsewhere.path(), directory / "run/frames/cavity_000000");
  EXPECT_THAT(message_of<ConfigError>([&] { RunDirectory(directory / "run", true, in_pieces); }),
              HasSubstr("frames/cavity_000000 is a link"));
  EXPECT_EQ(read_text(elsewhere / "cavity_000000_0.vti"), "precious");
}

// Each of these was removed for its name, whoever had made it.
TEST(RunDirectory, overwriting_keeps_every_other_file) {
  const test::TemporaryDirectory directory;
  fill_with_earlier_run(directory.path());
  const std::vector<std::string> others{
      "notes.txt",         "other.pvd",  "summary.json",    "lines/mine.csv",
      "frames/movie.vti",  ".mine.tmp",  ".x.00c0ffee.tmp", "checkpoints/mine_12.h5",
      "checkpoints/x.tmp", "probes.csv", "config.yaml.bak", "frames/cavity_1.vtr"};
  for (const std::string& file : others) write_text(directory / file, "mine");
  fs::create_directories(directory / "analysis.pvd");
  write_text(directory / "analysis.pvd/data.vti", "mine");
  RunDirectory(directory.path(), true, contents);
  for (const std::string& file : others) EXPECT_EQ(read_text(directory / file), "mine") << file;
  EXPECT_EQ(read_text(directory / "analysis.pvd/data.vti"), "mine");
}

TEST(RunDirectory, nothing_is_removed_through_links) {
  const test::TemporaryDirectory directory;
  fill_with_earlier_run(directory / "run");
  fs::rename(directory / "run/frames", directory / "elsewhere");
  fs::create_symlink(directory / "elsewhere", directory / "run/frames");
  EXPECT_THAT(message_of<ConfigError>([&] { RunDirectory(directory / "run", true, contents); }),
              HasSubstr("run/frames is a link, and nothing is removed through links"));
  EXPECT_EQ(read_text(directory / "elsewhere/cavity_000000.vti"), "old");
  EXPECT_EQ(read_text(directory / "run/history.csv"), "old");
}

TEST(RunDirectory, a_folder_without_a_manifest_is_no_run_directory) {
  const test::TemporaryDirectory directory;
  write_text(directory / "history.csv", "mine");
  EXPECT_THAT(message_of<ConfigError>([&] { RunDirectory(directory.path(), true, contents); }),
              HasSubstr(" is no run directory: it has no manifest.txt"));
  EXPECT_EQ(read_text(directory / "history.csv"), "mine");
}

TEST(RunDirectory, the_root_of_the_file_system_is_refused) {
  for (const bool overwrite : {false, true})
    EXPECT_THAT(message_of<ConfigError>([&] { RunDirectory("/", overwrite, contents); }),
                HasSubstr("is the root of the file system"));
}

TEST(RunDirectory, a_file_of_somebody_else_in_the_way_is_not_overwritten) {
  const test::TemporaryDirectory directory;
  fill_with_earlier_run(directory.path());
  write_text(directory / "probes.csv", "mine");
  const RunContents more{"", cavity.with(Manifest({"probes.csv"}))};
  EXPECT_THAT(message_of<ConfigError>([&] { RunDirectory(directory.path(), true, more); }),
              HasSubstr("probes.csv is in the way"));
  EXPECT_THROW(RunDirectory::continued(directory.path(), more.manifest), ConfigError);
  EXPECT_EQ(read_text(directory / "probes.csv"), "mine");
  EXPECT_EQ(read_text(directory / "history.csv"), "old");
}

TEST(RunDirectory, going_on_keeps_the_files_adds_names_and_removes_what_a_kill_left) {
  const test::TemporaryDirectory directory;
  fill_with_earlier_run(directory.path());
  RunDirectory::continued(directory.path(), Manifest({"compare.csv"}));
  EXPECT_EQ(read_text(directory / "history.csv"), "old");
  EXPECT_EQ(read_text(directory / "config.yaml"), "case: cavity\n");
  EXPECT_EQ(Manifest::read(directory.path())->names(),
            cavity.with(Manifest({"compare.csv"})).names());
  EXPECT_EQ(std::distance(fs::directory_iterator(directory / "frames"), {}), 1);
}

TEST(RunDirectory, is_locked_while_it_lives) {
  const test::TemporaryDirectory directory;
  const RunDirectory run(directory / "run", false, contents);
  EXPECT_THAT(message_of<ConfigError>([&] { RunDirectory(directory / "run", true, contents); }),
              HasSubstr("a run is writing in "));
  EXPECT_THROW(RunDirectory::continued(directory / "run", contents.manifest), ConfigError);
  EXPECT_THROW(RunDirectory::check(directory / "run", true, cavity), ConfigError);
}

TEST(RunDirectory, a_file_in_its_place_is_an_error_with_or_without_overwriting) {
  const test::TemporaryDirectory directory;
  write_text(directory / "run", "a file");
  const std::string expected =
      "cannot write into " + (directory / "run").string() + ": Not a directory";
  for (const bool overwrite : {false, true}) {
    EXPECT_EQ(message_of<IoError>([&] { RunDirectory(directory / "run", overwrite, contents); }),
              expected);
  }
  EXPECT_EQ(read_text(directory / "run"), "a file");
}

TEST(RunDirectory, a_file_among_its_parents_is_an_error) {
  const test::TemporaryDirectory directory;
  write_text(directory / "a", "a file");
  EXPECT_EQ(message_of<IoError>([&] { RunDirectory(directory / "a/run", false, contents); }),
            "cannot make the directory " + (directory / "a/run").string() + ": Not a directory");
}

TEST(RunDirectory, a_folder_that_may_not_be_written_is_an_error) {
  const test::TemporaryDirectory directory;
  fs::permissions(directory.path(), fs::perms(0555));
  const test::OrdinaryUser user;
  EXPECT_EQ(message_of<IoError>([&] { RunDirectory(directory / "run", false, contents); }),
            "cannot make the directory " + (directory / "run").string() + ": Permission denied");
}

TEST(RunDirectory, a_folder_that_may_not_be_read_is_an_error) {
  const test::TemporaryDirectory directory;
  fs::create_directory(directory / "run");
  fs::permissions(directory / "run", fs::perms::none);
  fs::permissions(directory.path(), fs::perms(0755));
  const test::OrdinaryUser user;
  EXPECT_EQ(message_of<IoError>([&] { RunDirectory(directory / "run", true, contents); }),
            "cannot read " + (directory / "run/.lock").string() + ": Permission denied");
}

}  // namespace
}  // namespace hodge::sim
