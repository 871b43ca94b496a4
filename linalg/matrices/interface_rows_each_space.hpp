// The bodies of interface_rows.hpp.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "linalg/matrices/interface_rows.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

namespace detail {

// Entries that differ by less, beside the largest one of their row, are the same.
template <class T>
inline constexpr double interface_rounding = sizeof(T) == sizeof(double) ? 1e-13 : 1e-6;

HODGE_HD inline int row_at(const int* row_of_cell, int cell) {
  return row_of_cell == nullptr ? cell : row_of_cell[cell];
}

// The size of |a - b|; a number beyond all others where it is none.
HODGE_HD inline double distance_between(double a, double b) {
  const double by = a < b ? b - a : a - b;
  return by == by ? by : 1e300;
}

// Whether the row of a point is another one than that of the box.
template <class Comparison>
HODGE_HD bool differs(const Comparison& rows, int cell, int row, double rounding) {
  const BoxCell at = rows.box.cell_at(cell);
  double diagonal = rows.shift, to_neighbours = 0.0;
  for (int d = 0; d < rows.box.dim; ++d) diagonal *= rows.box.axis[d].weights[at.at[d]];
  bool has_solid = false;
  rows.box.for_each_face(cell, [&](double k, int there) {
    diagonal += rows.factor * k;
    if (there < 0) return;
    to_neighbours += rows.factor * k;
    has_solid = has_solid || (k > 0.0 && row_at(rows.row_of_cell, there) < 0);
  });
  if (has_solid) return true;
  double largest = diagonal, most = 0.0;
  bool has_diagonal = false;
  for (int entry = rows.a.row_offsets[row]; entry < rows.a.row_offsets[row + 1]; ++entry) {
    const int column = rows.a.columns[entry];
    const double value = static_cast<double>(rows.a.values[entry]),
                 size = value < 0 ? -value : value;
    double expected = column == row ? diagonal : 0.0;
    rows.box.for_each_face(cell, [&](double k, int there) {
      if (there < 0 || row_at(rows.row_of_cell, there) != column) return;
      expected -= rows.factor * k;
      to_neighbours -= rows.factor * k;
    });
    const double by = distance_between(value, expected);
    most = by > most ? by : most;
    largest = size > largest ? size : largest;
    has_diagonal = has_diagonal || column == row;
  }
  const double missing = distance_between(to_neighbours, 0.0) + (has_diagonal ? 0.0 : diagonal);
  most = missing > most ? missing : most;
  return !(most <= rounding * largest);
}

// What the pin adds to all of z.
template <class Value>
HODGE_HD double level_of(const Value* box, double unit, const double* sum, int pin_cell,
                         double inverse_pin) {
  if (sum == nullptr) return 0.0;
  return *sum * inverse_pin - unit * static_cast<double>(box[pin_cell]);
}

// Of Jacobi's method: below 1 it converges for every matrix of a diffusion.
inline constexpr double interface_omega = 0.8;

HODGE_HD inline double unit_of(const BoxUnits& units) {
  return units.unit == nullptr ? 1.0 : *units.unit;
}

}  // namespace detail

template <class Space, class T>
typename InterfaceRows<Space, T>::Comparison InterfaceRows<Space, T>::comparison(
    const CsrMatrix<Space, T>& a) const {
  return {a.view().by_entries(), box_, row_of_cell_, shift_, factor_};
}

