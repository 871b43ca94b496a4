// Matrices whose rows need different kernels.
#pragma once

#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "tests/support/matrices.hpp"

namespace hodge::linalg::tests_of_products {

using tests::HostMatrix;

// Row i has length(i) entries at random columns, some of them zero.
template <class Length>
HostMatrix matrix_of_lengths(int rows, int cols, Length length) {
  std::mt19937 generator(3);
  HostMatrix m{rows, cols, {0}, {}, {}};
  std::vector<int> shuffled(static_cast<std::size_t>(cols));
  for (int j = 0; j < cols; ++j) shuffled[static_cast<std::size_t>(j)] = j;
  for (int i = 0; i < rows; ++i) {
    const int count = std::min(cols, length(i));
    for (int k = 0; k < count; ++k) {  // the first `count` of a random permutation
      std::uniform_int_distribution<int> rest(k, cols - 1);
      std::swap(shuffled[static_cast<std::size_t>(k)],
                shuffled[static_cast<std::size_t>(rest(generator))]);
    }
    const auto first = m.columns.size();
    m.columns.insert(m.columns.end(), shuffled.begin(), shuffled.begin() + count);
    std::sort(m.columns.begin() + static_cast<std::ptrdiff_t>(first), m.columns.end());
    for (int k = 0; k < count; ++k) m.values.push_back(k % 5 == 4 ? 0.0 : 1.0 / (1 + (i + k) % 97));
    m.row_offsets.push_back(static_cast<int>(m.columns.size()));
  }
  return m;
}

inline HostMatrix with_dense_rows(int rows, std::initializer_list<int> dense) {
  return matrix_of_lengths(rows, rows, [&](int i) {
    return std::find(dense.begin(), dense.end(), i) != dense.end() ? rows : 4;
  });
}

struct NamedMatrix {
  const char* name;
  HostMatrix matrix;
};

inline const std::vector<NamedMatrix>& matrices() {
  static const std::vector<NamedMatrix> all = [] {
    std::vector<NamedMatrix> m;
    m.push_back({"1 x 1", tests::from_dense({{3}})});
    m.push_back({"no rows", HostMatrix{0, 0, {0}, {}, {}}});
    m.push_back({"only empty rows", tests::from_entries(70, 70, {})});
    m.push_back({"5-point", tests::poisson({37, 29, 1})});
    m.push_back({"7-point", tests::poisson({17, 13, 11})});
    m.push_back({"33 short rows", matrix_of_lengths(33, 33, [](int i) { return i % 4; })});
    m.push_back({"50 a row", matrix_of_lengths(1000, 1000, [](int) { return 50; })});
    m.push_back({"uneven", matrix_of_lengths(3000, 3000, [](int i) {
                   return i % 7 == 3 ? 0 : i % 31 == 0 ? 90 : i % 11;
                 })});
    m.push_back({"empty first, middle and last rows", matrix_of_lengths(1000, 1000, [](int i) {
                   return i < 100 || (i > 400 && i < 700) || i > 950 ? 0 : 6;
                 })});
    m.push_back({"first, middle and last rows dense", with_dense_rows(20000, {0, 9000, 19999})});
    m.push_back({"one dense row among empty ones",
                 matrix_of_lengths(200, 30000, [](int i) { return i == 100 ? 30000 : 0; })});
    m.push_back({"wide", matrix_of_lengths(50, 9000, [](int i) { return 700 + 100 * (i % 5); })});
    m.push_back({"tall", matrix_of_lengths(9000, 50, [](int i) { return i % 9; })});
    return m;
  }();
  return all;
}

}  // namespace hodge::linalg::tests_of_products
