// Error against time: flows run to a fixed time by every time scheme, on two grids, with three step
// sizes each. Which scheme, and which step?
//
//   taylor_green    vortices that the flow carries along, viscosity 0.01, to t = 1; the error of u
//                   against the exact solution, over the largest speed of the vortices
//   heated_cavity   Ra 1e5 from rest, to t = 5; the error of the temperature at 15 x 15 points,
//                   against rk3 on a grid twice as fine as the finer one, over its difference 1
//
// The error of a grid is that of rk3 with its smallest step; the cheapest run is the fastest one
// with at most 1.1 times this error: smaller steps do not help, only a finer grid does.
#include <algorithm>
#include <cmath>
#include <optional>

#include "cases/registry.hpp"
#include "linalg/base/errors.hpp"
#include "linalg/base/timing.hpp"
#include "sim/app/simulation.hpp"
#include "tools/hodge/bench/experiment.hpp"

namespace hodge::tools::bench {
namespace {

struct AccuracyFlow {
  const char* name;
  double end;
  const char* yaml;
};

constexpr AccuracyFlow flows[] = {{"taylor_green", 1, "parameters: {u0: 1, v0: 0.5}\n"},
                                  {"heated_cavity", 5, "convection: {scalars: central}\n"}};

struct SchemeSteps {
  const char* scheme;
  double largest_cfl;  // of three, each half of the one before
};

constexpr SchemeSteps schemes[] = {
    {"bdf2", 3.2}, {"backward_euler", 3.2}, {"cn_ab2", 0.8}, {"rk3", 1.6}, {"ab2", 0.8}};

sim::Job accuracy_job(const AccuracyFlow& flow, int cells, const char* scheme, double cfl,
                      const std::string& device) {
  const std::string text = fmt::format(
      "case: {0}\ngrid: {{cells: [{1}, {1}]}}\ntime: {{scheme: {2}, end: {3}, step: {{cfl: "
      "{4}}}}}\n"
      "solvers: {{pressure: {{tolerance: 1.0e-6}}}}\n{5}",
      flow.name, cells, scheme, flow.end, cfl, flow.yaml);
  return sim::load_job({.file = flow.name, .text = text}, cases::known_cases(), device);
}

struct AccuracyRun {
  double seconds = 0;
  long steps = 0;
  std::vector<double> temperature{};    // at the points
  std::optional<double> velocity_l2{};  // of the error, where the solution is known
};

std::vector<double> temperature_at_points(const sim::Flow& flow) {
  constexpr int n = 15;
  std::vector<sim::Point> points;
  for (int i = 0; i < n * n; ++i) points.push_back({(i % n + 0.5) / n, (i / n + 0.5) / n, 0.0});
  std::vector<double> values;
  for (const std::vector<double>& of_point : flow.values_at(points, {"temperature"}))
    values.push_back(of_point.front());
  return values;
}

AccuracyRun run_to_end(const sim::Job& job) {
  sim::Simulation simulation(job);
  AccuracyRun run;
  const linalg::Clock clock;
  while (simulation.step()) {
  }
  run.seconds = clock.seconds();
  run.steps = simulation.steps();
  if (const auto errors = simulation.flow().error_norms())
    run.velocity_l2 = errors->velocity_l2;
  else
    run.temperature = temperature_at_points(simulation.flow());
  return run;
}

double error_of(const AccuracyRun& run, const AccuracyRun& reference) {
  if (run.velocity_l2) return *run.velocity_l2;
  double sum = 0;
  for (std::size_t i = 0; i < run.temperature.size(); ++i)
    sum += std::pow(run.temperature[i] - reference.temperature[i], 2);
  return std::sqrt(sum / static_cast<double>(run.temperature.size()));
}

struct AccuracyRow {
  const char* scheme;
  double cfl, error;
  AccuracyRun run;
};

// One sentence.
std::string advice(const AccuracyFlow& flow, int cells, const char* device,
                   const std::vector<AccuracyRow>& rows) {
  const auto is_rk3 = [](const AccuracyRow& row) { return row.scheme == std::string("rk3"); };
  const AccuracyRow *grid = nullptr, *best = nullptr;
  for (const AccuracyRow& row : rows)
    if (is_rk3(row) && (grid == nullptr || row.cfl < grid->cfl)) grid = &row;
  for (const AccuracyRow& row : rows)
    if (row.error <= 1.1 * grid->error && (best == nullptr || row.run.seconds < best->run.seconds))
      best = &row;
  return fmt::format(
      "{} on {} x {} cells, {}: the grid alone has an error of {:.2g}, which {} with a CFL number "
      "of {} "
      "reaches fastest, in {:.3g} s",
      flow.name, cells, cells, device, grid->error, best->scheme, best->cfl, best->run.seconds);
}

template <class Space>
void measure_grid(ExperimentRun& run, const AccuracyFlow& flow, int cells,
                  const AccuracyRun& reference, ResultTable& table) {
  std::vector<AccuracyRow> rows;
  for (const SchemeSteps& steps : schemes)
    for (const double cfl : {steps.largest_cfl, steps.largest_cfl / 2, steps.largest_cfl / 4})
      run.attempt(
          fmt::format("{} {} {} at a CFL number of {}", flow.name, cells, steps.scheme, cfl), [&] {
            const sim::Job job =
                accuracy_job(flow, cells, steps.scheme, cfl, run.device_of<Space>());
            AccuracyRun done = run_to_end(job);
            const double error = error_of(done, reference);
            rows.push_back({steps.scheme, cfl, error, std::move(done)});
          });
  for (const AccuracyRow& row : rows)
    table.add({key("case", flow.name), key("grid", fmt::format("{0} x {0}", cells)),
               key("device", Space::name), key("scheme", row.scheme),
               key("cfl", "CFL number", row.cfl), cell("steps", row.run.steps),
               timing("seconds", "s", row.run.seconds, "{:.3f}"),
               cell("error", "error", row.error, "{:.3e}")});
  if (std::ranges::any_of(rows,
                          [](const AccuracyRow& row) { return row.scheme == std::string("rk3"); }))
    run.note(advice(flow, cells, Space::name, rows));
}

void run_accuracy(ExperimentRun& run) {
  ResultTable& table = run.add_table("runs", "Error against time");
  for (const AccuracyFlow& flow : flows)
    for (const bool large : {false, true}) {
      const std::vector<int> grids =
          large ? run.sizes<int>({}, {256, 512}) : run.sizes<int>({16, 32}, {64, 128});
      if (grids.empty()) continue;
      run.on_each_device(
          fmt::format("{} {} and {} squared", flow.name, grids.front(), grids.back()), large,
          [&]<class Space>() {
            AccuracyRun reference;
            if (flow.name != std::string("taylor_green"))
              reference = run_to_end(
                  accuracy_job(flow, 2 * grids.back(), "rk3", 0.8, run.device_of<Space>()));
            for (const int cells : grids) measure_grid<Space>(run, flow, cells, reference, table);
          });
    }
}

}  // namespace

extern const Experiment accuracy{
    "accuracy",
    "error against time of the time schemes, by step size: which scheme and step to take",
    run_accuracy};

}  // namespace hodge::tools::bench
