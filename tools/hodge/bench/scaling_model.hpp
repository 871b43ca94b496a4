// What a time step of N processes costs, from one that was measured. The processes share a box by
// slabs across its last axis.
//
//   T(N) = T_start + T_cells c / c0 + sum over kinds k of T_k(N)
//
//   T_start     seconds of a step of a few cells: kernels that start, threads that meet
//   T_cells     the measured step without T_start and without its messages
//   c, c0       cells of a process, of N processes and in the measured step
//
//   neighbours  n (l + b / B)               layers have the same size for any N
//   line_ends   r n l + s b / B             values at cuts: r = R(N) / R(N0) times as many rounds
//                                           (linalg/direct/line_parts.hpp), s = (1 - 1/N) / (1 -
//                                           1/N0)
//   gathers     n ((N - 1) l + s b / B)     s = c/c0 (N - 1): what arrives
//   reductions  n l ceil(log2 N)
//   decisions   n l ceil(log2 N)
//
//   n, b        calls and bytes of this kind that a process sends in a measured step
//   N0          processes of the measured step; 2 where its messages are stated, not counted
//   l, B        seconds of a call, whose messages travel together, of a gather's message, of a
//               level of a tree; bytes a second. Those of one machine for up to so many processes,
//               then those of a network
//
// Left out: iterations that change with the box, messages hidden behind work, work that does not
// become less with a process's cells. Memory of processes is not looked at.
#pragma once

#include <array>
#include <optional>

#include "linalg/processes/message_count.hpp"

namespace hodge::tools::bench {

struct MessageCost {
  double latency = 0;    // seconds
  double bandwidth = 0;  // bytes a second; 0: their number does not matter
  double seconds(double calls, double bytes) const {
    return calls * latency + (bandwidth > 0 ? bytes / bandwidth : 0);
  }
};

template <class T>
using ByKind = std::array<T, linalg::message_kinds>;
using LinkCosts = ByKind<MessageCost>;

struct Links {
  LinkCosts machine, network;
  int processes_of_machine = 8;

  const LinkCosts& of(int processes) const {
    return processes <= processes_of_machine ? machine : network;
  }
};

// On average over steps.
struct MessagesPerStep {
  double calls = 0, bytes = 0;
};

struct MeasuredStep {
  int processes = 1;  // among which the messages were counted
  double cells = 0;   // of a process
  double start_seconds = 0;
  double cell_seconds = 0;  // of the step, without its start and its messages
  ByKind<MessagesPerStep> messages{};
};

struct PredictedStep {
  double local = 0;  // seconds without messages
  ByKind<double> messages{};

  double sum_of_messages() const;
  double total() const { return local + sum_of_messages(); }
};

// `cells` of each of the processes.
PredictedStep predict_step(const MeasuredStep& measured, const Links& links, int processes,
                           double cells);

// T(1) / T(N) of the same cells a process.
double weak_efficiency(const MeasuredStep& measured, const Links& links, int processes,
                       double cells);
// T(1) / (N T(N)) of the same cells of all.
double strong_efficiency(const MeasuredStep& measured, const Links& links, int processes,
                         double all_cells);

// The first of 2, 4, 8, ..., `most` processes at which the efficiency is below one half.
template <class Efficiency>
std::optional<int> half_efficiency(int most, const Efficiency& efficiency) {
  for (int processes = 2; processes <= most; processes *= 2)
    if (efficiency(processes) < 0.5) return processes;
  return std::nullopt;
}

// ceil(log2 N)
int levels_of_tree(int processes);

}  // namespace hodge::tools::bench
