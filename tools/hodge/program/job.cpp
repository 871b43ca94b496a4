#include "tools/hodge/program/job.hpp"

#include "cases/registry.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/app/initial/initial_state.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/checks.hpp"

namespace hodge::tools {
namespace {

sim::CaseSchema case_schema(const cases::Case& entry) {
  sim::CaseSchema schema;
  schema.name = entry.name;
  schema.parameters = entry.parameters;
  schema.dimensions = entry.dimensions;
  schema.lower = entry.box.lower;
  schema.upper = entry.box.upper;
  schema.check = [&entry](const sim::Settings& settings) {
    const sim::Problem problem = cases::make_problem(entry, settings);
    const sim::Grid grid(settings.grid);
    sim::check(settings, problem, grid);
    sim::check_inflow(problem, grid);
  };
  schema.contents = [&entry](const sim::Settings& settings) {
    const sim::Problem problem = entry.make(settings);
    return sim::CaseContents{sim::scalar_names(problem), !problem.solids.empty(),
                             problem.prescribed_velocity.has_value()};
  };
  schema.described_in_file = entry.described_in_file;
  return schema;
}

}  // namespace

std::vector<sim::CaseSchema> case_schemas() {
  std::vector<sim::CaseSchema> schemas;
  for (const cases::Case& entry : cases::case_table()) schemas.push_back(case_schema(entry));
  return schemas;
}

Job load_job(const sim::ConfigSource& source, const std::string& device, bool restarts) {
  const std::vector<sim::CaseSchema> schemas = case_schemas();
  sim::Settings settings = sim::load_settings(source, schemas);
  sim::Problem problem = cases::make_problem(*cases::find_case(settings.case_name), settings);
  if (!device.empty()) settings.device = device;
  if (!restarts && !settings.initial_from.path.empty())
    problem.stored_state =
        sim::read_initial_state({settings, problem}, [&](const std::string& config) {
          sim::Settings of_run = sim::settings_from_yaml(
              sim::parse_yaml(config, "its configuration", false), "before", schemas);
          sim::Problem problem_of_run =
              cases::make_problem(*cases::find_case(of_run.case_name), of_run);
          return sim::DescribedRun{std::move(of_run), std::move(problem_of_run)};
        });
  return {std::move(settings), std::move(problem)};
}

}  // namespace hodge::tools
