// Builds CSR matrices row by row, in parallel, straight into their arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "linalg/base/errors.hpp"
#include "tools/hodge/matrix/host_matrix.hpp"

namespace hodge::tools::bench {

struct Entry {
  int column;
  double value;
};
using RowEntries = std::vector<Entry>;

// A number in [0, 1) that depends on its arguments alone (splitmix64: G. L. Steele, D. Lea &
// C. H. Flood, OOPSLA 2014), so that rows can be made in any order.
inline double random_unit(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15u + (index + 1) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53;
}

// use(i, entries) for every row, in parallel.
template <class Row, class Use>
void for_each_built_row(int rows, const Row& row, const Use& use) {
#pragma omp parallel
  {
    RowEntries entries;
#pragma omp for schedule(static)
    for (int i = 0; i < rows; ++i) {
      entries.clear();
      row(i, entries);
      use(i, entries);
    }
  }
}

// row(i, entries) fills the entries of row i, columns ascending; called twice for each row: to
// count and to fill. Errors: ShapeError where the non-zeros do not fit 32 bits.
template <class Row>
std::unique_ptr<HostMatrix> build_rows(int rows, int cols, linalg::Symmetry symmetry,
                                       const Row& row) {
  using linalg::Buffer, linalg::Host;
  Buffer<int, Host> offsets(static_cast<std::size_t>(rows) + 1);
  int* const offset = offsets.data();
  for_each_built_row(rows, row, [offset](int i, const RowEntries& entries) {
    offset[i + 1] = static_cast<int>(entries.size());
  });
  long long nonzeros = 0;
  for (int i = 0; i < rows; ++i) nonzeros += offset[i + 1];
  if (nonzeros > INT32_MAX) throw ShapeError("a generated matrix has 2^31 or more non-zeros");
  for (int i = 0; i < rows; ++i) offset[i + 1] += offset[i];

  Buffer<int, Host> columns(static_cast<std::size_t>(nonzeros));
  Buffer<double, Host> values(static_cast<std::size_t>(nonzeros));
  int* const column = columns.data();
  double* const value = values.data();
  for_each_built_row(rows, row, [=](int i, const RowEntries& entries) {
    for (std::size_t k = 0; k < entries.size(); ++k) {
      column[offset[i] + static_cast<std::ptrdiff_t>(k)] = entries[k].column;
      value[offset[i] + static_cast<std::ptrdiff_t>(k)] = entries[k].value;
    }
  });
  auto pattern = std::make_shared<linalg::CsrPattern<Host>>(rows, cols, std::move(offsets),
                                                            std::move(columns));
  auto matrix = std::make_unique<HostMatrix>(std::move(pattern), symmetry);
  matrix->values() = std::move(values);
  return matrix;
}

}  // namespace hodge::tools::bench
