// The amplitudes of the layers of a box, after the transforms along the axes within a layer. Along
// the axis across the layers each of them is a line of its own (line_elimination.hpp). Layers lie
// across the last axis; on one process also across axis 1 of three, between axes 0 and 2.
//
//   real values, the product of the eigenvectors of both axes each
//   a spectrum, where axes are transformed together (box_fft.hpp): amplitudes are formed of entries
//   that mirror each other along an axis, and made entries again (axis_wave.hpp)
//
//   U_s = w V, with conj(w) at mirrored entries s    Y_t = sum_s (-1)^(s t) U_s along closed axes
//   P = (Y_0 + conj Y_1) / 2, Q = (Y_0 - conj Y_1) / 2 along periodic axes beside a coupled one
//
// Lines with the same eigenvalue are sides of one system.
#pragma once

#include <cstddef>

#include "linalg/base/complex.hpp"

namespace hodge::linalg {

// An axis of a layer. Tables are as long as the axis and in the memory of the space.
struct SpectrumAxis {
  int entries = 1;
  bool is_mirrored = false;  // entries q and mirror - q (modulo `entries`) belong together
  int mirror = 0;
  const double* values = nullptr;            // eigenvalues of the amplitudes Re(w_q V(q)),
  const double* imaginary_values = nullptr;  // and of Im(w_q V(q)) along a coupled halved axis
  const Complex<double>* turns = nullptr;    // w_q; null: 1

  int groups() const { return is_mirrored ? mirror / 2 + 1 : entries; }
};

template <class T>
struct Amplitudes {
  SpectrumAxis x, y;  // of a layer: axis 0, and the other one
  std::ptrdiff_t y_stride = 1, layer_stride = 1;
  bool is_coupled = false;  // the halved axis has real and imaginary amplitudes
  double scale = 1;         // of all amplitudes
  bool is_spectrum = false;
  T* real = nullptr;  // where it is none
  Complex<T>* spectrum = nullptr;

  bool is_mirrored() const { return x.is_mirrored || y.is_mirrored; }
  // Whether the mirrored axis is closed.
  bool is_turned() const {
    return (x.is_mirrored && x.turns != nullptr) || (y.is_mirrored && y.turns != nullptr);
  }
  // Of a box with so many layers, which lie across its last axis or across axis 1.
  void set_strides(bool last_axis, int layers) {
    y_stride = last_axis ? x.entries : std::ptrdiff_t{x.entries} * layers;
    layer_stride = last_axis ? std::ptrdiff_t{x.entries} * y.entries : x.entries;
  }
  bool has_adjacent_lines() const { return y.entries == 1 || y_stride == x.entries; }
  int groups() const { return x.groups() * y.groups(); }
  // Of different eigenvalues, in a group.
  int systems_of_group() const {
    const bool both_in_each = is_mirrored() && !is_turned();
    return (is_mirrored() ? 2 : 1) * (is_coupled && !both_in_each ? 2 : 1);
  }
  int systems() const { return groups() * systems_of_group(); }
  int sides() const {
    if (!is_spectrum) return 1;
    return (is_mirrored() ? 4 : 2) / systems_of_group();
  }
};

}  // namespace hodge::linalg
