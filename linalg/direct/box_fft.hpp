// Some or all axes of a separable system by Fourier transforms at once, with the division by the
// eigenvalues of all axes between them:
//
//   points in slots   real values, where an axis is closed or half (axis_wave.hpp); or packed
//   transforms        of all these axes, by a library; one of the last axis and one of the others
//                     where BoxSpectrum::is_split() says so
//   division          with the turns of all axes, in one pass over the spectrum
//   transforms back, points out of their slots
//
// Where processes share the points, each of them has whole layers across the last axis, or whole
// lines along it where that is transformed alone or first. Between two transforms the spectrum
// moves, so that a process has all entries of the other axes for a range of the halved one: entries
// that mirror each other are divided together. Layers may be transformed in pieces: each of them
// moves while the next one is transformed, and the other way on the way back.
//
// With D transformed axes a solve moves 4 D + 2 vectors, and 4 more where points change places;
// products along D axes move 4 D and leave the division to a pass of 2.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "linalg/direct/box_division.hpp"
#include "linalg/direct/box_part.hpp"
#include "linalg/direct/box_places.hpp"
#include "linalg/direct/fft_layout.hpp"
#include "linalg/direct/fft_library.hpp"
#include "linalg/matrices/separable_system.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

template <class Space, class T>
class BoxFft {
 public:
  // `values`: the eigenvalues of the axes that are not transformed here; axes that are missing have
  // one 0. Errors: those of `make`, MemoryError.
  BoxFft(const SeparableSystem& system, const std::vector<bool>& by_fft,
         const std::vector<std::vector<double>>& values, const MakeFft<T>& make, BoxPart<T> part);

  // Whether forward() and backward() need an array of their own.
  bool needs_scratch() const { return !box_.is_packed && changes_places_; }
  // `scratch` has the size of `in` and `out`, which are those of the own points, and overlaps
  // neither. Collective where processes share the points, as backward() is.
  void forward(const T* in, T* scratch);
  // `scale` multiplies the result besides.
  void divide(double scale, const SpectralShift& by);
  void backward(T* scratch, T* out);

 private:
  // A table in the memory of the space.
  template <class Value>
  using Table = Buffer<Value, Space>;

  void set_up_axis(std::size_t d, const SeparableAxis& axis, const BoxPart<T>& part);
  void set_up_halved(SpectrumAxis& axis, const AxisWave& wave, const IndexRange& own);
  void make_transforms(const BoxPart<T>& part, const MakeFft<T>& make);
  // Of layers that `own` has all of.
  void make_pieces(const BoxSpectrum& own, int pieces, const MakeFft<T>& make);
  template <class Action>
  void for_each_fft(Action action) {
    for (const auto& fft : first_) action(*fft);
    if (second_ != nullptr) action(*second_);
  }
  // The spectrum in the second transform, and while the entries are divided.
  Complex<T>* moved() { return move_ != nullptr ? moved_.data() : spectrum_.data(); }
  const double* table(const std::vector<double>& values);
  const Complex<double>* table(const std::vector<Complex<double>>& values);

  BoxSpectrum box_;  // of all processes
  bool changes_places_ = false;
  std::vector<Table<double>> values_;
  std::vector<Table<Complex<double>>> factors_;
  Packing packing_;  // the orders of the points, and how they are packed where they are
  SpectrumDivision division_;
  Buffer<Complex<T>, Space> spectrum_, moved_;
  std::unique_ptr<MovePass<Complex<T>>> move_;  // from spectrum_ to moved_; null: one process
  // Of layers, or of lines along the halved last axis.
  struct Piece {
    Fft<T>* first;  // null: of no values
    std::size_t before_points, before_entries;
  };
  std::vector<std::unique_ptr<Fft<T>>> first_;  // of each size of a piece
  std::vector<Piece> pieces_;
  std::unique_ptr<Fft<T>> second_;  // null: not needed, or of no values
  Buffer<char, Space> work_;        // of all transforms
};

// Bytes that a BoxFft holds, and those that a solve with it moves. The work area is the library's
// choice, which only a GPU tells; here it is taken to be as large as the spectrum, about what sizes
// with small prime factors need.
std::size_t box_fft_memory(const SeparableSystem& system, const std::vector<bool>& by_fft,
                           std::size_t value_size);
double box_fft_bytes(const SeparableSystem& system, const std::vector<bool>& by_fft,
                     std::size_t value_size);
// Whether a BoxFft of these axes needs scratch, and whether a pass puts points in slots.
bool box_needs_scratch(const SeparableSystem& system, const std::vector<bool>& by_fft);

}  // namespace hodge::linalg
