#include "linalg/direct/box_fft.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <type_traits>
#include <utility>

#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

bool changes_places(const SeparableSystem& system, const std::vector<bool>& by_fft) {
  for (std::size_t d = 0; d < system.axes.size(); ++d)
    if (by_fft[d] && !system.axes[d].periodic) return true;
  return false;
}

// The own ones of all entries of a table.
template <class Value>
std::vector<Value> part_of(const std::vector<Value>& all, const IndexRange& own) {
  const auto first = all.begin() + own.first;
  return {first, first + own.count};
}

template <class T>
std::size_t own_points(const BoxPart<T>& part) {
  std::size_t points = 1;
  for (const IndexRange& range : part.points) points *= static_cast<std::size_t>(range.count);
  return points;
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
                         const std::vector<std::vector<double>>& values, const MakeFft<T>& make,
                         BoxPart<T> part)
    : box_(box_spectrum(system, by_fft)), changes_places_(changes_places(system, by_fft)) {
  packing_.axis = box_.halved;
  const auto halved = static_cast<std::size_t>(box_.halved);
  division_.is_coupled = !system.axes[halved].periodic;
  for (std::size_t d = 0; d < 3; ++d) {
    if (box_.by_fft[d]) {
      set_up_axis(d, system.axes[d], part);
      continue;
    }
    packing_.orders[d] = PointOrder(part.points[d].count);
    const IndexRange own = box_.is_split() ? IndexRange{0, box_.points[d]} : part.points[d];
    division_.axes[d].entries = own.count;
    division_.axes[d].values = table(part_of(values[d], own));
  }
  make_transforms(part, make);
  move_ = std::move(part.move);
  if constexpr (!std::is_same_v<Space, Host>) {
    // The first run loads kernels, which it may not do while a recording is made.
    Buffer<T, Space> points(box_.is_packed ? 0 : own_points(part));
    for (const auto& fft : first_) {
      fft->forward(points.data(), spectrum_.data());
      fft->backward(spectrum_.data(), points.data());
    }
    if (second_ != nullptr) {
      second_->forward(nullptr, moved());
      second_->backward(moved(), nullptr);
    }
  }
  if (move_ != nullptr)
    move_->fix_arrays({spectrum_.data(), spectrum_.size()}, {moved_.data(), moved_.size()},
                      ArrayUse::in_turn);
}

template <class Space, class T>
void BoxFft<Space, T>::make_transforms(const BoxPart<T>& part, const MakeFft<T>& make) {
  BoxSpectrum own = box_;
  for (std::size_t d = 0; d < 3; ++d) {
    own.points[d] = part.points[d].count;
    if (static_cast<int>(d) != own.halved) own.entries[d] = own.points[d];
  }
  spectrum_ = Buffer<Complex<T>, Space>(own.size());
  make_pieces(own, part.pieces, make);
  if (box_.is_split()) {
    own.points = box_.points;
    own.entries = box_.entries;
    own.entries[static_cast<std::size_t>(box_.halved)] = part.halved.count;
    if (part.move != nullptr) moved_ = Buffer<Complex<T>, Space>(own.size());
    if (own.size() > 0)
      second_ = make(box_.begins_with_last() ? fft_layout(own) : last_layout(own));
  }
  std::size_t bytes = 0;
  for_each_fft([&](const Fft<T>& fft) { bytes = std::max(bytes, fft.work_bytes()); });
  work_ = Buffer<char, Space>(bytes);
  if (bytes > 0) for_each_fft([&](Fft<T>& fft) { fft.work_in(work_.data()); });
}

