#include "tools/hodge/bench/scaling_model.hpp"

#include <bit>
#include <numeric>

#include "linalg/direct/line_parts.hpp"

namespace hodge::tools::bench {
namespace {

using linalg::MessageKind;

double seconds_of(MessageKind kind, const MeasuredStep& measured, const MessageCost& cost,
                  int processes, double cells) {
  const MessagesPerStep& sent = measured.messages[static_cast<std::size_t>(kind)];
  const double growth = cells / measured.cells, others = processes - 1;
  const auto share_of_others = [](double of) { return 1 - 1 / of; };
  switch (kind) {
    case MessageKind::neighbours:
      return cost.seconds(sent.calls, sent.bytes);
    case MessageKind::line_ends:
      return cost.seconds(
          sent.calls * linalg::rounds_of(processes) / linalg::rounds_of(measured.processes),
          sent.bytes * share_of_others(processes) / share_of_others(measured.processes));
    case MessageKind::gathers:
      return cost.seconds(sent.calls * others, sent.bytes * growth * others);
    case MessageKind::reductions:
    case MessageKind::decisions:
      return cost.seconds(sent.calls * levels_of_tree(processes), 0);
  }
  return 0;
}

}  // namespace

int levels_of_tree(int processes) {
  return std::bit_width(static_cast<unsigned>(processes - 1));
}

double PredictedStep::sum_of_messages() const {
  return std::accumulate(messages.begin(), messages.end(), 0.0);
}

PredictedStep predict_step(const MeasuredStep& measured, const Links& links, int processes,
                           double cells) {
  PredictedStep step{.local =
                         measured.start_seconds + measured.cell_seconds * cells / measured.cells};
  if (processes == 1) return step;
  const LinkCosts& costs = links.of(processes);
  for (std::size_t k = 0; k < linalg::message_kinds; ++k)
    if (measured.messages[k].calls > 0)
      step.messages[k] =
          seconds_of(static_cast<MessageKind>(k), measured, costs[k], processes, cells);
  return step;
}

double weak_efficiency(const MeasuredStep& measured, const Links& links, int processes,
                       double cells) {
  return predict_step(measured, links, 1, cells).total() /
         predict_step(measured, links, processes, cells).total();
}

double strong_efficiency(const MeasuredStep& measured, const Links& links, int processes,
                         double all_cells) {
  return predict_step(measured, links, 1, all_cells).total() /
         (processes * predict_step(measured, links, processes, all_cells / processes).total());
}

}  // namespace hodge::tools::bench
