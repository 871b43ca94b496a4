// The division of amplitudes by the eigenvalues of a separable system.
#pragma once

#include <array>

#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

// The eigenvalues of each axis in the memory of the space; axes that are missing have one 0.
template <class Space>
using Eigenvalues = std::array<Buffer<double, Space>, 3>;

// An amplitude of a complex transform, as libraries store it.
template <class T>
struct alignas(2 * sizeof(T)) Complex {
  T re, im;
};

// What the amplitudes are divided by: the sum s of the eigenvalues becomes shift + factor s.
struct SpectralShift {
  double shift = 0, factor = 1;
};

// x(i, j, k) *= scale / (shift + factor (lambda_i + mu_j + nu_k)); where that divisor is 0, x := 0.
// Not guarded. An amplitude is a double, a float or Complex of these.
template <class Space, class Amplitude>
void divide_by_eigenvalues(const Eigenvalues<Space>& values, double scale, const SpectralShift& by,
                           Amplitude* x);

}  // namespace hodge::linalg
