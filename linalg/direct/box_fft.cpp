#include "linalg/direct/box_fft.hpp"

#include <algorithm>
#include <span>
#include <type_traits>

#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

bool changes_places(const SeparableSystem& system, const std::vector<bool>& by_fft) {
  for (std::size_t d = 0; d < system.axes.size(); ++d)
    if (by_fft[d] && !system.axes[d].periodic) return true;
  return false;
}

// Every other entry from the first one on.
template <class Value>
std::vector<Value> even_entries(const std::vector<Value>& all) {
  std::vector<Value> even;
  for (std::size_t q = 0; q < all.size(); q += 2) even.push_back(all[q]);
  return even;
}

}  // namespace

template <class Space, class T>
BoxFft<Space, T>::BoxFft(const SeparableSystem& system, const std::vector<bool>& by_fft,
                         const std::vector<std::vector<double>>& values, const MakeFft<T>& make)
    : box_(box_spectrum(system, by_fft)), changes_places_(changes_places(system, by_fft)) {
  layout_ = fft_layout(box_);
  packing_.axis = box_.halved;
  const auto halved = static_cast<std::size_t>(box_.halved);
  division_.is_coupled = !system.axes[halved].periodic;
  for (std::size_t d = 0; d < 3; ++d) {
    packing_.orders[d].points = box_.points[d];
    division_.axes[d].entries = box_.entries[d];
    if (box_.by_fft[d])
      set_up_axis(d, system.axes[d]);
    else
      division_.axes[d].values = table(values[d]);
  }
  spectrum_ = Buffer<Complex<T>, Space>(box_.size());
  fft_ = make(layout_);
  if constexpr (!std::is_same_v<Space, Host>) {
    // The first run loads kernels, which it may not do while a recording is made.
    Buffer<T, Space> points(static_cast<std::size_t>(system.rows()));
    fft_->forward(points.data(), spectrum_.data());
    fft_->backward(spectrum_.data(), points.data());
  }
}

template <class Space, class T>
void BoxFft<Space, T>::set_up_axis(std::size_t d, const SeparableAxis& axis) {
  const AxisWave wave = axis_wave(axis);
  const bool is_packed = box_.is_packed && static_cast<int>(d) == box_.halved;
  division_.scale /= (is_packed ? box_.entries : box_.points)[d] * axis.weights[0];
  packing_.orders[d] = wave.order;
  if (wave.is_shifted) packing_.shifts[d] = table(wave.shifts);
  SpectrumAxis& spectrum = division_.axes[d];
  if (static_cast<int>(d) == box_.halved) return set_up_halved(spectrum, wave);
  spectrum.is_mirrored = division_.is_coupled || !axis.periodic;
  spectrum.mirror = wave.mirror();
  spectrum.values = table(wave.values);
  if (!wave.turns.empty()) spectrum.turns = table(wave.turns);
}

template <class Space, class T>
void BoxFft<Space, T>::set_up_halved(SpectrumAxis& spectrum, const AxisWave& wave) {
  const auto entries = static_cast<std::size_t>(spectrum.entries), n = wave.values.size();
  std::vector<double> mirrored(n);
  for (std::size_t q = 0; q < n; ++q)
    mirrored[q] = wave.values[(static_cast<std::size_t>(wave.mirror()) - q) % n];
  std::vector<double> values = wave.values;
  std::vector<Complex<double>> turns = wave.turns;
  if (box_.is_packed) {
    values = even_entries(values);
    mirrored = even_entries(mirrored);
    turns = even_entries(turns);
  }
  values.resize(entries);
  mirrored.resize(entries);
  spectrum.values = table(values);
  if (division_.is_coupled) spectrum.imaginary_values = table(mirrored);
  if (turns.empty()) return;
  turns.resize(entries);
  spectrum.turns = table(turns);
}

template <class Space, class T>
const double* BoxFft<Space, T>::table(const std::vector<double>& values) {
  values_.emplace_back(std::span<const double>(values));
  return values_.back().data();
}
template <class Space, class T>
const Complex<double>* BoxFft<Space, T>::table(const std::vector<Complex<double>>& values) {
  factors_.emplace_back(std::span<const Complex<double>>(values));
  return factors_.back().data();
}

template <class Space, class T>
void BoxFft<Space, T>::forward(const T* in, T* scratch) {
  if (layout_.is_packed) {
    pack<Space>(packing_, in, spectrum_.data());
    return fft_->forward(nullptr, spectrum_.data());
  }
  if (changes_places_) put_in_slots<Space>(packing_.orders, in, scratch);
  fft_->forward(changes_places_ ? scratch : in, spectrum_.data());
}

template <class Space, class T>
void BoxFft<Space, T>::divide(double scale, const SpectralShift& by) {
  SpectrumDivision division = division_;
  division.scale *= scale;
  division.by = by;
  divide_spectrum<Space>(division, spectrum_.data());
}

template <class Space, class T>
void BoxFft<Space, T>::backward(T* scratch, T* out) {
  if (layout_.is_packed) {
    fft_->backward(spectrum_.data(), nullptr);
    return unpack<Space>(packing_, spectrum_.data(), out);
  }
  fft_->backward(spectrum_.data(), changes_places_ ? scratch : out);
  if (changes_places_) take_from_slots<Space>(packing_.orders, scratch, out);
}

std::size_t box_fft_memory(const SeparableSystem& system, const std::vector<bool>& by_fft,
                           std::size_t value_size) {
  const BoxSpectrum box = box_spectrum(system, by_fft);
  std::size_t tables = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto entries = static_cast<std::size_t>(box.entries[d]);
    tables += entries * sizeof(double);
    if (!box.by_fft[d]) continue;
    const SeparableAxis& axis = system.axes[d];
    if (axis.periodic) continue;
    if (static_cast<int>(d) == box.halved) tables += entries * sizeof(double);
    tables += entries * sizeof(Complex<double>);
    if (is_shifted_wave(axis))
      tables += static_cast<std::size_t>(axis.points()) * sizeof(Complex<double>);
  }
  return 2 * box.size() * 2 * value_size + tables;
}

double box_fft_bytes(const SeparableSystem& system, const std::vector<bool>& by_fft,
                     std::size_t value_size) {
  const BoxSpectrum box = box_spectrum(system, by_fft);
  const double points = static_cast<double>(system.rows()) * static_cast<double>(value_size),
               spectrum = 2 * static_cast<double>(box.size()) * static_cast<double>(value_size);
  const auto axes = static_cast<double>(std::count(by_fft.begin(), by_fft.end(), true));
  // Each transform of an axis reads and writes; the first of real values reads points.
  const double transforms =
      box.is_packed ? 2 * axes * spectrum : points + spectrum + 2 * (axes - 1) * spectrum;
  const double places = box.is_packed                    ? points + spectrum
                        : changes_places(system, by_fft) ? 2 * points
                                                         : 0;
  return 2 * transforms + 2 * places + 2 * spectrum;
}

bool box_needs_scratch(const SeparableSystem& system, const std::vector<bool>& by_fft) {
  return changes_places(system, by_fft) && !box_spectrum(system, by_fft).is_packed;
}

#define HODGE_BOX_FFT(Space, T) template class BoxFft<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_BOX_FFT)

}  // namespace hodge::linalg
