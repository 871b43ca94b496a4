// tools/plot.py on real runs, tools/plot_bench.py on an experiment that it does not know; skipped
// where its Python modules are not installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "tests/support/paths.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;

int shell(const std::string& command) {
  return WEXITSTATUS(std::system(command.c_str()));
}

struct Plot : testing::Test {
  void SetUp() override {
    if (shell("/usr/bin/python3 -c 'import matplotlib, numpy, vtkmodules' > /dev/null 2>&1") != 0)
      GTEST_SKIP() << "python3-matplotlib, python3-vtk9 are not installed";
  }
  int plot(const std::string& arguments, const char* name = "plot.py") {
    const std::string script = (tests::source_dir() / "tools" / name).string();
    return shell("cd '" + folder.path().string() + "' && /usr/bin/python3 '" + script + "' " +
                 arguments + " > out.txt 2> err.txt");
  }
  // The pictures in a folder, all of which are PNG files.
  std::set<std::string> pictures(const std::string& directory) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder.path() / directory)) {
      EXPECT_EQ(test::read_text(entry.path()).substr(1, 3), "PNG") << entry.path();
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  test::TemporaryDirectory folder;
};

TEST_F(Plot, makes_pictures_of_all_that_a_run_left) {
  std::ofstream(folder.path() / "a.yaml")
      << "case: custom\ngrid: {cells: [16, 8], lower: [0, 0], upper: [2, 1]}\n"
         "fluid: {viscosity: 0.1}\nforce: [1, 0]\n"
         "boundaries: {x_lower: periodic, x_upper: periodic}\n"
         "solids: [{name: ball, sphere: {centre: [1, 0.5], radius: 0.2}}]\n"
         "forces: {speed: 1, length: 0.4}\n"
         "probes: {points: {wake: [1.5, 0.5]}, lines: {across: {from: [1.5, 0], to: [1.5, 1]}}}\n"
         "time: {end: 0.2, step: {size: 0.05}}\noutput: {frames: {every: 0.1}}\ndevice: cpu\n";
  ASSERT_EQ(test::run_hodge({"run", "a.yaml"}, folder.path()).exit_code, 0);
  EXPECT_EQ(plot("output/a"), 0) << test::read_text(folder.path() / "err.txt");
  EXPECT_EQ(pictures("output/a/plots"),
            (std::set<std::string>{"fields.png", "streamlines.png", "history.png", "forces.png",
                                   "probes.png", "lines_across.png"}));
  EXPECT_EQ(plot("output/a --all --fields pressure --output all"), 0);
  EXPECT_TRUE(pictures("all").contains("fields_000002.png"));
}

TEST_F(Plot, three_dimensions_and_stretched_grids_and_exact_solutions_too) {
  ASSERT_EQ(test::run_hodge({"run", (tests::source_dir() / "configs/ethier_steinman_3d.yaml"),
                             "--device", "cpu", "--set", "grid.cells=[6, 6, 6]", "--set",
                             "grid.stretching={x: {kind: tanh, strength: 1}}", "--set",
                             "time.steps=2", "--output", "run"},
                            folder.path())
                .exit_code,
            0);
  EXPECT_EQ(plot("run"), 0) << test::read_text(folder.path() / "err.txt");
  EXPECT_EQ(pictures("run/plots"),
            (std::set<std::string>{"fields.png", "history.png", "errors.png"}));
}

TEST_F(Plot, says_what_is_wrong) {
  EXPECT_EQ(plot("nowhere"), 2);
  EXPECT_THAT(test::read_text(folder.path() / "err.txt"),
              testing::HasSubstr("nowhere: no such directory"));
  EXPECT_EQ(plot("."), 2);
  EXPECT_THAT(test::read_text(folder.path() / "err.txt"),
              testing::HasSubstr("holds no frames and no tables"));
}

TEST_F(Plot, an_experiment_without_a_figure_of_its_own_gets_one_of_its_times) {
  fs::create_directory(folder / "results");
  test::write_text(folder / "results/new.json", R"({
    "experiment": "new", "version": "1", "precision": "double", "devices": [],
    "tables": {"sums": {"title": "Sums", "keys": ["n", "device"], "times": ["ms"],
                        "columns": [{"key": "n", "heading": "n"}, {"key": "ms", "heading": "time"}],
                        "rows": [{"n": 10, "device": "cpu", "ms": 1.5}, {"n": 20, "ms": 2.5}]},
               "empty": {"title": "None", "keys": [], "times": [], "columns": [], "rows": []}}})");
  EXPECT_EQ(plot("results/new.json", "plot_bench.py"), 0);
  EXPECT_EQ(test::read_text(folder / "out.txt"), "results/new.png\n");
  fs::remove(folder / "results/new.json");
  EXPECT_EQ(pictures("results"), std::set<std::string>{"new.png"});
}

}  // namespace
}  // namespace hodge::tools
