// Conversions between the formats, in the memory of one space; and copies between spaces.
//
// COO -> CSR: entries at the same place become one (entry_order.hpp). The row indices are
// compressed in either of two ways (row_offsets.hpp), with the same result. Cost: two sorts of the
// entries and about 6 passes; 4 ints per entry beside the result.
//
// All conversions keep entries that are zero, except the one from a dense matrix, which stores the
// non-zeros, including NaN. ShapeError for a matrix whose rows processes share.
#pragma once

#include <memory>

#include "linalg/dense/dense.hpp"
#include "linalg/matrices/coo.hpp"
#include "linalg/matrices/csr.hpp"
#include "linalg/matrices/row_offsets.hpp"

namespace hodge::linalg {

template <class Space, class T>
CooMatrix<Space, T> to_coo(const CsrMatrix<Space, T>& a);

template <class Space, class T>
std::unique_ptr<CsrMatrix<Space, T>> to_csr(const CooMatrix<Space, T>& a,
                                            Compression how = Compression::row_changes);
template <class Space, class T>
std::unique_ptr<CsrMatrix<Space, T>> to_csr(const DenseMatrix<Space, T>& a);

// Adds the entries of `a` to a dense matrix, by columns, in the memory of the space.
template <class Space, class T>
void add_to_dense(const CsrView<T>& a, T* dense);
template <class Space, class T>
DenseMatrix<Space, T> to_dense(const CsrMatrix<Space, T>& a);
template <class Space, class T>
DenseMatrix<Space, T> to_dense(const CooMatrix<Space, T>& a);

// The same matrix in the memory of another space, or with values of another type:
// `auto on_gpu = copy_to<Cuda, float>(on_host);`
template <class Target, class U, class Space, class T>
std::unique_ptr<CsrMatrix<Target, U>> copy_to(const CsrMatrix<Space, T>& a) {
  a.pattern().require_all_rows("a copy");
  const auto offsets = a.pattern().row_offsets().to_host(),
             columns = a.pattern().columns().to_host();
  const auto values = a.values().to_host();
  auto copy = std::make_unique<CsrMatrix<Target, U>>(
      std::make_shared<const CsrPattern<Target>>(
          a.rows(), a.cols(), Buffer<int, Target>(std::span<const int>(offsets)),
          Buffer<int, Target>(std::span<const int>(columns))),
      a.symmetry());
  copy->values().upload(std::vector<U>(values.begin(), values.end()));
  return copy;
}

}  // namespace hodge::linalg
