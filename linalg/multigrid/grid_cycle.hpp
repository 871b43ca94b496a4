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
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/multigrid/columns_of_parts.hpp"
#include "linalg/multigrid/cuts_at_layers.hpp"
#include "linalg/multigrid/cycle.hpp"
#include "linalg/multigrid/grid_level.hpp"
#include "linalg/multigrid/rows_of_cells.hpp"
#include "linalg/multigrid/run_cycle.hpp"
#include "linalg/multigrid/stencil_from_rows.hpp"

namespace hodge::linalg::multigrid {

template <int Dim, class Space, class T>
bool has_holes(const StencilView<Dim, T>& a, const Layers& layers) {
  const auto [holes] =
      reduce_to_host<Space, 1>(a.shape.box(layers), {Reduction::sum},
                               [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
                                 value[0] = a.inverse[a.shape.position(c)] == T(0) ? 1.0 : 0.0;
                               });
  return holes > 0;
}

template <int Dim, class Space, class V, class T>
class GridCycle : public MultigridCycle<Space, V> {
 public:
  // Of the rows of this process alone, where processes share them. Collective.
  GridCycle(const MultigridSettings& settings, const CsrMatrix<Space, V>& a)
      : settings_(settings), symmetric_(a.symmetry() == Symmetry::symmetric) {
    const SharingRows alone(shared_rows().whole());
    const LevelShape<Dim> shape = level_shape<Dim>(a.pattern().grid()->shape);
    if (!take_cells(a.pattern(), shape)) return;
    if (symmetric_ && shape.cells() >= least_box_cells) system_ = a.box_system();
    levels_.emplace_back(shape, sharing_.used(shape), symmetric_, settings_, system_.get());
    Level& finest = levels_.front();
    sharing_.begin(finest);
    long long beside = 0;
    with_columns([&](const auto& column_of) {
      beside = entries_beside_the_stencil<Dim, Space>(a.view(), column_of, finest.layers.part,
                                                      finest.view(), finest.t.data());
    });
    fits_ = greatest(processes(a), static_cast<double>(beside)) == 0;
    if (!fits_) return;
    finest.bring_stencil_together();
    while (add_coarser_level()) continue;
    for (Level& level : levels_) level.once = has_listed_axes();
    mark_holes();
    levels_.back().factor();
    join_small_levels();
  }
  // False: A couples other cells than neighbours, or a process has a part of a layer.
  bool fits() const { return fits_; }
  bool takes(const CsrMatrix<Space, V>& a) const override {
    return !system_ || a.box_system() == system_;
  }

  void refresh(const CsrMatrix<Space, V>& a) override {
    const SharingRows alone(shared_rows().whole());
    Level& finest = levels_.front();
    with_columns([&](const auto& column_of) {
      take_rows<Dim, Space>(a.view(), column_of, finest.layers.part, finest.view(),
                            finest.t.data());
    });
    finest.bring_stencil_together();
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l) levels_[l].compute(levels_[l + 1]);
    mark_holes();
    levels_.back().factor();
  }

  void keep(const CsrMatrix<Space, V>&) override {}

  void apply(const Vector<Space, V>& r, Vector<Space, V>& z) override {
    RunCycle cycle(settings_, levels_);
    const int* const row_of_cell = own_.row_of_cell;
    const bool in_order = row_of_cell == nullptr && levels_.size() > 1;
    if (in_order && !has_part())
      return cycle.run(0, HaloArray<const V>{r.data()}, HaloArray<V>{z.data()});
    Level& finest = levels_.front();
    const int first = own_.first, cells = own_.end - own_.first;
    rows_to_cells<Space>(cells, row_of_cell, r.data(), finest.r.data() + first);
    finest.gather_right_side();
    const HaloArray<const T> right_side = reading(finest.of_r());
    // Only own cells of z are written, by their indices in the whole grid.
    if (in_order && finest.layers.processes != nullptr)
      return cycle.run(0, right_side, HaloArray<V>{z.data() - first});
    cycle.run(0, right_side, finest.of_z());
    cells_to_rows<Space>(cells, row_of_cell, std::as_const(finest.z).data() + first, z.data());
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

  static Communicator& processes(const CsrMatrix<Space, V>& a) {
    return a.pattern().sharing() ? a.pattern().sharing()->processes() : one_process();
  }

  // False: a process has a part of a layer.
  bool take_cells(const CsrPattern<Space>& pattern, const LevelShape<Dim>& shape) {
    const int layer = shape.layer();
    own_.row_of_cell = pattern.grid()->row_of_cell.data();
    own_.end = shape.cells();
    if (!pattern.sharing()) return true;
    const std::optional<LayerCuts> cuts = cuts_at_layers(pattern);
    if (!cuts) return false;
    Communicator& all = pattern.sharing()->processes();
    const Layers own = cuts->of(all.rank());
    of_others_ = columns_of_other_cells(pattern, shape, own);
    const LayersBeside beside(own, cuts->layers());
    own_ = {own_.row_of_cell,     layer * own.begin,    layer * own.end,  layer,
            layer * beside.below, layer * beside.above, of_others_.data()};
    sharing_ = {all, *cuts, settings_};
    return true;
  }

  bool has_part() const { return own_.of_others != nullptr; }
  template <class Use>
  void with_columns(const Use& use) const {
    if (has_part()) return use(own_);
    use(AllColumns{own_.row_of_cell});
  }

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

  bool add_coarser_level() {
    Level& fine = levels_.back();
    fine.holes = has_holes<Dim, Space>(fine.view(), fine.layers.own);
    if (fine.layers.processes != nullptr)
      fine.holes = greatest(*fine.layers.processes, fine.holes ? 1 : 0) > 0;
    if (fine.cells() <= settings_.coarsest_cells) return false;
    fine.choose_coarsening();
    if (fine.to_coarser.coarse.cells() == fine.cells()) {
      if (fine.cells() <= most_coarsest_cells) return false;
      throw ShapeError("multigrid: a level of " + std::to_string(fine.cells()) +
                       " cells cannot be coarsened");
    }
    sharing_.join(fine);
    const LevelShape<Dim>& coarse = fine.to_coarser.coarse;
    levels_.emplace_back(coarse, sharing_.used(coarse), symmetric_, settings_);
    sharing_.begin(levels_.back());
    fine.compute(levels_.back());
    return true;
  }
  void mark_holes() {
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l) levels_[l].mark_holes(levels_[l + 1]);
  }

  static_assert(least_box_cells > SmallCycle<Space>::most_cells &&
                least_box_cells > most_coarsest_cells &&
                least_shareable_cells > most_coarsest_cells &&
                least_shareable_cells > SmallCycle<Space>::most_cells);

  MultigridSettings settings_;
  std::shared_ptr<const SeparableSystem> system_;  // of level 0; null: its couplings are stored
  bool symmetric_;
  PartColumns own_;               // of_others: null if all rows are here
  Buffer<int, Space> of_others_;  // of own_
  LevelSharing<Dim, Space> sharing_;
  bool fits_ = false;
  std::deque<Level> levels_;
};

}  // namespace hodge::linalg::multigrid
