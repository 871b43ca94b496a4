// What `hodge check` says of a problem.
// Over 400 lines: a short test for each line that it prints.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/run_hodge.hpp"
#include "tests/support/same_runs.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

test::ProgramResult check_file(const std::string& text) {
  const test::TemporaryDirectory folder;
  test::write_text(folder / "f.yaml", text);
  const test::ProgramResult result = test::run_hodge({"check", "f.yaml"}, folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result;
}

std::string check(const std::string& text) {
  const test::ProgramResult result = check_file(text);
  EXPECT_EQ(result.err, "");
  return result.out;
}

TEST(CheckCommand, says_what_sides_scalars_and_solids_are) {
  const std::string out = check_file(R"yaml(case: custom
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
)yaml")
                              .out;  // x_upper is warned of
  for (const char* line :
       {"\n  case       custom\n", "\n  x sides    inflow (4*y*(1 - y), 0) | outflow\n",
        "\n  y sides    wall | wall (0.5, 0)\n",
        "\n  scalar     heat: diffusivity 0.01, source sin(t), buoyancy (0, 2) (c - 1); x: value y "
        "| outflow; y: no flux | convective, coefficient 3, value x\n",
        "\n  solids     block: 16 of 256 cells, staircase (auto: surfaces lie on faces of cells)\n",
        "\n  scheme     cn_ab2, central; scalars van_leer\n", "at most 60 seconds of computing",
        "\n  transport  cg with jacobi (default: symmetric, as only diffusion is implicit)\n",
        "\n  scalars    cg with jacobi (default: symmetric, as only diffusion is implicit)\n"})
    EXPECT_THAT(out, HasSubstr(line));
}

TEST(CheckCommand, says_what_flows_and_what_drives_and_resists_it) {
  const std::string out = check(R"yaml(case: custom
grid: {cells: [8, 8, 8]}
fluid: {viscosity: {model: power_law, consistency: 0.1, exponent: 0.5, least_shear_rate: 0.001}, density: 1000}
force: [0, -9.81, 0]
rotation: [0, 0.5, 0]
turbulence: {model: smagorinsky, constant: 0.1}
boundaries: {x_lower: periodic, x_upper: periodic}
porous: [{region: {box: {lower: [0, 0, 0], upper: [0.5, 1, 1]}}, forchheimer: 100}]
sponges: [{rate: 2*x, velocity: [1, 0, 0]}]
time: {end: 1}
)yaml");
  for (const char* line :
       {"\n  fluid      power_law, consistency 0.1, exponent 0.5, least_shear_rate 0.001, density "
        "1000\n",
        "\n  turbulence smagorinsky, constant 0.1, turbulent Prandtl number 0.9\n",
        "\n  force      (0, -9.81, 0) per unit of mass\n", "\n  rotation   (0, 0.5, 0)\n",
        "\n  porous     Darcy 0, Forchheimer 100 in a part of the box\n",
        "\n  sponge     rate 2*x in the whole box; velocity (1, 0, 0)\n"})
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

// Checks f.yaml, takes one step of it, and gives both.
struct CheckedRun {
  test::ProgramResult check;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;  // of history.csv

  double value(std::size_t row, const std::string& column) const {
    const auto at = std::ranges::find(names, column) - names.begin();
    return std::stod(rows.at(row).at(static_cast<std::size_t>(at)));
  }
  std::string line(const std::string& name) const {
    const std::string begin = "\n  " + name + std::string(11 - name.size(), ' ');
    const std::size_t at = check.out.find(begin);
    if (at == std::string::npos) return "";
    const std::size_t from = at + begin.size();
    return check.out.substr(from, check.out.find('\n', from) - from);
  }
};

CheckedRun checked_run(const std::string& text) {
  const test::TemporaryDirectory folder;
  test::write_text(folder / "f.yaml", text);
  CheckedRun found{test::run_hodge({"check", "f.yaml"}, folder.path()), {}, {}};
  const test::ProgramResult run = test::run_hodge(
      {"run", "f.yaml", "--quiet", "--output", "o", "--set", "time.steps=1"}, folder.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::vector<std::string> lines = test::lines_of(folder / "o/history.csv");
  found.names = test::cells_of(lines.at(0));
  for (std::size_t k = 1; k < lines.size(); ++k) found.rows.push_back(test::cells_of(lines[k]));
  return found;
}

std::string rounded(double value) {
  return fmt::format("{:.4g}", value);
}

constexpr const char* checked_channel = R"yaml(case: custom
grid: {cells: [24, 16], upper: [3, 1], stretching: {y: {kind: tanh, strength: 1}}}
fluid: {viscosity: 0.01}
boundaries:
  x_lower: {kind: inflow, velocity: [4*y*(1 - y), 0]}
  x_upper: outflow
scalars: {dye: {diffusivity: 0.001, boundaries: {x_lower: {value: 1}}}}
solids: [{name: block, box: {lower: [1, 0], upper: [1.5, 0.5]}}]
time: {end: 1, step: {cfl: 0.8}}
device: cpu
)yaml";

TEST(CheckCommand, says_the_first_step_and_the_flow_rates_that_the_run_then_has) {
  const CheckedRun found = checked_run(checked_channel);
  EXPECT_EQ(found.check.err, "");
  EXPECT_THAT(found.line("first step"),
              testing::StartsWith("dt " + rounded(found.value(1, "dt")) + ", CFL " +
                                  rounded(found.value(1, "cfl")) + ", cell Reynolds number "));
  EXPECT_EQ(found.line("flow rates"),
            fmt::format("x_lower {:.6g} (its formula 0.666667), x_upper {:.6g}",
                        found.value(0, "flow_rate_x_lower"), found.value(0, "flow_rate_x_upper")));
  EXPECT_EQ(found.line("bounds"), "scalars keep theirs: van_leer with bdf2");
}

TEST(CheckCommand, says_what_formulas_let_through_where_solids_cover_a_part) {
  const std::string covered =
      "case: custom\nfluid: {viscosity: 0.01}\ndevice: cpu\ntime: {end: 1}\n"
      "boundaries: {x_lower: {kind: inflow, velocity: [\"y > 0.3 ? 1 : 0\", 0]}, x_upper: "
      "outflow}\n"
      "solids: [{box: {lower: [-1, 0.75], upper: [0.25, 2]}}]\n";
  EXPECT_THAT(check(covered + "grid: {cells: [16, 16]}\n"),
              HasSubstr("x_lower 0.45 (its formula 0.7), x_upper 0.45\n"));
  EXPECT_THAT(check(covered + "grid: {cells: [272, 256]}\n"),
              HasSubstr("x_lower 0.45 (its formula 0.7)\n"));
}

TEST(CheckCommand, says_what_the_first_step_of_a_large_grid_is_about) {
  const std::string cavity =
      "case: custom\nfluid: {viscosity: 0.0025}\ndevice: cpu\n"
      "boundaries: {y_upper: {kind: wall, velocity: [1, 0]}}\ntime: {end: 1, step: {cfl: 0.5}}\n";
  const CheckedRun small = checked_run(cavity + "grid: {cells: [256, 256]}\n");
  const std::string large = check(cavity + "grid: {cells: [257, 256]}\n");
  EXPECT_EQ(small.line("first step"), "dt 0.001953, CFL 0.5, cell Reynolds number 1.56");
  EXPECT_THAT(large, HasSubstr("\n  first step about dt 0.001946, CFL 0.5, cell Reynolds number "
                               "1.56\n"));
}

TEST(CheckCommand, warns_of_a_fixed_step_that_seems_unstable_on_a_large_grid) {
  const test::ProgramResult result = check_file(
      "case: custom\ngrid: {cells: [300, 300]}\nfluid: {viscosity: 0}\n"
      "boundaries: {y_upper: {kind: wall, velocity: [1, 0]}}\n"
      "time: {end: 0.1, scheme: rk3, step: {size: 0.01}}\n");
  EXPECT_THAT(result.err, testing::StartsWith("f.yaml:5:44: warning: time.step.size is 0.01; with "
                                              "the initial velocity rk3 with central convection "
                                              "is stable up to 0.005"));
}

TEST(CheckCommand, says_widths_and_warns_where_neighbours_differ_much) {
  EXPECT_THAT(check("case: lid_driven_cavity\ngrid: {cells: [16, 16]}\ntime: {end: 1}\n"),
              HasSubstr("\n  widths     0.0625\n"));
  const test::ProgramResult result = check_file(
      "case: lid_driven_cavity\n"
      "grid: {cells: [16, 8], stretching: {y: {kind: tanh, strength: 4}}}\n"
      "time: {end: 1}\n");
  EXPECT_THAT(result.err, testing::MatchesRegex("f.yaml:2:[0-9]+: warning: neighbouring cells "
                                                "along y differ by a factor of [0-9.]+, .*\n"));
}

TEST(CheckCommand, warns_of_thin_bodies_probes_in_solids_and_wrong_units) {
  const test::ProgramResult result = check_file(R"yaml(case: custom
grid: {cells: [16, 16]}
fluid: {viscosity: 0.01}
solids:
  - {name: plate, box: {lower: [0.25, 0.25], upper: [0.75, 0.375]}}
  - {name: block, box: {lower: [0.5, 0.5], upper: [0.75, 0.75]}}
  - {name: sill, box: {lower: [0, 0], upper: [0.0625, 0.5]}}
probes:
  points: {fluid: [0.1, 0.1], inside: [0.6, 0.6], surface: [0.5, 0.6]}
  lines: {across: {from: [0, 0.6], to: [1, 0.6], points: 11}}
boundaries: {y_upper: {kind: wall, velocity: [1000, 0]}}
time: {end: 40}
)yaml");
  EXPECT_EQ(
      result.err,
      "f.yaml:5:5: warning: plate is 2 cells wide along y, and the flow around a body needs "
      "at least 3: take smaller cells there\n"
      "f.yaml:9:39: warning: the probe inside is in a solid, where nothing flows\n"
      "f.yaml:10:19: warning: 2 of the 11 points of across are in solids, where nothing flows\n"
      "f.yaml:12:13: warning: the first step is 5e-05, and 8e+05 of them reach time.end: do "
      "lengths, speeds and times have units that belong together?\n");
}

constexpr const char* stream_past_a_body = R"yaml(case: custom
grid: {cells: [48, 24], lower: [-2, -1.5], upper: [4, 1.5]}
fluid: {viscosity: 0.01}
boundaries: {x_lower: {kind: inflow, velocity: [1, 0]}, x_upper: outflow, y_lower: slip, y_upper: slip}
solids: [{name: rod, cylinder: {centre: [0, 0], radius: 0.5}}]
initial: {velocity: [1, 0]}
time: {end: 1}
)yaml";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  text.replace(text.find(what), what.size(), by);
  return text;
}

