// One multigrid cycle (multigrid/cycle.hpp) as a preconditioner.
//
// If the matrix's pattern is placed on a grid (CsrPattern::place_on), the coarser grids join pairs
// of cells along every axis. Levels are stored in single precision unless settings.precision is
// double; the method around the cycle keeps its precision. Cost on a grid, one smoothing before and
// after: 6 passes over the matrix in its compact form, 8/7 or 4/3 of that with the coarser grids.
#pragma once

#include <memory>

#include "linalg/cost/byte_model.hpp"
#include "linalg/multigrid/cycle.hpp"
#include "linalg/preconditioners/inverse_diagonal.hpp"
#include "linalg/preconditioners/preconditioner.hpp"
#include "linalg/space/replay.hpp"

namespace hodge::linalg {

template <class Space, class T>
class Multigrid : public Preconditioner<Space, T> {
 public:
  using Settings = MultigridSettings;
  explicit Multigrid(const MultigridSettings& settings) : settings_(settings) {}

  // On a grid: 4 vectors and the stencil per level, and the coarsest matrix, its factors and its
  // inverse. Without a grid: levels of aggregates of about three rows.
  static std::size_t memory(const MultigridSettings& settings, const SystemSize& size) {
    const double rows = static_cast<double>(size.rows);
    const auto coarsest = static_cast<std::size_t>(settings.coarsest_cells);
    if (size.on_grid)
      return size.vectors(1) + 4 * sizeof(double) * coarsest * coarsest +
             static_cast<std::size_t>(levels_of_grid(size) * rows * (stencil_values(size) + 4) *
                                      value_size(settings));
    const double entries = static_cast<double>(size.nonzeros),
                 wide = static_cast<double>(size.value_size);
    const double level = 6 * wide * rows + 2 * sizeof(int) * (rows + entries);
    const double coarse_matrix = (wide + 2 * sizeof(int)) * entries / aggregate;
    return size.vectors(1) +
           static_cast<std::size_t>((level + coarse_matrix) * aggregate / (aggregate - 1));
  }
  // A pass reads a stencil, its argument and a right-hand side, and writes a result; a transfer
  // counts as one. Without a grid each pass counts as a product with the matrix.
  static double traffic(const MultigridSettings& settings, const SystemSize& size) {
    if (size.on_grid)
      return passes(settings, 1 - 1 / levels_of_grid(size)) * (stencil_values(size) + 3) *
             value_size(settings) * static_cast<double>(size.rows);
    return passes(settings, 1 / aggregate) * product_bytes(size);
  }

  void setup(const LinearOperator<Space, T>& a) override {
    const CsrMatrix<Space, T>& matrix = InverseDiagonal<Space, T>::entries(a, "multigrid");
    diagonal_.resize(a.rows());
    diagonal_.refresh(matrix, 1.0);
    cycle_.reset();
    values_ = matrix.values().data();
    if (diagonal_.failure().reason == Breakdown::none) make_cycle(matrix);
  }
  void refresh(const LinearOperator<Space, T>& a) override {
    const CsrMatrix<Space, T>& matrix = InverseDiagonal<Space, T>::entries(a, "multigrid");
    diagonal_.refresh(matrix, 1.0);
    if (diagonal_.failure().reason != Breakdown::none) return;
    values_ = matrix.values().data();
    if (cycle_)
      cycle_->refresh(matrix);
    else
      make_cycle(matrix);
  }
  void keep(const LinearOperator<Space, T>& a) override {
    const CsrMatrix<Space, T>& matrix = InverseDiagonal<Space, T>::entries(a, "multigrid");
    values_ = matrix.values().data();
    if (cycle_) cycle_->keep(matrix);
  }
  PreconditionerFailure failure() const override { return diagonal_.failure(); }

  const Vector<Space, T>& apply(const Vector<Space, T>& r, Vector<Space, T>& z) override {
    cycles_.run(ReplayKey(values_, r.data(), z.data()), [&] { cycle_->apply(r, z); });
    return z;
  }

  void use_transpose(const LinearOperator<Space, T>& at) override {
    const CsrMatrix<Space, T>& transpose = InverseDiagonal<Space, T>::entries(at, "multigrid");
    transposed_values_ = transpose.values().data();
    cycle_->use_transpose(transpose);
  }
  const Vector<Space, T>& apply_transposed(const Vector<Space, T>& r,
                                           Vector<Space, T>& z) override {
    cycles_.run(ReplayKey(values_, r.data(), z.data(), transposed_values_),
                [&] { cycle_->apply_transposed(r, z); });
    return z;
  }

  std::string made_text() const override { return cycle_ ? cycle_->text() : ""; }

 private:
  void make_cycle(const CsrMatrix<Space, T>& matrix) {
    cycle_ = make_grid_cycle(settings_, matrix);
    if (!cycle_) cycle_ = make_aggregation_cycle(settings_, matrix);
  }

  static constexpr double aggregate = 3.6;  // rows per aggregate, about

  // Passes of a cycle, in units of a pass over the finest level; a level has q times the cells of
  // the finer one. A second correction costs one more residual and transfer. A w cycle visits level
  // l 2^l times, each time with two corrections; an f cycle l + 1 times, once with two corrections.
  // q >= 0.5 means a strongly stretched grid, where all cycles correct once.
  static double passes(const MultigridSettings& settings, double q) {
    constexpr double second = 2.0;
    const double visit = 6.0 * settings.smoothings + 1.0;
    if (q >= 0.5) return visit / (1 - q);
    if (settings.cycle == "w") return (visit + second) / (1 - 2 * q);
    if (settings.cycle == "f") return visit / ((1 - q) * (1 - q)) + second / (1 - q);
    return visit / (1 - q);
  }

  // 1 + 1/4 + 1/16 + ... in 2D, 1 + 1/8 + ... in 3D, more on strongly stretched grids.
  static double levels_of_grid(const SystemSize& size) {
    if (size.coarser_cells > 0) return 1 + size.coarser_cells;
    return size.nonzeros > 6 * size.rows ? 8.0 / 7 : 4.0 / 3;
  }
  static double value_size(const MultigridSettings& settings) {
    return settings.precision == "double" ? 8.0 : 4.0;
  }
  // Values per row in the compact form: the diagonal, and the couplings, of which a symmetric
  // matrix stores half.
  static double stencil_values(const SystemSize& size) {
    const double couplings = size.nonzeros > 6 * size.rows ? 6 : 4;
    return 1 + (size.symmetric ? 0.5 : 1.0) * couplings;
  }

  MultigridSettings settings_;
  InverseDiagonal<Space, T> diagonal_;
  std::unique_ptr<MultigridCycle<Space, T>> cycle_;
  Replay<Space> cycles_;
  const T* values_ = nullptr;             // of the matrix that the cycle uses
  const T* transposed_values_ = nullptr;  // of its transpose
};

}  // namespace hodge::linalg
