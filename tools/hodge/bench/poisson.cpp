// cg to 1e-8 on Poisson systems of boxes, by multigrid on the grid, multigrid on aggregates of
// rows, and what there is without: iterations, time, and the time over the bytes that the method
// counts.
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "linalg/solve/solve_bytes.hpp"
#include "tools/hodge/bench/box_problem.hpp"
#include "tools/hodge/bench/experiment.hpp"

namespace hodge::tools::bench {
namespace {

struct Rival {
  std::string name;
  linalg::PreconditionerSettings settings;
  bool on_grid = true;
};

Rival multigrid(const std::string& smoother, const std::string& precision, bool on_grid = true) {
  return {fmt::format("multigrid, {}, {}", smoother, on_grid ? precision : "aggregates"),
          {"multigrid", {{"smoother", smoother}, {"precision", precision}}},
          on_grid};
}

std::vector<Rival> rivals(bool all) {
  std::vector<Rival> list{multigrid("chebyshev", "single"), multigrid("ssor_sai", "single"),
                          multigrid("ssor_sai", "double")};
  if (!all) return list;
  list.push_back(multigrid("jacobi", "single"));
  list.push_back(multigrid("ssor_sai", "double", false));
  list.push_back({"ssor_sai, order 2, omega 1.6", {"ssor_sai", {{"order", 2}, {"omega", 1.6}}}});
  list.push_back({"none", {}});
  return list;
}

// The fastest of three solves; seconds[0]: setup, seconds[1]: refresh.
template <class Space>
linalg::SolveReport fastest_solve(BoxProblem<Space>& problem,
                                  const linalg::SolverSettings& settings, double (&seconds)[2]) {
  linalg::LinearSolver<Space> solver(settings, problem.rows());
  linalg::SolveReport best = problem.solve(solver, linalg::Changed::pattern);
  seconds[0] = best.setup_seconds;
  best = problem.solve(solver, linalg::Changed::values);
  seconds[1] = best.setup_seconds;
  for (int repeat = 0; repeat < 2; ++repeat) {
    const linalg::SolveReport again = problem.solve(solver, linalg::Changed::nothing);
    if (again.solve_seconds < best.solve_seconds) best = again;
  }
  return best;
}

template <class Space>
void race(Report& report, Table& table, const Box& box, const HostMatrix& host) {
  for (const Rival& rival : rivals(!box.large)) {
    BoxProblem<Space> problem(box, host, rival.on_grid);
    linalg::SolverSettings settings;
    settings.preconditioner = rival.settings;
    settings.max_iterations = 5000;
    double seconds[2] = {};
    const linalg::SolveReport solve = fastest_solve(problem, settings, seconds);
    Json row = {{"grid", box.name()},
                {"sides", box.neumann ? "Neumann" : "Dirichlet"},
                {"device", Space::name},
                {"preconditioner", rival.name},
                {"iterations", solve.iterations},
                {"setup_ms", 1e3 * seconds[0]},
                {"refresh_ms", 1e3 * seconds[1]},
                {"solve_ms", 1e3 * solve.solve_seconds},
                {"true_residual", solve.true_residual / solve.rhs_norm},
                {"converged", solve.converged()}};
    if (solve.converged() && solve.iterations > 0) {
      const double bytes = linalg::solve_bytes(settings, problem.size(), solve.iterations);
      row["ms_per_iteration"] = 1e3 * solve.solve_seconds / solve.iterations;
      row["share_of_copy"] = bytes / solve.solve_seconds / report.copy_bandwidth<Space>();
    } else {
      row["reason"] = linalg::describe(solve);
    }
    table.add(row);
  }
}

std::vector<Box> poisson_boxes(bool quick) {
  if (quick) return {{{24, 24, 1}, true}, {{12, 10, 8}, false}};
  return {{{256, 256, 1}, true},          {{2048, 2048, 1}, true, true},
          {{32, 32, 32}, true},           {{64, 64, 64}, true},
          {{128, 128, 128}, true},        {{256, 256, 256}, true, true},
          {{256, 256, 256}, false, true}, {{384, 384, 384}, true, true}};
}

}  // namespace

void run_poisson(Report& report) {
  Table& table = report.add_table(
      "solves", "cg to 1e-8",
      {{"grid", "grid"},
       {"sides", "sides"},
       {"device", "device"},
       {"preconditioner", "preconditioner"},
       {"iterations", "iterations"},
       {"setup_ms", "setup, ms", "{:.2f}"},
       {"refresh_ms", "refresh, ms", "{:.2f}"},
       {"solve_ms", "solve, ms", "{:.2f}"},
       {"ms_per_iteration", "ms / iteration", "{:.3f}"},
       {"share_of_copy", "of copy", "{:.2f}"},
       {"true_residual", "|b - A x| / |b|", "{:.1e}"},
       {"converged", "converged"},
       {"reason", "reason"}},
      {{"grid", "sides", "device", "preconditioner"}, {"setup_ms", "refresh_ms", "solve_ms"}});
  for (const Box& box : poisson_boxes(report.quick())) {
    std::unique_ptr<HostMatrix> host;
    report.on_each_device([&]<class Space>() {
      if (!report.wants<Space>(box.name(), box.large)) return;
      if (!host) {
        report.progress(box.name());
        host = make_matrix(box);
      }
      race<Space>(report, table, box, *host);
    });
  }
}

}  // namespace hodge::tools::bench
