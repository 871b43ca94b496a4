// Solves a separable system exactly, without iterations: fast diagonalisation (R. E. Lynch,
// J. R. Rice & D. H. Thomas, Numer. Math. 6, 1964, 185-199) along all axes but one, the last one,
// whose lines are solved by elimination, one for each product of eigenvectors v of the others:
//
//   (shift W + factor (lambda_v W + T)) y = v^T b,    x = sum_v v y
//
// A transform runs along one axis after the other (eigenbasis.hpp), then the elimination
// (line_elimination.hpp), then the transforms back. The error is that of rounding: |b - A x| is a
// few eps |A| |x|.
//
// A singular system (no value given at any end): the constant has the eigenvalue 0 and is left out.
// Of a b that is not compatible the part b - W 1 (1^T b) / (1^T W 1) is solved for, so that the
// residual is the same per volume in every cell; x has no part along the constant, 1^T W x = 0.
//
// On Cuda axes of equal cells are transformed together where that is faster (box_fft.hpp,
// axis_choice.hpp), and the others by products before and after. There one process may eliminate
// along axis 1 of three in place of the last one: where y is stretched.
//
// Where processes share the points, each of them transforms its layers (shared_box.hpp), and sends
// two values for each line along the last axis: work and memory are divided. On the Host the bits
// are those of one process; on GPUs they are where cuFFT and cuBLAS compute a transform, or a row
// of a product, alike whatever the number of them, and differ by rounding otherwise. Points move
// only where a process has not whole blocks of layers, a few layers at a cut. Of small boxes on
// GPUs every process solves the whole system (whole_points.hpp).
//
// Set-up: the eigenvectors, and the plans of a library. solve() neither allocates nor waits, except
// for messages that pass through memory of the host (space/message_primitives.hpp). The first one
// with another shift or factor calculates the factors of the elimination.
// Memory: one vector, n^2 values for each axis of n points that is transformed by products (axes
// that are alike share them), and what the elimination holds; of axes together about two vectors.
// Cost: per axis by products 4 n operations for each unknown, and 4 vectors read or written;
// direct_bytes() counts them.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linalg/direct/axis_choice.hpp"
#include "linalg/direct/box_fft.hpp"
#include "linalg/direct/box_pass.hpp"
#include "linalg/direct/fft_library.hpp"
#include "linalg/direct/line_elimination.hpp"
#include "linalg/direct/shared_box.hpp"
#include "linalg/direct/whole_points.hpp"
#include "linalg/matrices/separable_system.hpp"
#include "linalg/vectors/vector.hpp"

namespace hodge::linalg {

template <class Space, class T = double>
class DirectSolver {
 public:
  // Errors: ShapeError for an impossible system, MemoryError; DeviceError where cuFFT makes no
  // plan. Collective where processes share the points.
  explicit DirectSolver(const SeparableSystem& system, const SharedPoints& points = {});
  // By these methods of the axes, one of them by elimination: the last one, or axis 1 of three on
  // one process; `make` makes the transform of those that are fft_of_box, which have waves
  // (axis_wave.hpp).
  DirectSolver(const SeparableSystem& system, const std::vector<AxisMethod>& methods,
               const MakeFft<T>& make, const SharedPoints& points = {});

  int rows() const { return rows_; }  // of this process
  // Other values on the same axes, which keep their eigenvectors.
  void set_shift(double shift, double factor) { shift_ = {shift, factor}; }
  // Errors: ShapeError for lengths that do not fit. b and x may not be one vector. Collective where
  // processes share the points.
  void solve(const Vector<Space, T>& b, Vector<Space, T>& x);

 private:
  using Values = std::vector<std::vector<double>>;  // of each axis

  // What the solver is made for.
  struct Made {
    const SeparableSystem& system;
    const std::vector<AxisMethod>& methods;
    const MakeFft<T>& make;
    const SharedBox<Space>& shared;
  };
  void set_up(const Made& made);
  Values set_up_passes(const Made& made);
  void add(std::unique_ptr<BoxPass<T>> pass);
  void check_sizes(const Vector<Space, T>& b, const Vector<Space, T>& x) const;
  void solve_in_parts(const Vector<Space, T>& b, Vector<Space, T>& x);

  int rows_ = 0;
  Vector<Space, T> work_, second_;  // second_: for moves between processes; else x is used
  std::vector<std::unique_ptr<BoxPass<T>>> passes_;   // in the order of the way forward
  std::unique_ptr<BoxFft<Space, T>> box_;             // axes together; null: none
  std::array<Buffer<double, Space>, 2> eigenvalues_;  // of a layer, without a box
  Amplitudes<T> amplitudes_;
  std::optional<LineElimination<Space, T>> lines_;
  SpectralShift shift_;
  std::unique_ptr<DirectSolver> whole_;  // with whole_points_, in place of the above; null: none
  std::optional<WholePoints<Space, T>> whole_points_;
};

// How each axis is solved on a space: "products", "fft", the last one by "elimination".
template <class Space>
std::vector<std::string> axis_methods(const SeparableSystem& system);

// Bytes that a DirectSolver holds; with axes together about (box_fft_memory).
template <class Space>
std::size_t direct_memory(const SeparableSystem& system, std::size_t value_size = sizeof(double));
// Bytes that a solve moves, by the methods of the space.
template <class Space>
double direct_bytes(const SeparableSystem& system, std::size_t value_size = sizeof(double));

}  // namespace hodge::linalg
