// Poisson systems on boxes of equal cells, in the memory of a space: what `bench poisson` and
// `bench krylov` solve. All-Neumann systems have a random right side without a mean, Dirichlet
// systems the right side 1.
#pragma once

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>

#include "linalg/matrices/symmetry.hpp"
#include "linalg/solve/solve.hpp"
#include "tools/hodge/bench/matrices.hpp"

namespace hodge::tools::bench {

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

inline std::unique_ptr<HostMatrix> make_matrix(const Box& box) {
  GridMatrix parameters;
  parameters.cells = box.cells;
  parameters.neumann = box.neumann;
  return make_matrix(parameters);
}

// The system of a box, its rows placed on the grid or not.
template <class Space>
class BoxProblem {
 public:
  BoxProblem(const Box& box, const HostMatrix& host, bool on_grid = true) : box_(box) {
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

  int rows() const { return a_->rows(); }
  linalg::SystemSize size() const { return a_->system_size(); }

  // From x = 0.
  linalg::SolveReport solve(linalg::LinearSolver<Space>& solver, linalg::Changed changed) {
    x_.fill(0.0);
    linalg::SolveOptions options;
    options.changed = changed;
    options.null_space = box_.neumann ? linalg::NullSpace::constant : linalg::NullSpace::none;
    return solver.solve(*a_, b_, x_, options);
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

  const Box& box_;
  std::unique_ptr<linalg::CsrMatrix<Space>> a_;
  linalg::Vector<Space> b_, x_;
};

}  // namespace hodge::tools::bench
