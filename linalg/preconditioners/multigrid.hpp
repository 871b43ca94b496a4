// One multigrid cycle (multigrid/cycle.hpp) as a preconditioner.
//
// If the matrix's pattern is placed on a grid (CsrPattern::place_on), the coarser grids join pairs
// of cells along every axis. Levels are stored in single precision unless settings.precision is
// double; the method around the cycle keeps its precision. The finest level of a separable system
// (CsrMatrix::describe_as) stores no couplings. Cost on a grid, one smoothing before and
// after: 6 passes over the matrix in its compact form, 8/7 or 4/3 of that with the coarser grids.
#pragma once

#include <memory>

#include "linalg/base/errors.hpp"
#include "linalg/cost/byte_model.hpp"
#include "linalg/multigrid/cycle.hpp"
#include "linalg/multigrid/passes.hpp"
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
             static_cast<std::size_t>((levels_of_grid(size) * (stencil_values(size) + 4) -
                                       (on_box(size) ? size.dim : 0)) *
                                      rows * value_size(settings));
    const double entries = static_cast<double>(size.nonzeros),
                 wide = static_cast<double>(size.value_size);
    const double level = 6 * wide * rows + 2 * sizeof(int) * (rows + entries);
    const double coarse_matrix = (wide + 2 * sizeof(int)) * entries / aggregate;
    return size.vectors(1) +
           static_cast<std::size_t>((level + coarse_matrix) * aggregate / (aggregate - 1));
  }
  // A visit to a level: a smoothing from zero, all other smoothings of a residual, a correction.
  static double traffic(const MultigridSettings& settings, const SystemSize& size) {
    const double smoothings = settings.smoothings, rows = static_cast<double>(size.rows);
    if (size.on_grid) {
      // On the finest level r, which the first smoothing and 2 `smoothings` residuals read, and z
      // have the values of the system.
      const multigrid::PassValues pass{multigrid::smoother_of(settings), size.dim, size.symmetric};
      const double q = 1 - 1 / levels_of_grid(size), transfers = 3 + 2 * q,
                   correction = pass.residual() + transfers,
                   repeated = pass.residual() + pass.smoothing(false);
      const double values =
          of_cycle(settings, q, pass.smoothing(true) + (2 * smoothings - 1) * repeated + correction,
                   correction) -
          not_read_on_box(pass, size, smoothings, corrections_of_finest(settings, q));
      return rows *
             (values * value_size(settings) +
              (2 * smoothings + 2) * (static_cast<double>(size.value_size) - value_size(settings)));
    }
    const double q = 1 / aggregate, residual = product_bytes(size) + vectors_bytes(size, 1),
                 correction =
                     residual + (2 + q) * sizeof(int) * rows + vectors_bytes(size, 3 + 2 * q),
                 repeated = residual + smoothing_bytes(settings, size, false);
    return of_cycle(
        settings, q,
        smoothing_bytes(settings, size, true) + (2 * smoothings - 1) * repeated + correction,
        correction);
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
    if (cycle_ && cycle_->takes(matrix))
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

  static constexpr bool needs_transposed_entries = true;
  // Which cells, or rows, of a level are joined.
  static bool chooses(const MultigridSettings&) { return true; }
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
    cycle_ = make_multigrid_cycle(settings_, matrix);
    if (!cycle_)
      throw ConfigError(
          "multigrid among processes needs a matrix that couples the neighbours on a grid, of "
          "which "
          "each process has whole layers: take jacobi, or ssor_sai of the form factored");
  }

  static constexpr double aggregate = 3.6;  // rows per aggregate, about

  // The bytes of a cycle by those of a visit to the finest level, and of its second correction; a
  // level has q times the rows of the finer one. A w cycle visits level l 2^l times, each time with
  // two corrections; an f cycle l + 1 times, once with two corrections. q >= 0.5 means a strongly
  // stretched grid, where all cycles correct once.
  static double of_cycle(const MultigridSettings& settings, double q, double visit, double second) {
    if (q < 0.5 && settings.cycle == "w") return (visit + second) / (1 - 2 * q);
    if (q < 0.5 && settings.cycle == "f") return visit / ((1 - q) * (1 - q)) + second / (1 - q);
    return visit / (1 - q);
  }

  // A cycle on a box reads no couplings of the finest level; this many values per row fewer.
  static double not_read_on_box(multigrid::PassValues pass, const SystemSize& size,
                                double smoothings, double corrections) {
    if (!on_box(size)) return 0;
    const auto read = [&] {
      return pass.smoothing(true) +
             (2 * smoothings - 1) * (pass.residual() + pass.smoothing(false)) +
             corrections * pass.residual();
    };
    const double stored = read();
    pass.on_box = true;
    return stored - read();
  }
  static double corrections_of_finest(const MultigridSettings& settings, double q) {
    return q < 0.5 && settings.cycle != "v" ? 2 : 1;
  }
  static bool on_box(const SystemSize& size) {
    return size.on_grid && size.symmetric && size.box != BoxForm::none &&
           size.rows >= multigrid::least_box_cells;
  }

  // z = start + S r without a grid: row_level.hpp.
  static double smoothing_bytes(const MultigridSettings& settings, const SystemSize& size,
                                bool from_zero) {
    const double start = from_zero ? 0 : 1;
    switch (multigrid::smoother_of(settings)) {
      case multigrid::Smoother::ssor_sai:
        return 2 * triangle_sweep_bytes(size, true) + vectors_bytes(size, 5 + start);
      case multigrid::Smoother::jacobi:
        return vectors_bytes(size, 3 + start);
      case multigrid::Smoother::chebyshev:
        return product_bytes(size) + vectors_bytes(size, 8 + start);
    }
    return 0;
  }

  // 1 + 1/4 + 1/16 + ... in 2D, 1 + 1/8 + ... in 3D, more on strongly stretched grids.
  static double levels_of_grid(const SystemSize& size) {
    if (size.coarser_cells > 0) return 1 + size.coarser_cells;
    return size.dim == 3 ? 8.0 / 7 : 4.0 / 3;
  }
  static double value_size(const MultigridSettings& settings) {
    return settings.precision == "double" ? 8.0 : 4.0;
  }
  // Values per row in the compact form: the diagonal, and the couplings, of which a symmetric
  // matrix stores half.
  static double stencil_values(const SystemSize& size) {
    return 1 + (size.symmetric ? 1 : 2) * size.dim;
  }

  MultigridSettings settings_;
  InverseDiagonal<Space, T> diagonal_;
  std::unique_ptr<MultigridCycle<Space, T>> cycle_;
  Replay<Space> cycles_;
  const T* values_ = nullptr;             // of the matrix that the cycle uses
  const T* transposed_values_ = nullptr;  // of its transpose
};

}  // namespace hodge::linalg
