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

BoxSpectrum whole_spectrum(const SeparableSystem& system, const std::vector<bool>& by_fft) {
  return box_spectrum(system, by_fft, system.axes.back().points());
}

// Every other entry from the first one on.
template <class Value>
std::vector<Value> even_entries(const std::vector<Value>& all) {
  std::vector<Value> even;
  for (std::size_t q = 0; q < all.size(); q += 2) even.push_back(all[q]);
  return even;
}

// Whether entries of an axis are joined with mirrored ones, beside the halved one.
bool is_mirrored_axis(const SeparableSystem& system, const BoxSpectrum& box, std::size_t d) {
  const auto halved = static_cast<std::size_t>(box.halved);
  return box.by_fft[d] && d != halved &&
         (!system.axes[halved].periodic || !system.axes[d].periodic);
}

}  // namespace

template <class Space, class T>
BoxFft<Space, T>::BoxFft(const SeparableSystem& system, const std::vector<bool>& by_fft,
                         std::size_t across, const std::vector<std::vector<double>>& values,
                         const MakeFft<T>& make, int layers)
    : box_(box_spectrum(system, by_fft, layers)), changes_places_(changes_places(system, by_fft)) {
  packing_.axis = box_.halved;
  amplitudes_.is_coupled = !system.axes[static_cast<std::size_t>(box_.halved)].periodic;
  for (std::size_t d = 0; d < 3; ++d) packing_.orders[d] = PointOrder(box_.points[d]);
  for (std::size_t a = 0; a < 2; ++a) {
    SpectrumAxis& axis = a == 0 ? amplitudes_.x : amplitudes_.y;
    const std::size_t d = a == 1 && across == 1 ? 2 : a;
    const bool is_there = d < system.axes.size() && d != across;
    axis.entries = is_there ? box_.entries[d] : 1;
    axis.is_mirrored = is_there && is_mirrored_axis(system, box_, d);
    if (is_there && box_.by_fft[d])
      set_up_axis(d, axis, system.axes[d]);
    else
      axis.values = table(values[a]);
  }
  amplitudes_.set_strides(across + 1 == system.axes.size(), box_.points[across]);
  spectrum_ = Buffer<Complex<T>, Space>(box_.size());
  amplitudes_.is_spectrum = true;
  amplitudes_.spectrum = spectrum_.data();
  if (box_.size() == 0) return;
  fft_ = make(fft_layout(box_));
  if (box_.is_split()) second_ = make(last_layout(box_));
  const std::size_t second_bytes = second_ != nullptr ? second_->work_bytes() : 0;
  work_ = Buffer<char, Space>(std::max(fft_->work_bytes(), second_bytes));
  for (Fft<T>* const fft : {fft_.get(), second_.get()})
    if (fft != nullptr && fft->work_bytes() > 0) fft->work_in(work_.data());
  if constexpr (!std::is_same_v<Space, Host>) {
    // The first run loads kernels, which it may not do while a recording is made.
    std::size_t size = box_.is_packed ? 0 : 1;
    for (const int n : box_.points) size *= static_cast<std::size_t>(n);
    Buffer<T, Space> points(size);
    transform(points.data());
    transform_back(points.data());
  }
}

template <class Space, class T>
void BoxFft<Space, T>::set_up_axis(std::size_t d, SpectrumAxis& spectrum,
                                   const SeparableAxis& axis) {
  const AxisWave wave = axis_wave(axis);
  const bool is_halved = static_cast<int>(d) == box_.halved;
  const int length = is_halved && box_.is_packed ? box_.entries[d] : box_.points[d];
  amplitudes_.scale /= length * axis.weights[0];
  packing_.orders[d] = wave.order;
  if (wave.is_shifted) packing_.shifts[d] = table(wave.shifts);
  if (is_halved) return set_up_halved(spectrum, wave);
  spectrum.mirror = wave.mirror();
  spectrum.values = table(wave.values);
  if (!wave.turns.empty()) spectrum.turns = table(wave.turns);
}

template <class Space, class T>
void BoxFft<Space, T>::set_up_halved(SpectrumAxis& spectrum, const AxisWave& wave) {
  const std::size_t n = wave.values.size();
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
  const auto entries = static_cast<std::size_t>(spectrum.entries);
  values.resize(entries);
  mirrored.resize(entries);
  if (!turns.empty()) turns.resize(entries);
  spectrum.values = table(values);
  if (amplitudes_.is_coupled) spectrum.imaginary_values = table(mirrored);
  if (!turns.empty()) spectrum.turns = table(turns);
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
void BoxFft<Space, T>::transform(const T* points) {
  fft_->forward(points, spectrum_.data());
  if (second_ != nullptr) second_->forward(nullptr, spectrum_.data());
}
template <class Space, class T>
void BoxFft<Space, T>::transform_back(T* points) {
  if (second_ != nullptr) second_->backward(spectrum_.data(), nullptr);
  fft_->backward(spectrum_.data(), points);
}

template <class Space, class T>
void BoxFft<Space, T>::forward(const T* in, T* scratch) {
  if (fft_ == nullptr) return;
  if (box_.is_packed)
    pack<Space>(packing_, in, spectrum_.data());
  else if (changes_places_)
    put_in_slots<Space>(packing_.orders, in, scratch);
  transform(needs_scratch() ? scratch : in);
}

template <class Space, class T>
void BoxFft<Space, T>::backward(T* scratch, T* out) {
  if (fft_ == nullptr) return;
  transform_back(needs_scratch() ? scratch : out);
  if (box_.is_packed)
    unpack<Space>(packing_, spectrum_.data(), out);
  else if (changes_places_)
    take_from_slots<Space>(packing_.orders, scratch, out);
}

std::size_t box_fft_memory(const SeparableSystem& system, const std::vector<bool>& by_fft,
                           std::size_t value_size) {
  const BoxSpectrum box = whole_spectrum(system, by_fft);
  std::size_t tables = 0;
  for (std::size_t d = 0; d < system.axes.size(); ++d) {
    const auto entries = static_cast<std::size_t>(box.entries[d]);
    if (!box.by_fft[d]) continue;
    tables += entries * sizeof(double);
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
  const BoxSpectrum box = whole_spectrum(system, by_fft);
  const double points = static_cast<double>(system.rows()) * static_cast<double>(value_size),
               spectrum = 2 * static_cast<double>(box.size()) * static_cast<double>(value_size);
  const auto axes = static_cast<double>(std::count(by_fft.begin(), by_fft.end(), true));
  // Each transform of an axis reads and writes; the first of real values reads points.
  const double transforms =
      box.is_packed ? 2 * axes * spectrum : points + spectrum + 2 * (axes - 1) * spectrum;
  const double places = box.is_packed                    ? points + spectrum
                        : changes_places(system, by_fft) ? 2 * points
                                                         : 0;
  return 2 * transforms + 2 * places;
}

bool box_needs_scratch(const SeparableSystem& system, const std::vector<bool>& by_fft) {
  return changes_places(system, by_fft) && !whole_spectrum(system, by_fft).is_packed;
}

#define HODGE_BOX_FFT(Space, T) template class BoxFft<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_BOX_FFT)

}  // namespace hodge::linalg
