#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/base/errors.hpp"
#include "linalg/base/timing.hpp"
#include "sim/app/run/stepper.hpp"
#include "sim/flow/flow.hpp"
#include "tools/hodge/study/study.hpp"

namespace hodge::tools {
namespace {

using sim::SystemKind;

constexpr double rounding = 1e-12;  // of the largest quantity

SystemKind kind_of(const std::string& system) {
  if (system == "pressure") return SystemKind::pressure;
  return system == "u" || system == "v" || system == "w" ? SystemKind::transport
                                                         : SystemKind::scalars;
}

void add_cost(const sim::StepReport& report, ShortRun& run) {
  for (const sim::SolveSummary& solve : report.solves) {
    if (solve.system == "reactions") continue;
    SystemCost& cost = run.cost[static_cast<std::size_t>(kind_of(solve.system))];
    cost.iterations += solve.iterations;
    cost.solves.push_back(solve.seconds);
  }
}

std::vector<sim::Quantity> quantities_of(const sim::Flow& flow, const sim::Diagnostics& now) {
  std::vector<sim::Quantity> all{{"kinetic_energy", now.kinetic_energy},
                                 {"max_speed", now.max_speed}};
  for (const sim::Quantity& quantity : flow.quantities()) all.push_back(quantity);
  for (const sim::BodyForce& force : flow.forces())
    for (int d = 0; d < flow.grid().dim(); ++d)
      all.push_back({force.body + "_force_" + "xyz"[d], force.pressure[d] + force.viscous[d]});
  if (const auto errors = flow.error_norms()) {
    if (errors->velocity_l2 > 0) all.push_back({"velocity_error_l2", errors->velocity_l2});
    for (const sim::FieldErrors& scalar : errors->scalars)
      all.push_back({scalar.name + "_error_l2", scalar.l2});
  }
  return all;
}

// The largest size of each quantity over the steps.
std::vector<double> sizes_of(const ShortRun& run) {
  std::vector<double> sizes;
  for (const auto& step : run.quantities) {
    sizes.resize(step.size());
    for (std::size_t q = 0; q < step.size(); ++q)
      sizes[q] = std::max(sizes[q], std::abs(step[q].value));
  }
  return sizes;
}

bool is_beyond(const std::optional<TimeLimit>& limit, const ShortRun& run) {
  return limit && run.cost_of(limit->kind).seconds() > limit->seconds;
}

}  // namespace

// A solve that alone takes longer than the limit is stopped.
ShortRun short_run(sim::FlowLeader* leader, sim::Settings settings, const sim::Problem& problem,
                   long count, std::span<const double> steps, std::optional<TimeLimit> limit) {
  ShortRun run;
  settings.output.frame_every.reset();  // no stop but the end
  if (limit) {
    std::optional<double>& most = solver_of(settings, limit->kind).max_seconds;
    most = std::min(limit->seconds, most.value_or(limit->seconds));
  }
  try {
    const std::unique_ptr<sim::Flow> flow = sim::make_shared_flow(leader, settings, problem);
    sim::Stepper stepper(*flow, settings, problem);
    while (flow->step() < count && flow->time() < settings.time.end) {
      const auto done = static_cast<std::size_t>(flow->step());
      if (!steps.empty() && done == steps.size()) break;
      const double dt = steps.empty() ? stepper.next().dt : steps[done];
      const linalg::Clock clock;
      const sim::StepReport report = flow->advance(dt);
      const double seconds = clock.seconds();
      add_cost(report, run);
      run.given_up = is_beyond(limit, run);
      if (run.given_up) return run;
      const sim::Diagnostics& now = stepper.diagnostics = flow->diagnostics();
      stepper.previous_dt = dt;
      if (!report.ok) run.failure = report.failure;
      const bool finite = now.finite && std::ranges::all_of(now.scalar_sizes, [](double size) {
                            return std::isfinite(size);
                          });
      if (report.ok && !finite) run.failure = "a field is no longer a finite number";
      if (run.failure) return run;
      run.steps.push_back(dt);
      run.step_seconds.push_back(seconds);
      run.quantities.push_back(quantities_of(*flow, now));
      run.max_divergence = now.max_divergence;
    }
  } catch (const NumericalError& error) {
    run.failure = error.what();
  }
  return run;
}

Change change_from(const ShortRun& reference, const ShortRun& run) {
  Change change;
  const std::vector<double> sizes = sizes_of(reference);
  if (sizes.empty()) return change;
  const double least = rounding * *std::ranges::max_element(sizes);
  const std::size_t steps = std::min(reference.quantities.size(), run.quantities.size());
  for (std::size_t step = 0; step < steps; ++step)
    for (std::size_t q = 0; q < sizes.size(); ++q) {
      if (!(sizes[q] > least)) continue;
      const double here =
          std::abs(run.quantities[step][q].value - reference.quantities[step][q].value) / sizes[q];
      if (here <= change.largest) continue;
      change = {std::isnan(here) ? std::numeric_limits<double>::infinity() : here,
                reference.quantities[step][q].name};
    }
  return change;
}

}  // namespace hodge::tools
