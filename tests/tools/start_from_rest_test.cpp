// Runs in which nothing moves at t = 0 find their first step themselves, check says so, and their
// steps are fine enough for what sets in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tests/support/run_hodge.hpp"
#include "tests/support/same_runs.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;

struct RestingStart {
  std::string name, keys;
  std::string column = "kinetic_energy";  // of the history, at the end
  double tolerance = 0.01;                // relative to what steps of 1/2000 of the end give
  bool moves = true;
};

const std::vector<RestingStart> resting_starts{
    {"a lid that swings", "boundaries: {y_upper: {kind: wall, velocity: [sin(t), 0]}}"},
    {"a lid that starts late",
     "boundaries: {y_upper: {kind: wall, velocity: [\"t < 2 ? 0 : min(t - 2, 1)\", 0]}}"},
    {"a ramp of inflow",
     "boundaries: {x_lower: {kind: inflow, velocity: [\"min(t, 1)*4*y*(1 - y)\", 0]}, x_upper: "
     "outflow}"},
    {"a constant force", "boundaries: {x_lower: periodic, x_upper: periodic}\nforce: [1, 0]"},
    {"a force that swings",
     "boundaries: {x_lower: periodic, x_upper: periodic}\nforce: [cos(2*t), 0]"},
    {"a side heated later",
     "scalars: {heat: {diffusivity: 0.02, buoyancy: [0, 5], boundaries: {x_lower: {value: \"t < 1 "
     "? 0 : 1\"}, x_upper: {value: 0}}}}"},
    {"a difference of pressure",
     "boundaries: {x_lower: {kind: pressure, pressure: 1}, x_upper: outflow}"},
    {"a flow rate that rises",
     "boundaries: {x_lower: periodic, x_upper: periodic}\nforce: {flow_rate: [\"min(t, 1)\", "
     "free]}"},
    {"diffusion alone",
     "scalars: {heat: {diffusivity: 0.02, boundaries: {x_lower: {value: 1}, x_upper: {value: "
     "0}}}}",
     "heat_integral", 0.01, false}};

class StartFromRest : public testing::TestWithParam<RestingStart> {
 protected:
  test::TemporaryDirectory folder;

  // The columns of history.csv.
  std::map<std::string, std::vector<double>> run(const std::string& output,
                                                 const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "f.yaml", "--quiet", "--output", output};
    words.insert(words.end(), more.begin(), more.end());
    const test::ProgramResult result = test::run_hodge(words, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::vector<std::string> lines = test::lines_of(folder / output / "history.csv");
    const std::vector<std::string> names = test::cells_of(lines.at(0));
    std::map<std::string, std::vector<double>> columns;
    for (std::size_t row = 1; row < lines.size(); ++row) {
      const std::vector<std::string> cells = test::cells_of(lines[row]);
      for (std::size_t k = 0; k < names.size(); ++k)
        columns[names[k]].push_back(cells[k].empty() ? 0 : std::stod(cells[k]));
    }
    return columns;
  }
};

TEST_P(StartFromRest, is_checked_and_run_alike_and_agrees_with_small_steps) {
  test::write_text(folder / "f.yaml",
                   "case: custom\ngrid: {cells: [12, 12]}\nfluid: {viscosity: 0.02}\n"
                   "time: {end: 4, step: {cfl: 0.5}}\ndevice: cpu\n" +
                       GetParam().keys + "\n");
  const test::ProgramResult check = test::run_hodge({"check", "f.yaml"}, folder.path());
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_THAT(check.out, HasSubstr("dt <= 0.04 as no formula moves the fluid at t = 0"));
  const auto found = run("o", {});
  EXPECT_THAT(test::read_text(folder / "o/log.txt"),
              HasSubstr("step      at most 0.04, a hundredth of time.end, as no formula moves the "
                        "fluid at t = 0 (time.step.max)"));
  EXPECT_LE(*std::ranges::max_element(found.at("dt")), 0.04 * (1 + 1e-9));
  // The Courant number of a step is that of the velocity it starts from.
  EXPECT_LE(*std::ranges::max_element(found.at("cfl")), 0.5 * (1 + 1e-9));
  const auto fine = run("fine", {"--set", "time.step={size: 0.002}"});
  const double value = found.at(GetParam().column).back();
  const double reference = fine.at(GetParam().column).back();
  RecordProperty("value", std::to_string(value));
  EXPECT_NEAR(value, reference, GetParam().tolerance * std::abs(reference));
  EXPECT_EQ(GetParam().moves, fine.at("kinetic_energy").back() > 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Problems, StartFromRest, testing::ValuesIn(resting_starts),
                         [](const auto& of) {
                           std::string name = of.param.name;
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

// The first step is not the rest of the run, nor does a later one pass what sets in.
// Nothing happens for half of the time.
TEST(StartFromRestSteps, are_not_steady_before_what_comes_later) {
  const test::TemporaryDirectory folder;
  const std::string head =
      "case: custom\ngrid: {cells: [8, 8]}\nfluid: {viscosity: 0.02}\n"
      "time: {end: 2, step: {cfl: 0.5}, steady: {tolerance: 1e-6}}\ndevice: cpu\n";
  for (const std::string keys :
       {"boundaries: {y_upper: {kind: wall, velocity: [\"t > 1 ? 1 : 0\", 0]}}",
        "scalars: {dye: {diffusivity: 0.01, source: \"t > 1 ? x : 0\"}}"}) {
    test::write_text(folder / "f.yaml", head + keys + "\n");
    const test::ProgramResult result =
        test::run_hodge({"run", "f.yaml", "--overwrite"}, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("reached t = 2")) << keys;
  }
  test::write_text(folder / "f.yaml", head);
  EXPECT_THAT(test::run_hodge({"run", "f.yaml", "--overwrite"}, folder.path()).out,
              HasSubstr("steady at t = 0.02"));
}

TEST(StartFromRestSteps, do_not_jump_over_what_sets_in) {
  const test::TemporaryDirectory folder;
  test::write_text(folder / "f.yaml",
                   "case: custom\ngrid: {cells: [12, 12]}\nfluid: {viscosity: 0.02}\n"
                   "time: {end: 400, steps: 8, step: {cfl: 0.5}}\ndevice: cpu\n"
                   "boundaries: {y_upper: {kind: wall, velocity: [\"t < 11 ? 0 : t - 11\", 0]}}\n");
  ASSERT_EQ(test::run_hodge({"run", "f.yaml", "--quiet", "--output", "o"}, folder.path()).exit_code,
            0);
  const std::vector<std::string> lines = test::lines_of(folder / "o/history.csv");
  double before = 0;
  for (std::size_t row = 2; row < lines.size(); ++row) {
    const double time = std::stod(test::cells_of(lines[row])[1]);
    const double speed = std::max(0.0, time - 11);
    EXPECT_LE((time - before) * speed * 12, 0.5 * 1.01) << lines[row];
    before = time;
  }
}

}  // namespace
}  // namespace hodge::tools
