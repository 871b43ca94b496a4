// What `hodge check` says of a problem.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string check(const std::string& text) {
  const test::TemporaryDirectory folder;
  std::ofstream(folder.path() / "f.yaml") << text;
  const test::ProgramResult result = test::run_hodge({"check", "f.yaml"}, folder.path());
  EXPECT_EQ(result.err, "");
  return result.out;
}

TEST(CheckCommand, says_what_sides_scalars_and_solids_are) {
  const std::string out = check(R"yaml(case: custom
grid: {cells: [16, 16]}
fluid: {viscosity: 0.1}
boundaries:
  x_lower: {kind: inflow, velocity: [4*y*(1 - y), 0]}
  x_upper: outflow
  y_upper: {kind: wall, velocity: [0.5, 0]}
scalars:
  heat:
    diffusivity: 0.01
    source: sin(t)
    buoyancy: [0, 2]
    neutral: 1
    boundaries:
      x_lower: {value: y}
      y_upper: {convective: {coefficient: 3, value: x}}
solids:
  - {name: block, box: {lower: [0.5, 0], upper: [0.75, 0.25]}}
time: {scheme: cn_ab2, end: 1, wall_clock: 60}
)yaml");
  for (const char* line :
       {"\n  case       custom\n", "\n  x sides    inflow (4*y*(1 - y), 0) | outflow\n",
        "\n  y sides    wall | wall (0.5, 0)\n",
        "\n  scalar     heat: diffusivity 0.01, source sin(t), buoyancy (0, 2) (c - 1); x: value y "
        "| outflow; y: no flux | convective, coefficient 3, value x\n",
        "\n  solids     block: 16 of 256 cells\n",
        "\n  scheme     cn_ab2, central; scalars van_leer\n", "at most 60 seconds of computing",
        "\n  transport  cg with jacobi\n", "\n  scalars    cg with jacobi\n"})
    EXPECT_THAT(out, HasSubstr(line));
}

TEST(CheckCommand, names_no_solvers_that_are_not_used) {
  const std::string out = check(R"yaml(case: custom
grid: {cells: [16, 16]}
prescribed_velocity: [1, 0]
boundaries: {x_lower: periodic, x_upper: periodic}
scalars: {dye: {diffusivity: 0.01}}
time: {end: 1}
)yaml");
  EXPECT_THAT(out, HasSubstr("\n  velocity   prescribed: (1, 0)\n"));
  EXPECT_THAT(out, HasSubstr("dye: diffusivity 0.01; x: periodic | periodic; y: no flux"));
  EXPECT_THAT(out, HasSubstr("\n  scalars    bicgstab"));
  EXPECT_THAT(out, Not(HasSubstr("\n  pressure ")));
  EXPECT_THAT(out, Not(HasSubstr("\n  transport ")));
}

// What `hodge run` refuses after it has computed the flow at t = 0.
TEST(CheckCommand, refuses_a_first_step_that_nothing_bounds) {
  const test::TemporaryDirectory folder;
  const auto check_with = [&](const std::string& keys) {
    std::ofstream(folder.path() / "f.yaml")
        << "case: custom\ngrid: {cells: [8, 9]}\nfluid: {viscosity: 0.1}\n" + keys;
    const test::ProgramResult checked = test::run_hodge({"check", "f.yaml"}, folder.path());
    const test::ProgramResult run = test::run_hodge(
        {"run", "f.yaml", "--output", "out", "--overwrite", "--set", "time.steps=1"},
        folder.path());
    EXPECT_EQ(checked.exit_code, run.exit_code) << keys;
    EXPECT_EQ(checked.err, run.err) << keys;
    return checked.err;
  };
  const std::string time = "time: {end: 1, step: {cfl: 0.5}}\n";
  EXPECT_THAT(check_with(time + "force: [1, 0]\n"), HasSubstr("the time step has no bound"));
  EXPECT_THAT(check_with(time + "initial: {velocity: [\"0*x\", 0]}\n"),
              HasSubstr("set time.step.max too"));
  EXPECT_EQ(check_with(time + "initial: {velocity: [\"y > 0.9 ? 1 : 0\", 0]}\n"), "");
  EXPECT_EQ(check_with(time + "boundaries: {y_upper: {kind: wall, velocity: [1, 0]}}\n"), "");
  EXPECT_EQ(check_with("time: {end: 1, step: {max: 0.1}}\n"), "");
  EXPECT_THAT(check_with("time: {end: 1, scheme: rk3}\n"), HasSubstr("set time.step.max too"));
}

// `hodge check` and `hodge run` say it, and go on.
TEST(CheckCommand, tells_settings_without_effect_with_their_places) {
  const test::TemporaryDirectory folder;
  std::ofstream(folder.path() / "f.yaml") << "case: custom\ngrid: {cells: [8, 8]}\n"
                                             "fluid: {viscosity: 0.1}\n"
                                             "time: {scheme: rk3, end: 1, step: {max: 0.01}}\n"
                                             "solvers: {transport: {tolerance: 1e-9}}\n"
                                             "device: cpu\n";
  const std::string warning =
      "f.yaml:5:22: warning: solvers.transport has no effect with scheme rk3\n";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"check", "f.yaml"},
                                                {"run", "f.yaml", "--dry-run"},
                                                {"run", "f.yaml", "--set", "time.steps=1"}}) {
    const test::ProgramResult result = test::run_hodge(words, folder.path());
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, warning);
  }
  const test::ProgramResult quiet =
      test::run_hodge({"run", "f.yaml", "--dry-run", "--quiet"}, folder.path());
  EXPECT_EQ(quiet.err, "");
}

}  // namespace
}  // namespace hodge::tools
