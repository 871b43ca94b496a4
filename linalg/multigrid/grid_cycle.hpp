// The multigrid cycle on a Cartesian grid: stencils on every level, in values of T.
//
// Level 0 is the matrix itself; each coarser level is computed from the finer one in the space
// (coarsening.hpp). If the matrix says that it is a separable system on its box
// (CsrMatrix::describe_as), level 0 stores no couplings (box_stencil.hpp): 4 of 7 values of a
// residual in 3D. Coarser levels near solids are no products of axes any more, and are stored. If
// the rows are the cells in order, level 0 reads and writes the solver's
// vectors, of V, directly; otherwise they are copied through row_of_cell. Cost of a v cycle with
// one smoothing before and after: six passes over the stencil of every level. The coarser levels
// add 1 / (2^Dim - 1), on strongly stretched grids up to three times that. 4 vectors per level.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/multigrid/cuts_at_layers.hpp"
#include "linalg/multigrid/cycle.hpp"
#include "linalg/multigrid/grid_level.hpp"
#include "linalg/multigrid/run_cycle.hpp"
#include "linalg/multigrid/stencil_from_rows.hpp"

namespace hodge::linalg::multigrid {

template <class Space, class V, class T>
void count_copy(int cells, const int* row_of_cell) {
  const std::size_t of_cell = sizeof(V) + sizeof(T) + (row_of_cell != nullptr ? sizeof(int) : 0);
  count_moved<Space>(static_cast<double>(cells) * static_cast<double>(of_cell));
}

// Copies values of rows to consecutive cells, and back.
template <class Space, class V, class T>
void rows_to_cells(int cells, const int* row_of_cell, const V* rows, T* values) {
  count_copy<Space, V, T>(cells, row_of_cell);
  for_each_guarded<Space>(cells, [=] HODGE_LAMBDA(int p) {
    const int row = row_of_cell == nullptr ? p : row_of_cell[p];
    values[p] = row < 0 ? T(0) : static_cast<T>(rows[row]);
  });
}
template <class Space, class V, class T>
void cells_to_rows(int cells, const int* row_of_cell, const T* values, V* rows) {
  count_copy<Space, V, T>(cells, row_of_cell);
  for_each_guarded<Space>(cells, [=] HODGE_LAMBDA(int p) {
    const int row = row_of_cell == nullptr ? p : row_of_cell[p];
    if (row >= 0) rows[row] = static_cast<V>(values[p]);
  });
}

template <int Dim, class Space, class T>
bool has_holes(const StencilView<Dim, T>& a) {
  const auto [holes] = reduce_to_host<Space, 1>(
      a.shape.box(), {Reduction::sum}, [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        value[0] = a.inverse[a.shape.position(c)] == T(0) ? 1.0 : 0.0;
      });
  return holes > 0;
}

template <int Dim, class Space, class V, class T>
class GridCycle : public MultigridCycle<Space, V> {
 public:
  GridCycle(const MultigridSettings& settings, const CsrMatrix<Space, V>& a)
      : settings_(settings), row_of_cell_(a.pattern().grid()->row_of_cell.data()) {
    const bool symmetric = a.symmetry() == Symmetry::symmetric;
    const LevelShape<Dim> shape = level_shape<Dim>(a.pattern().grid()->shape);
    if (symmetric && shape.cells() >= least_box_cells) system_ = a.box_system();
    levels_.emplace_back(shape, symmetric, settings_, system_.get());
    Level& finest = levels_.front();
    fits_ = entries_beside_the_stencil<Dim, Space>(a.view(), row_of_cell_, finest.view(),
                                                   finest.t.data()) == 0;
    if (!fits_) return;
    while (add_coarser_level(symmetric)) continue;
    for (Level& level : levels_) level.once = has_listed_axes();
    mark_holes();
    levels_.back().factor();
    join_small_levels();
  }
  bool fits() const { return fits_; }
  bool takes(const CsrMatrix<Space, V>& a) const override {
    return !system_ || a.box_system() == system_;
  }

  void refresh(const CsrMatrix<Space, V>& a) override {
    take_rows<Dim, Space>(a.view(), row_of_cell_, levels_[0].view(), levels_[0].t.data());
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l) coarsen_to(levels_[l], levels_[l + 1]);
    mark_holes();
    levels_.back().factor();
  }

  void keep(const CsrMatrix<Space, V>&) override {}

