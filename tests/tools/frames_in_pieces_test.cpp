// hodge run by several processes that write each frame in pieces, and what reads such frames.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/program_in_processes.hpp"
#include "tests/support/same_runs.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using tests::mpiexec;

constexpr const char* flat = R"yaml(
case: custom
grid: {cells: [20, 17], lower: [0, 0], upper: [3, 1]}
fluid: {viscosity: 0.01}
boundaries:
  x_lower: {kind: inflow, velocity: ["6*y*(1 - y)*(1 + 0.3*sin(7*t))", 0]}
  x_upper: outflow
scalars: {heat: {diffusivity: 0.02, boundaries: {x_lower: {value: "sin(5*t)"}}}}
time: {scheme: bdf2, end: 1, steps: 9, step: {cfl: 0.6, max: 0.03}}
output:
  frames: {every: 0.05}
  fields: [velocity, pressure, vorticity, heat, mean_velocity, rms_heat]
  statistics: {start: 0.02}
device: cpu
)yaml";

constexpr const char* stretched_in_space = R"yaml(
case: custom
grid:
  cells: [12, 10, 13]
  lower: [0, 0, 0]
  upper: [1, 1, 1]
  stretching: {z: {kind: tanh, strength: 1.5}}
fluid: {viscosity: 0.02}
force: ["sin(2*pi*z)", "cos(2*pi*x)*z", 1]
boundaries: {x_lower: periodic, x_upper: periodic, z_upper: {kind: wall, velocity: [1, 0, 0]}}
time: {scheme: rk3, end: 1, steps: 6, step: {cfl: 0.5}}
output: {frames: {every: 0.05}}
device: cpu
)yaml";

class FramesOfProcesses : public tests::RunsOfOneFile {
 protected:
  void expect_pieces(int count, const std::string& arguments) {
    expect_run(count, "--set output.pieces=always " + arguments);
  }
  void expect_whole(const std::string& directory) {
    const auto result = shell("\"$H\" verify " + directory);
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_THAT(result.out, Not(HasSubstr("left over")));
  }
};

TEST_F(FramesOfProcesses, have_the_bits_of_the_file_of_one_process) {
  HODGE_NEEDS_MPI();
  for (const char* yaml : {flat, stretched_in_space}) {
    write(yaml);
    const std::string extension = yaml == flat ? ".vti" : ".vtr";
    expect_run(1, "--output r1 --overwrite");
    for (const int count : {2, 3})
      for (const char* encoding : {"appended", "inline"}) {
        expect_pieces(count,
                      std::string("--output r --overwrite --set output.encoding=") + encoding);
        test::expect_same_runs_in_pieces(folder / "r1", folder / "r", "x");
        const std::string last = std::to_string(count - 1), behind = std::to_string(count);
        const fs::path pieces = folder / "r/frames/x_000001/x_000001_";
        EXPECT_TRUE(fs::exists(pieces.string() + last + extension));
        EXPECT_FALSE(fs::exists(pieces.string() + behind + extension));
        EXPECT_FALSE(fs::exists(folder / ("r/frames/x_000001" + extension)));
        expect_whole("r");
      }
  }
}

TEST_F(FramesOfProcesses, are_one_file_of_one_process_and_of_small_grids) {
  HODGE_NEEDS_MPI();
  write(flat);
  expect_run(2, "--output shared");
  expect_pieces(1, "--output alone");
  test::expect_same_runs(folder / "shared", folder / "alone", "x");
  EXPECT_TRUE(fs::exists(folder / "alone/frames/x_000000.vti"));
}

TEST_F(FramesOfProcesses, go_on_with_another_number_of_processes_or_in_the_other_form) {
  HODGE_NEEDS_MPI();
  write(flat);
  expect_run(1, "--output straight");
  for (const auto& [first, second] : {std::pair{2, 3}, {3, 2}, {3, 1}}) {
    SCOPED_TRACE(std::to_string(first) + ", then " + std::to_string(second));
    expect_pieces(first, "--set time.steps=5 --output r --overwrite");
    expect_pieces(second, "--output r --restart latest");
    test::expect_same_runs_in_pieces(folder / "straight", folder / "r", "x");
    expect_whole("r");
  }
  expect_run(2, "--set time.steps=5 --output r --overwrite");
  expect_pieces(2, "--output r --restart latest");
  test::expect_same_runs_in_pieces(folder / "straight", folder / "r", "x");
  EXPECT_EQ(test::read_collection(folder / "r/x.pvd").back().second.substr(15), ".pvti");
  expect_whole("r");
}