TEST(CheckCommand, hints_at_a_body_in_perfect_symmetry_where_vortices_are_shed) {
  EXPECT_EQ(
      check_file(stream_past_a_body).err,
      "f.yaml:5:10: warning: grid, sides, bodies and initial state are symmetric about y = 0, "
      "where rod lies: vortices, which are shed beyond a Reynolds number of about 47 (here "
      "100), grow from rounding alone and come late; move the body by a cell along "
      "y, or disturb initial.velocity\n");
  for (const auto& [what, by] : std::vector<std::pair<std::string, std::string>>{
           {"viscosity: 0.01", "viscosity: 0.03"},
           {"centre: [0, 0]", "centre: [0, 0.1]"},
           {"{velocity: [1, 0]}\ntime", "{velocity: [1, exp(-(x - 1)^2)]}\ntime"},
           {"velocity: [1, 0]}, x_upper", "velocity: [1 + 0.1*y, 0]}, x_upper"},
           {"y_upper: slip", "y_upper: wall"},
           {"[4, 1.5]}",
            "[4, 1.5], stretching: {y: {kind: core, lower: -1, upper: 0.5, cells: 14}}}"}})
    EXPECT_THAT(check_file(replaced(stream_past_a_body, what, by)).err,
                Not(HasSubstr("symmetric about")))
        << by;
}

