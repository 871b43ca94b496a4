// One multigrid cycle (multigrid/cycle.hpp) as a preconditioner.
//
// On a grid that the matrix's pattern knows of (CsrPattern::place_on) the coarser grids are those
// of pairs of cells along every axis. Levels are stored in single precision unless
// settings.precision says double; the method around keeps its own. Cost on a grid, one smoothing
// before and after: 6 passes over the matrix in its compact form, 8/7 or 4/3 of that with the
// coarser grids.
#pragma once

#include <cstdio>
#include <memory>

#include "linalg/byte_model.hpp"
#include "linalg/multigrid/cycle.hpp"
#include "linalg/preconditioners/inverse_diagonal.hpp"
#include "linalg/preconditioners/preconditioner.hpp"
#include "linalg/settings.hpp"

namespace hodge::linalg {

template <class Space, class T>
class Multigrid : public Preconditioner<Space, T> {
 public:
  explicit Multigrid(const PreconditionerSettings& settings) : settings_(settings) {}

  static std::size_t memory(const PreconditionerSettings& settings, const SystemSize& size) {
    return size.vectors(1) +
           static_cast<std::size_t>(values_a_row(settings, size) * value_size(settings) *
                                    static_cast<double>(size.rows));
  }
  // A pass over a stencil, its argument, what it is taken from, and the result; transfers as one.
  static double traffic(const PreconditionerSettings& settings, const SystemSize& size) {
    const double passes = 6.0 * settings.smoothings + 1.0;
    return passes * coarser_grids * (stencil_values(size) + 3) * value_size(settings) *
           static_cast<double>(size.rows);
  }

  void setup(const LinearOperator<Space, T>& a) override {
    const CsrMatrix<Space, T>& matrix = InverseDiagonal<Space, T>::entries(a, "multigrid");
    diagonal_.resize(a.rows());
    diagonal_.refresh(matrix, 1.0);
    cycle_.reset();
    if (diagonal_.failure().reason == Breakdown::none) make_cycle(matrix);
  }
  void refresh(const LinearOperator<Space, T>& a) override {
    const CsrMatrix<Space, T>& matrix = InverseDiagonal<Space, T>::entries(a, "multigrid");
    diagonal_.refresh(matrix, 1.0);
    if (diagonal_.failure().reason != Breakdown::none) return;
    if (cycle_)
      cycle_->refresh(matrix);
    else
      make_cycle(matrix);
  }
  PreconditionerFailure failure() const override { return diagonal_.failure(); }

  const Vector<Space, T>& apply(const Vector<Space, T>& r, Vector<Space, T>& z) override {
    cycle_->apply(r, z);
    return z;
  }

  void use_transpose(const LinearOperator<Space, T>& at) override {
    cycle_->use_transpose(InverseDiagonal<Space, T>::entries(at, "multigrid"));
  }
  const Vector<Space, T>& apply_transposed(const Vector<Space, T>& r,
                                           Vector<Space, T>& z) override {
    cycle_->apply_transposed(r, z);
    return z;
  }

  std::string settings_text() const override {
    char text[128];
    std::snprintf(text, sizeof text, "cycle %s, smoother %s, smoothings %d, precision %s",
                  settings_.cycle.c_str(), settings_.smoother.c_str(), settings_.smoothings,
                  settings_.precision.c_str());
    return cycle_ ? std::string(text) + ", " + cycle_->text() : text;
  }

 private:
  void make_cycle(const CsrMatrix<Space, T>& matrix) {
    cycle_ = make_grid_cycle(settings_, matrix);
    if (!cycle_) cycle_ = make_aggregation_cycle(settings_, matrix);
  }

  static constexpr double coarser_grids = 4.0 / 3;  // 1 + 1/4 + 1/16 + ...; 8/7 in 3D

  static double value_size(const PreconditionerSettings& settings) {
    return settings.precision == "double" ? 8.0 : 4.0;
  }
  // Of a row of the compact form: the diagonal, and the couplings of which a symmetric matrix
  // stores half.
  static double stencil_values(const SystemSize& size) {
    const double couplings =
        static_cast<double>(size.nonzeros) / static_cast<double>(size.rows) - 1;
    return 1 + (size.symmetric ? 0.5 : 1.0) * couplings;
  }
  static double values_a_row(const PreconditionerSettings&, const SystemSize& size) {
    return coarser_grids * (stencil_values(size) + 4);
  }

  PreconditionerSettings settings_;
  InverseDiagonal<Space, T> diagonal_;
  std::unique_ptr<MultigridCycle<Space, T>> cycle_;
};

}  // namespace hodge::linalg
