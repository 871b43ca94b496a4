// Checkpoints whose checksums are right and whose numbers are not: refused in one line, whatever
// the number is, or without an effect.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cases/registry.hpp"
#include "linalg/base/errors.hpp"
#include "sim/app/job.hpp"
#include "sim/app/run/run.hpp"
#include "tests/support/changed_checkpoint.hpp"
#include "tests/support/same_runs.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr double infinite = std::numeric_limits<double>::infinity();

// Everything that an implicit scheme keeps, and every file that a run writes.
constexpr const char* behind_a_rod = R"yaml(
case: custom
grid: {cells: [10, 8], upper: [2, 1]}
fluid: {viscosity: 0.02}
boundaries:
  x_lower: {kind: inflow, velocity: ["1 + 0.2*sin(9*t)", 0]}
  x_upper: outflow
solids: [{name: rod, sphere: {centre: [0.7, 0.5], radius: 0.2}}]
scalars:
  heat: {diffusivity: 0.1, initial: "y", source: "t", boundaries: {x_lower: {value: "y"}}}
time: {end: 1, steps: 6, step: {cfl: 0.5}, steady: {tolerance: 1.0e-5}}
solvers:
  pressure: {method: cg, preconditioner: {kind: jacobi}, guess: projected, guess_vectors: 3}
  transport: {refresh: never, guess: projected, guess_vectors: 2, preconditioner: {kind: ssor_sai}}
  scalars: {refresh: never, guess: extrapolated, preconditioner: {kind: jacobi}}
output:
  fields: [velocity, pressure, mean_velocity, rms_heat, mean_heat]
  frames: {every: 0.1}
  statistics: {start: 0.1}
  checkpoint: {keep: 1}
probes:
  points: {centre: [0.5, 0.25]}
  lines: {across: {from: [1, 0.1], to: [1, 0.9], points: 3}}
  averages: {from: 0.1, covariances: true}
device: cpu
)yaml";

// Rates, flow rates and inflows of a closed region.
constexpr const char* across_a_channel = R"yaml(
case: custom
grid: {cells: [8, 8]}
fluid: {viscosity: 0.02}
boundaries:
  x_lower: periodic
  x_upper: periodic
  y_lower: {kind: inflow, velocity: [0, "0.1*cos(5*t)"]}
  y_upper: {kind: inflow, velocity: [0, "0.1*cos(5*t)"]}
force: {flow_rate: ["0.5 + 0.1*sin(t)", free]}
scalars:
  heat:
    diffusivity: 0.1
    initial: "x*(1-x)"
    boundaries: {y_lower: {value: "t"}, y_upper: {value: 0}}
time: {scheme: ab2, end: 1, steps: 6, step: {size: 0.01}}
output: {fields: [velocity, pressure, heat], checkpoint: {keep: 1}}
device: cpu
)yaml";

using Plant = std::variant<double, long>;

std::string text_of(const std::string& name, const Plant& plant) {
  return std::visit([&](auto value) { return fmt::format("{} = {}", name, value); }, plant);
}

bool is_finite(const Plant& plant) {
  return std::holds_alternative<long>(plant) || std::isfinite(std::get<double>(plant));
}

// Lists of which no value is below 0. Others hold fields, sums of them, solutions and matrices, in
// which -1 is a number like others.
bool is_positive(const std::string& name) {
  return name.ends_with("frames/times") || name.ends_with("steadiness") ||
         name.ends_with("most_inflow") || name.ends_with("average/squares");
}

std::vector<Plant> plants_for(const sim::CheckpointPart& part) {
  if (part.kind == sim::PartKind::text || part.count == 0) return {};
  if (part.kind == sim::PartKind::integer)
    return {-1L, 1000L, 1L << 32, std::numeric_limits<long>::max()};
  std::vector<Plant> plants{NAN, 1e300};
  if (part.kind == sim::PartKind::number) plants.emplace_back(infinite);
  if (part.kind == sim::PartKind::number || is_positive(part.name)) plants.emplace_back(-1.0);
  return plants;
}