// Both commands say it: what such a side does to the flow is not seen in the numbers.
TEST(CheckCommand, warns_as_run_does_of_a_constant_pressure_along_which_the_fluid_is_pushed) {
  const std::string pushed = R"yaml(case: custom
grid: {cells: [8, 8]}
fluid: {viscosity: 0.1, density: 1000}
boundaries:
  x_lower: {kind: inflow, velocity: [1, 0]}
  x_upper: {kind: outflow, pressure: 5}
  y_upper: {kind: pressure, pressure: 0}
force: [0, -9.81]
time: {end: 0.1, steps: 1}
)yaml";
  const std::string warning =
      "f.yaml:6:38: warning: the pressure of x_upper is constant along y, where the force acts: a "
      "fluid at rest there has a pressure that changes along it, so the side drives a flow of its "
      "own; write pressure: 5 - 9810*y\n";
  EXPECT_EQ(check_file(pushed).err, warning);
  const test::TemporaryDirectory folder;
  test::write_text(folder / "f.yaml", pushed);
  const test::ProgramResult run =
      test::run_hodge({"run", "f.yaml", "--output", "o"}, folder.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, warning);
  EXPECT_EQ(check_file(replaced(pushed, "pressure: 5", "pressure: 5 - 9810*y")).err, "");
  EXPECT_THAT(
      check_file(replaced(pushed, "-9.81", "-9.81*sin(t)")).err,
      testing::EndsWith("write pressure: 5 + 1000*F, F the integral of the force over y\n"));
}

