// Whole time steps without output: milliseconds, cells times steps a second, where the time goes as
// a run's closing summary has it, and memory.
//
// "Of the copy" is the time that the least bytes of a step (flow_steps.hpp) would take at the speed
// of a large copy over the time of the step. What a step does beside assembly and transport has
// none.
#include "tools/hodge/bench/experiment.hpp"
#include "tools/hodge/bench/flow_steps.hpp"

namespace hodge::tools::bench {
namespace {

// Mean iterations of the pressure, or of the other systems; null where there is none.
Json mean_iterations(const sim::RunStatistics& statistics, bool pressure) {
  double sum = 0, systems = 0;
  for (const sim::IterationStatistics& system : statistics.systems) {
    if ((system.system == "pressure") != pressure) continue;
    sum += system.mean();
    ++systems;
  }
  return value_if(systems > 0, sum / systems);
}

template <class Space>
void measure_step(ExperimentRun& run, ResultTable& table, const FlowCase& flow) {
  const FlowSteps steps = measure_steps(flow, run.device_of<Space>(), run.quick() ? 2 : 5,
                                        run.quick() ? 3 : 20, Space::allocated_bytes);
  const sim::TimeBudget& seconds = steps.statistics.seconds;
  const StepBytes& bytes = steps.bytes;
  const double all_bytes = bytes.assembly + bytes.transport + bytes.pressure;
  const auto ms = [&](double sum) { return 1e3 * steps.per_step(sum); };
  table.add(
      {key("case", flow.name),
       key("grid", flow.grid()),
       key("scheme", flow.scheme),
       key("device", Space::name),
       json_only("steps", steps.statistics.steps),
       timing("ms_a_step", "ms / step", ms(seconds.total), "{:.3f}"),
       cell("million_cell_steps_per_second", "million cell-steps/s",
            1e-6 * steps.statistics.cell_steps_per_second(), "{:.3g}"),
       cell("ns_a_cell", "ns / cell", 1e6 * steps.per_cell(ms(seconds.total)), "{:.2f}"),
       timing("assembly_ms", "assembly", ms(seconds.assembly), "{:.3f}"),
       timing("transport_ms", "transport", ms(seconds.transport), "{:.3f}"),
       timing("pressure_ms", "pressure", ms(seconds.pressure), "{:.3f}"),
       timing("diagnostics_ms", "diagnostics", ms(seconds.diagnostics), "{:.3f}"),
       timing("other_ms", "other", ms(seconds.other()), "{:.3f}"),
       cell("transport_iterations", "its of u", mean_iterations(steps.statistics, false), "{:.1f}"),
       cell("pressure_iterations", "its of p", mean_iterations(steps.statistics, true), "{:.1f}"),
       cell("bytes_a_cell", "least B / cell", steps.per_cell(steps.per_step(all_bytes)), "{:.0f}"),
       cell("share_of_copy", "of copy", run.share_of_copy<Space>(all_bytes, seconds.total),
            "{:.3f}"),
       json_only("assembly_share", run.share_of_copy<Space>(bytes.assembly, seconds.assembly)),
       json_only("transport_share", run.share_of_copy<Space>(bytes.transport, seconds.transport)),
       json_only("pressure_share", run.share_of_copy<Space>(bytes.pressure, seconds.pressure)),
       json_only("memory_bytes", steps.memory),
       cell("memory_bytes_a_cell", "memory, B / cell",
            steps.per_cell(static_cast<double>(steps.memory)), "{:.0f}")});
}

void run_step(ExperimentRun& run) {
  ResultTable& table = run.add_table("steps", "Time steps without output");
  for (const FlowCase& flow : flow_cases(run.quick()))
    run.on_each_device(flow.text(), flow.large,
                       [&]<class Space>() { measure_step<Space>(run, table, flow); });
}

}  // namespace

extern const Experiment step{
    "step", "whole time steps of flows: milliseconds, their parts, iterations, memory", run_step};

}  // namespace hodge::tools::bench