template <class Space, class T>
void InterfaceRows<Space, T>::find(const CsrMatrix<Space, T>& a, const SeparableSystem& box,
                                   const Buffer<int, Space>* row_of_cell) {
  points_ = static_cast<int>(box.rows());
  is_singular_ = box.is_singular();
  shift_ = box.shift;
  factor_ = box.factor;
  row_of_cell_ = row_of_cell == nullptr ? nullptr : row_of_cell->data();
  box_ = {};
  box_.dim = static_cast<int>(box.axes.size());
  for (int d = 0; d < box_.dim; ++d) {
    const SeparableAxis& axis = box.axes[static_cast<std::size_t>(d)];
    weights_[d] = Buffer<double, Space>(std::span(axis.weights));
    couplings_[d] = Buffer<double, Space>(std::span(axis.couplings));
    box_.axis[d] = {axis.points(), axis.periodic, weights_[d].data(), couplings_[d].data()};
  }

  // The place of each row among those that differ and those coupled with them.
  const int n = a.rows();
  Buffer<int, Space> cell_of_row(static_cast<std::size_t>(n)),
      differing(static_cast<std::size_t>(n)), place(static_cast<std::size_t>(n) + 1);
  const Comparison compared = comparison(a);
  int *const cells = cell_of_row.data(), *const others = differing.data(),
             *const places = place.data();
  for_each<Space>(points_, [=] HODGE_LAMBDA(int p) {
    const int row = detail::row_at(compared.row_of_cell, p);
    if (row < 0) return;
    cells[row] = p;
    others[row] = detail::differs(compared, p, row, detail::interface_rounding<T>) ? 1 : 0;
  });
  const CsrView<T> view = compared.a;
  for_each<Space>(n, [=] HODGE_LAMBDA(int row) {
    int is_one = others[row];
    for (int k = view.row_offsets[row]; k < view.row_offsets[row + 1]; ++k)
      is_one |= others[view.columns[k]];
    places[row] = is_one;
  });
  Space::exclusive_scan(n + 1, places, places);
  int count = 0, entries = 0;
  Space::download(places + n, &count, sizeof count);

  for (auto* const of_rows : {&rows_, &cells_, &differs_})
    *of_rows = Buffer<int, Space>(static_cast<std::size_t>(count));
  offsets_ = Buffer<int, Space>(static_cast<std::size_t>(count) + 1);
  smoothing_ = Buffer<T, Space>(static_cast<std::size_t>(count));
  int *const rows = rows_.data(), *const row_cells = cells_.data(),
             *const offsets = offsets_.data(), *const differ = differs_.data();
  for_each<Space>(n, [=] HODGE_LAMBDA(int row) {
    const int i = places[row];
    if (places[row + 1] == i) return;
    rows[i] = row;
    row_cells[i] = cells[row];
    differ[i] = others[row];
    offsets[i] = view.row(row).size();
  });
  Space::exclusive_scan(count + 1, offsets, offsets);
  Space::download(offsets + count, &entries, sizeof entries);

  for (auto* const of_entries : {&entry_cells_, &entry_rows_})
    *of_entries = Buffer<int, Space>(static_cast<std::size_t>(entries));
  values_ = Buffer<T, Space>(static_cast<std::size_t>(entries));
  row_sums_ = Buffer<double, Space>(is_singular_ ? static_cast<std::size_t>(count) : 0);
  int *const entry_cells = entry_cells_.data(), *const entry_rows = entry_rows_.data();
  for_each<Space>(count, [=] HODGE_LAMBDA(int i) {
    const RowRange row = view.row(rows[i]);
    for (int k = 0; k < row.size(); ++k) {
      const int column = view.columns[row.first + k];
      entry_cells[offsets[i] + k] = cells[column];
      entry_rows[offsets[i] + k] = places[column + 1] > places[column] ? places[column] : -1;
    }
  });
  fill_entries(a);
  (void)find_pin(true);
}

// The values, D, and of a singular box the sum of each row beside its largest entry.
template <class Space, class T>
void InterfaceRows<Space, T>::fill_entries(const CsrMatrix<Space, T>& a) {
  const CsrView<T> view = a.view().by_entries();
  const int *const rows = rows_.data(), *const offsets = offsets_.data(),
                   *const differ = differs_.data(), *const entry_rows = entry_rows_.data();
  T *const values = values_.data(), *const smoothing = smoothing_.data();
  for_each<Space>(size(), [=] HODGE_LAMBDA(int i) {
    const RowRange row = view.row(rows[i]);
    double diagonal = 0.0;
    for (int k = 0; k < row.size(); ++k) {
      const T value = view.values[row.first + k];
      values[offsets[i] + k] = value;
      if (entry_rows[offsets[i] + k] == i) diagonal = static_cast<double>(value);
    }
    smoothing[i] = differ[i] != 0 && diagonal > 0.0
                       ? static_cast<T>(detail::interface_omega / diagonal)
                       : T(0);
  });
  if (!is_singular_) return;
  double* const sums = row_sums_.data();
  for_each<Space>(size(), [=] HODGE_LAMBDA(int i) {
    double sum = 0.0, largest = 0.0;
    for (int k = offsets[i]; k < offsets[i + 1]; ++k) {
      const double value = static_cast<double>(values[k]), magnitude = value < 0 ? -value : value;
      sum += value;
      largest = magnitude > largest ? magnitude : largest;
    }
    const double least = 10 * detail::interface_rounding<T> * largest;
    sums[i] = detail::distance_between(sum, 0.0) <= least ? 0.0 : sum;
  });
}

