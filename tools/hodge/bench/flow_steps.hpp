// The flows whose time steps `bench step` and `scaling` measure, what their steps took,
// and the least bytes that they have to move.
#pragma once

#include <memory>

#include "linalg/processes/message_count.hpp"
#include "sim/app/run/statistics.hpp"
#include "sim/flow/flow.hpp"
#include "sim/processes/leading_flow.hpp"
#include "tools/hodge/bench/experiment.hpp"

namespace hodge::tools::bench {

struct FlowCase {
  std::string name;    // of the case, or of a custom one: channel, sphere, sharp_sphere
  std::string scheme;  // of time
  std::vector<int> cells;
  bool large = false;      // for GPUs alone
  std::string pressure{};  // "cg": with multigrid; empty: the method that the box gets
  int periods = 1;         // of the Taylor-Green vortex along the last axis

  std::string grid() const { return fmt::format("{}", fmt::join(cells, " x ")); }
  // "taylor_green_3d 64 x 64 x 64 bdf2"
  std::string text() const { return name + " " + grid() + " " + scheme; }
};

// Taylor-Green in 3D by bdf2, rk3 and ab2, by rk3 up to the largest box of one GPU; a channel whose
// cells become smaller towards its walls, and a heated cavity with such cells along x, by rk3; a
// sphere in a stream, as a staircase and sharp, by rk3, bdf2 and ab2; the lid-driven cavity by
// bdf2.
std::vector<FlowCase> flow_cases(bool quick);

// Least bytes, every array passing once for all components.
//
//   assembly, implicit   reads u^, u^n, u^{n-1}, p; writes the entries of the velocity matrices and
//                        their right sides; reads u*, writes the right side of the pressure
//   assembly, stages     reads u*, writes the right side of the pressure, in each stage
//   transport, stages    each reads u and p and writes u; of rk3 two write the rates, two read
//                        them, the one of ab2 does both
//   solves               those that linalg/solve/solve_bytes.hpp counts
struct StepBytes {
  double assembly = 0, transport = 0, pressure = 0;
};

// What the timed steps took together.
struct FlowSteps {
  sim::RunStatistics statistics;
  StepBytes bytes;
  std::size_t memory = 0;  // of the flow after its steps, which allocate nothing once they settle
  linalg::MessageCount messages;  // of this process, where several share the flow

  double per_step(double sum) const { return sum / static_cast<double>(statistics.steps); }
  double per_cell(double sum) const { return sum / static_cast<double>(statistics.cells); }
};

// The flow after some steps of a CFL number of 0.1, so that its fields are those of a moving fluid.
// Errors: those of make_flow; NumericalError where a step fails.
std::unique_ptr<sim::Flow> moving_flow(const FlowCase& flow_case, const std::string& device,
                                       long steps);

// Advances the case as a run does, without output: as a file of configs/ has it, with a CFL number
// of 0.5 (the cavity: 4) and the pressure to 1e-5. `device` as in a file; `allocated_bytes` are
// those of its space. All processes that the leader leads share the flow; null: one
// has it. Errors: those of make_flow; NumericalError where a step fails.
FlowSteps measure_steps(const FlowCase& flow_case, const std::string& device, long settling,
                        long timed, std::size_t (*allocated_bytes)(),
                        sim::FlowLeader* leader = nullptr);

}  // namespace hodge::tools::bench
