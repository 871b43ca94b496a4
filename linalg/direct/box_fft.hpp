// Some or all axes within the layers of a separable system by Fourier transforms at once:
//
//   points in slots   real values, where an axis is closed or half (axis_wave.hpp); or packed
//   transforms        of all these axes, by a library
//   amplitudes        formed of entries of the spectrum while lines along the last axis are solved
//                     (amplitudes.hpp)
//   transforms back, points out of their slots
//
// With D transformed axes both ways move 4 D vectors, and 4 more where points change places, as
// products along D axes do.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "linalg/direct/amplitudes.hpp"
#include "linalg/direct/box_places.hpp"
#include "linalg/direct/fft_layout.hpp"
#include "linalg/direct/fft_library.hpp"
#include "linalg/matrices/separable_system.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

template <class Space, class T>
class BoxFft {
 public:
  // Of so many layers across an axis that is not transformed. `values`: the eigenvalues of the two
  // others, as far as they are not transformed here; of an axis that is missing one 0. Errors:
  // those of `make`, MemoryError.
  BoxFft(const SeparableSystem& system, const std::vector<bool>& by_fft, std::size_t across,
         const std::vector<std::vector<double>>& values, const MakeFft<T>& make, int layers);

  // Whether forward() and backward() need an array of their own.
  bool needs_scratch() const { return !box_.is_packed && changes_places_; }
  // `scratch` has the size of `in` and `out`, and overlaps neither.
  void forward(const T* in, T* scratch);
  // Of the spectrum, which they change.
  const Amplitudes<T>& amplitudes() const { return amplitudes_; }
  void backward(T* scratch, T* out);

 private:
  // A table in the memory of the space.
  template <class Value>
  using Table = Buffer<Value, Space>;

  void set_up_axis(std::size_t d, SpectrumAxis& spectrum, const SeparableAxis& axis);
  void transform(const T* points);
  void transform_back(T* points);
  void set_up_halved(SpectrumAxis& axis, const AxisWave& wave);
  const double* table(const std::vector<double>& values);
  const Complex<double>* table(const std::vector<Complex<double>>& values);

  BoxSpectrum box_;
  bool changes_places_;
  std::vector<Table<double>> values_;
  std::vector<Table<Complex<double>>> factors_;
  Packing packing_;  // the orders of the points, and how they are packed where they are
  Amplitudes<T> amplitudes_;
  Buffer<Complex<T>, Space> spectrum_;
  // Of axis 2 alone, where it is transformed by itself; null: of no layers, or not needed.
  std::unique_ptr<Fft<T>> fft_, second_;
  Buffer<char, Space> work_;
};

// Bytes that a BoxFft of all layers holds, and those that a solve with it moves. The work area is
// the library's choice, which only a GPU tells; here it is taken to be as large as the spectrum,
// about what sizes with small prime factors need.
std::size_t box_fft_memory(const SeparableSystem& system, const std::vector<bool>& by_fft,
                           std::size_t value_size);
double box_fft_bytes(const SeparableSystem& system, const std::vector<bool>& by_fft,
                     std::size_t value_size);
// Whether a BoxFft of these axes needs scratch, and whether a pass puts points in slots.
bool box_needs_scratch(const SeparableSystem& system, const std::vector<bool>& by_fft);

}  // namespace hodge::linalg
