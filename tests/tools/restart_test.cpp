// A run that is interrupted and goes on from its checkpoint is, bit for bit, the run that was not.
// Over 400 lines: one table of runs, and what each kind of file does at a restart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vtkCellData.h>

#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

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
  surfaces: [step, x_upper]
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

// A sharp body whose surface is written, too.
constexpr const char* around_cylinder = R"yaml(
case: custom
grid: {cells: [30, 20], lower: [0, 0], upper: [3, 2], stretching: {y: {kind: tanh, strength: 1.2}}}
fluid: {viscosity: 0.02}
boundaries:
  x_lower: {kind: inflow, velocity: ["1 + 0.3*sin(7*t)", 0]}
  x_upper: outflow
  y_lower: slip
  y_upper: slip
solids:
  rod:
    sphere: {centre: [1, 0.97], radius: 0.3}
    treatment: sharp
    scalars: {heat: {value: "1 + 0.1*sin(3*t)*y"}}
forces: {speed: 1, length: 0.6}
scalars: {heat: {diffusivity: 0.03, boundaries: {x_lower: {value: 0}}}}
time: {scheme: SCHEME, end: 0.5, step: {cfl: CFL_NUMBER, max: 0.03}}
convection: {scalars: central}
output: {frames: {every: 0.11}, surfaces: [rod, y_upper], statistics: {start: 0.1}}
device: cpu
)yaml";

// A sharp body that conducts and makes heat in a stream; what it gives is in the history.
constexpr const char* warm_cylinder = R"yaml(
case: custom
grid: {cells: [30, 20], lower: [0, 0], upper: [1.5, 1]}
fluid: {viscosity: 0.02}
boundaries: {x_lower: {kind: inflow, velocity: [1, 0]}, x_upper: outflow, y_lower: slip, y_upper: slip}
solids:
  - name: cylinder
    sphere: {centre: [0.51, 0.48], radius: 0.17}
    treatment: sharp
    scalars: {heat: {heat: {conductivity: 0.2, capacity: 2, resistance: 0.1, source: "1 + sin(9*t)"}}}
scalars: {heat: {diffusivity: 0.03, source: "x*t", boundaries: {x_lower: {value: 0}}}}
time: {scheme: SCHEME, end: 0.4, step: {cfl: CFL_NUMBER}}
output: {frames: {every: 0.1}, fields: [velocity, heat]}
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

// Everything that a restart can leave out.
constexpr const char* every_output = R"yaml(
case: custom
grid: {cells: [16, 8], lower: [0, 0], upper: [2, 1]}
fluid: {viscosity: 0.02}
force: [1, 0]
boundaries: {x_lower: periodic, x_upper: periodic}
solids: [{name: step, box: {lower: [0.75, 0], upper: [1.25, 0.25]}}]
time: {end: END, step: {size: 0.02}}
solvers: {pressure: {method: cg}}
device: cpu
output:
  frames: {every: 0.04}
  fields: [velocity, pressureMEAN]
)yaml";
constexpr const char* what_may_be_left_out = R"yaml(
  surfaces: [step, y_upper]
  regions: {wake: {lower: [1.25, 0], upper: [2, 0.5], every: 0.04}}
  statistics: {start: START, profile: y}
probes:
  points: {a: [0.5, 0.5]}
  lines: {l: {from: [0.5, 0], to: [0.5, 1], points: 3}}
  averages: {from: START}
compare: {every: 2, pressure: [{method: bicgstab}], histories: true, guesses: true}
)yaml";

struct LeftOutputs : testing::Test {
  void run(const std::string& end, bool with, const std::string& more, const char* start = "0.02") {
    std::string text = every_output;
    if (with) text += what_may_be_left_out;
    replace(text, "END", end);
    replace(text, "START", start);
    replace(text, "MEAN", with ? ", mean_velocity" : "");
    test::write_text(folder / "run.yaml", text);
    const test::ProgramResult result = run_in(folder, "run run.yaml --output out " + more);
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    const test::ProgramResult verified = run_in(folder, "verify out");
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  }
  // The files of everything that may be left out.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder / "out")) {
      const std::string name = entry.path().lexically_relative(folder / "out").generic_string();
      const bool is_left = name.starts_with("surfaces/") || name.starts_with("frames/wake") ||
                           name.starts_with("probes") || name.starts_with("lines/") ||
                           name.starts_with("averages") || name.starts_with("profiles") ||
                           (name.starts_with("compare") && name.ends_with(".csv"));
      if (is_left && entry.is_regular_file() && !name.ends_with(".pvd"))
        all[name] = test::read_text(entry.path());
    }
    return all;
  }
  std::vector<std::pair<double, std::string>> listed_in(const std::string& name) const {
    return test::read_collection(folder / ("out/" + name + ".pvd"));
  }
  const test::TemporaryDirectory folder;
};

