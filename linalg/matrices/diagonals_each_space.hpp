// The bodies of diagonals.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "linalg/base/atomic.hpp"
#include "linalg/matrices/diagonals.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

namespace detail {

// The first row that has an entry on none of the known diagonals, or two entries at one place;
// `rows` if there is none.
template <class Space>
int first_row_beside(int rows, const DiagonalsView& known, const int* row_offsets,
                     const int* columns) {
  const auto [largest] =
      reduce_to_host<Space, 1>(rows, {Reduction::max}, [=] HODGE_LAMBDA(int row, double* value) {
        for (int k = row_offsets[row]; k < row_offsets[row + 1]; ++k) {
          bool found = false;
          for (int d = 0; d < known.count; ++d) found |= columns[k] - row == known.offset[d];
          if (k > row_offsets[row] && columns[k] == columns[k - 1]) found = false;
          if (!found) value[0] = static_cast<double>(rows - row);  // the first row has the largest
        }
      });
  return rows - static_cast<int>(largest);
}

template <class Space>
std::vector<int> offsets_of_row(int row, const int* row_offsets, const int* columns) {
  std::array<int, 2> range{};
  Space::download(row_offsets + row, range.data(), sizeof range);
  std::vector<int> offsets(static_cast<std::size_t>(range[1] - range[0]));
  Space::download(columns + range[0], offsets.data(), sizeof(int) * offsets.size());
  for (int& offset : offsets) offset -= row;
  return offsets;
}

template <class Space>
void write_masks(int rows, const DiagonalsView& on, const int* row_offsets, const int* columns,
                 std::uint16_t* masks) {
  for_each<Space>(rows, [=] HODGE_LAMBDA(int row) {
    unsigned mask = 0;
    for (int k = row_offsets[row]; k < row_offsets[row + 1]; ++k)
      for (int d = 0; d < on.count; ++d)
        if (columns[k] - row == on.offset[d]) mask |= 1u << d;
    masks[row] = static_cast<std::uint16_t>(mask);
  });
}

}  // namespace detail

template <class Space>
Diagonals<Space> find_diagonals(int rows, int longest, const int* row_offsets, const int* columns) {
  if (longest > DiagonalsView::most) return {};
  Diagonals<Space> found;
  DiagonalsView& shape = found.shape;
  for (int row;
       (row = detail::first_row_beside<Space>(rows, shape, row_offsets, columns)) < rows;) {
    std::vector<int> offsets = detail::offsets_of_row<Space>(row, row_offsets, columns);
    if (std::adjacent_find(offsets.begin(), offsets.end()) != offsets.end()) return {};
    offsets.insert(offsets.end(), shape.offset, shape.offset + shape.count);
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    if (offsets.size() > DiagonalsView::most) return {};
    shape.count = static_cast<int>(offsets.size());
    std::copy(offsets.begin(), offsets.end(), shape.offset);
  }
  for (int d = 0; d < shape.count; ++d) {
    if (shape.offset[d] < 0) shape.lower_bits |= 1u << d;
    if (shape.offset[d] > 0) shape.upper_bits |= 1u << d;
  }
  if (shape.count == 0) return {};
  found.masks = Buffer<std::uint16_t, Space>(static_cast<std::size_t>(rows));
  detail::write_masks<Space>(rows, shape, row_offsets, columns, found.masks.data());
  return found;
}

namespace detail {

// 0 where the row has no entry there.
template <class T>
HODGE_HD double diagonal_value(const CsrView<T>& a, int row) {
  if (a.diagonal_values != nullptr) return static_cast<double>(a.diagonal_values[row]);
  const int k = a.diagonal[row];
  const bool present = k < a.row_offsets[row + 1] && a.columns[k] == row;
  return present ? static_cast<double>(a.values[k]) : 0.0;
}

}  // namespace detail

template <class Space>
void find_diagonal(int rows, const int* row_offsets, const int* columns, int* diagonal) {
  for_each<Space>(rows, [=] HODGE_LAMBDA(int row) {
    int k = row_offsets[row];
    while (k < row_offsets[row + 1] && columns[k] < row) ++k;
    diagonal[row] = k;
  });
}

template <class Space, class T>
void invert_diagonal(const CsrView<T>& a, double factor, T* out, int* first_bad) {
  Space::fill(1, a.rows, first_bad);
  for_each_guarded<Space>(a.rows, [=] HODGE_LAMBDA(int row) {
    const double inverse = factor / detail::diagonal_value(a, row);
    const bool good = inverse - inverse == 0.0 && inverse != 0.0;  // finite
    out[row] = good ? static_cast<T>(inverse) : T(0);
    if (!good) atomic_min(first_bad, row);
  });
}

template void find_diagonal<ThisSpace>(int, const int*, const int*, int*);
template void invert_diagonal<ThisSpace>(const CsrView<double>&, double, double*, int*);
template void invert_diagonal<ThisSpace>(const CsrView<float>&, double, float*, int*);
template Diagonals<ThisSpace> find_diagonals<ThisSpace>(int, int, const int*, const int*);

}  // namespace hodge::linalg
