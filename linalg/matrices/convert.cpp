#include "linalg/matrices/convert.hpp"

#include <climits>
#include <string>

#include "linalg/matrices/convert_steps.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

template <class T, class Space>
Buffer<T, Space> gathered(const Buffer<int, Space>& map, const Buffer<T, Space>& source) {
  Buffer<T, Space> result(map.size());
  Space::gather(static_cast<int>(map.size()), map.data(), source.data(), result.data());
  return result;
}

// The entries of a matrix before its row indices are compressed.
template <class Space, class T>
struct Entries {
  Buffer<int, Space> row_indices, columns;
  Buffer<T, Space> values;

  EntryView<T> view() const {
    return {static_cast<int>(values.size()), row_indices.data(), columns.data(), values.data()};
  }
};

template <class Space, class T>
Entries<Space, T> sorted_by_row_and_column(const CooMatrix<Space, T>& a) {
  const int n = a.nonzeros();
  Buffer<int, Space> order(a.values().size());
  count_up<Space>(n, order.data());
  Buffer<int, Space> keys = a.columns().copy();
  Space::stable_sort_by_key(n, keys.data(), order.data());
  keys = gathered(order, a.row_indices());
  Space::stable_sort_by_key(n, keys.data(), order.data());
  return {std::move(keys), gathered(order, a.columns()), gathered(order, a.values())};
}

template <class Space, class T>
Entries<Space, T> without_duplicates(Entries<Space, T> entries) {
  const int n = static_cast<int>(entries.values.size());
  Buffer<int, Space> is_first(entries.values.size()), number(entries.values.size());
  mark_first_of_each_place<Space>(entries.view(), is_first.data());
  const long long places = Space::sum(n, is_first.data());
  if (places == n) return entries;
  Space::exclusive_scan(n, is_first.data(), number.data());
  Entries<Space, T> merged{Buffer<int, Space>(places), Buffer<int, Space>(places),
                           Buffer<T, Space>(places)};
  sum_each_place<Space>(entries.view(), is_first.data(), number.data(), merged.row_indices.data(),
                        merged.columns.data(), merged.values.data());
  return merged;
}

template <class Space, class T>
std::unique_ptr<CsrMatrix<Space, T>> make_csr(int rows, int cols, Buffer<int, Space> row_offsets,
                                              Buffer<int, Space> columns, Buffer<T, Space> values,
                                              Symmetry symmetry) {
  auto pattern = std::make_shared<const CsrPattern<Space>>(rows, cols, std::move(row_offsets),
                                                           std::move(columns));
  auto matrix = std::make_unique<CsrMatrix<Space, T>>(std::move(pattern), symmetry);
  matrix->values() = std::move(values);
  return matrix;
}

}  // namespace

template <class Space, class T>
CooMatrix<Space, T> to_coo(const CsrMatrix<Space, T>& a) {
  Buffer<int, Space> row_indices(a.values().size());
  expand_row_offsets<Space>(a.rows(), a.pattern().nonzeros(), a.pattern().row_offsets().data(),
                            row_indices.data());
  return CooMatrix<Space, T>(a.rows(), a.cols(), std::move(row_indices),
                             a.pattern().columns().copy(), a.values().copy(), a.symmetry());
}

template <class Space, class T>
std::unique_ptr<CsrMatrix<Space, T>> to_csr(const CooMatrix<Space, T>& a, Compression how) {
  Entries<Space, T> entries = without_duplicates(sorted_by_row_and_column(a));
  Buffer<int, Space> row_offsets(static_cast<std::size_t>(a.rows()) + 1);
  compress_row_indices<Space>(a.rows(), static_cast<int>(entries.values.size()),
                              entries.row_indices.data(), how, row_offsets.data());
  return make_csr(a.rows(), a.cols(), std::move(row_offsets), std::move(entries.columns),
                  std::move(entries.values), a.symmetry());
}

template <class Space, class T>
std::unique_ptr<CsrMatrix<Space, T>> to_csr(const DenseMatrix<Space, T>& a) {
  Buffer<int, Space> row_offsets(static_cast<std::size_t>(a.rows()) + 1);
  count_nonzeros<Space>(a.rows(), a.cols(), a.data(), row_offsets.data());
  const long long nonzeros = Space::sum(a.rows(), row_offsets.data());
  if (nonzeros >= INT_MAX) {
    throw ShapeError("a dense matrix of " + std::to_string(nonzeros) +
                     " non-zeros does not fit the 32-bit indices of CSR");
  }
  Space::exclusive_scan(a.rows() + 1, row_offsets.data(), row_offsets.data());
  Buffer<int, Space> columns(nonzeros);
  Buffer<T, Space> values(nonzeros);
  gather_nonzeros<Space>(a.rows(), a.cols(), a.data(), row_offsets.data(), columns.data(),
                         values.data());
  return make_csr(a.rows(), a.cols(), std::move(row_offsets), std::move(columns), std::move(values),
                  Symmetry::unknown);
}

template <class Space, class T>
DenseMatrix<Space, T> to_dense(const CsrMatrix<Space, T>& a) {
  DenseMatrix<Space, T> dense(a.rows(), a.cols());
  scatter_to_dense<Space>(a.view(), dense.data());
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
  template DenseMatrix<Space, T> to_dense(const CsrMatrix<Space, T>&);                           \
  template DenseMatrix<Space, T> to_dense(const CooMatrix<Space, T>&);
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_CONVERT)

}  // namespace hodge::linalg
