// Solves a separable system exactly, without iterations: fast diagonalisation (R. E. Lynch,
// J. R. Rice & D. H. Thomas, Numer. Math. 6, 1964, 185-199).
//
//   x = (V0 x V1 x V2) (shift + factor (lambda0 + lambda1 + lambda2))^-1 (V0 x V1 x V2)^T b
//
// with the eigenvectors V_d of each axis (eigenbasis.hpp). A transform runs along one axis after
// the other, then a division by the eigenvalues, then the transforms back. The error is that of
// rounding: |b - A x| is a few eps |A| |x|.
//
// A singular system (no value given at any end): the constant has the eigenvalue 0 and is left out.
// Of a b that is not compatible the part b - W 1 (1^T b) / (1^T W 1) is solved for, so that the
// residual is the same per volume in every cell; x has no part along the constant, 1^T W x = 0.
//
// On Cuda a box whose axes are all periodic and uniform is transformed along all of them at once
// (box_fft.hpp).
//
// Set-up: the eigenvectors. solve() neither allocates nor waits. Memory: one vector, and n^2 values
// for each axis of n points that is transformed by products (axes that are alike share them); of a
// box at once about two vectors. Cost: per axis by products 4 n operations for each unknown, and 2
// vectors read and written.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "linalg/direct/axis_transform.hpp"
#include "linalg/direct/box_fft.hpp"
#include "linalg/direct/divide.hpp"
#include "linalg/matrices/separable_system.hpp"
#include "linalg/vectors/vector.hpp"

namespace hodge::linalg {

template <class Space, class T = double>
class DirectSolver {
 public:
  // Errors: ShapeError for an impossible system, MemoryError; DeviceError where cuFFT makes no
  // plan.
  explicit DirectSolver(const SeparableSystem& system);

  int rows() const { return rows_; }
  // Other values on the same axes, which keep their eigenvectors.
  void set_shift(double shift, double factor) { shift_ = {shift, factor}; }
  // Errors: ShapeError for lengths that do not fit. b and x may not be one vector.
  void solve(const Vector<Space, T>& b, Vector<Space, T>& x);

 private:
  std::vector<std::vector<double>> set_up_axes(const SeparableSystem& system);

  int rows_ = 0;
  std::unique_ptr<BoxFft<T>> box_;  // all axes at once, or
  std::vector<std::unique_ptr<AxisTransform<T>>> axes_;
  Eigenvalues<Space> eigenvalues_;
  double scale_ = 1;
  SpectralShift shift_;
  Vector<Space, T> work_;
};

// How each axis is transformed on a space: "products", "fft".
template <class Space>
std::vector<std::string> axis_methods(const SeparableSystem& system);

// Bytes that a DirectSolver holds; of a box at once about (box_fft_memory).
template <class Space>
std::size_t direct_memory(const SeparableSystem& system, std::size_t value_size = sizeof(double));

}  // namespace hodge::linalg
