// How long a solver takes for a system: short solves are repeated and the fastest counts, because
// the first one also starts threads and loads kernels. A solve that takes too long is stopped.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/matrices/csr.hpp"
#include "linalg/processes/agree.hpp"
#include "linalg/solve/solve.hpp"
#include "sim/compare/solver_text.hpp"

namespace hodge::sim {

struct MeasuredSolve {
  linalg::SolveReport report;  // of the fastest solve
  double setup_seconds = 0;    // of the first one, which builds the preconditioner
  bool stopped = false;        // by MeasuredSystem::most_seconds
};

inline constexpr double short_solve = 0.1;  // seconds
inline constexpr int most_solves = 3;

inline double total_seconds(const linalg::SolveReport& report) {
  return report.setup_seconds + report.solve_seconds;
}

// Errors: MemoryError where the solver does not fit into what is left on the device, of any
// process.
template <class Space>
void check_memory(const linalg::SolverSettings& settings, const linalg::SystemSize& size) {
  const std::size_t needed = linalg::solver_memory(settings, size);
  const std::size_t available = Space::available_memory();
  if (linalg::greatest(linalg::shared_rows(), needed <= available ? 0.0 : 1.0) == 0) return;
  throw MemoryError(fmt::format("{} needs about {:.2f} GB on {} and {:.2f} GB are available",
                                solver_text(settings), 1e-9 * static_cast<double>(needed),
                                Space::name, 1e-9 * static_cast<double>(available)));
}

// A x = b with these options. `again`: what a repeated solve is told of changes in A.
template <class Space>
struct MeasuredSystem {
  const linalg::LinearOperator<Space>& a;
  const linalg::Vector<Space>& b;
  linalg::SolveOptions options;
  linalg::Changed again = linalg::Changed::pattern;
  const linalg::MaximumRule<Space>* maximum = nullptr;
  // Of a solve after its set-up; of the first one at least short_solve.
  std::optional<double> most_seconds{};
};

// Solves from the x that start(x) sets; the first time with options.changed.
template <class Space, class Start>
MeasuredSolve measure_solve(linalg::LinearSolver<Space>& solver,
                            const MeasuredSystem<Space>& system, linalg::Vector<Space>& x,
                            Start start) {
  const auto solve = [&](linalg::Changed changed, std::optional<double> most_seconds) {
    start(x);
    linalg::SolveOptions options = system.options;
    options.changed = changed;
    options.most_seconds = most_seconds;
    return solver.solve(system.a, system.b, x, options, system.maximum);
  };
  std::optional<double> most = system.most_seconds;
  if (most) most = std::max(*most, short_solve);
  MeasuredSolve measured{solve(system.options.changed, most)};
  measured.setup_seconds = measured.report.setup_seconds;
  const auto is_stopped = [&](const linalg::SolveReport& report) {
    return system.most_seconds && report.status == linalg::SolveStatus::max_seconds;
  };
  const auto is_short = [&] {
    return linalg::of_first_process(system.a.shared_rows(),
                                    total_seconds(measured.report) < short_solve);
  };
  measured.stopped = is_stopped(measured.report);
  for (int i = 1; i < most_solves && !measured.stopped && is_short(); ++i) {
    linalg::SolveReport repeated = solve(system.again, system.most_seconds);
    measured.stopped = is_stopped(repeated);
    if (measured.stopped || total_seconds(repeated) < total_seconds(measured.report))
      measured.report = std::move(repeated);
  }
  return measured;
}

}  // namespace hodge::sim
