// A run that is interrupted and goes on from its checkpoint is, bit for bit, the run that was not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vtkCellData.h>

#include <iterator>
#include <sstream>
#include <string>

#include "sim/model/schemes.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/same_runs.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct RestartCase {
  const char* name;
  const char* scheme;
  const char* yaml;
};

// Inflow that changes, outflow, a body with forces, buoyancy, stretched cells, probes, averages.
constexpr const char* restarted_channel = R"yaml(
case: custom
parameters: {rate: 20}
grid: {cells: [24, 16], lower: [0, 0], upper: [3, 1], stretching: {y: {kind: tanh, strength: 1.5}}}
fluid: {viscosity: 0.01}
force: ["0.1*sin(t)", 0]
boundaries:
  x_lower: {kind: inflow, velocity: ["6*y*(1 - y)*(1 + 0.3*sin(7*t))", 0]}
  x_upper: outflow
solids: [{name: step, box: {lower: [0.8, 0], upper: [1.2, 0.4]}}]
forces: {speed: 1, length: 0.4}
scalars:
  heat: {diffusivity: 0.02, buoyancy: [0, 1], boundaries: {x_lower: {value: "sin(5*t)"}}}
  a: {diffusivity: 0.01, initial: "x < 1 ? 1 : 0", boundaries: {x_lower: {value: 1}}REACTION_A}
  b: {diffusivity: 0.01, initial: "0.2", boundaries: {x_lower: {value: 0.2}}REACTION_B}
time: {scheme: SCHEME, end: 0.6, step: {cfl: CFL_NUMBER, max: 0.03}}
output:
  frames: {every: 0.11}
  fields: [velocity, pressure, vorticity, heat, a, solid, mean_velocity, mean_pressure, mean_heat]
  averages: {from: 0.1}
  regions: {wake: {lower: [1.2, 0.3], upper: [2, 0.3], every: 0.04}}
probes:
  every: 0.05
  points: {wake: [2, 0.5], near: [0.1, 0.9]}
  lines: {across: {from: [2, 0], to: [2, 1], points: 9}}
  averages: {from: 0.15}
device: cpu
)yaml";

// No outflow: the profiles are balanced at every step; the pressure has a null space.
constexpr const char* closed_box = R"yaml(
case: custom
grid: {cells: [16, 12], lower: [0, 0], upper: [1, 1]}
fluid: {viscosity: 0.02}
boundaries:
  x_lower: {kind: inflow, velocity: ["6*y*(1 - y)*(1 + 0.2*sin(7*t))", 0]}
  x_upper: {kind: inflow, velocity: ["6*y*(1 - y)*(1.001 + 0.2*sin(7*t))", 0]}
  y_upper: slip
convection: {scheme: weno5}
time: {scheme: SCHEME, end: 0.5, step: {cfl: CFL_NUMBER}}
output: {frames: {every: 0.2}}
device: cpu
)yaml";

constexpr const char* vortices_3d = R"yaml(
case: taylor_green_3d
grid: {cells: [8, 8, 8]}
convection: {scheme: van_leer}
time: {scheme: SCHEME, end: 6, step: {cfl: CFL_NUMBER}}
solvers: {pressure: {guess: projected}SOLVERS}
output: {fields: [velocity, mean_pressure], frames: {every: 1.3}}
device: cpu
)yaml";

constexpr const char* carried = R"yaml(
case: custom
grid: {cells: [20, 20], lower: [-1, -1], upper: [1, 1]}
prescribed_velocity: ["-y*cos(t)", "x*cos(t)"]
scalars:
  dye: {diffusivity: 0.001, initial: "exp(-20*((x - 0.4)^2 + y^2))", source: "0.1*sin(3*t)"}
convection: {scalars: van_leer}
time: {scheme: SCHEME, end: 0.7, step: {cfl: CFL_NUMBER}}
output: {frames: {every: 0.3}, fields: [dye, mean_dye]}
device: cpu
)yaml";

