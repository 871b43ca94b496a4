// Assembling the systems of one step: the matrices and right sides of all velocity components and
// the right side of the pressure, the median of the steps, over the least bytes (flow_case.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "linalg/base/errors.hpp"
#include "linalg/cost/byte_model.hpp"
#include "sim/flow/flow.hpp"
#include "tools/hodge/bench/experiment.hpp"
#include "tools/hodge/bench/timed_steps.hpp"

namespace hodge::tools::bench {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class Space>
void measure_assembly(Report& report, Table& table, const FlowCase& flow_case) {
  report.progress(fmt::format("{}, {}", flow_case.text(), Space::name));
  try {
    const Job job = flow_job(flow_case, report.device_of<Space>());
    const std::unique_ptr<sim::Flow> flow = sim::make_flow(job.settings, job.problem);
    const TimedSteps timed = time_steps(*flow, job, {2, report.quick() ? 3 : 9});
    const double seconds = median(timed.assembly_seconds), bytes = assembly_bytes(job);
    const double copy = report.copy_bandwidth<Space>();
    table.add({{"case", flow_case.name},
               {"grid", flow_case.grid()},
               {"device", Space::name},
               {"ms_a_step", 1e3 * seconds},
               {"ns_a_cell", 1e9 * seconds / static_cast<double>(timed.statistics.cells)},
               {"least_megabytes", 1e-6 * bytes},
               {"ms_at_copy_speed", 1e3 * bytes / copy},
               {"bytes_a_cell", bytes / static_cast<double>(timed.statistics.cells)},
               {"share_of_copy", linalg::share_of_copy(bytes, seconds, copy)}});
  } catch (const MemoryError& error) {
    report.note(fmt::format("{} is left out: {}", flow_case.text(), error.what()));
  } catch (const NumericalError& error) {
    report.note(fmt::format("{} failed: {}", flow_case.text(), error.what()));
  }
}

}  // namespace

void run_assembly(Report& report) {
  Table& table = report.add_table("assembly", "All systems of one step of bdf2",
                                  {{"case", "case"},
                                   {"grid", "grid"},
                                   {"device", "device"},
                                   {"ms_a_step", "ms / step", "{:.3f}"},
                                   {"ns_a_cell", "ns / cell", "{:.3f}"},
                                   {"least_megabytes", "least MB", "{:.1f}"},
                                   {"bytes_a_cell", "least B / cell", "{:.0f}"},
                                   {"ms_at_copy_speed", "ms at copy speed", "{:.3f}"},
                                   {"share_of_copy", "of copy", "{:.3f}"}},
                                  {{"case", "grid", "device"}, {"ms_a_step"}});
  for (const FlowCase& flow : flow_cases(report.quick())) {
    if (flow.scheme != "bdf2") continue;
    report.on_each_device([&]<class Space>() {
      if (report.wants<Space>(flow.text(), flow.large))
        measure_assembly<Space>(report, table, flow);
    });
  }
}

}  // namespace hodge::tools::bench
