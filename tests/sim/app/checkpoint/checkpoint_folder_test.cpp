#include "sim/app/checkpoint/checkpoint_folder.hpp"

#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;

struct Folder {
  Folder() {
    folder.make();
    for (const char* name : {"cavity_00000010.h5", "cavity_00000200.h5", "cavity_00000030.h5",
                             "notes.txt", "x.h5", ".cavity_00000300.h5.00c0ffee.tmp"})
      test::write_text(folder.path() / name, name);
  }
  fs::path file(const std::string& name) const { return folder.path() / name; }

  test::TemporaryDirectory run;
  CheckpointFolder folder{run.path()};
};

TEST(CheckpointFolder, knows_its_files_by_their_steps) {
  const Folder f;
  EXPECT_EQ(f.folder.file("cavity", 30), f.file("cavity_00000030.h5"));
  EXPECT_EQ(f.folder.newest_first(),
            (std::vector{f.file("cavity_00000200.h5"), f.file("cavity_00000030.h5"),
                         f.file("cavity_00000010.h5")}));
  EXPECT_EQ(f.folder.newest(), f.file("cavity_00000200.h5"));
}

TEST(CheckpointFolder, without_any_it_says_what_to_do) {
  const test::TemporaryDirectory run;
  const CheckpointFolder folder(run.path());
  EXPECT_TRUE(folder.newest_first().empty());
  EXPECT_EQ(test::message_of<ConfigError>([&] { (void)folder.newest(); }),
            "there is no checkpoint in " + (run / "checkpoints").string() +
                ": start without --restart, or name the run with --output");
}

TEST(CheckpointFolder, a_restart_sets_the_later_ones_aside_until_there_is_a_new_one) {
  const Folder f;
  f.folder.set_aside_those_after(f.file("cavity_00000030.h5"));
  EXPECT_EQ(f.folder.newest(), f.file("cavity_00000030.h5"));
  EXPECT_TRUE(fs::exists(f.file("cavity_00000200.h5.superseded")));
  f.folder.remove_all_but(5, "cavity");
  EXPECT_FALSE(fs::exists(f.file("cavity_00000200.h5.superseded")));
  EXPECT_EQ(f.folder.newest_first().size(), 2U);
}

TEST(CheckpointFolder, the_newest_stay_and_so_do_files_of_others) {
  const Folder f;
  f.folder.remove_all_but(1, "cavity");
  EXPECT_EQ(f.folder.newest_first(), std::vector{f.file("cavity_00000200.h5")});
  EXPECT_TRUE(fs::exists(f.file("notes.txt")));
  EXPECT_TRUE(fs::exists(f.file("x.h5")));
  EXPECT_FALSE(fs::exists(f.file(".cavity_00000300.h5.00c0ffee.tmp")));
}

}  // namespace
}  // namespace hodge::sim
