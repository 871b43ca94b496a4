// hodge run by processes that share a box in pencils or blocks: its files have the bits of one
// process, and runs go on from one way of sharing to another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/program_in_processes.hpp"
#include "tests/support/same_runs.hpp"
#include "tests/support/warm_channel.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

// The axes are long enough for two parts each, also on a GPU; a given pressure that changes,
// probes.
std::string wide_channel() {
  std::string yaml = tests::warm_channel;
  const auto replace = [&yaml](const std::string& text, const std::string& by) {
    yaml.replace(yaml.find(text), text.size(), by);
  };
  replace("20, 17", "70, 17");
  replace("x_upper: outflow",
          "x_upper: outflow\n  y_upper: {kind: pressure, pressure: \"0.1*sin(3*t)\"}");
  replace("cfl: 0.6, max: 0.03", "cfl: 0.4, max: 0.01");
  replace("device: cpu", R"yaml(probes:
  every: 0.01
  points: {wake: [2, 0.5], near: [0.1, 0.9]}
  lines: {across: {from: [2, 0], to: [2, 1], points: 9}})yaml");
  return yaml;
}

// A body across cuts along all axes, forces on it, and averages along a periodic axis that is cut.
constexpr const char* ball_in_box = R"yaml(
case: custom
grid: {cells: [36, 12, 27], lower: [0, 0, 0], upper: [1, 1, 2]}
fluid: {viscosity: 0.02}
boundaries: {x_lower: periodic, x_upper: periodic, z_upper: {kind: wall, velocity: [1, 0, 0]}}
initial: {velocity: ["sin(pi*z)", "0.1*y*(1 - y)*sin(2*pi*x)", 0]}
solids: [{name: ball, sphere: {centre: [0.45, 0.5, 0.7], radius: 0.2}}]
forces: {speed: 1, area: 0.13}
scalars: {heat: {diffusivity: 0.02, buoyancy: [0, 0, 1], initial: "z"}}
time: {end: 1, steps: 4, step: {cfl: 0.4}}
output: {frames: {every: 0.05}, precision: double}
)yaml";

// Sums over sides whose faces are cut, on a GPU between few of them; fluid that enters and leaves
// through an open side where it is cut.
constexpr const char* open_box = R"yaml(
case: custom
grid: {cells: [8, 24, 9], lower: [0, 0, 0], upper: [1, 3, 1]}
fluid: {viscosity: 0.02}
boundaries:
  x_lower: {kind: inflow, velocity: ["(1 + 0.3*sin(9*t))*(1.2 + cos(3*y))*z*(1 - z)", 0, 0]}
  x_upper: outflow
  z_upper: {kind: pressure, pressure: "0.1*cos(2*y)*sin(5*t)"}
scalars: {heat: {diffusivity: 0.02, boundaries: {x_lower: {value: 1}, z_lower: {value: 0.5}}}}
initial: {velocity: [1, "0.3*cos(2*y)", "0.5*z*sin(2*pi*y/3 - 0.05)"]}
time: {end: 1, steps: 5, step: {cfl: 0.4, max: 0.02}}
output: {frames: {every: 0.05}, precision: double}
)yaml";

// The same without open sides: what enters and does not leave is taken out of the inflow.
std::string balanced_box() {
  std::string yaml = open_box;
  const auto sides = yaml.find("  x_lower"), end = yaml.find("scalars:");
  yaml.replace(sides, end - sides, R"yaml(
  x_lower: {kind: inflow, velocity: ["(1 + 0.3*sin(9*t))*(1 + 0.3*cos(2*pi*y/3))*6*z*(1 - z)", 0, 0]}
  x_upper: {kind: inflow, velocity: ["(1 + 0.3*sin(9*t))*(1 + 0.3*cos(2*pi*y/3))", 0, 0]}
)yaml");
  const std::string entering = "x_lower: {value: 1}";
  yaml.replace(yaml.find(entering), entering.size(), entering + ", x_upper: {value: 0}");
  return yaml;
}

class RunInBlocks : public tests::RunsOfOneFile {
 protected:
  struct Sharing {
    int processes;
    std::string counts;  // along each axis; empty: by default

    std::string arguments() const {
      return counts.empty() ? "" : " --set 'parallel.processes=" + counts + "'";
    }
  };

