// Host space: the diagonal of a sparse matrix.
#include <algorithm>
#include <cmath>

#include "linalg/host/guard.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

constexpr int block_rows = 1024;

}  // namespace

template <>
template <class T>
void SparsePrimitives<Host>::invert_diagonal(const CsrView<T>& a, double factor, T* out,
                                             int* first_bad) {
  if (host::halted()) return;
  int bad = a.rows;
#pragma omp parallel for schedule(static) reduction(min : bad) if (a.rows > block_rows)
  for (int row = 0; row < a.rows; ++row) {
    const int k = a.diagonal[row];
    const bool present = k < a.row_offsets[row + 1] && a.columns[k] == row;
    const double inverse = present ? factor / static_cast<double>(a.values[k]) : 0.0;
    const bool good = present && std::isfinite(inverse) && inverse != 0.0;
    out[row] = good ? static_cast<T>(inverse) : T(0);
    if (!good) bad = std::min(bad, row);
  }
  *first_bad = bad;
}

template <>
void SparsePrimitives<Host>::find_diagonal(int rows, const int* row_offsets, const int* columns,
                                           int* diagonal) {
#pragma omp parallel for schedule(static) if (rows > block_rows)
  for (int row = 0; row < rows; ++row) {
    int k = row_offsets[row];
    while (k < row_offsets[row + 1] && columns[k] < row) ++k;
    diagonal[row] = k;
  }
}

HODGE_FOR_BOTH_VALUES(HODGE_DIAGONAL, Host)

}  // namespace hodge::linalg
