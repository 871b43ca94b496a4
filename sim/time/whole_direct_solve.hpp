// A direct solve of the rows that processes share along the last axis: every process gathers the
// right side, solves the whole system, and reads its own cells and the layers beside them from the
// solution. The bits are those of one process.
//
// This does not scale: memory and work of each process are those of one process alone.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "linalg/direct/direct_solver.hpp"
#include "linalg/vectors/vector.hpp"
#include "sim/discrete/assembly/shared_unknowns.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class WholeDirectSolve {
 public:
  // Of unknowns in all cells of the box.
  explicit WholeDirectSolve(const SharedUnknowns<Dim>& shared) : processes_(shared.processes) {
    const linalg::RowBlocks& blocks = shared.blocks;
    for (int p = 0; p < blocks.processes(); ++p)
      counts_.push_back(static_cast<std::size_t>(blocks.rows_of(p)));
    rows_ = static_cast<int>(blocks.rows());
    first_ = static_cast<int>(blocks.first(processes_->rank()));
    layer_ = 1;
    for (int d = 0; d + 1 < Dim; ++d) layer_ *= shared.whole.box.extent(d);
    right_side_.resize(rows_);
    solution_.resize(rows_ + 2 * layer_);
    values_.resize(static_cast<std::size_t>(rows_));
  }

  // `solution` gets the own rows. Collective.
  void solve(linalg::DirectSolver<Space>& solver, const linalg::Vector<Space>& right_side,
             linalg::Vector<Space>& solution) {
    const std::vector<double> own = right_side.to_host();
    linalg::gather_known(*processes_, std::span<const double>(own),
                         std::span<const std::size_t>(counts_), std::span(values_));
    right_side_.upload(values_);
    double* const x = solution_.data() + layer_;
    auto whole = linalg::Vector<Space>::view(x, rows_);
    solver.solve(right_side_, whole);
    // Beyond the ends of the box: the other ends, which are read where the axis is periodic.
    const std::size_t bytes = sizeof(double) * static_cast<std::size_t>(layer_);
    Space::copy(x + rows_ - layer_, x - layer_, bytes);
    Space::copy(x, x + rows_, bytes);
    Space::copy(x + first_, solution.data(),
                sizeof(double) * static_cast<std::size_t>(solution.size()));
  }

  // Of the first own row; the layers of cells before and behind the own rows are there, too.
  const double* own_solution() const { return solution_.data() + layer_ + first_; }

 private:
  linalg::Communicator* processes_;
  std::vector<std::size_t> counts_;  // rows of each process
  int rows_, first_, layer_;         // of all processes; before the own ones; in a layer of cells
  std::vector<double> values_;
  linalg::Vector<Space> right_side_, solution_;
};

}  // namespace hodge::sim