// A preconditioner that chooses by the matrix of the first step, for scalars whose matrices differ.
constexpr const char* strained = R"yaml(
case: custom
grid: {cells: [32, 25], lower: [0, 0], upper: [3.5, 3.5], stretching: {x: {kind: tanh, strength: 1.5}}}
prescribed_velocity: ["1 + 0.2*sin(9*t)", 0]
boundaries: {x_lower: inflow, x_upper: outflow}
scalars:
  a: {diffusivity: 0.01, initial: "0.5", boundaries: {x_lower: {value: "0.5 + 0.2*sin(4*t)"}}}
  b: {diffusivity: 0.05, initial: "x < 1.6 ? 1 : 0", boundaries: {x_lower: {value: 1}}}
convection: {scalars: central}
time: {scheme: bdf2, end: 0.2, step: {max: 0.01}}
solvers: {scalars: {method: bicgstab, preconditioner: PRECONDITIONER}}
output: {frames: {every: 0.1}}
device: cpu
)yaml";

void replace(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
    text.replace(at, what.size(), by);
}

// cn_ab2 and ab2 have no reactions, and with weno5 they are stable up to 0.25.
std::string file_of(const RestartCase& entry) {
  std::string text = entry.yaml;
  const bool reacts = sim::find_time_scheme(entry.scheme).lets_scalars_react();
  replace(text, "SCHEME", entry.scheme);
  replace(text, "CFL_NUMBER", reacts ? "0.5" : "0.25");
  const bool implicit = sim::find_time_scheme(entry.scheme).solves_transport();
  replace(text, "SOLVERS",
          implicit ? ", transport: {guess: extrapolated, refresh: never, preconditioner: {kind: "
                     "ssor_sai}}"
                   : "");
  replace(text, "REACTION_A", reacts ? ", reaction: \"-rate*a*b\"" : "");
  replace(text, "REACTION_B", reacts ? ", reaction: \"rate*(a*b - b^2)\"" : "");
  return text;
}

void expect_that_it_continues(const std::string& file) {
  const test::TemporaryDirectory folder;
  test::write_text(folder / "run.yaml", file);
  const auto hodge = [&](const std::string& output, std::vector<std::string> more) {
    std::vector<std::string> words{"run", "run.yaml", "--output", output};
    words.insert(words.end(), more.begin(), more.end());
    const test::ProgramResult result = test::run_hodge(words, folder.path());
    ASSERT_EQ(result.exit_code, 0) << result.err;
  };
  hodge("straight", {});
  hodge("stopped", {"--set", "time.steps=7"});
  hodge("stopped", {"--set", "time.steps=12", "--restart", "latest"});
  hodge("stopped", {"--restart", "latest"});
  test::expect_same_runs(folder / "straight", folder / "stopped", "run");
  EXPECT_GT(test::lines_of(folder / "straight/history.csv").size(), 16U);
}

test::ProgramResult run_in(const test::TemporaryDirectory& folder, const std::string& arguments) {
  std::istringstream words(arguments);
  return test::run_hodge({std::istream_iterator<std::string>(words), {}}, folder.path());
}

class Restart : public testing::TestWithParam<RestartCase> {};

TEST_P(Restart, continues_bit_for_bit) {
  expect_that_it_continues(file_of(GetParam()));
}

TEST(RestartWithChoices, continues_bit_for_bit) {
  for (const char* preconditioner :
       {"{kind: multigrid}", "{kind: ssor_sai, form: truncated, alpha: 0.6}"}) {
    SCOPED_TRACE(preconditioner);
    std::string file = strained;
    replace(file, "PRECONDITIONER", preconditioner);
    expect_that_it_continues(file);
  }
}

