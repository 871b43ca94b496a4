// Whole time steps without output: milliseconds, cells times steps a second, where the time goes as
// a run's closing summary has it, and memory.
//
// "Of the copy" is the time that the assembly, the solves and the stages of rk3 would take at the
// speed of a large copy, by their least bytes (flow_case.hpp), over the time of the step: what else
// a step does has no bytes there. Memory is what the flow holds after its steps, which allocate
// nothing once they have settled.
#include <fmt/format.h>

#include <memory>

#include "linalg/base/errors.hpp"
#include "linalg/cost/byte_model.hpp"
#include "sim/flow/flow.hpp"
#include "tools/hodge/bench/experiment.hpp"
#include "tools/hodge/bench/timed_steps.hpp"

namespace hodge::tools::bench {
namespace {

void add_parts(Json& row, const Job& job, const TimedSteps& timed, double copy_bandwidth) {
  const sim::TimeBudget& budget = timed.statistics.seconds;
  const auto steps = static_cast<double>(timed.statistics.steps);
  const double assembly = steps * assembly_bytes(job);
  const double transport = timed.bytes.transport + steps * stage_bytes(job);
  const double all = assembly + transport + timed.bytes.pressure;
  const auto share = [&](double bytes, double seconds) {
    return linalg::share_of_copy(bytes, seconds, copy_bandwidth);
  };
  row["assembly_ms"] = 1e3 * budget.assembly / steps;
  row["transport_ms"] = 1e3 * budget.transport / steps;
  row["pressure_ms"] = 1e3 * budget.pressure / steps;
  row["diagnostics_ms"] = 1e3 * budget.diagnostics / steps;
  row["other_ms"] = 1e3 * budget.other() / steps;
  row["bytes_a_cell"] = all / steps / static_cast<double>(timed.statistics.cells);
  row["share_of_copy"] = share(all, budget.total);
  row["assembly_share"] = share(assembly, budget.assembly);
  row["transport_share"] = share(transport, budget.transport);
  row["pressure_share"] = share(timed.bytes.pressure, budget.pressure);
}

void add_iterations(Json& row, const TimedSteps& timed) {
  double transport = 0, components = 0;
  for (const sim::IterationStatistics& system : timed.statistics.systems) {
    if (system.system == "pressure") {
      row["pressure_iterations"] = system.mean();
    } else {
      transport += system.mean();
      ++components;
    }
  }
  if (components > 0) row["transport_iterations"] = transport / components;
}

template <class Space>
Json measured(const Report& report, const FlowCase& flow_case, const Job& job) {
  Json row = {{"case", flow_case.name},
              {"grid", flow_case.grid()},
              {"scheme", flow_case.scheme},
              {"device", Space::name}};
  const std::size_t before = Space::allocated_bytes();
  const std::unique_ptr<sim::Flow> flow = sim::make_flow(job.settings, job.problem);
  const StepCounts counts = report.quick() ? StepCounts{2, 3} : StepCounts{5, 20};
  const TimedSteps timed = time_steps(*flow, job, counts);
  const std::size_t bytes = Space::allocated_bytes() - before;
  const sim::RunStatistics& statistics = timed.statistics;
  const auto cells = static_cast<double>(statistics.cells);
  const double seconds = statistics.seconds.total / static_cast<double>(statistics.steps);
  row["steps"] = statistics.steps;
  row["ms_a_step"] = 1e3 * seconds;
  row["million_cell_steps_per_second"] = 1e-6 * statistics.cell_steps_per_second();
  row["ns_a_cell"] = 1e9 * seconds / cells;
  add_iterations(row, timed);
  add_parts(row, job, timed, report.copy_bandwidth<Space>());
  row["memory_bytes"] = bytes;
  row["memory_bytes_a_cell"] = static_cast<double>(bytes) / cells;
  return row;
}

template <class Space>
void measure_step(Report& report, Table& table, const FlowCase& flow_case) {
  report.progress(fmt::format("{}, {}", flow_case.text(), Space::name));
  try {
    const Job job = flow_job(flow_case, report.device_of<Space>());
    table.add(measured<Space>(report, flow_case, job));
  } catch (const MemoryError& error) {
    report.note(fmt::format("{} is left out: {}", flow_case.text(), error.what()));
  } catch (const NumericalError& error) {
    report.note(fmt::format("{} failed: {}", flow_case.text(), error.what()));
  }
}

Table& add_step_table(Report& report) {
  return report.add_table(
      "steps", "Time steps without output",
      {{"case", "case"},
       {"grid", "grid"},
       {"scheme", "scheme"},
       {"device", "device"},
       {"ms_a_step", "ms / step", "{:.3f}"},
       {"million_cell_steps_per_second", "million cell-steps/s", "{:.3g}"},
       {"ns_a_cell", "ns / cell", "{:.2f}"},
       {"assembly_ms", "assembly", "{:.3f}"},
       {"transport_ms", "transport", "{:.3f}"},
       {"pressure_ms", "pressure", "{:.3f}"},
       {"diagnostics_ms", "diagnostics", "{:.3f}"},
       {"other_ms", "other", "{:.3f}"},
       {"transport_iterations", "its of u", "{:.1f}"},
       {"pressure_iterations", "its of p", "{:.1f}"},
       {"bytes_a_cell", "least B / cell", "{:.0f}"},
       {"share_of_copy", "of copy", "{:.3f}"},
       {"memory_bytes_a_cell", "memory, B / cell", "{:.0f}"}},
      {{"case", "grid", "scheme", "device"},
       {"ms_a_step", "assembly_ms", "transport_ms", "pressure_ms", "diagnostics_ms", "other_ms"}});
}

}  // namespace

void run_step(Report& report) {
  Table& table = add_step_table(report);
  for (const FlowCase& flow : flow_cases(report.quick())) {
    report.on_each_device([&]<class Space>() {
      if (report.wants<Space>(flow.text(), flow.large)) measure_step<Space>(report, table, flow);
    });
  }
}

}  // namespace hodge::tools::bench
