// The multigrid cycle on a Cartesian grid: stencils on every level, in values of T.
//
// Level 0 is the matrix itself; each coarser one is made of the one before on the device
// (coarsening.hpp). Level 0 reads and writes the solver's vectors, of V, directly where its rows
// are the cells in order; otherwise through a numbering. Cost of a v cycle with one smoothing
// before and after: six passes over the stencil of every level, and as much again / (2^Dim - 1) for
// the coarser ones, up to three times that on strongly stretched grids; 4 vectors a level.
#pragma once

#include <deque>
#include <optional>
#include <utility>

#include "linalg/errors.hpp"
#include "linalg/multigrid/choose_coarsening.hpp"
#include "linalg/multigrid/coarsest.hpp"
#include "linalg/multigrid/cycle.hpp"
#include "linalg/multigrid/run_cycle.hpp"
#include "linalg/multigrid/smoothing.hpp"
#include "linalg/multigrid/stencil_from_rows.hpp"
#include "linalg/multigrid/transfer.hpp"

namespace hodge::linalg::multigrid {

// A stencil, what leads to the next coarser one, and its vectors.
template <int Dim, class Space, class T>
struct GridLevel {
  using Value = T;
  static constexpr T jacobi_damping = static_cast<T>(0.8);

  GridLevel(const LevelShape<Dim>& shape, bool symmetric, const PreconditionerSettings& settings)
      : stencil(shape, symmetric),
        z(static_cast<std::size_t>(shape.cells())),
        r(z.size()),
        t(z.size()),
        s(z.size()),
        smoother(smoother_of(settings)),
        omega(static_cast<T>(settings.omega)) {}
  StencilView<Dim, T> view() {
    StencilView<Dim, T> a = stencil.view();
    a.transposed = transposed;
    return a;
  }
  int cells() const { return stencil.shape().cells(); }
  // Null where every cell has an unknown.
  const T* inverse_of_holes() { return holes ? view().inverse : nullptr; }

  template <class R, class Z>
  void smooth(const R* right_side, const T* start, Z* z_out) {
    switch (smoother) {
      case Smoother::ssor_sai:
        lower_sweep<Dim, Space>(view(), omega, right_side, s.data());
        return upper_sweep<Dim, Space>(view(), omega, std::as_const(s).data(), start, z_out);
      case Smoother::jacobi:
        return scaled_step<Dim, Space>(view(), omega * jacobi_damping, right_side, start, z_out);
      case Smoother::chebyshev:
        return second_chebyshev_step<Dim, Space>(view(), chebyshev_step<T>(2.0), right_side, start,
                                                 z_out);
    }
  }
  template <class R>
  void residual(const R* right_side, const T* x, T* d) {
    multigrid::residual<Dim, Space>(view(), right_side, x, d);
  }
  void restrict_to(GridLevel& coarse, const T* d) {
    restrict_to_coarse<Dim, Space>(to_coarser, coarse.inverse_of_holes(), d, coarse.r.data());
  }
  void prolong_from(GridLevel& coarse, T* x) {
    prolong_and_add<Dim, Space>(to_coarser, inverse_of_holes(), coarse.inverse_of_holes(),
                                std::as_const(coarse.z).data(), x);
  }
  void factor() {
    if (!coarsest) coarsest.emplace(cells());
    coarsest->factor(view(), t.data());
  }
  void solve(const T* right_side, T* x) { coarsest->solve(transposed, right_side, x); }

  Stencil<Dim, Space, T> stencil;
  Buffer<T, Space> z, r, t, s;
  Smoother smoother;
  T omega;
  Coarsening<Dim> to_coarser{};
  AxisLists<Dim, Space> lists;  // of to_coarser
  // Of a hierarchy in which only thin cells are joined somewhere: second corrections on its many
  // levels would cost more than they bring, and add up to more than the error.
  bool once = false;
  bool transposed = false;                     // S and A are those of A^T
  bool holes = false;                          // some cells have no unknown
  std::optional<Coarsest<Space, T>> coarsest;  // of the last level
};

// Values of rows into cells and back.
template <class Space, class V, class T>
void rows_to_cells(int cells, const int* row_of_cell, const V* rows, T* values) {
  for_each_guarded<Space>(cells, [=] HODGE_LAMBDA(int p) {
    const int row = row_of_cell == nullptr ? p : row_of_cell[p];
    values[p] = row < 0 ? T(0) : static_cast<T>(rows[row]);
  });
}
template <class Space, class V, class T>
void cells_to_rows(int cells, const int* row_of_cell, const T* values, V* rows) {
  for_each_guarded<Space>(cells, [=] HODGE_LAMBDA(int p) {
    const int row = row_of_cell == nullptr ? p : row_of_cell[p];
    if (row >= 0) rows[row] = static_cast<V>(values[p]);
  });
}

template <int Dim, class Space, class T>
long long count_holes(const StencilView<Dim, T>& a) {
  Buffer<double, Space> count(1);
  reduce<Space, 1>(
      a.shape.box(), {Reduction::sum},
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        value[0] = a.inverse[a.shape.position(c)] == T(0) ? 1.0 : 0.0;
      },
      count.data());
  return static_cast<long long>(count.to_host()[0]);
}

