// Every mistake of a file is told at once: one line each, in the order of lines, and none that only
// follows from another.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

// What `hodge check` and `hodge run` say of a file f.yaml, which both must refuse alike.
std::string refusal(const std::string& text, const std::vector<std::string>& more = {}) {
  const test::TemporaryDirectory folder;
  test::write_text(folder / "f.yaml", text);
  std::string refusal;
  for (const char* command : {"check", "run"}) {
    std::vector<std::string> words{command, "f.yaml"};
    words.insert(words.end(), more.begin(), more.end());
    const test::ProgramResult result = test::run_hodge(words, folder.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    if (std::string(command) == "run") {
      EXPECT_EQ(result.err, refusal);
    }
    refusal = result.err;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "output"));
  return refusal;
}

TEST(AllMistakes, of_many_kinds_are_told_in_the_order_of_lines) {
  EXPECT_EQ(refusal(R"yaml(case: custom
grid: {cells: [16, 16], lower: [0, zero]}
fluid: {viscosity: -1, densty: 2}
time: {scheme: bdf3, end: 1}
boundaries:
  x_lower: {kind: inflow}
  y_lower: wal
scalars:
  dye: {source: 2*q}
output: {frames: {every: 0}}
devices: cpu
)yaml"),
            R"(f.yaml:2:36: grid.lower[1] is 'zero', expected a number
f.yaml:3:20: fluid.viscosity is '-1', expected a number >= 0 or a formula of the parameters
f.yaml:3:24: unknown key 'densty' in fluid, did you mean 'density'? known keys: viscosity, density
f.yaml:4:16: time.scheme: unknown time scheme 'bdf3', did you mean 'bdf2'? known: bdf2, backward_euler, cn_ab2, rk3, ab2
f.yaml:6:12: missing key 'velocity' in boundaries.x_lower, expected the velocity of an inflow, one formula an axis
f.yaml:7:12: boundaries.y_lower: unknown kind of side 'wal', did you mean 'wall'? known: wall, inflow, outflow, pressure, slip, periodic
f.yaml:9:8: missing key 'diffusivity' in scalars.dye, expected a number >= 0 or a formula
f.yaml:9:17: scalars.dye.source: the formula '2*q': unknown name 'q' at character 3, known names: x, y, t, e, pi
f.yaml:10:26: output.frames.every is '0', expected a number > 0
f.yaml:11:1: unknown key 'devices', did you mean 'device'? known keys: case, parameters, grid, prescribed_velocity, fluid, force, boundaries, initial, exact, scalars, solids, porous, sponges, turbulence, rotation, forces, time, convection, solvers, compare, output, probes, device, parallel
)");
}

TEST(AllMistakes, leave_out_what_only_follows_from_a_wrong_grid_parameter_or_time) {
  EXPECT_EQ(
      refusal(R"yaml(case: custom
parameters: {speed: fast, length: 2*speed}
grid: {cells: [16]}
fluid: {viscosity: speed*length}
boundaries: {x_lower: {kind: inflow, velocity: [speed, 0]}, x_upper: outflow}
time: {end: never}
probes: {points: {a: [5, 5]}, averages: {from: 3}}
output: {frames: {every: 1e-300}}
)yaml"),
      R"(f.yaml:2:21: parameters.speed: the formula 'fast': unknown name 'fast' at character 1, known names: e, pi
f.yaml:3:15: grid.cells is a list of 1, expected 2 or 3, the dimensions of case custom
f.yaml:6:13: time.end is 'never', expected a number > 0
)");
}

TEST(AllMistakes, leave_out_a_missing_key_that_is_there_misspelt) {
  EXPECT_EQ(refusal("case: lid_driven_cavity\ngrid: {cels: [16, 16]}\ntime: {end: 1}\n"),
            "f.yaml:2:8: unknown key 'cels' in grid, did you mean 'cells'? known keys: cells, "
            "lower, upper, stretching\n");
}

TEST(AllMistakes, of_a_file_without_its_case_are_those_that_any_case_has) {
  const std::string err = refusal(
      "case: cavity\ngrid: {cells: [16, 2]}\ntime: {end: -1}\n"
      "fluid: {viscosity: much}\n");
  EXPECT_TRUE(err.starts_with("f.yaml:1:7: case: unknown case 'cavity', ")) << err;
  EXPECT_TRUE(
      err.ends_with("\nf.yaml:2:20: grid.cells[1] is '2', expected a whole number from 3 "
                    "to 1048576\n"
                    "f.yaml:3:13: time.end is '-1', expected a number > 0\n"))
      << err;
}

TEST(AllMistakes, of_the_command_line_come_after_those_of_the_file) {
  EXPECT_EQ(refusal("case: lid_driven_cavity\ngrid: {cells: [16, 16]}\ntime: {end: 0}\n",
                    {"--set", "device=gpu", "--set", "time.steps=0"}),
            "f.yaml:3:13: time.end is '0', expected a number > 0\n"
            "--set time.steps=0: time.steps is '0', expected a whole number >= 1\n"
            "--set device=gpu: device is 'gpu', did you mean 'cuda'? expected auto, cpu, cuda or "
            "cuda:N\n");
}

TEST(AllMistakes, beyond_twenty_are_counted) {
  std::string text = "case: lid_driven_cavity\ngrid: {cells: [16, 16]}\ntime: {end: 1}\n";
  for (int i = 0; i < 23; ++i) text += "unknown_" + std::to_string(i) + ": 1\n";
  const std::string err = refusal(text);
  EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 21);
  EXPECT_TRUE(err.starts_with("f.yaml:4:1: unknown key 'unknown_0', known keys: "));
  EXPECT_TRUE(err.ends_with("\nand 3 more\n"));
  for (int i = 0; i < 200; ++i) text += "more_" + std::to_string(i) + ": 1\n";
  EXPECT_TRUE(refusal(text).ends_with("\nand at least 80 more\n"));
}

// Eight times as many take less than 8 times as long; where each looks at all, 64 times.
TEST(AllMistakes, of_many_parameters_are_told_in_time_that_grows_as_they_do) {
  const auto seconds_of = [](int count, bool is_right) {
    const test::TemporaryDirectory folder;
    std::string text =
        "case: custom\ngrid: {cells: [8, 8]}\ntime: {end: 1, step: {max: 0.1}}\n"
        "fluid: {viscosity: 1}\nparameters:\n";
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(i), before = std::to_string(i - 1);
      text += is_right ? "  p" + number + ": " + (i == 0 ? "1" : "p" + before) + "\n"
                       : "  parameter_number_" + number + ": parametre_nomber_" + number + "\n";
    }
    test::write_text(folder / "f.yaml", text);
    const test::ProgramResult result = test::run_hodge({"check", "f.yaml"}, folder.path());
    EXPECT_EQ(result.exit_code, is_right ? 0 : 2);
    return result.cpu_seconds;
  };
  for (const bool is_right : {false, true})
    EXPECT_LT(seconds_of(45000, is_right), 32 * std::max(seconds_of(5625, is_right), 0.02));
}

}  // namespace
}  // namespace hodge::tools
