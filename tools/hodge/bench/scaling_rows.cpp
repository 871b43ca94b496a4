#include "tools/hodge/bench/scaling_rows.hpp"

#include <algorithm>
#include <iterator>

namespace hodge::tools::bench {
namespace {

constexpr int predicted_processes[] = {1, 2, 8, 64, 512};

std::vector<Cell> joined(std::vector<Cell> cells, std::vector<Cell> more) {
  std::ranges::move(more, std::back_inserter(cells));
  return cells;
}

// A row that is compared with that of an older run, and the cells behind its keys.
std::vector<Cell> keyed_row(const MeasuredCase& found, std::vector<Cell> more) {
  const ScalingCase& scaling = found.scaling;
  return joined({key("case", scaling.flow.name), key("scheme", scaling.flow.scheme),
                 key("pressure", scaling.pressure()), key("kind", scaling.kind()),
                 key("box", scaling.box()), key("device", found.device)},
                std::move(more));
}

// A row of another table, which says in one column what it is of.
std::vector<Cell> row_of(const MeasuredCase& found, std::vector<Cell> more) {
  const ScalingCase& scaling = found.scaling;
  const std::string of = fmt::format("{}, {}, {}, {}, {}", scaling.flow.scheme, scaling.pressure(),
                                     scaling.kind(), scaling.box(), found.device);
  return joined({cell("of", of)}, std::move(more));
}

// Of so many processes: the cells of each.
double cells_of_process(const MeasuredCase& found, int processes) {
  const double all = found.step.cells * found.processes;
  return found.scaling.weak ? found.step.cells : all / processes;
}

double efficiency(const MeasuredCase& found, const Links& links, int processes) {
  const double own = found.step.cells;
  return found.scaling.weak
             ? weak_efficiency(found.step, links, processes, own)
             : strong_efficiency(found.step, links, processes, own * found.processes);
}

}  // namespace

double MeasuredCase::iterations(bool pressure) const {
  double sum = 0;
  for (const sim::IterationStatistics& system : steps.statistics.systems)
    if ((system.system == "pressure") == pressure) sum += static_cast<double>(system.iterations);
  return steps.per_step(sum);
}

void split(const Links& links, MeasuredCase& found) {
  MeasuredStep& step = found.step;
  step.processes = std::max(2, found.processes);
  step.cells = static_cast<double>(found.steps.statistics.cells) / found.processes;
  for (std::size_t k = 0; k < linalg::message_kinds; ++k) {
    const linalg::MessageTotals& sent = found.steps.messages.of_kind[k];
    step.messages[k] = {found.steps.per_step(static_cast<double>(sent.calls)),
                        found.steps.per_step(static_cast<double>(sent.bytes))};
  }
  const PredictedStep model = predict_step(step, links, found.processes, step.cells);
  found.message_seconds = model.messages;
  const double in_messages = found.waits ? found.steps.per_step(found.steps.messages.all().seconds)
                                         : model.sum_of_messages();
  step.cell_seconds = std::max(0.0, found.seconds() - in_messages);
}

void add_links(const char* device, const DeviceLinks& between, ResultTable& table) {
  const auto add = [&](const char* where, const LinkCosts& costs, bool measured) {
    for (std::size_t k = 0; k < linalg::message_kinds; ++k)
      table.add(
          {cell("device", device), cell("between", where),
           cell("messages", linalg::message_kind_names[k]),
           cell("microseconds", "µs a call, message or level", 1e6 * costs[k].latency, "{:.2f}"),
           cell("gigabytes_per_second", "GB/s",
                value_if(costs[k].bandwidth > 0, 1e-9 * costs[k].bandwidth), "{:.1f}"),
           cell("from", measured ? "measured" : "stated")});
  };
  add("processes of a machine", between.links.machine, between.machine_is_measured);
  add("machines", between.links.network, between.network_is_measured);
}

void add_step(const MeasuredCase& found, ResultTable& table) {
  const sim::TimeBudget& seconds = found.steps.statistics.seconds;
  const linalg::MessageTotals sent = found.steps.messages.all();
  const auto part = [&](const char* name, const char* heading, double sum) {
    return timing(name, heading, 1e3 * found.steps.per_step(sum), "{:.3f}");
  };
  table.add(keyed_row(
      found, {cell("grid", found.scaling.flow.grid()), cell("processes", found.processes),
              part("ms_a_step", "ms / step", seconds.total),
              part("assembly_ms", "assembly", seconds.assembly),
              part("transport_ms", "transport", seconds.transport),
              part("pressure_ms", "pressure", seconds.pressure),
              part("diagnostics_ms", "diagnostics", seconds.diagnostics),
              part("other_ms", "other", seconds.other()),
              cell("messages_ms", "in messages",
                   value_if(found.waits, 1e3 * found.steps.per_step(sent.seconds)), "{:.3f}"),
              cell("kilobytes_sent", "kB sent / step",
                   1e-3 * found.steps.per_step(static_cast<double>(sent.bytes)), "{:.1f}"),
              cell("transport_iterations", "its of u / step", found.iterations(false), "{:.1f}"),
              cell("pressure_iterations", "its of p / step", found.iterations(true), "{:.1f}"),
              cell("share_of_copy", "of copy", found.share_of_copy, "{:.3f}")}));
}

void add_messages(const MeasuredCase& found, ResultTable& table) {
  for (std::size_t k = 0; k < linalg::message_kinds; ++k) {
    const linalg::MessageTotals& sent = found.steps.messages.of_kind[k];
    if (sent.calls == 0) continue;
    table.add(row_of(
        found, {cell("messages", linalg::message_kind_names[k]),
                cell("calls", "calls / step", found.step.messages[k].calls, "{:.1f}"),
                cell("kilobytes", "kB / step", 1e-3 * found.step.messages[k].bytes, "{:.1f}"),
                cell("milliseconds", "ms / step",
                     value_if(found.waits, 1e3 * found.steps.per_step(sent.seconds)), "{:.3f}"),
                cell("model_ms", "ms by model", 1e3 * found.message_seconds[k], "{:.3f}")}));
  }
}

void add_model(const MeasuredCase& found, const Links& links, ResultTable& table) {
  for (const int processes : predicted_processes) {
    if (processes > found.most_slabs) continue;
    const PredictedStep step =
        predict_step(found.step, links, processes, cells_of_process(found, processes));
    std::vector<Cell> cells{
        cell("processes", processes),
        cell("predicted_ms", "ms / step", 1e3 * step.total(), "{:.3f}"),
        cell("measured_ms", "measured",
             value_if(processes == found.processes, 1e3 * found.seconds()), "{:.3f}"),
        cell("own_ms", "own work", 1e3 * step.local, "{:.3f}")};
    for (std::size_t k = 0; k < linalg::message_kinds; ++k)
      cells.push_back(cell(std::string(linalg::message_kind_names[k]) + "_ms",
                           linalg::message_kind_names[k],
                           value_if(step.messages[k] > 0, 1e3 * step.messages[k]), "{:.3f}"));
    cells.push_back(
        cell("efficiency", "efficiency", efficiency(found, links, processes), "{:.2f}"));
    table.add(row_of(found, std::move(cells)));
  }
}

void add_limits(const MeasuredCase& found, const Links& links, ResultTable& table) {
  const std::optional<int> half = half_efficiency(
      found.most_slabs, [&](int processes) { return efficiency(found, links, processes); });
  const char* largest = "start of the step";  // of what does not become less with the cells
  if (half) {
    const ByKind<double> messages =
        predict_step(found.step, links, *half, cells_of_process(found, *half)).messages;
    const auto most = std::ranges::max_element(messages);
    if (*most > found.step.start_seconds)
      largest = linalg::message_kind_names[static_cast<std::size_t>(most - messages.begin())];
  }
  table.add(row_of(
      found, {cell("half_efficiency", "processes at efficiency below 1/2",
                   value_if(half.has_value(), half.value_or(0))),
              cell("largest", "which costs most there", value_if(half.has_value(), largest)),
              cell("most_slabs", "most slabs", value_if(!found.scaling.weak, found.most_slabs))}));
}

}  // namespace hodge::tools::bench