template <int Dim, class Space, class V, class T>
class GridCycle : public MultigridCycle<Space, V> {
 public:
  GridCycle(const PreconditionerSettings& settings, const CsrMatrix<Space, V>& a)
      : settings_(settings), row_of_cell_(a.pattern().grid()->row_of_cell.data()) {
    const bool symmetric = a.symmetry() == Symmetry::symmetric;
    levels_.emplace_back(level_shape<Dim>(a.pattern().grid()->shape), symmetric, settings_);
    Level& finest = levels_.front();
    fits_ = entries_beside_the_stencil<Dim, Space>(a.view(), row_of_cell_, finest.view(),
                                                   finest.t.data()) == 0;
    if (!fits_) return;
    while (add_coarser_level(symmetric)) continue;
    for (Level& level : levels_) level.once = has_listed_axes();
    levels_.back().factor();
  }
  bool fits() const { return fits_; }

  void refresh(const CsrMatrix<Space, V>& a) override {
    take_rows<Dim, Space>(a.view(), row_of_cell_, levels_[0].view(), levels_[0].t.data());
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l)
      coarsen<Dim, Space>(levels_[l].to_coarser, levels_[l].view(), levels_[l].t.data(),
                          levels_[l + 1].view(), levels_[l + 1].t.data());
    levels_.back().factor();
  }

  void keep(const CsrMatrix<Space, V>&) override {}

  void apply(const Vector<Space, V>& r, Vector<Space, V>& z) override {
    RunCycle cycle(settings_, levels_);
    if (row_of_cell_ == nullptr && levels_.size() > 1) return cycle.run(0, r.data(), z.data());
    Level& finest = levels_.front();
    rows_to_cells<Space>(finest.cells(), row_of_cell_, r.data(), finest.r.data());
    cycle.run(0, std::as_const(finest.r).data(), finest.z.data());
    cells_to_rows<Space>(finest.cells(), row_of_cell_, std::as_const(finest.z).data(), z.data());
  }

  void use_transpose(const CsrMatrix<Space, V>&) override {}
  void apply_transposed(const Vector<Space, V>& r, Vector<Space, V>& z) override {
    with_transposed_levels(levels_, [&] { apply(r, z); });
  }

  std::string text() const override {
    std::string text;
    for (const Level& level : levels_) {
      text += text.empty() ? "grids " : ", ";
      for (int d = 0; d < Dim; ++d)
        text += (d > 0 ? " x " : "") + std::to_string(level.stencil.shape().extent[d]);
    }
    return text;
  }

 private:
  using Level = GridLevel<Dim, Space, T>;

  bool has_listed_axes() const {
    for (const Level& level : levels_)
      for (const AxisJoin& axis : level.to_coarser.axis)
        if (axis.listed()) return true;
    return false;
  }

  // Row sums of a level are in its t while it is made.
  bool add_coarser_level(bool symmetric) {
    Level& fine = levels_.back();
    fine.holes = count_holes<Dim, Space>(fine.view()) > 0;
    if (fine.cells() <= settings_.coarsest_cells) return false;
    fine.to_coarser = coarsening_of<Dim, Space>(fine.view(), fine.lists);
    if (fine.to_coarser.coarse.cells() == fine.cells()) {
      if (fine.cells() <= most_coarsest_cells) return false;
      throw ShapeError("multigrid: a level of " + std::to_string(fine.cells()) +
                       " cells cannot be coarsened");
    }
    levels_.emplace_back(fine.to_coarser.coarse, symmetric, settings_);
    coarsen<Dim, Space>(fine.to_coarser, fine.view(), fine.t.data(), levels_.back().view(),
                        levels_.back().t.data());
    return true;
  }

  PreconditionerSettings settings_;
  const int* row_of_cell_;  // null: the rows are the cells in order
  bool fits_ = false;
  std::deque<Level> levels_;
};

}  // namespace hodge::linalg::multigrid
