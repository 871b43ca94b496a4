// Which axes within the layers of a box are transformed at once by Fourier transforms
// (axis_wave.hpp), and where these find their values, in the terms of cuFFT's and FFTW's advanced
// layout.
//
// Values are real, so one axis has half the entries of a spectrum:
//
//   not packed   no axis is shifted: a real transform, whose entries 0 .. n/2 along the first of
//                the axes determine the others
//   packed       the first shifted axis holds two values in each complex one, and the transform is
//                complex and in place
//
// One axis is not transformed: the last one, so that each layer across it is a transform of its
// own, or axis 1 of three on one process. Then axis 2 is transformed by itself after axis 0, in
// place.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "linalg/matrices/separable_system.hpp"

namespace hodge::linalg {

struct BoxSpectrum {
  std::array<int, 3> points{1, 1, 1};   // axes that are missing have one
  std::array<int, 3> entries{1, 1, 1};  // of the spectrum along each axis
  std::array<bool, 3> by_fft{};
  int halved = -1;  // the axis with half the entries; -1: no axis is transformed
  bool is_packed = false;

  // Whether axis 2 is transformed by itself, by last_layout().
  bool is_split() const { return by_fft[0] && by_fft[2]; }
  std::size_t size() const;
};

// `by_fft`: for each axis of the system, one excepted; they have waves. layers: how many points of
// the last axis there are, if that is the one.
BoxSpectrum box_spectrum(const SeparableSystem& system, const std::vector<bool>& by_fft,
                         int layers);

// Value x of transform b stands at b distance + ((x_0 embed_1 + x_1) embed_2 + x_2) stride, slowest
// axis first, in units of real values for points and of complex ones for a spectrum.
struct FftArray {
  std::vector<int> embed;
  int stride = 1, distance = 0;
  long long repeat = 0;  // from one repetition to the next
};

struct FftLayout {
  bool is_complex = false;  // in place; else real points to a spectrum
  bool is_plain = false;    // all values of all transforms lie side by side
  std::vector<int> sizes;   // slowest first: points, or entries where complex
  FftArray points, spectrum;
  int batch = 1;    // transforms at once
  int repeats = 1;  // of the batch
};

// Of all axes, but axis 2 where it is transformed by itself.
FftLayout fft_layout(const BoxSpectrum& box);
// Of axis 2.
FftLayout last_layout(const BoxSpectrum& box);

}  // namespace hodge::linalg
