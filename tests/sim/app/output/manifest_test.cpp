#include "sim/app/output/manifest.hpp"

#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

TEST(Manifest, lists_names_and_numbered_names) {
  const Manifest manifest({"history.csv", "frames/cavity_#.vti"});
  for (const char* own : {"history.csv", "frames/cavity_000012.vti", "frames/cavity_1234567.vti"})
    EXPECT_TRUE(manifest.lists(own)) << own;
  for (const char* other :
       {"notes.csv", "frames/history.csv", "frames/cavity_.vti", "frames/cavity_12a.vti",
        "frames/cavity_12.vtr", "cavity_12.vti", "frames/other_000012.vti", "frames/cavity_#.vti"})
    EXPECT_FALSE(manifest.lists(other)) << other;
}

TEST(Manifest, knows_the_temporary_files_of_its_files) {
  const Manifest manifest({"history.csv", "frames/cavity_#.vti"});
  EXPECT_TRUE(manifest.lists_temporary("frames/.cavity_000012.vti.00c0ffee.tmp"));
  EXPECT_TRUE(manifest.lists_temporary(".manifest.txt.00c0ffee.tmp"));
  EXPECT_FALSE(manifest.lists_temporary(".notes.txt.00c0ffee.tmp"));
  EXPECT_FALSE(manifest.lists_temporary("history.csv"));
}

TEST(Manifest, lists_the_pieces_of_frames_in_numbered_folders) {
  const test::TemporaryDirectory directory;
  test::write_text(directory / "manifest.txt",
                   "hodge run directory 1\nframes/cavity_#.pvti\nframes/cavity_#/cavity_#_#.vti\n");
  const auto manifest = Manifest::read(directory.path());
  ASSERT_TRUE(manifest);
  EXPECT_TRUE(manifest->lists("frames/cavity_000012/cavity_000012_3.vti"));
  EXPECT_TRUE(manifest->lists_temporary("frames/cavity_12/.cavity_12_3.vti.00c0ffee.tmp"));
  for (const char* other : {"frames/cavity_12/notes.txt", "frames/cavity_12/cavity_12.vti",
                            "frames/cavity_12", "frames/other_12/cavity_12_3.vti"})
    EXPECT_FALSE(manifest->lists(other)) << other;
  for (const char* folder : {"frames/cavity_12", "frames/other_12", "frames/cavity_x"})
    std::filesystem::create_directories(directory / folder);
  EXPECT_EQ(manifest->folders_in(directory.path()),
            (std::vector<std::string>{"checkpoints", "", "frames/cavity_12", "frames", "lines",
                                      "surfaces"}));
}

TEST(Manifest, of_settings_has_pieces_where_they_can_be) {
  Settings settings;
  settings.case_name = "cavity";
  settings.grid.dim = 2;
  settings.grid.axes[0] = {.cells = 1 << 13};
  settings.grid.axes[1] = {.cells = 4};
  const auto lists_pieces = [&](const char* pieces, int layers) {
    settings.output.pieces = pieces;
    settings.grid.axes[1].cells = layers;
    const Manifest manifest = manifest_of(settings, {});
    EXPECT_TRUE(manifest.lists("frames/cavity_000001.vti"));
    EXPECT_EQ(manifest.lists("frames/cavity_000001.pvti"),
              manifest.lists("frames/cavity_000001/cavity_000001_0.vti"));
    return manifest.lists("frames/cavity_000001.pvti");
  };
  EXPECT_TRUE(lists_pieces("always", 4));
  EXPECT_FALSE(lists_pieces("auto", (1 << 13) - 1));
  EXPECT_TRUE(lists_pieces("auto", 1 << 13));
  EXPECT_FALSE(lists_pieces("never", 1 << 13));
}

TEST(Manifest, comes_back_from_its_file) {
  const test::TemporaryDirectory directory;
  EXPECT_FALSE(Manifest::read(directory.path()));
  const Manifest manifest({"history.csv", "frames/cavity_#.vti"});
  manifest.write(directory.path());
  EXPECT_EQ(Manifest::read(directory.path())->names(), manifest.names());
}

TEST(Manifest, joins_names_once) {
  EXPECT_EQ(Manifest({"a", "b"}).with(Manifest({"b", "c"})).names(),
            (std::vector<std::string>{"a", "b", "c"}));
}

// A name that leads out of the directory would let --overwrite remove anything.
TEST(Manifest, that_names_files_elsewhere_is_refused) {
  const test::TemporaryDirectory directory;
  for (const char* name :
       {"../precious", "/etc/passwd", "frames/../precious", "frames/a/b", "frames/#/../b",
        "frames/a_#/b/c", "lines/a_#/b", "frames/a_#/..", "other/a", "", "frames/", ".."}) {
    test::write_text(directory / "manifest.txt",
                     std::string("hodge run directory 1\n") + name + "\n");
    EXPECT_THROW(Manifest::read(directory.path()), ConfigError) << name;
  }
  test::write_text(directory / "manifest.txt", "my own list\n");
  EXPECT_THROW(Manifest::read(directory.path()), ConfigError);
}

}  // namespace
}  // namespace hodge::sim