// The end is the third frame: 3 * 0.11 is 0.33 only up to rounding.
TEST(RestartWithALaterEnd, is_the_run_that_had_this_end_from_the_start) {
  const test::TemporaryDirectory folder;
  test::write_text(folder / "run.yaml", file_of({"channel", "bdf2", restarted_channel}));
  const auto hodge = [&](const std::string& arguments) {
    return run_in(folder, "run run.yaml " + arguments);
  };
  EXPECT_EQ(hodge("--output straight --set time.end=0.66").exit_code, 0);
  EXPECT_EQ(hodge("--output longer --set time.end=0.33").exit_code, 0);
  EXPECT_EQ(hodge("--output longer --restart latest --set time.end=0.66").exit_code, 0);
  test::expect_same_runs(folder / "straight", folder / "longer", "run");
  const auto earlier = hodge("--output longer --restart latest --set time.end=0.5");
  EXPECT_EQ(earlier.exit_code, 2);
  EXPECT_THAT(earlier.err, HasSubstr("--set time.end=0.5: time.end is 0.5, and the checkpoint "));
  const auto again = hodge("--output longer --restart latest --set time.end=0.66");
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.out, HasSubstr("nothing left to do: the run has reached t = 0.66"));
  test::expect_same_runs(folder / "straight", folder / "longer", "run");
}

TEST(RestartWithOtherOutput, has_it_from_then_on) {
  const test::TemporaryDirectory folder;
  const std::string file = file_of({"channel", "bdf2", restarted_channel});
  test::write_text(folder / "run.yaml", file);
  const auto hodge = [&](const std::string& arguments) {
    const test::ProgramResult result = run_in(folder, arguments);
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  };
  hodge("run run.yaml --output straight");
  hodge("run run.yaml --output other --set time.steps=12");
  const std::string probes = test::read_text(folder / "other/probes.csv");
  hodge(
      "run run.yaml --output other --restart latest --set output.fields=[speed,rms_velocity] "
      "--set output.averages.from=0.4 --set output.precision=double --set output.encoding=inline "
      "--set probes.points.far=[2.5,0.5] --set probes.averages.from=0.4");
  hodge("verify other");
  test::expect_same_rows(folder / "straight", folder / "other", "history.csv");
  test::expect_same_rows(folder / "straight", folder / "other", "forces.csv");
  EXPECT_THAT(probes, testing::StartsWith(test::read_text(folder / "other/probes.csv")));
  EXPECT_THAT(test::lines_of(folder / "other/probes.2.csv")[0], HasSubstr("far_u"));
  EXPECT_TRUE(fs::exists(folder / "other/lines/across.2.csv"));
  EXPECT_TRUE(fs::exists(folder / "other/averages.2.csv"));
  const auto frames = test::read_collection(folder / "other/run.pvd");
  const auto first = test::read_data(folder / "other" / frames.front().second);
  const auto last = test::read_data(folder / "other" / frames.back().second);
  EXPECT_NE(first->GetCellData()->GetArray("heat"), nullptr);
  EXPECT_EQ(last->GetCellData()->GetArray("heat"), nullptr);
  EXPECT_NE(last->GetCellData()->GetArray("rms_velocity"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Restart,
                         testing::Values(RestartCase{"channel_bdf2", "bdf2", restarted_channel},
                                         RestartCase{"channel_backward_euler", "backward_euler",
                                                     restarted_channel},
                                         RestartCase{"channel_cn_ab2", "cn_ab2", restarted_channel},
                                         RestartCase{"channel_rk3", "rk3", restarted_channel},
                                         RestartCase{"channel_ab2", "ab2", restarted_channel},
                                         RestartCase{"closed_box_bdf2", "bdf2", closed_box},
                                         RestartCase{"closed_box_cn_ab2", "cn_ab2", closed_box},
                                         RestartCase{"closed_box_rk3", "rk3", closed_box},
                                         RestartCase{"vortices_bdf2", "bdf2", vortices_3d},
                                         RestartCase{"vortices_cn_ab2", "cn_ab2", vortices_3d},
                                         RestartCase{"vortices_rk3", "rk3", vortices_3d},
                                         RestartCase{"vortices_ab2", "ab2", vortices_3d},
                                         RestartCase{"carried_bdf2", "bdf2", carried},
                                         RestartCase{"carried_cn_ab2", "cn_ab2", carried},
                                         RestartCase{"carried_rk3", "rk3", carried},
                                         RestartCase{"carried_ab2", "ab2", carried}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace hodge::tools
