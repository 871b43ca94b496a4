// Dense matrices, column-major, with `ld` entries from column to column. Not guarded.
// host/dense.cpp, host/lu_factor.cpp, host/transpose.cpp; cuda/dense/dense.cu,
// cuda/dense/cublas.cu, cuda/dense/lu_factor.cu, cuda/dense/transpose.cu.
#pragma once

#include <cstddef>
#include <string>

#include "linalg/space/dense_view.hpp"

namespace hodge::linalg {

template <class Space>
struct DensePrimitives {
  // out = in^T, of cols x rows; the two may not overlap.
  template <class T>
  static void transpose(int rows, int cols, const T* in, std::size_t ld_in, T* out,
                        std::size_t ld_out);
  template <class T>
  static void transpose_in_place(int n, T* a, std::size_t ld);

  // For dense_lu.hpp.
  // P A = L U in place, A square. `exchanges` has one entry per column.
  template <class T>
  static void lu_factor(const DenseView<T>& a, const RowExchange& exchanges,
                        const LuBlocking& blocking, LuStatus* status);
  // Applies the row exchanges of consecutive panels of `width` columns, panel after panel.
  template <class T>
  static void exchange_rows(const RowExchange& exchanges, int width, const DenseView<T>& a);
  // B <- op(F)^-1 B
  template <class T>
  static void solve_triangular(Factor factor, const DenseView<const T>& f, const DenseView<T>& b);
  // C <- C - A B, or C - A^T B
  template <class T>
  static void multiply_subtract(bool transposed, const DenseView<const T>& a,
                                const DenseView<const T>& b, const DenseView<T>& c);
  static std::string dense_product_name();  // the library that computes multiply_subtract
  static void prepare_dense();  // allocates what the dense primitives need, so that none does later
  // Before a factorisation: status->norm and largest. Afterwards: weakest and growth.
  template <class T>
  static void measure_matrix(const DenseView<const T>& a, LuStatus* status);
  template <class T>
  static void measure_factors(const DenseView<const T>& lu, LuStatus* status);
};

}  // namespace hodge::linalg
