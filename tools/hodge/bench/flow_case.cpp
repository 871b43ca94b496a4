#include "tools/hodge/bench/flow_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/registry.hpp"
#include "linalg/solve/solve_bytes.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/systems.hpp"
#include "sim/model/schemes.hpp"

namespace hodge::tools::bench {
namespace {

constexpr double value = sizeof(double);

sim::TimeFamily family_of(const Job& job) {
  return sim::find_time_scheme(job.settings.time.scheme).family;
}

std::vector<sim::SystemSize> systems_of(const Job& job) {
  return sim::system_sizes(job.problem.boundaries, sim::Grid(job.settings.grid));
}

double cells_of(const Job& job) {
  return static_cast<double>(sim::Grid(job.settings.grid).cell_count());
}

std::string yaml_of(const FlowCase& flow) {
  const bool cavity = flow.name == "lid_driven_cavity";
  return fmt::format(
      "case: {}\n"
      "grid: {{cells: [{}]}}\n"
      "time: {{scheme: {}, end: 1e6, step: {{cfl: {}, max: 0.05}}}}\n"
      "solvers: {{pressure: {{tolerance: 1e-5}}}}\n",
      flow.name, fmt::join(flow.cells, ", "), flow.scheme, cavity ? 4.0 : 0.5);
}

}  // namespace

std::string FlowCase::grid() const {
  return fmt::format("{}", fmt::join(cells, " x "));
}

std::string FlowCase::text() const {
  return fmt::format("{} {} {}", name, grid(), scheme);
}

std::vector<FlowCase> flow_cases(bool quick) {
  std::vector<FlowCase> flows;
  for (const int n : quick ? std::vector<int>{8} : std::vector<int>{64, 128, 256})
    for (const char* scheme : {"bdf2", "rk3"})
      flows.push_back({"taylor_green_3d", scheme, {n, n, n}, n > 64});
  for (const int n : quick ? std::vector<int>{16} : std::vector<int>{128, 512, 2048})
    flows.push_back({"lid_driven_cavity", "bdf2", {n, n}, n > 512});
  return flows;
}

Job flow_job(const FlowCase& flow, const std::string& device) {
  Job job;
  job.settings =
      sim::settings_from_yaml(sim::parse_yaml(yaml_of(flow), flow.name), flow.name, case_schemas());
  job.settings.device = device;
  job.problem = cases::make_problem(*cases::find_case(flow.name), job.settings);
  return job;
}

double assembly_bytes(const Job& job) {
  const double dim = job.settings.grid.dim, cells = cells_of(job);
  const double pressure_source = value * cells * (dim + 1);
  if (family_of(job) == sim::TimeFamily::rk3) return 3 * pressure_source;
  const std::vector<sim::SystemSize> systems = systems_of(job);
  double written = 0;
  for (auto system = systems.begin(); system + 1 != systems.end(); ++system)
    written += value * static_cast<double>(system->nonzeros + system->rows);
  return value * cells * (3 * dim + 1) + written + pressure_source;
}

double stage_bytes(const Job& job) {
  if (family_of(job) != sim::TimeFamily::rk3) return 0;
  return value * cells_of(job) * (10 * job.settings.grid.dim + 3);
}

SolveBytes solve_bytes_of(const Job& job, const sim::StepReport& report) {
  const std::vector<sim::SystemSize> systems = systems_of(job);
  SolveBytes bytes;
  for (const sim::SolveSummary& solve : report.solves) {
    const auto system = std::find_if(systems.begin(), systems.end(),
                                     [&](const auto& one) { return one.name == solve.system; });
    if (system == systems.end()) continue;
    const bool pressure = solve.system == "pressure";
    const bool symmetric = pressure || family_of(job) == sim::TimeFamily::cn_ab2;
    const linalg::SystemSize size{static_cast<std::size_t>(system->rows),
                                  static_cast<std::size_t>(system->nonzeros),
                                  sizeof(double),
                                  symmetric,
                                  true,
                                  true};
    const linalg::SolverSettings& solver =
        pressure ? job.settings.pressure : job.settings.transport;
    (pressure ? bytes.pressure : bytes.transport) +=
        linalg::solve_bytes(solver, size, solve.iterations);
  }
  return bytes;
}

}  // namespace hodge::tools::bench