TEST_F(LeftOutputs, go_on_behind_what_they_had_where_a_later_restart_names_them_again) {
  run("0.16", true, "");
  const auto first = contents();
  ASSERT_EQ(first.count("surfaces/step_000004.vtp"), 1U);
  ASSERT_EQ(first.count("profiles.csv"), 1U);
  ASSERT_EQ(first.count("compare_guess.csv"), 1U);
  run("0.24", false, "--restart latest");
  EXPECT_EQ(contents(), first);
  run("0.32", false, "--restart latest");
  EXPECT_EQ(contents(), first);
  run("0.4", true, "--restart latest", "0.34");
  const auto now = contents();
  for (const auto& [name, text] : first)  // rows may follow, and nothing else has changed
    EXPECT_THAT(now.at(name), testing::StartsWith(text)) << name;
  EXPECT_EQ(now.at("averages.csv"), first.at("averages.csv"));
  EXPECT_EQ(now.at("profiles.csv"), first.at("profiles.csv"));
  EXPECT_EQ(now.count("profiles.2.csv"), 1U);
  EXPECT_EQ(now.count("averages.2.csv"), 1U);
  EXPECT_GT(now.at("surfaces/step.csv").size(), first.at("surfaces/step.csv").size());
  EXPECT_GT(now.at("compare_history.csv").size(), first.at("compare_history.csv").size());
  for (const char* name : {"surfaces/step", "surfaces/y_upper", "wake"}) {
    const bool has_start = std::string(name) == "wake";  // a region has a frame where it begins
    const auto listed = listed_in(name);
    ASSERT_EQ(listed.size(), has_start ? 8U : 7U) << name;
    EXPECT_NEAR(listed[4].first, 0.16, 1e-12);
    EXPECT_NEAR(listed[5].first, has_start ? 0.32 : 0.36, 1e-12);
    EXPECT_THAT(listed[5].second, HasSubstr("_000005.vt"));
  }
}

TEST_F(LeftOutputs, are_cut_off_behind_an_older_checkpoint) {
  run("0.16", true, "");
  const auto first = contents();
  run("0.24", true, "--restart latest");
  EXPECT_NE(contents(), first);
  run("0.24", false, "--restart out/checkpoints/run_00000008.h5");
  for (const char* name : {"surfaces/step.csv", "surfaces/step.means.csv", "compare.csv",
                           "compare_history.csv", "compare_guess.csv"})
    EXPECT_EQ(contents()[name], first.at(name)) << name;
  EXPECT_EQ(listed_in("surfaces/step").size(), 5U);
  run("0.32", true, "--restart latest", "0.24");
  EXPECT_EQ(listed_in("surfaces/step").size(), 7U);
  EXPECT_THAT(contents()["surfaces/step.csv"], testing::StartsWith(first.at("surfaces/step.csv")));
}

// The beginning of the averages in the last row.
double begin_of_means(const std::string& rows) {
  const std::size_t row = rows.rfind('\n', rows.size() - 2) + 1, from = rows.find(',', row) + 1;
  return std::stod(rows.substr(from));
}

TEST_F(LeftOutputs, have_averages_on_surfaces_from_where_a_restart_names_them) {
  constexpr const char* means = "surfaces/step.means.csv";
  run("0.16", true, "");
  EXPECT_NEAR(begin_of_means(contents()[means]), 0.02, 1e-12);
  const std::string only = " --set output.surfaces=";
  run("0.24", true, "--restart latest" + only + "[y_upper]");
  run("0.32", true, "--restart latest" + only + "[step,y_upper,y_lower]");
  run("0.32", true, "--restart out/checkpoints/run_00000012.h5" + only + "[step,y_upper,y_lower]");
  EXPECT_NEAR(begin_of_means(contents()[means]), 0.24, 1e-12);
  EXPECT_NEAR(begin_of_means(contents()["surfaces/y_lower.means.csv"]), 0.24, 1e-12);
  EXPECT_NEAR(begin_of_means(contents()["surfaces/y_upper.means.csv"]), 0.02, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, Restart,
    testing::Values(RestartCase{"channel_bdf2", "bdf2", restarted_channel},
                    RestartCase{"channel_backward_euler", "backward_euler", restarted_channel},
                    RestartCase{"channel_cn_ab2", "cn_ab2", restarted_channel},
                    RestartCase{"channel_rk3", "rk3", restarted_channel},
                    RestartCase{"channel_ab2", "ab2", restarted_channel},
                    RestartCase{"closed_box_bdf2", "bdf2", closed_box},
                    RestartCase{"closed_box_cn_ab2", "cn_ab2", closed_box},
                    RestartCase{"closed_box_rk3", "rk3", closed_box},
                    RestartCase{"cylinder_bdf2", "bdf2", around_cylinder},
                    RestartCase{"cylinder_rk3", "rk3", around_cylinder},
                    RestartCase{"warm_cylinder_bdf2", "bdf2", warm_cylinder},
                    RestartCase{"warm_cylinder_backward_euler", "backward_euler", warm_cylinder},
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
