// The bodies of convert.hpp.
#pragma once

#include <climits>
#include <string>

#include "linalg/matrices/convert.hpp"
#include "linalg/matrices/entry_order.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

template <class Space, class T>
CooMatrix<Space, T> to_coo(const CsrMatrix<Space, T>& a) {
  a.pattern().require_all_rows("a COO form");
  Buffer<int, Space> row_indices(a.values().size());
  expand_row_offsets<Space>(a.rows(), a.pattern().nonzeros(), a.pattern().row_offsets().data(),
                            row_indices.data());
  return CooMatrix<Space, T>(a.rows(), a.cols(), std::move(row_indices),
                             a.pattern().columns().copy(), a.values().copy(), a.symmetry());
}

template <class Space, class T>
std::unique_ptr<CsrMatrix<Space, T>> to_csr(const CooMatrix<Space, T>& a, Compression how) {
  const auto entries = order_entries(a.rows(), a.cols(), a.row_indices(), a.columns(), how);
  auto csr = std::make_unique<CsrMatrix<Space, T>>(entries.pattern, a.symmetry());
  sum_entries(entries, a.values().data(), csr->values().data());
  return csr;
}

// One index per row, so that neighbouring threads of a GPU read neighbouring entries of a column.
template <class Space, class T>
std::unique_ptr<CsrMatrix<Space, T>> to_csr(const DenseMatrix<Space, T>& a) {
  const int rows = a.rows(), cols = a.cols();
  Buffer<int, Space> row_offsets(static_cast<std::size_t>(rows) + 1);
  const T* const dense = a.data();
  int* const offset = row_offsets.data();
  for_each<Space>(rows, [=] HODGE_LAMBDA(int i) {
    int count = 0;
    for (int j = 0; j < cols; ++j)
      count += dense[i + static_cast<std::size_t>(j) * rows] != T(0) ? 1 : 0;
    offset[i] = count;
  });
  const long long nonzeros = Space::sum(rows, offset);
  if (nonzeros >= INT_MAX) {
    throw ShapeError("a dense matrix of " + std::to_string(nonzeros) +
                     " non-zeros does not fit the 32-bit indices of CSR");
  }
  Space::exclusive_scan(rows + 1, offset, offset);
  Buffer<int, Space> columns(nonzeros);
  Buffer<T, Space> values(nonzeros);
  int* const column_of = columns.data();
  T* const value_of = values.data();
  for_each<Space>(rows, [=] HODGE_LAMBDA(int i) {
    int k = offset[i];
    for (int j = 0; j < cols; ++j) {
      const T value = dense[i + static_cast<std::size_t>(j) * rows];
      if (value == T(0)) continue;
      column_of[k] = j;
      value_of[k++] = value;
    }
  });
  auto csr = std::make_unique<CsrMatrix<Space, T>>(std::make_shared<const CsrPattern<Space>>(
      rows, cols, std::move(row_offsets), std::move(columns)));
  csr->values() = std::move(values);
  return csr;
}

template <class Space, class T>
void add_to_dense(const CsrView<T>& a, T* dense) {
  for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) {
    for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      dense[i + static_cast<std::size_t>(a.columns[k]) * a.rows] += a.values[k];
  });
}

template <class Space, class T>
DenseMatrix<Space, T> to_dense(const CsrMatrix<Space, T>& a) {
  a.pattern().require_all_rows("a dense form");
  DenseMatrix<Space, T> dense(a.rows(), a.cols());
  add_to_dense<Space>(a.view(), dense.data());
  return dense;
}

template <class Space, class T>
DenseMatrix<Space, T> to_dense(const CooMatrix<Space, T>& a) {
  return to_dense(*to_csr(a));
}

#define HODGE_CONVERT(Space, T)                                                                  \
  template CooMatrix<Space, T> to_coo(const CsrMatrix<Space, T>&);                               \
  template std::unique_ptr<CsrMatrix<Space, T>> to_csr(const CooMatrix<Space, T>&, Compression); \
  template std::unique_ptr<CsrMatrix<Space, T>> to_csr(const DenseMatrix<Space, T>&);            \
  template void add_to_dense<Space>(const CsrView<T>&, T*);                                      \
  template DenseMatrix<Space, T> to_dense(const CsrMatrix<Space, T>&);                           \
  template DenseMatrix<Space, T> to_dense(const CooMatrix<Space, T>&);
HODGE_CONVERT(ThisSpace, double)
HODGE_CONVERT(ThisSpace, float)
#undef HODGE_CONVERT

}  // namespace hodge::linalg
