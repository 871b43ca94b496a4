// The pass between the Fourier transforms of a box: a spectrum divided by the sums of eigenvalues
// (axis_wave.hpp). Not guarded.
#pragma once

#include <array>

#include "linalg/base/complex.hpp"
#include "linalg/direct/divide.hpp"

namespace hodge::linalg {

// An axis of a spectrum. Tables are as long as the axis and in the memory of the space.
struct SpectrumAxis {
  int entries = 1;
  bool is_mirrored = false;  // entries q and mirror - q (modulo `entries`) are divided together
  int mirror = 0;
  const double* values = nullptr;            // eigenvalues of the amplitudes Re(w_q V(q)),
  const double* imaginary_values = nullptr;  // and of Im(w_q V(q)) along a coupled halved axis
  const Complex<double>* turns = nullptr;    // w_q; null: 1
};

// What divides a spectrum V by the sums of eigenvalues.
struct SpectrumDivision {
  std::array<SpectrumAxis, 3> axes;
  bool is_coupled = false;  // the halved axis has real and imaginary amplitudes
  double scale = 1;         // of all entries
  SpectralShift by;
};

// The amplitudes of entries that mirror each other along up to two axes are formed, multiplied with
// scale / (shift + factor (lambda + mu + nu)) (0 where that divisor is 0), and made entries again:
// one pass.
//
//   U_s = w V, with conj(w) at mirrored entries s    Y_t = sum_s (-1)^(s t) U_s along closed axes
//   Y_t := (a + b)/2 Y_t + (-1)^t (a - b)/2 conj Y_{t mirrored along periodic axes}
//
// with the factors a and b of the real and the imaginary amplitudes, and the same back.
template <class Space, class T>
void divide_spectrum(const SpectrumDivision& division, Complex<T>* spectrum);

}  // namespace hodge::linalg
