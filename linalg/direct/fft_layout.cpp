#include "linalg/direct/fft_layout.hpp"

#include "linalg/direct/axis_wave.hpp"

namespace hodge::linalg {

namespace {

using Extents = std::array<int, 3>;

// Those of fft_layout(), or the others.
std::vector<std::size_t> axes_where(const BoxSpectrum& box, bool by_fft) {
  const std::size_t end = box.is_split() ? 2 : 3;
  std::vector<std::size_t> axes;
  for (std::size_t d = 0; d < 3; ++d)
    if ((box.by_fft[d] && d < end) == by_fft && (by_fft || box.points[d] > 1)) axes.push_back(d);
  return axes;
}

Extents strides_of(const Extents& extents) {
  return {1, extents[0], extents[0] * extents[1]};
}

// `others`: the axes that are not transformed.
FftArray array_of(const Extents& extents, const std::vector<std::size_t>& axes,
                  const std::vector<std::size_t>& others) {
  const Extents strides = strides_of(extents);
  FftArray array;
  array.stride = strides[axes.front()];
  array.embed.push_back(extents[axes.back()]);
  for (std::size_t r = axes.size(); r-- > 1;)
    array.embed.push_back(strides[axes[r]] / strides[axes[r - 1]]);
  array.distance = 1;  // of one transform: a library may refuse 0
  if (!others.empty()) array.distance = strides[others.front()];
  if (others.size() == 2) array.repeat = strides[others.back()];
  return array;
}

}  // namespace

std::size_t BoxSpectrum::size() const {
  std::size_t size = 1;
  for (const int n : entries) size *= static_cast<std::size_t>(n);
  return size;
}

BoxSpectrum box_spectrum(const SeparableSystem& system, const std::vector<bool>& by_fft,
                         int layers) {
  BoxSpectrum box;
  const std::size_t last = system.axes.size() - 1;
  for (std::size_t d = 0; d <= last; ++d) {
    box.points[d] = box.entries[d] = d == last && !by_fft[d] ? layers : system.axes[d].points();
    box.by_fft[d] = by_fft[d];
    if (!by_fft[d]) continue;
    const bool is_shifted = is_shifted_wave(system.axes[d]);
    if (box.halved < 0 || (is_shifted && !box.is_packed)) box.halved = static_cast<int>(d);
    box.is_packed = box.is_packed || is_shifted;
  }
  if (box.halved < 0) return box;
  int& halved = box.entries[static_cast<std::size_t>(box.halved)];
  halved = box.is_packed ? halved / 2 : halved / 2 + 1;
  return box;
}

FftLayout fft_layout(const BoxSpectrum& box) {
  const std::vector<std::size_t> axes = axes_where(box, true), others = axes_where(box, false);
  FftLayout layout;
  layout.is_complex = box.is_packed;
  layout.is_plain = axes.back() + 1 == axes.size();
  for (std::size_t r = axes.size(); r-- > 0;)
    layout.sizes.push_back((box.is_packed ? box.entries : box.points)[axes[r]]);
  layout.points = array_of(box.points, axes, others);
  layout.spectrum = array_of(box.entries, axes, others);
  for (const std::size_t d : others) layout.batch *= (box.is_packed ? box.entries : box.points)[d];
  // Two axes that are not transformed are one batch, unless the transformed one lies between them.
  if (others.size() == 2 && axes.front() == 1) {
    layout.repeats = box.points[others.back()];
    layout.batch = box.points[others.front()];
  }
  return layout;
}

FftLayout last_layout(const BoxSpectrum& box) {
  FftLayout layout;
  layout.is_complex = true;
  layout.sizes = layout.spectrum.embed = {box.entries[2]};
  layout.spectrum.stride = layout.batch = strides_of(box.entries)[2];
  layout.spectrum.distance = 1;
  return layout;
}

}  // namespace hodge::linalg
