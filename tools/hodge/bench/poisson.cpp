// cg to 1e-8 on Poisson systems of boxes, by multigrid on the grid, multigrid on aggregates of
// rows, and what there is without: iterations, time, and the time over the bytes that the method
// counts.
//
// All-Neumann systems have a random right side without a mean, Dirichlet systems the right side 1.
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "linalg/byte_model.hpp"
#include "linalg/matrices/symmetry.hpp"
#include "linalg/solve.hpp"
#include "tools/hodge/bench/collection.hpp"
#include "tools/hodge/bench/experiment.hpp"
#include "tools/hodge/bench/matrices.hpp"

namespace hodge::tools::bench {
namespace {

struct Box {
  std::array<int, 3> cells;
  bool neumann;
  bool large = false;  // for GPUs alone
  int dim() const { return cells[2] > 1 ? 3 : 2; }
  std::string name() const {
    std::string text = fmt::format("{}", cells[0]);
    for (int d = 1; d < dim(); ++d)
      text += fmt::format(" x {}", cells[static_cast<std::size_t>(d)]);
    return text;
  }
};

struct Rival {
  std::string name;
  linalg::PreconditionerSettings settings;
  bool on_grid = true;
};

Rival multigrid(const std::string& smoother, const std::string& precision, bool on_grid = true) {
  linalg::PreconditionerSettings settings;
  settings.kind = "multigrid";
  settings.smoother = smoother;
  settings.precision = precision;
  return {fmt::format("multigrid, {}, {}", smoother, on_grid ? precision : "aggregates"), settings,
          on_grid};
}

std::vector<Rival> rivals(bool all) {
  std::vector<Rival> list{multigrid("chebyshev", "single"), multigrid("ssor_sai", "single"),
                          multigrid("ssor_sai", "double")};
  if (!all) return list;
  list.push_back(multigrid("jacobi", "single"));
  list.push_back(multigrid("ssor_sai", "double", false));
  linalg::PreconditionerSettings ssor_sai;
  ssor_sai.kind = "ssor_sai";
  ssor_sai.order = 2;
  ssor_sai.omega = 1.6;
  list.push_back({"ssor_sai, order 2, omega 1.6", ssor_sai});
  list.push_back({"none", {}});
  return list;
}

// The system of a box in the memory of a space, its rows placed on the grid or not.
template <class Space>
class BoxProblem {
 public:
  BoxProblem(const Box& box, const HostMatrix& host, bool on_grid) : box_(box) {
    const HostRows rows(host);
    auto pattern = std::make_shared<linalg::CsrPattern<Space>>(host.rows(), host.cols(),
                                                               rows.offsets, rows.columns);
    if (on_grid) pattern->place_on(grid_rows());
    a_ = std::make_unique<linalg::CsrMatrix<Space>>(pattern, linalg::Symmetry::symmetric);
    a_->values().upload(rows.values);
    b_ = linalg::random_vector<Space, double>(host.rows(), 0);
    if (!box.neumann) b_.fill(1.0);
    x_.resize(host.rows());
  }

  linalg::SystemSize size() const {
    return {static_cast<std::size_t>(a_->rows()),
            static_cast<std::size_t>(a_->pattern().nonzeros()), sizeof(double), true,
            a_->pattern().grid() != nullptr};
  }

  // The fastest of three solves; seconds[0]: setup, seconds[1]: refresh.
  linalg::SolveReport solve(const linalg::SolverSettings& settings, double (&seconds)[2]) {
    linalg::LinearSolver<Space> solver(settings, a_->rows());
    linalg::SolveReport best = once(solver, linalg::Changed::pattern);
    seconds[0] = best.setup_seconds;
    best = once(solver, linalg::Changed::values);
    seconds[1] = best.setup_seconds;
    for (int repeat = 0; repeat < 2; ++repeat) {
      const linalg::SolveReport again = once(solver, linalg::Changed::nothing);
      if (again.solve_seconds < best.solve_seconds) best = again;
    }
    return best;
  }

 private:
  linalg::GridRows<Space> grid_rows() const {
    linalg::GridRows<Space> rows;
    rows.shape.dim = box_.dim();
    for (int d = 0; d < 3; ++d) {
      rows.shape.extent[d] = box_.cells[static_cast<std::size_t>(d)];
      for (double& beyond : rows.shape.beyond[d]) beyond = box_.neumann ? 1 : -1;
    }
    return rows;
  }

  linalg::SolveReport once(linalg::LinearSolver<Space>& solver, linalg::Changed changed) {
    x_.fill(0.0);
    linalg::SolveOptions options;
    options.changed = changed;
    options.null_space = box_.neumann ? linalg::NullSpace::constant : linalg::NullSpace::none;
    return solver.solve(*a_, b_, x_, options);
  }

  const Box& box_;
  std::unique_ptr<linalg::CsrMatrix<Space>> a_;
  linalg::Vector<Space> b_, x_;
};

template <class Space>
void race(Report& report, Table& table, const Box& box, const HostMatrix& host) {
  for (const Rival& rival : rivals(!box.large)) {
    BoxProblem<Space> problem(box, host, rival.on_grid);
    linalg::SolverSettings settings;
    settings.preconditioner = rival.settings;
    settings.max_iterations = 5000;
    double seconds[2] = {};
    const linalg::SolveReport solve = problem.solve(settings, seconds);
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

std::vector<Box> boxes(bool quick) {
  if (quick) return {{{24, 24, 1}, true}, {{12, 10, 8}, false}};
  return {{{256, 256, 1}, true},          {{2048, 2048, 1}, true, true},
          {{32, 32, 32}, true},           {{64, 64, 64}, true},
          {{128, 128, 128}, true},        {{256, 256, 256}, true, true},
          {{256, 256, 256}, false, true}, {{384, 384, 384}, true, true}};
}

}  // namespace

void run_poisson(Report& report) {
  Table& table = report.add_table("solves", "cg to 1e-8",
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
                                   {"reason", "reason"}});
  for (const Box& box : boxes(report.quick())) {
    report.progress(box.name());
    GridMatrix matrix;
    matrix.cells = box.cells;
    matrix.neumann = box.neumann;
    const auto host = make_matrix(matrix);
    report.on_each_device([&]<class Space>() {
      if (!box.large || !std::is_same_v<Space, linalg::Host>)
        race<Space>(report, table, box, *host);
    });
  }
}

}  // namespace hodge::tools::bench
