#include "tools/hodge/program/job.hpp"

#include <fmt/format.h>

#include <iostream>

#include "cases/registry.hpp"
#include "sim/app/config/without_effect.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/app/initial/initial_state.hpp"
#include "sim/app/initial/surface_files.hpp"
#include "sim/app/run/preview.hpp"
#include "sim/app/run/resting_pressure.hpp"
#include "sim/base/key_error.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/checks.hpp"
#include "sim/flow/formula_check.hpp"

namespace hodge::tools {
namespace {

// The bodies of the file follow those that the case has of itself, which the grid must resolve.
sim::KeyError of_file(const sim::KeyError& error, const sim::Settings& settings,
                      const sim::Problem& problem) {
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

// Whatever can be known before anything is allocated.
void check_problem(const sim::Settings& settings, const sim::Problem& problem) {
  const sim::Grid grid(settings.grid);
  sim::check(settings, problem, grid);
  sim::check_inflow(problem, grid);
  const double looks = double(grid.cell_count()) * double(problem.solids.size());
  if (!problem.solids.empty() && looks <= most_looks_for_bodies)
    (void)sim::cell_bodies(grid, problem.solids);
  sim::check_formulas(settings, problem, grid);
}

sim::CaseSchema case_schema(const cases::Case& entry) {
  sim::CaseSchema schema;
  schema.name = entry.name;
  schema.parameters = entry.parameters;
  schema.dimensions = entry.dimensions;
  schema.lower = entry.box.lower;
  schema.upper = entry.box.upper;
  schema.check = [&entry](const sim::Settings& settings) {
    const sim::Problem problem = cases::make_problem(entry, settings);
    try {
      check_problem(settings, problem);
    } catch (const sim::KeyError& error) {
      throw of_file(error, settings, problem);
    }
  };
  schema.contents = [&entry](const sim::Settings& settings) {
    const sim::Problem problem = entry.make(settings);
    return sim::CaseContents{sim::scalar_names(problem), !problem.solids.empty(),
                             problem.prescribed_velocity.has_value()};
  };
  schema.described_in_file = entry.described_in_file;
  return schema;
}

sim::DescribedRun described_run(const std::string& config) {
  sim::Settings settings = sim::settings_from_yaml(
      sim::parse_yaml(config, "its configuration", false), "before", case_schemas());
  sim::Problem problem = cases::make_problem(*cases::find_case(settings.case_name), settings);
  return {std::move(settings), std::move(problem)};
}

void read_state_to_begin_with(Job& job) {
  if (job.settings.initial_from.path.empty()) return;
  job.problem.stored_state = sim::read_initial_state({job.settings, job.problem}, described_run);
  job.settings.inputs.push_back({job.settings.initial_from.path, job.problem.stored_state->digest});
}

void note_surfaces(sim::Settings& settings) {
  const sim::InputFiles surfaces = sim::surface_files(settings);
  settings.inputs.insert(settings.inputs.end(), surfaces.begin(), surfaces.end());
}

}  // namespace

sim::PlacedError placed(const Job& job, const sim::KeyError& error) {
  return sim::placed(job.file, of_file(error, job.settings, job.problem));
}

void print_warnings(const Job& job, int processes) {
  for (const std::string& line :
       sim::settings_without_effect(job.file, job.settings, job.problem, processes))
    std::cerr << line << std::endl;
  print_doubts(job, sim::doubts_about_pressure(job.problem, sim::Grid(job.settings.grid)));
}

void print_doubts(const Job& job, const std::vector<sim::Doubt>& doubts) {
  for (const sim::Doubt& doubt : doubts)
    std::cerr << placed(job, sim::KeyError(doubt.key, "warning: " + doubt.text)).what()
              << std::endl;
}

std::vector<sim::CaseSchema> case_schemas() {
  std::vector<sim::CaseSchema> schemas;
  for (const cases::Case& entry : cases::case_table()) schemas.push_back(case_schema(entry));
  return schemas;
}

Job load_job(const sim::ConfigSource& source, const std::string& device, bool restarts) {
  auto [settings, file] = sim::load_configuration(source, case_schemas());
  sim::Problem problem = cases::make_problem(*cases::find_case(settings.case_name), settings);
  if (!device.empty()) settings.device = device;
  Job job{std::move(settings), std::move(problem), std::move(file)};
  note_surfaces(job.settings);
  if (!restarts) read_state_to_begin_with(job);
  return job;
}

void check_state_to_begin_with(Job job) {
  read_state_to_begin_with(job);
}

Job load_job_text(const std::string& config, bool restarts) {
  sim::DescribedRun run = described_run(config);
  Job job{std::move(run.settings), std::move(run.problem)};
  note_surfaces(job.settings);
  if (!restarts) read_state_to_begin_with(job);
  return job;
}

}  // namespace hodge::tools
