#include "tools/hodge/bench/flow_steps.hpp"

#include <numbers>

#include "cases/registry.hpp"
#include "linalg/base/errors.hpp"
#include "linalg/base/timing.hpp"
#include "linalg/solve/solve_bytes.hpp"
#include "sim/app/simulation.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/flow.hpp"
#include "sim/flow/pressure_method.hpp"
#include "sim/flow/systems.hpp"
#include "sim/flow/transport_method.hpp"
#include "sim/model/schemes.hpp"

namespace hodge::tools::bench {
namespace {

constexpr const char* channel =
    "fluid: {viscosity: 1.0e-3}\n"
    "force: [8.0e-3, 0, 0]\n"
    "boundaries: {x_lower: periodic, x_upper: periodic, z_lower: periodic, z_upper: periodic}\n"
    "initial: {velocity: [4 * y * (1 - y), 0.1 * sin(6.283185307179586 * x), 0]}\n";

// In a stream, its diameter a quarter of the box.
constexpr const char* sphere =
    "fluid: {viscosity: 1.0e-2}\n"
    "boundaries: {x_lower: {kind: inflow, velocity: [1, 0, 0]}, x_upper: outflow,\n"
    "             y_lower: slip, y_upper: slip, z_lower: slip, z_upper: slip}\n"
    "initial: {velocity: [1, 0, 0]}\n";

// What describes the case `custom`; "": it is one of the registry.
std::string custom_flow(const std::string& name) {
  if (name == "channel") return channel;
  if (name == "channel_wale") return std::string(channel) + "turbulence: {model: wale}\n";
  if (name == "channel_dynamic")
    return std::string(channel) + "turbulence: {model: dynamic_smagorinsky}\n";
  if (name != "sphere" && name != "sharp_sphere") return {};
  return fmt::format(
      "{}solids: {{ball: {{sphere: {{centre: [1.2, 2, 2], radius: 0.5}}, treatment: {}}}}}\n",
      sphere, name == "sphere" ? "staircase" : "sharp");
}

// What a grid has beside its cells.
std::string more_of_grid(const FlowCase& flow) {
  if (flow.name.starts_with("channel")) return ", stretching: {y: {kind: tanh}}";
  if (flow.name == "heated_cavity") return ", stretching: {x: {kind: tanh}}";
  if (flow.name.ends_with("sphere")) return ", lower: [0, 0, 0], upper: [4, 4, 4]";
  if (flow.periods == 1) return "";
  constexpr double period = 2 * std::numbers::pi;
  return fmt::format(", lower: [0, 0, 0], upper: [{0:.17g}, {0:.17g}, {1:.17g}]", period,
                     period * flow.periods);
}

sim::Job job_of(const FlowCase& flow, const std::string& device) {
  const std::string custom = custom_flow(flow.name);
  const char* const pressure =
      flow.pressure == "cg" ? ", method: cg, preconditioner: {kind: multigrid}" : "";
  const std::string yaml = fmt::format(
      "case: {}\n"
      "grid: {{cells: [{}]{}}}\n"
      "time: {{scheme: {}, end: 1.0e+6, step: {{cfl: {}, max: 0.05}}}}\n"
      "solvers: {{pressure: {{tolerance: 1.0e-5{}}}{}}}\n"
      "{}",
      custom.empty() ? flow.name : "custom", fmt::join(flow.cells, ", "), more_of_grid(flow),
      flow.scheme, flow.name == "lid_driven_cavity" ? 4.0 : 0.5, pressure,
      flow.scheme == "cn_ab2" ? ", transport: {method: direct}" : "", custom);
  sim::Job job = sim::load_job({.file = flow.name, .text = yaml}, cases::known_cases(), device);
  job.settings = sim::with_chosen_methods(job.settings, job.problem);
  return job;
}

double solve_bytes(const sim::Settings& settings, const sim::TimeScheme& scheme, int dim,
                   const sim::FlowSystem& system, int iterations) {
  const bool pressure = system.name == "pressure";
  linalg::SystemSize size;
  size.rows = static_cast<std::size_t>(system.rows);
  size.nonzeros = static_cast<std::size_t>(system.nonzeros);
  size.dim = dim;
  size.symmetric = pressure || scheme.has_symmetric_transport();
  size.on_grid = size.few_diagonals = true;
  return linalg::solve_bytes(pressure ? settings.pressure : settings.transport, size, iterations);
}

void add_bytes(const sim::Job& job, const sim::Grid& grid, const sim::StepReport& report,
               StepBytes& bytes) {
  constexpr double value = sizeof(double);
  const double dim = grid.dim(), cells = static_cast<double>(grid.cell_count());
  const sim::TimeScheme& scheme = sim::find_time_scheme(job.settings.time.scheme);
  bytes.assembly += scheme.projections_per_step() * value * cells * (dim + 1);
  if (scheme.solves_transport()) bytes.assembly += value * cells * (3 * dim + 1);
  if (scheme.has_stages()) {
    const double stages = static_cast<double>(scheme.stages.size());
    const double rates = scheme.keeps_rates ? 2 * stages : 2 * (stages - 1);
    bytes.transport += value * cells * (stages * (2 * dim + 1) + rates * dim);
  }
  for (const sim::FlowSystem& system : sim::system_sizes(job.problem.boundaries, grid)) {
    double& solves = system.name == "pressure" ? bytes.pressure : bytes.transport;
    for (const sim::SolveSummary& solve : report.solves)
      if (solve.system == system.name)
        solves += solve.report.method == "direct"  // of a component: as of the cells
                      ? sim::direct_pressure_traffic(job.settings, job.problem)
                      : solve_bytes(job.settings, scheme, grid.dim(), system, solve.iterations);
    if (scheme.has_implicit_convection() && system.name != "pressure")
      bytes.assembly += value * static_cast<double>(system.nonzeros + system.rows);
  }
}

}  // namespace

std::vector<FlowCase> flow_cases(bool quick) {
  std::vector<FlowCase> flows;
  for (const int n : quick ? std::vector<int>{8} : std::vector<int>{64, 128, 256})
    for (const char* scheme : {"bdf2", "rk3", "ab2", "cn_ab2"})
      flows.push_back({"taylor_green_3d", scheme, {n, n, n}, n > 64});
  for (const int n : quick ? std::vector<int>{} : std::vector<int>{512, 800})
    flows.push_back({"taylor_green_3d", "rk3", {n, n, n}, true});
  for (const int n : quick ? std::vector<int>{8} : std::vector<int>{64, 256})
    for (const char* name : {"channel", "channel_wale", "channel_dynamic", "heated_cavity"})
      flows.push_back({name, "rk3", {n, n, n}, n > 64});
  for (const int n : quick ? std::vector<int>{16} : std::vector<int>{64, 128, 256})
    for (const char* scheme : {"rk3", "bdf2", "ab2"})
      for (const char* name : {"sphere", "sharp_sphere"})
        if (!quick || scheme == std::string("rk3"))
          flows.push_back({name, scheme, {n, n, n}, n > 64});
  for (const int n : quick ? std::vector<int>{16} : std::vector<int>{128, 512, 2048})
    flows.push_back({"lid_driven_cavity", "bdf2", {n, n}, n > 512});
  return flows;
}

std::unique_ptr<sim::Flow> moving_flow(const FlowCase& flow_case, const std::string& device,
                                       long steps) {
  const sim::Job job = job_of(flow_case, device);
  std::unique_ptr<sim::Flow> flow = sim::make_flow(job.settings, job.problem);
  for (long step = 0; step < steps; ++step) {
    const double rate = flow->diagnostics().cfl_rate;
    const sim::StepReport report = flow->advance(rate > 0 ? 0.1 / rate : 1e-3);
    if (!report.ok) throw NumericalError(report.failure);
  }
  return flow;
}

FlowSteps measure_steps(const FlowCase& flow_case, const std::string& device, long settling,
                        long timed, std::size_t (*allocated_bytes)(), sim::FlowLeader* leader) {
  const sim::Job job = job_of(flow_case, device);
  const std::size_t before = allocated_bytes();
  const std::unique_ptr<sim::Flow> flow = sim::make_shared_flow(leader, job.settings, job.problem);
  FlowSteps steps;
  steps.statistics.cells = flow->grid().cell_count();
  sim::Stepper stepper(*flow, job.settings, job.problem);
  for (long step = 0; step < settling + timed; ++step) {
    if (step == settling) steps.messages -= linalg::message_count();
    const linalg::Clock clock;
    stepper.previous_dt = stepper.next().dt;
    const sim::StepReport report = flow->advance(stepper.previous_dt);
    if (!report.ok) throw NumericalError(report.failure);
    const linalg::Clock looking;
    stepper.diagnostics = flow->diagnostics();
    if (step < settling) continue;
    steps.statistics.add(report);
    steps.statistics.seconds.diagnostics += looking.seconds();
    steps.statistics.seconds.total += clock.seconds();
    add_bytes(job, flow->grid(), report, steps.bytes);
  }
  steps.messages += linalg::message_count();
  steps.memory = allocated_bytes() - before;
  return steps;
}

}  // namespace hodge::tools::bench