  void apply(const Vector<Space, V>& r, Vector<Space, V>& z) override {
    RunCycle cycle(settings_, levels_);
    if (row_of_cell_ == nullptr && levels_.size() > 1 && !own_)
      return cycle.run(0, r.data(), z.data());
    Level& finest = levels_.front();
    const OwnCells own = own_.value_or(OwnCells{0, finest.cells(), row_of_cell_});
    rows_to_cells<Space>(own.count, own.row_of_cell, r.data(), finest.r.data() + own.first);
    finest.gather_right_side();
    cycle.run(0, std::as_const(finest.r).data(), finest.z.data());
    cells_to_rows<Space>(own.count, own.row_of_cell, std::as_const(finest.z).data() + own.first,
                         z.data());
  }

  bool share(const CsrMatrix<Space, V>& a) override {
    own_.reset();
    if constexpr (std::is_same_v<Space, Host>) {
      const LevelShape<Dim>& shape = levels_.front().stencil.shape();
      const int* const row_of_cell = a.pattern().grid()->row_of_cell.data();
      const std::optional<LayerCuts> cuts = cuts_at_layers(a.pattern(), shape.layer());
      if (!cuts) return false;
      Communicator& processes = a.pattern().sharing()->processes();
      const Layers own = cuts->of(processes.rank());
      share_levels<Dim, Space>(processes, *cuts, levels_);
      own_ = {shape.layer() * own.begin, shape.layer() * own.count(), row_of_cell};
    }
    return own_.has_value();
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

  // The cells of a process, and their rows; null: these are the cells in order.
  struct OwnCells {
    int first, count;
    const int* row_of_cell;
  };

  bool has_listed_axes() const {
    for (const Level& level : levels_)
      for (const AxisJoin& axis : level.to_coarser.axis)
        if (axis.listed()) return true;
    return false;
  }

  void join_small_levels() {
    std::size_t first = levels_.size() - 1;
    const auto is_small = [this](std::size_t l) {
      return levels_[l].cells() <= SmallCycle<Space>::most_cells && !levels_[l].holes &&
             levels_.size() - l <= static_cast<std::size_t>(SmallLevels<Dim, T>::most);
    };
    if (!is_small(first)) return;
    while (first > 0 && is_small(first - 1)) --first;
    SmallLevels<Dim, T>& small = levels_[first].small;
    const T omega = static_cast<T>(settings_.omega);
    small.smoothing = {smoother_of(settings_), settings_.smoothings, omega,
                       omega * Level::jacobi_damping, chebyshev_step<T>(2.0)};
    for (std::size_t l = first; l < levels_.size(); ++l)
      small.level[small.count++] = levels_[l].as_small();
    small.dense = {levels_.back().cells(), levels_.back().coarsest->inverse()};
  }

  // While the levels are made, the vector t of each holds its row sums.
  bool add_coarser_level(bool symmetric) {
    Level& fine = levels_.back();
    fine.holes = has_holes<Dim, Space>(fine.view());
    if (fine.cells() <= settings_.coarsest_cells) return false;
    fine.with_stencil(
        [&](const auto& a) { fine.to_coarser = coarsening_of<Dim, Space>(a, fine.lists); });
    if (fine.to_coarser.coarse.cells() == fine.cells()) {
      if (fine.cells() <= most_coarsest_cells) return false;
      throw ShapeError("multigrid: a level of " + std::to_string(fine.cells()) +
                       " cells cannot be coarsened");
    }
    levels_.emplace_back(fine.to_coarser.coarse, symmetric, settings_);
    coarsen_to(fine, levels_.back());
    return true;
  }
  void mark_holes() {
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l) levels_[l].mark_holes(levels_[l + 1]);
  }
  void coarsen_to(Level& fine, Level& coarse) {
    fine.with_stencil([&](const auto& a) {
      coarsen<Dim, Space>(fine.to_coarser, a, std::as_const(fine.t).data(), coarse.view(),
                          coarse.t.data());
    });
  }

  static_assert(least_box_cells > SmallCycle<Space>::most_cells &&
                least_box_cells > most_coarsest_cells);

  MultigridSettings settings_;
  std::shared_ptr<const SeparableSystem> system_;  // of level 0; null: its couplings are stored
  const int* row_of_cell_;                         // null: the rows are the cells in order
  std::optional<OwnCells> own_;                    // of processes that share the work
  bool fits_ = false;
  std::deque<Level> levels_;
};

}  // namespace hodge::linalg::multigrid
