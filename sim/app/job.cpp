#include "sim/app/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/app/config/yaml_tree.hpp"
#include "sim/app/initial/initial_state.hpp"
#include "sim/app/initial/surface_files.hpp"
#include "sim/base/key_error.hpp"
#include "sim/discrete/bodies/scalar_media.hpp"
#include "sim/discrete/bodies/shapes.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/checks.hpp"
#include "sim/flow/formula_check.hpp"

namespace hodge::sim {
namespace {

// The bodies of the file follow those that the case has of itself, which the grid must resolve.
KeyError of_file(const KeyError& error, const Settings& settings, const Problem& problem) {
  const std::string list = "solids[";
  if (!error.key.starts_with(list)) return error;
  std::size_t end = 0;
  const std::size_t own = problem.solids.size() - settings.solids.size();
  const std::size_t number = std::stoul(error.key.substr(list.size()), &end);
  if (number < own) return {"grid.cells", error.what()};
  return {fmt::format("{}{}{}", list, number - own, error.key.substr(list.size() + end)),
          error.what()};
}

// Large grids are left to the run, which looks at the same things again.
constexpr double most_looks_for_bodies = 1 << 26;

Problem problem_of(const Settings& settings, KnownCases cases) {
  return std::ranges::find(cases, settings.case_name, &CaseSchema::name)->make(settings);
}

DescribedRun described_run(const YamlNode& file, KnownCases cases) {
  Settings settings = settings_from_yaml(file, "before", cases);
  Problem problem = problem_of(settings, cases);
  return {std::move(settings), std::move(problem)};
}

// Without how its processes shared it: earlier versions had other ways, which say nothing of its
// fields.
DescribedRun run_of_state(const std::string& config, KnownCases cases) {
  YamlNode file = parse_yaml(config, "its configuration", false);
  std::erase_if(file.entries, [](const auto& entry) { return entry.key.scalar == "parallel"; });
  return described_run(file, cases);
}

void read_state_to_begin_with(Job& job, KnownCases cases) {
  if (job.settings.initial_from.path.empty()) return;
  job.problem.stored_state =
      read_initial_state({job.settings, job.problem},
                         [&](const std::string& config) { return run_of_state(config, cases); });
  job.settings.inputs.push_back({job.settings.initial_from.path, job.problem.stored_state->digest});
}

// With the files that it reads.
Job with_inputs(Job job, KnownCases cases, bool restarts) {
  const InputFiles surfaces = surface_files(job.settings);
  job.settings.inputs.insert(job.settings.inputs.end(), surfaces.begin(), surfaces.end());
  if (!restarts) read_state_to_begin_with(job, cases);
  return job;
}

}  // namespace

Job load_job(const ConfigSource& source, KnownCases cases, const std::string& device,
             bool restarts) {
  auto [settings, file] = load_configuration(source, cases);
  Problem problem = problem_of(settings, cases);
  if (!device.empty()) settings.device = device;
  return with_inputs({std::move(settings), std::move(problem), std::move(file), cases}, cases,
                     restarts);
}

Job load_job_text(const std::string& config, KnownCases cases, bool restarts) {
  DescribedRun run = described_run(parse_yaml(config, "its configuration", false), cases);
  return with_inputs({std::move(run.settings), std::move(run.problem), {}, cases}, cases, restarts);
}

void check_state_to_begin_with(Job job, KnownCases cases) {
  read_state_to_begin_with(job, cases);
}

void check_case(const Settings& settings, const Problem& problem) {
  try {
    const Grid grid(settings.grid);
    check(settings, problem, grid);
    check_inflow(problem, grid);
    const double looks = double(grid.cell_count()) * double(problem.solids.size());
    if (!problem.solids.empty() && looks <= most_looks_for_bodies)
      check_contacts(grid, problem, cell_bodies(grid, problem));
    check_formulas(settings, problem, grid);
  } catch (const KeyError& error) {
    throw of_file(error, settings, problem);
  }
}

PlacedError placed(const Job& job, const KeyError& error) {
  return placed(job.file, of_file(error, job.settings, job.problem));
}

}  // namespace hodge::sim
