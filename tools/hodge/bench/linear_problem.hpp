// A system A x = b in the memory of a space, and products with a matrix: what experiments solve and
// time.
#pragma once

#include "linalg/base/timing.hpp"
#include "linalg/matrices/convert.hpp"
#include "linalg/matrices/symmetry.hpp"
#include "linalg/solve/solve.hpp"
#include "tools/hodge/bench/matrices.hpp"

namespace hodge::tools::bench {

// A Poisson system on a box of equal cells. All-Neumann and periodic systems have a random right
// side without a mean, Dirichlet systems the right side 1.
struct Box {
  GridMatrix matrix;
  bool large = false;  // for GPUs alone
  int stretched = -1;  // an axis of cells of other sizes, for the direct solver alone; -1: none

  bool is_singular() const { return matrix.neumann || matrix.periodic; }
  std::string sides() const {
    const char* const kind = matrix.periodic  ? "periodic"
                             : matrix.neumann ? "Neumann"
                                              : "Dirichlet";
    if (matrix.ball) return fmt::format("{}, a ball blocked", kind);
    return stretched < 0 ? kind : fmt::format("{}, {} stretched", kind, "xyz"[stretched]);
  }
  // "64 x 64 x 64 Neumann"
  std::string text() const { return matrix.grid() + " " + sides(); }
};

// action.template operator()<Space>(box, matrix) for every box and device.
template <class Action>
void measure_boxes(ExperimentRun& run, const std::vector<Box>& boxes, const Action& action) {
  for (const Box& box : boxes) {
    std::unique_ptr<HostMatrix> host;
    run.on_each_device(box.text(), box.large, [&]<class Space>() {
      if (!host) host = make_matrix(box.matrix);
      action.template operator()<Space>(box, *host);
    });
  }
}

template <class Space>
std::unique_ptr<linalg::CsrMatrix<Space>> placed_on_grid(const Box& box, const HostMatrix& host) {
  const HostRows rows(host);
  auto pattern = std::make_shared<linalg::CsrPattern<Space>>(host.rows(), host.cols(), rows.offsets,
                                                             rows.columns);
  linalg::GridRows<Space> grid;
  grid.shape.dim = box.matrix.dim();
  for (int d = 0; d < 3; ++d) {
    grid.shape.extent[d] = box.matrix.cells[d];
    grid.shape.periodic[d] = box.matrix.periodic;
    for (double& beyond : grid.shape.beyond[d]) beyond = box.matrix.neumann ? 1 : -1;
  }
  if (box.matrix.ball)
    grid.row_of_cell = linalg::Buffer<int, Space>(std::span<const int>(rows_of_cells(box.matrix)));
  pattern->place_on(std::move(grid));
  auto matrix = std::make_unique<linalg::CsrMatrix<Space>>(pattern, host.symmetry());
  matrix->values().upload(rows.values);
  return matrix;
}

template <class Space>
struct LinearProblem {
  std::unique_ptr<linalg::CsrMatrix<Space>> a;
  linalg::Vector<Space> b, x;
  linalg::SolveOptions options;

  // With a random b.
  LinearProblem(std::unique_ptr<linalg::CsrMatrix<Space>> matrix, bool constant_null_space,
                unsigned seed = 0)
      : a(std::move(matrix)),
        b(linalg::random_vector<Space, double>(a->rows(), seed)),
        x(a->rows()) {
    if (constant_null_space) options.null_space = linalg::NullSpace::constant;
  }
  LinearProblem(const HostMatrix& host, bool constant_null_space, unsigned seed = 0)
      : LinearProblem(linalg::copy_to<Space, double>(host), constant_null_space, seed) {}
  // on_grid: the matrix knows the cell of each row, as multigrid on the grid needs it.
  LinearProblem(const Box& box, const HostMatrix& host, bool on_grid)
      : LinearProblem(
            on_grid ? placed_on_grid<Space>(box, host) : linalg::copy_to<Space, double>(host),
            box.is_singular()) {
    if (!box.is_singular()) b.fill(1.0);
  }

  // All from x = 0.
  linalg::SolveReport solve(linalg::LinearSolver<Space>& solver,
                            linalg::Changed changed = linalg::Changed::pattern) {
    x.fill(0.0);
    options.changed = changed;
    return solver.solve(*a, b, x, options);
  }
  // With the setup of the first.
  linalg::SolveReport fastest_of_three(linalg::LinearSolver<Space>& solver,
                                       linalg::Changed changed = linalg::Changed::pattern) {
    linalg::SolveReport best = solve(solver, changed);
    for (int repeat = 0; repeat < 2; ++repeat) {
      linalg::SolveReport again = solve(solver, linalg::Changed::nothing);
      again.setup_seconds = best.setup_seconds;
      if (again.solve_seconds < best.solve_seconds) best = again;
    }
    return best;
  }
  linalg::SolveReport solve(const linalg::SolverSettings& settings) {
    linalg::LinearSolver<Space> solver(settings, a->rows());
    return solve(solver);
  }
};

// y = A x.
template <class Space>
struct Product {
  std::unique_ptr<linalg::CsrMatrix<Space>> a;
  linalg::Vector<Space> x, y;

  explicit Product(const HostMatrix& host)
      : a(linalg::copy_to<Space, double>(host)),
        x(linalg::random_vector<Space, double>(host.cols(), 1)),
        y(host.rows()) {}

  // By a kernel of spmv.hpp.
  double seconds(const std::string& kernel) {
    linalg::SpmvChoice choice;
    choice.kernel = kernel;
    return seconds(choice);
  }
  double seconds(const linalg::SpmvChoice& choice) {
    a->use(choice);
    return linalg::median_seconds<Space>([&] { linalg::multiply(*a, x, y); });
  }
};

}  // namespace hodge::tools::bench