class CheckpointNumbers : public testing::TestWithParam<const char*> {
 protected:
  CheckpointNumbers() {
    test::write_text(folder_ / "run.yaml", GetParam());
    job_ = sim::load_job({(folder_ / "run.yaml").string(), {}}, cases::known_cases());
    run_in("out", "");
    good_ = fs::directory_iterator(folder_ / "out/checkpoints")->path();
    job_.settings.time.max_steps = 8;
  }
  void run_in(const std::string& folder, const std::string& restart) {
    job_.settings.output.directory = (folder_ / folder).string();
    (void)sim::run(job_.settings, job_.problem,
                   {.version = "test", .restart = restart, .console = -1});
  }
  // In a copy of the run directory. What is said; nothing where the run ends well.
  std::string restart(const std::string& folder, const test::ChangedCheckpoint& changed) {
    if (!is_refused_) {  // which leaves the folder as it was
      fs::remove_all(folder_ / folder);
      fs::copy(folder_ / "out", folder_ / folder, fs::copy_options::recursive);
    }
    is_refused_ = false;
    changed.save(folder_ / folder / "checkpoints" / good_.filename());
    try {
      run_in(folder, "latest");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  std::string restart_with(const std::string& name, const Plant& plant) {
    test::ChangedCheckpoint changed(good_);
    std::visit([&](auto value) { changed.set(name, value, changed.part(name).count / 2); }, plant);
    return restart("bad", changed);
  }
  // The results of the other folder that are not those of the first.
  std::string difference(const std::string& first, const std::string& other) const {
    std::string names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / first)) {
      const fs::path name = entry.path().lexically_relative(folder_ / first);
      const bool is_frame = name.extension() == ".pvd" || name.extension() == ".vti";
      const bool is_same =
          name.extension() == ".csv"
              ? test::repeatable_rows(entry.path()) == test::repeatable_rows(folder_ / other / name)
              : !is_frame ||
                    test::read_text(entry.path()) == test::read_text(folder_ / other / name);
      if (!is_same) names += " " + name.string();
    }
    return names;
  }
  void expect_refusal(const std::string& said, const std::string& name, const std::string& what) {
    EXPECT_THAT(said, HasSubstr(good_.filename().string() + " cannot be read: " + name)) << what;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    EXPECT_EQ(difference("out", "bad"), "") << what;  // nothing was overwritten
    for (const char* file : {"config.yaml", "summary.json"})
      EXPECT_EQ(test::read_text(folder_ / "bad" / file), test::read_text(folder_ / "out" / file))
          << what;
    is_refused_ = !said.empty();
  }

  test::TemporaryDirectory folder_;
  sim::Job job_;
  fs::path good_;
  bool is_refused_ = false;
};

// Every number, and a value of every list.
TEST_P(CheckpointNumbers, are_refused_where_no_run_has_them_or_change_nothing) {
  test::ChangedCheckpoint good(good_);
  ASSERT_EQ(restart("good", good), "");
  for (const std::string& name : good.names())
    for (const Plant& plant : plants_for(good.part(name))) {
      const std::string what = text_of(name, plant), said = restart_with(name, plant);
      if (!is_finite(plant) && name != "state/run/largest_sane_speed") {
        expect_refusal(said, name, what);
      } else if (said.empty()) {
        EXPECT_EQ(difference("good", "bad"), "") << what;
      } else {
        EXPECT_EQ(said.find('\n'), std::string::npos) << said;
      }
    }
}

TEST_P(CheckpointNumbers, of_files_are_those_of_the_files_that_are_there) {
  const std::string run = "state/run/";
  for (const auto& [name, plant] :
       std::vector<std::pair<std::string, Plant>>{{run + "files/history.csv/bytes", 1000L},
                                                  {run + "files/history.csv/bytes", 0L},
                                                  {run + "frames/submitted", 1000L},
                                                  {run + "frames/last_step", -1L},
                                                  {run + "frames/times", 1e9},
                                                  {run + "last_frame_step", 4L},
                                                  {run + "probe_part", 1000L}})
    expect_refusal(restart_with(name, plant),
                   name.ends_with("last_frame_step") ? run + "frames/last_step" : name,
                   text_of(name, plant));
}

// Lists that are shorter, and parts that are gone.
TEST_P(CheckpointNumbers, that_are_missing_are_named) {
  ASSERT_EQ(restart("good", test::ChangedCheckpoint(good_)), "");
  for (const std::string& name : test::ChangedCheckpoint(good_).names()) {
    test::ChangedCheckpoint changed(good_);
    const sim::CheckpointPart part = changed.part(name);
    const bool is_shorter = part.kind == sim::PartKind::list && part.count > 0;
    is_shorter ? changed.shorten(name, part.count - 1) : changed.remove(name);
    const std::string said = restart("bad", changed);
    if (!said.empty()) {
      expect_refusal(said, name, name);
    } else if (!is_shorter && name != "state/run/time_lost") {  // 0.1.0 did not write it
      EXPECT_EQ(difference("good", "bad"), "") << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, CheckpointNumbers, testing::Values(behind_a_rod, across_a_channel));

}  // namespace
}  // namespace hodge::tools