  void expect_run(const Sharing& by, const std::string& arguments) {
    SCOPED_TRACE(by.counts);
    RunsOfOneFile::expect_run(by.processes, arguments + by.arguments());
  }
  void expect_the_same(const std::vector<Sharing>& ways, const std::string& arguments) {
    SCOPED_TRACE(arguments);
    expect_run({1, ""}, "--output r1 --overwrite " + arguments);
    for (const Sharing& way : ways) {
      expect_run(way, "--output r --overwrite " + arguments);
      SCOPED_TRACE(way.counts);
      test::expect_same_runs(folder / "r1", folder / "r", "x");
    }
  }
  // A run that was started by the one and goes on with the other.
  void expect_the_same_from(const Sharing& first, const Sharing& second,
                            const std::string& arguments) {
    expect_run(first, "--set time.steps=2 --output r --overwrite " + arguments);
    expect_run(second, "--output r --restart latest " + arguments);
    SCOPED_TRACE(first.counts + ", then " + second.counts);
    test::expect_same_runs(folder / "straight", folder / "r", "x");
  }
};

TEST_F(RunInBlocks, writes_the_same_files_as_one_process) {
  HODGE_NEEDS_MPI();
  write(wide_channel());
  for (const std::string scheme : {"bdf2", "rk3"})
    expect_the_same({{4, "[2, 2]"}, {3, "[3, 1]"}}, "--device cpu --set time.scheme=" + scheme);
  write(ball_in_box);
  for (const std::string scheme : {"bdf2", "cn_ab2"})
    expect_the_same({{4, "[1, 2, 2]"}, {4, "[2, 2, 1]"}},
                    "--device cpu --set time.scheme=" + scheme);
  for (const std::string& yaml : {std::string(open_box), balanced_box()}) {
    write(yaml);
    expect_the_same({{2, "[1, 2, 1]"}, {6, "[1, 3, 2]"}}, "--device cpu");
  }
}

TEST_F(RunInBlocks, goes_on_from_slabs_and_from_blocks) {
  HODGE_NEEDS_MPI();
  for (const auto& [yaml, blocks] :
       {std::pair{wide_channel(), "[2, 2]"}, {std::string(ball_in_box), "[2, 2, 1]"}}) {
    write(yaml);
    const std::string on_cpu = "--device cpu";
    expect_run({1, ""}, "--output straight --overwrite " + on_cpu);
    expect_the_same_from({4, blocks}, {1, ""}, on_cpu);
    expect_the_same_from({4, blocks}, {3, ""}, on_cpu);
    expect_the_same_from({2, ""}, {4, blocks}, on_cpu);
  }
}

// 70 x 8 cells have two slabs, and four blocks.
TEST_F(RunInBlocks, more_than_the_box_has_slabs_for_share_it_in_blocks) {
  HODGE_NEEDS_MPI();
  std::string thin = wide_channel();
  thin.replace(thin.find("70, 17"), 6, "70, 8 ");
  write(thin);
  expect_the_same({{4, ""}}, "--device cpu");
  EXPECT_THAT(test::read_text(folder / "r/log.txt"), Not(HasSubstr("without a part")));
}

TEST_F(RunInBlocks, a_plan_says_how_blocks_are_shared) {
  HODGE_NEEDS_MPI();
  write(wide_channel() + "\nparallel: {processes: [2, 2]}\n");
  EXPECT_THAT(in_processes(4, "run x.yaml --output r --dry-run --device cpu").out,
              HasSubstr("4 processes in 2 x 2 blocks, the largest of 38 x 9 cells; of systems and "
                        "files at most 5 of the 17 layers along y"));
}

// Where there are fewer GPUs than processes, several share one.
TEST_F(RunInBlocks, writes_the_same_files_as_one_Cuda) {
  HODGE_NEEDS_MPI();
  HODGE_NEEDS_GPU();
  for (const std::string scheme : {"bdf2", "rk3", "cn_ab2"}) {
    const std::string on_gpu = "--device cuda --set time.scheme=" + scheme;
    write(wide_channel());
    expect_the_same({{2, "[2, 1]"}, {4, "[2, 2]"}}, on_gpu);
    write(ball_in_box);
    expect_the_same({{2, "[1, 2, 1]"}, {4, "[1, 2, 2]"}}, on_gpu);
    for (const std::string& yaml : {std::string(open_box), balanced_box()}) {
      write(yaml);
      expect_the_same({{2, "[1, 2, 1]"}}, on_gpu);
    }
  }
}

TEST_F(RunInBlocks, goes_on_from_slabs_and_from_blocks_Cuda) {
  HODGE_NEEDS_MPI();
  HODGE_NEEDS_GPU();
  write(ball_in_box);
  const std::string on_gpu = "--device cuda";
  expect_run({1, ""}, "--output straight " + on_gpu);
  expect_the_same_from({4, "[1, 2, 2]"}, {1, ""}, on_gpu);
  expect_the_same_from({2, ""}, {2, "[1, 2, 1]"}, on_gpu);
}

}  // namespace
}  // namespace hodge::tools