template <class Space, class T>
void BoxFft<Space, T>::make_pieces(const BoxSpectrum& own, int pieces, const MakeFft<T>& make) {
  const auto last = static_cast<std::size_t>(box_.last);
  std::size_t points_of_layer = 1, entries_of_layer = 1;
  for (std::size_t d = 0; d < last; ++d) {
    points_of_layer *= static_cast<std::size_t>(own.points[d]);
    entries_of_layer *= static_cast<std::size_t>(own.entries[d]);
  }
  std::map<int, Fft<T>*> by_layers;
  for (int k = 0; k < pieces; ++k) {
    BoxSpectrum piece = own;
    std::size_t before = 0;
    if (pieces > 1) {
      const IndexRange layers = layers_of_piece(own.points[last], k, pieces);
      piece.points[last] = piece.entries[last] = layers.count;
      before = static_cast<std::size_t>(layers.first);
    }
    Fft<T>*& fft = by_layers[piece.points[last]];
    if (fft == nullptr && piece.size() > 0) {
      first_.push_back(make(box_.begins_with_last() ? last_layout(piece) : fft_layout(piece)));
      fft = first_.back().get();
    }
    pieces_.push_back({fft, before * points_of_layer, before * entries_of_layer});
  }
}

template <class Space, class T>
void BoxFft<Space, T>::set_up_axis(std::size_t d, const SeparableAxis& axis,
                                   const BoxPart<T>& part) {
  const AxisWave wave = axis_wave(axis);
  const bool is_packed = box_.is_packed && static_cast<int>(d) == box_.halved;
  division_.scale /= (is_packed ? box_.entries : box_.points)[d] * axis.weights[0];
  PointOrder& order = packing_.orders[d];
  order = part.are_in_slots[d] ? PointOrder(wave.order.points) : wave.order;
  order.take(part.points[d].first, part.points[d].count);
  if (wave.is_shifted) packing_.shifts[d] = table(wave.shifts);
  SpectrumAxis& spectrum = division_.axes[d];
  if (static_cast<int>(d) == box_.halved) return set_up_halved(spectrum, wave, part.halved);
  spectrum.entries = box_.entries[d];
  spectrum.is_mirrored = division_.is_coupled || !axis.periodic;
  spectrum.mirror = wave.mirror();
  spectrum.values = table(wave.values);
  if (!wave.turns.empty()) spectrum.turns = table(wave.turns);
}

template <class Space, class T>
void BoxFft<Space, T>::set_up_halved(SpectrumAxis& spectrum, const AxisWave& wave,
                                     const IndexRange& own) {
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
  spectrum.entries = own.count;
  spectrum.values = table(part_of(values, own));
  if (division_.is_coupled) spectrum.imaginary_values = table(part_of(mirrored, own));
  if (!turns.empty()) spectrum.turns = table(part_of(turns, own));
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
  if (box_.is_packed)
    pack<Space>(packing_, in, spectrum_.data());
  else if (changes_places_)
    put_in_slots<Space>(packing_.orders, in, scratch);
  const T* const points = needs_scratch() ? scratch : in;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    const Piece& piece = pieces_[k];
    if (piece.first != nullptr)
      piece.first->forward(points + piece.before_points, spectrum_.data() + piece.before_entries);
    if (move_ != nullptr)
      move_->start_forward(static_cast<int>(k), spectrum_.data(), moved_.data());
  }
  if (move_ != nullptr) move_->finish_forward(spectrum_.data(), moved_.data());
  if (second_ != nullptr) second_->forward(nullptr, moved());
}

template <class Space, class T>
void BoxFft<Space, T>::divide(double scale, const SpectralShift& by) {
  SpectrumDivision division = division_;
  division.scale *= scale;
  division.by = by;
  divide_spectrum<Space>(division, moved());
}

template <class Space, class T>
void BoxFft<Space, T>::backward(T* scratch, T* out) {
  if (second_ != nullptr) second_->backward(moved(), nullptr);
  if (move_ != nullptr) move_->start_backward(moved_.data(), spectrum_.data());
  T* const points = needs_scratch() ? scratch : out;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    const Piece& piece = pieces_[k];
    if (move_ != nullptr) move_->wait_backward(static_cast<int>(k));
    if (piece.first != nullptr)
      piece.first->backward(spectrum_.data() + piece.before_entries, points + piece.before_points);
  }
  if (box_.is_packed)
    unpack<Space>(packing_, spectrum_.data(), out);
  else if (changes_places_)
    take_from_slots<Space>(packing_.orders, scratch, out);
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