// Frames behind the checkpoint are written again, by fewer processes than before.
TEST_F(FramesOfProcesses, that_a_checkpoint_does_not_count_are_replaced) {
  HODGE_NEEDS_MPI();
  write(flat);
  expect_pieces(3, "--output r --set 'output.checkpoint={every: 0.05, keep: 9}'");
  const auto result = shell("ls r/checkpoints | head -n 1");
  ASSERT_EQ(result.exit_code, 0);
  const std::string first = result.out.substr(0, result.out.find('\n'));
  ASSERT_TRUE(fs::exists(folder / "r/frames/x_000002/x_000002_2.vti"));
  expect_pieces(2, "--output r --restart r/checkpoints/" + first);
  EXPECT_FALSE(fs::exists(folder / "r/frames/x_000002/x_000002_2.vti"));
  expect_run(1, "--output straight");
  test::expect_same_runs_in_pieces(folder / "straight", folder / "r", "x");
  expect_whole("r");
}

TEST_F(FramesOfProcesses, are_removed_by_overwrite_with_all_of_their_pieces) {
  HODGE_NEEDS_MPI();
  write(flat);
  expect_pieces(3, "--output r");
  expect_run(1, "--output r --overwrite");
  for (const auto& entry : fs::directory_iterator(folder / "r/frames"))
    EXPECT_EQ(entry.path().extension(), ".vti") << entry.path();
}

TEST_F(FramesOfProcesses, verify_names_pieces_that_are_missing_or_damaged) {
  HODGE_NEEDS_MPI();
  write(flat);
  expect_pieces(2, "--output r");
  const fs::path piece = folder / "r/frames/x_000001/x_000001_1.vti";
  const std::string whole = test::read_text(piece);
  test::write_text(piece, whole.substr(0, whole.size() / 2));
  const auto damaged = shell("\"$H\" verify r");
  EXPECT_EQ(damaged.exit_code, 4);
  EXPECT_THAT(damaged.out, HasSubstr("1 broken: r/frames/x_000001/x_000001_1.vti"));
  fs::remove(piece);
  const auto missing = shell("\"$H\" verify r");
  EXPECT_EQ(missing.exit_code, 4);
  EXPECT_THAT(missing.out, HasSubstr("r/frames/x_000001/x_000001_1.vti is missing, a "
                                     "piece of r/frames/x_000001.pvti"));
}

TEST_F(FramesOfProcesses, another_run_begins_with_them) {
  HODGE_NEEDS_MPI();
  for (const char* yaml : {flat, stretched_in_space}) {
    write(yaml);
    const std::string extension = yaml == flat ? "ti" : "tr";
    expect_run(1, "--output one --overwrite");
    expect_pieces(3, "--output r --overwrite");
    const std::string begin = " --overwrite --set time.steps=2 --set initial.from=";
    expect_run(1, "--output a" + begin + "one/frames/x_000001.v" + extension);
    expect_run(1, "--output b" + begin + "r/frames/x_000001.pv" + extension);
    test::expect_same_runs(folder / "a", folder / "b", "x");
    fs::remove(folder / ("r/frames/x_000001/x_000001_1.v" + extension));
    const auto refused =
        shell("\"$H\" check x.yaml --set initial.from=r/frames/x_000001.pv" + extension);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr("x_000001_1.v" + extension + " is missing, a piece of "));
  }
}

// Files of the last process may not grow beyond a few KiB.
TEST_F(FramesOfProcesses, a_full_disk_of_one_process_ends_all_with_one_message) {
  HODGE_NEEDS_MPI();
  write(flat);
  const std::string run =
      "\"$H\" run x.yaml --quiet --output r --set output.pieces=always --set time.steps=400 "
      "--set grid.cells='[200, 60]' --set 'output.frames.every=0.01'";
  const auto result = launch("T=$(date +%s); " + mpiexec + " -n 2 " + run +
                             " : -n 1 sh -c 'ulimit -f 16; exec \"$@\"' sh " + run +
                             "; C=$?; echo $(( $(date +%s) - T )) > seconds; exit $C");
  EXPECT_EQ(result.exit_code, 4) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("rank 2: "), HasSubstr("x_000000_2.vti"),
                                HasSubstr("File too large")));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_LT(std::stol(test::read_text(folder / "seconds")), 20);
  EXPECT_FALSE(fs::exists(folder / "r/frames/x_000000.pvti"));
  for (const auto& entry : fs::directory_iterator(folder / "r/frames/x_000000"))
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
}

}  // namespace
}  // namespace hodge::tools
