// Assembling the systems of one step: the matrices and right sides of all velocity components and
// the right side of the pressure, the median of the steps, over the least bytes (flow_steps.hpp).
#include "sim/base/median.hpp"
#include "tools/hodge/bench/experiment.hpp"
#include "tools/hodge/bench/flow_steps.hpp"

namespace hodge::tools::bench {
namespace {

template <class Space>
void measure_assembly(ExperimentRun& run, ResultTable& table, const FlowCase& flow) {
  const FlowSteps steps =
      measure_steps(flow, run.device_of<Space>(), 2, run.quick() ? 3 : 9, Space::allocated_bytes);
  const double seconds = sim::median(steps.assembly_seconds);
  const double bytes = steps.per_step(steps.bytes.assembly), copy = run.copy_bandwidth<Space>();
  table.add({key("case", flow.name), key("grid", flow.grid()), key("device", Space::name),
             timing("ms_a_step", "ms / step", 1e3 * seconds, "{:.3f}"),
             cell("ns_a_cell", "ns / cell", 1e9 * steps.per_cell(seconds), "{:.3f}"),
             cell("least_megabytes", "least MB", 1e-6 * bytes, "{:.1f}"),
             cell("bytes_a_cell", "least B / cell", steps.per_cell(bytes), "{:.0f}"),
             cell("ms_at_copy_speed", "ms at copy speed", 1e3 * bytes / copy, "{:.3f}"),
             cell("share_of_copy", "of copy", run.share_of_copy<Space>(bytes, seconds), "{:.3f}")});
}

void run_assembly(ExperimentRun& run) {
  ResultTable& table = run.add_table("assembly", "All systems of one step of bdf2");
  for (const FlowCase& flow : flow_cases(run.quick()))
    if (flow.scheme == "bdf2")
      run.on_each_device(flow.text(), flow.large,
                         [&]<class Space>() { measure_assembly<Space>(run, table, flow); });
}

}  // namespace

extern const Experiment assembly{
    "assembly", "the matrices and right sides of a time step over their least bytes", run_assembly};

}  // namespace hodge::tools::bench
