// A direct solve of the rows that processes share along the last axis: every process gathers the
// right side, solves the whole system, and reads its own rows, and the layers of rows beside them
// where these are wanted, from the solution. The bits are those of one process.
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
  // layers: how many on either side of the own rows are read, too; 0 or 1. Beyond an end of the box
  // the layer is that at the other end, as on a periodic axis.
  WholeDirectSolve(const SharedUnknowns<Dim>& shared, int layers) : processes_(shared.processes) {
    const linalg::RowBlocks& blocks = shared.blocks;
    for (int p = 0; p < blocks.processes(); ++p)
      counts_.push_back(static_cast<std::size_t>(blocks.rows_of(p)));
    rows_ = static_cast<int>(blocks.rows());
    first_ = static_cast<int>(blocks.first(processes_->rank()));
    beside_ = layers;
    for (int d = 0; d + 1 < Dim; ++d) beside_ *= shared.whole.box.extent(d);
    right_side_.resize(rows_);
    solution_.resize(rows_ + 2 * beside_);
    values_.resize(static_cast<std::size_t>(rows_));
  }

  // `solution` gets the own rows. Collective.
  void solve(linalg::DirectSolver<Space>& solver, const linalg::Vector<Space>& right_side,
             linalg::Vector<Space>& solution) {
    const std::vector<double> own = right_side.to_host();
    linalg::gather_known(*processes_, std::span<const double>(own),
                         std::span<const std::size_t>(counts_), std::span(values_));
    right_side_.upload(values_);
    double* const x = solution_.data() + beside_;
    auto whole = linalg::Vector<Space>::view(x, rows_);
    solver.solve(right_side_, whole);
    const std::size_t bytes = sizeof(double) * static_cast<std::size_t>(beside_);
    Space::copy(x + rows_ - beside_, x - beside_, bytes);
    Space::copy(x, x + rows_, bytes);
    Space::copy(x + first_, solution.data(),
                sizeof(double) * static_cast<std::size_t>(solution.size()));
  }

  // Of the first own row; the layers before and behind the own rows are there, too.
  const double* own_solution() const { return solution_.data() + beside_ + first_; }

 private:
  linalg::Communicator* processes_;
  std::vector<std::size_t> counts_;  // rows of each process
  int rows_, first_, beside_;        // of all processes; before the own ones; in the layers
  std::vector<double> values_;
  linalg::Vector<Space> right_side_, solution_;
};

}  // namespace hodge::sim