// What goes out at one end comes in at the other: it needs no pressure along the axis.
TEST(CheckCommand, does_not_ask_for_a_pressure_along_a_periodic_axis) {
  EXPECT_EQ(check_file(R"yaml(case: custom
grid: {cells: [4, 4]}
fluid: {viscosity: 0.1}
boundaries: {x_lower: periodic, x_upper: periodic, y_upper: {kind: pressure, pressure: 101325}}
force: [0.8, 0]
time: {end: 0.1}
)yaml")
                .err,
            "");
}

TEST(CheckCommand, writes_the_pressure_of_buoyant_fluid_at_rest) {
  const std::string stratified = R"yaml(case: custom
grid: {cells: [8, 8]}
fluid: {viscosity: 0.1}
boundaries: {x_lower: {kind: inflow, velocity: [1, 0]}, x_upper: outflow}
scalars:
  heat: {diffusivity: 0.1, buoyancy: [0, 2], neutral: 1, initial: 1, boundaries: {x_lower: {value: 3}}}
time: {end: 0.1}
)yaml";
  const auto err = [&](const std::string& what, const std::string& by) {
    return check_file(replaced(stratified, what, by)).err;
  };
  EXPECT_THAT(check_file(stratified).err,
              testing::EndsWith("where the buoyancy of heat acts: a fluid at rest there has a "
                                "pressure that changes along it, so the side drives a flow of its "
                                "own; write pressure: 0 + 4*y\n"));
  EXPECT_THAT(err("initial: 1", "initial: 4"), testing::EndsWith("write pressure: 0 + 6*y\n"));
  EXPECT_THAT(err("value: 3", "value: y"),
              testing::EndsWith("write pressure: 0 + 2*C, C the integral of (heat - 1) over y in "
                                "this side\n"));
  // Neutral fluid beyond the side; buoyancy across it.
  EXPECT_EQ(err("value: 3", "value: 1"), "");
  EXPECT_EQ(err("[0, 2]", "[2, 0]"), "");
}

TEST(CheckCommand, says_how_many_frames_the_run_then_writes) {
  const test::TemporaryDirectory folder;
  test::write_text(folder / "f.yaml",
                   "case: lid_driven_cavity\ngrid: {cells: [8, 8]}\ndevice: cpu\n"
                   "time: {end: 0.25, step: {size: 0.05}}\noutput: {frames: {every: 0.1}}\n");
  const test::ProgramResult result = test::run_hodge({"check", "f.yaml"}, folder.path());
  ASSERT_EQ(test::run_hodge({"run", "f.yaml", "--quiet", "--output", "o"}, folder.path()).exit_code,
            0);
  const auto written = std::distance(std::filesystem::directory_iterator(folder / "o/frames"), {});
  EXPECT_THAT(result.out, HasSubstr(fmt::format("\n  frames     {} frames of about ", written)));
}