// Whether A needs a pin as before; `replace`: it gets the one that it needs.
template <class Space, class T>
bool InterfaceRows<Space, T>::find_pin(bool replace) {
  const std::vector<double> sums = row_sums_.to_host();
  int pin = -1;
  for (int i = 0; i < static_cast<int>(sums.size()); ++i) {
    const auto largest = pin < 0 ? 0.0 : sums[static_cast<std::size_t>(pin)];
    if (sums[static_cast<std::size_t>(i)] > largest) pin = i;
  }
  if (!replace) return (pin >= 0) == is_pinned();
  pin_cell_ = -1;
  if (pin < 0) return true;
  Space::download(cells_.data() + pin, &pin_cell_, sizeof pin_cell_);
  inverse_pin_ = 1 / sums[static_cast<std::size_t>(pin)];
  return true;
}

template <class Space, class T>
int InterfaceRows<Space, T>::differing_rows(const Comparison& rows) const {
  const auto [count] =
      reduce_to_host<Space, 1>(points_, {Reduction::sum}, [=] HODGE_LAMBDA(int p, double* value) {
        const int row = detail::row_at(rows.row_of_cell, p);
        const bool other = row >= 0 && detail::differs(rows, p, row, detail::interface_rounding<T>);
        value[0] = other ? 1.0 : 0.0;
      });
  return static_cast<int>(count);
}

template <class Space, class T>
bool InterfaceRows<Space, T>::refresh(const CsrMatrix<Space, T>& a) {
  const Comparison rows = comparison(a);
  const int *const of = rows_.data(), *const cells = cells_.data();
  const auto [known] =
      reduce_to_host<Space, 1>(size(), {Reduction::sum}, [=] HODGE_LAMBDA(int i, double* value) {
        value[0] =
            detail::differs(rows, cells[i], of[i], detail::interface_rounding<T>) ? 1.0 : 0.0;
      });
  if (differing_rows(rows) != static_cast<int>(known)) return false;
  fill_entries(a);
  return find_pin(false);
}