TEST(CheckCommand, warns_of_a_run_directory_that_is_not_empty) {
  const test::TemporaryDirectory folder;
  test::write_text(folder / "f.yaml",
                   "case: lid_driven_cavity\ngrid: {cells: [8, 8]}\ntime: {end: 1}\n"
                   "output: {directory: o}\n");
  std::filesystem::create_directory(folder / "o");
  test::write_text(folder / "o/mine.txt", "mine");
  const test::ProgramResult check = test::run_hodge({"check", "f.yaml"}, folder.path());
  EXPECT_EQ(check.exit_code, 0);
  EXPECT_THAT(check.err, HasSubstr("f.yaml:4:21: warning: the output directory o is not empty"));
  const test::ProgramResult dry = test::run_hodge({"run", "f.yaml", "--dry-run"}, folder.path());
  const test::ProgramResult run = test::run_hodge({"run", "f.yaml"}, folder.path());
  EXPECT_EQ(dry.exit_code, 2);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(dry.err, run.err);
}

// Of what only making the flow shows, and of the machine. The files of bad_configs have the others.
TEST(CheckCommand, refuses_what_the_run_refuses_before_its_first_step) {
  struct Refusal {
    std::string keys, message;
    int exit_code;
  };
  const std::string channel_of_solids =
      "boundaries: {x_lower: periodic, x_upper: periodic}\nforce: {flow_rate: [1, free]}\n";
  for (const Refusal& of :
       {Refusal{"initial: {velocity: [1e200, x*1e308]}\n", "the initial velocity: ", 3},
        Refusal{channel_of_solids +
                    "solids: [{name: plug, box: {lower: [0.25, 0], upper: [0.5, 1]}}]\n",
                "the solids let no fluid flow along x alone", 2},
        Refusal{"device: cuda:99\n", "device 'cuda:99': ", 2},
        Refusal{"initial: {from: .}\n",
                "has neither checkpoints nor frames, expected the directory of a run", 2}}) {
    const test::TemporaryDirectory folder;
    test::write_text(
        folder / "f.yaml",
        "case: custom\ngrid: {cells: [8, 8]}\nfluid: {viscosity: 1}\ntime: {end: 1}\n" + of.keys);
    const test::ProgramResult run = test::run_hodge({"run", "f.yaml"}, folder.path());
    EXPECT_THAT(run.err, HasSubstr(of.message));
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"check", "f.yaml"}, {"run", "f.yaml", "--dry-run"}}) {
      const test::ProgramResult result = test::run_hodge(words, folder.path());
      EXPECT_EQ(result.exit_code, run.exit_code);
      EXPECT_EQ(result.err, run.err);
      EXPECT_EQ(result.out, "");
    }
    EXPECT_EQ(run.exit_code, of.exit_code);
  }
}

TEST(CheckCommand, refuses_a_grid_for_which_there_is_no_memory_as_the_run_does) {
  const test::TemporaryDirectory folder;
  test::write_text(folder / "f.yaml",
                   "case: lid_driven_cavity\ngrid: {cells: [1000, 1000, 1000]}\n"
                   "time: {end: 1, scheme: rk3}\ndevice: cpu\n");
  const test::ProgramResult check = test::run_hodge({"check", "f.yaml"}, folder.path());
  if (check.exit_code == 0) GTEST_SKIP() << "this machine has the memory";
  EXPECT_EQ(check.exit_code, 4);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", "f.yaml"}, {"run", "f.yaml", "--dry-run"}}) {
    const test::ProgramResult result = test::run_hodge(words, folder.path());
    EXPECT_EQ(result.exit_code, check.exit_code);
    // The memory that is available changes from second to second.
    EXPECT_EQ(result.err.substr(0, result.err.find(" and ")),
              check.err.substr(0, check.err.find(" and ")));
  }
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
      test::run_hodge({"run", "f.yaml", "--dry-run", "--quiet", "--overwrite"}, folder.path());
  EXPECT_EQ(quiet.err, "");
}

}  // namespace
}  // namespace hodge::tools