template <class Space, class T>
std::vector<int> InterfaceRows<Space, T>::points_read() const {
  std::vector<int> points = entry_cells_.to_host();
  const std::vector<int> of_rows = cells_.to_host();
  points.insert(points.end(), of_rows.begin(), of_rows.end());
  if (is_pinned()) points.push_back(pin_cell_);
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

template <class Space, class T>
template <class Value>
void InterfaceRows<Space, T>::gather(const Value* x, Value* out) const {
  const int* const rows = rows_.data();
  for_each_guarded<Space>(size(), [=] HODGE_LAMBDA(int i) { out[i] = x[rows[i]]; });
}

template <class Space, class T>
void InterfaceRows<Space, T>::extend(const Vector<Space, T>& r, BoxUnits units,
                                     Vector<Space, T>& box) const {
  const int* const row_of_cell = row_of_cell_;
  const int pin = pin_cell_;
  const T* const from = r.data();
  T* const to = box.data();
  for_each_guarded<Space>(points_, [=] HODGE_LAMBDA(int p) {
    const int row = detail::row_at(row_of_cell, p);
    const double value = row >= 0 ? static_cast<double>(from[row]) : 0.0;
    to[p] = static_cast<T>(p == pin ? value - *units.sum : value);
  });
}

template <class Space, class T>
template <class Value>
void InterfaceRows<Space, T>::put(const Vector<Space, T>& r, BoxUnits units,
                                  Vector<Space, Value>& box) const {
  const int* const cells = cells_.data();
  const int pin = pin_cell_;
  const T* const from = r.data();
  Value* const to = box.data();
  for_each_guarded<Space>(size(), [=] HODGE_LAMBDA(int i) {
    const double value = static_cast<double>(from[i]) - (cells[i] == pin ? *units.sum : 0.0);
    to[cells[i]] = static_cast<Value>(value / detail::unit_of(units));
  });
}

template <class Space, class T>
template <class Value>
void InterfaceRows<Space, T>::take(const Vector<Space, Value>& box, BoxUnits units,
                                   Vector<Space, T>& z, Vector<Space, T>& az) const {
  const int *const cells = cells_.data(), *const offsets = offsets_.data(),
                   *const entry_cells = entry_cells_.data();
  const int pin = pin_cell_;
  const T* const values = values_.data();
  const Value* const from = box.data();
  const double inverse_pin = inverse_pin_;
  T *const own = z.data(), *const product = az.data();
  for_each_guarded<Space>(size(), [=] HODGE_LAMBDA(int i) {
    const double unit = detail::unit_of(units);
    const double level = detail::level_of(from, unit, units.sum, pin, inverse_pin);
    double sum = 0.0;
    for (int k = offsets[i]; k < offsets[i + 1]; ++k)
      sum += static_cast<double>(values[k]) *
             (unit * static_cast<double>(from[entry_cells[k]]) + level);
    own[i] = static_cast<T>(unit * static_cast<double>(from[cells[i]]) + level);
    product[i] = static_cast<T>(sum);
  });
}

template <class Space, class T>
void InterfaceRows<Space, T>::add(const Vector<Space, T>& box, BoxUnits units,
                                  Vector<Space, T>& x) const {
  const int* const row_of_cell = row_of_cell_;
  const int pin = pin_cell_;
  const T* const from = box.data();
  const double inverse_pin = inverse_pin_;
  T* const to = x.data();
  for_each_guarded<Space>(points_, [=] HODGE_LAMBDA(int p) {
    const int row = detail::row_at(row_of_cell, p);
    if (row < 0) return;
    const double level = detail::level_of(from, 1.0, units.sum, pin, inverse_pin);
    to[row] = static_cast<T>(static_cast<double>(to[row]) + static_cast<double>(from[p]) + level);
  });
}

template <class Space, class T>
void InterfaceRows<Space, T>::smooth(const Vector<Space, T>& v, Vector<Space, T>& z) const {
  const T *const smoothing = smoothing_.data(), *const from = v.data();
  T* const to = z.data();
  for_each_guarded<Space>(size(), [=] HODGE_LAMBDA(int i) { to[i] = smoothing[i] * from[i]; });
}

template <class Space, class T>
void InterfaceRows<Space, T>::subtract_product(const Vector<Space, T>& z, const Vector<Space, T>& v,
                                               Vector<Space, T>& out) const {
  const int *const offsets = offsets_.data(), *const entry_rows = entry_rows_.data();
  const T *const values = values_.data(), *const by = z.data(), *const from = v.data();
  T* const to = out.data();
  for_each_guarded<Space>(size(), [=] HODGE_LAMBDA(int i) {
    double sum = static_cast<double>(from[i]);
    for (int k = offsets[i]; k < offsets[i + 1]; ++k)
      if (entry_rows[k] >= 0)
        sum -= static_cast<double>(values[k]) * static_cast<double>(by[entry_rows[k]]);
    to[i] = static_cast<T>(sum);
  });
}

template <class Space, class T>
void InterfaceRows<Space, T>::add_in_rows(const Vector<Space, T>& z, Vector<Space, T>& x) const {
  const int* const rows = rows_.data();
  const T* const from = z.data();
  T* const to = x.data();
  for_each_guarded<Space>(size(), [=] HODGE_LAMBDA(int i) { to[rows[i]] += from[i]; });
}

#define HODGE_INTERFACE_ROWS(T, Value)                                                          \
  template void InterfaceRows<ThisSpace, T>::put(const Vector<ThisSpace, T>&, BoxUnits,         \
                                                 Vector<ThisSpace, Value>&) const;              \
  template void InterfaceRows<ThisSpace, T>::take(const Vector<ThisSpace, Value>&, BoxUnits,    \
                                                  Vector<ThisSpace, T>&, Vector<ThisSpace, T>&) \
      const;
template class InterfaceRows<ThisSpace, double>;
template class InterfaceRows<ThisSpace, float>;
HODGE_INTERFACE_ROWS(double, double)
HODGE_INTERFACE_ROWS(double, float)
HODGE_INTERFACE_ROWS(float, float)
#undef HODGE_INTERFACE_ROWS
template void InterfaceRows<ThisSpace, double>::gather(const double*, double*) const;
template void InterfaceRows<ThisSpace, float>::gather(const float*, float*) const;
template void InterfaceRows<ThisSpace, float>::gather(const double*, double*) const;

}  // namespace hodge::linalg
