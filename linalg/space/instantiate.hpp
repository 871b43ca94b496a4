// The spaces and value types that templates of linalg are compiled for, and the primitives that
// each space instantiates for them: a file that defines a group of templates ends with
// HODGE_FOR_BOTH_VALUES(<the group>, <the space>).
#pragma once

#include "linalg/space/space.hpp"

#if HODGE_HAS_CUDA
#define HODGE_FOR_EACH_SPACE(X) X(Host) X(Cuda)
#define HODGE_FOR_EACH_SPACE_AND_VALUE(X) \
  X(Host, double) X(Host, float) X(Cuda, double) X(Cuda, float)
#else
#define HODGE_FOR_EACH_SPACE(X) X(Host)
#define HODGE_FOR_EACH_SPACE_AND_VALUE(X) X(Host, double) X(Host, float)
#endif
#define HODGE_FOR_BOTH_VALUES(X, Space) X(Space, double) X(Space, float)

#define HODGE_VECTORS(Space, T)                                                                   \
  template void VectorPrimitives<Space>::fill(int, T, T*);                                        \
  template void VectorPrimitives<Space>::convert(int, const T*, float*);                          \
  template void VectorPrimitives<Space>::convert(int, const T*, double*);                         \
  template void VectorPrimitives<Space>::weighted_maximum(int, const T*, const double*, double*); \
  template void ScalarPrimitives<Space>::monitor_maximum(MonitorState*, int, const T*,            \
                                                         const MaximumWatch&);
#define HODGE_COMBINATIONS(Space, T)                                                     \
  template void VectorPrimitives<Space>::combine(int, const Combination<T>&, T*);        \
  template void VectorPrimitives<Space>::multiply_elements(int, const T*, const T*, T*); \
  template void VectorPrimitives<Space>::dots(int, const DotPairs<T>&);
#define HODGE_BASIS(Space, T)                                                                     \
  template void VectorPrimitives<Space>::basis_dots(int, int, const T*, const T*, double*);       \
  template void VectorPrimitives<Space>::basis_combine(int, int, const T*, const double*, double, \
                                                       double, T*);
#define HODGE_BASIS_ROUND(Space, T)                                          \
  template void VectorPrimitives<Space>::basis_round(int, int, const T*, T*, \
                                                     const OrthogonalisationRound&);

#define HODGE_SPMV(Space, T)                                                                      \
  template void SparsePrimitives<Space>::spmv(const CsrView<T>&, double, const T*, double,        \
                                              const T*, T*);                                      \
  template void SparsePrimitives<Space>::spmv_dots(const CsrView<T>&, const T*, const T*, T*,     \
                                                   const ProductDots&, const T*);                 \
  template void SparsePrimitives<Space>::residual_dots(const CsrView<T>&, const T*, const T*, T*, \
                                                       const ProductDots&);                       \
  template void SparsePrimitives<Space>::spmv_both(const CsrView<T>&, const T*, const T*, T*, T*, \
                                                   const ProductDots&);                           \
  template void SparsePrimitives<Space>::sweep(const CsrView<T>&, Triangle, const T*, const T*,   \
                                               const T*, double, T*);
#define HODGE_ARRAYS(Space, T)                                              \
  template void SparsePrimitives<Space>::stable_sort_by_key(int, int*, T*); \
  template void SparsePrimitives<Space>::gather(int, const int*, const T*, T*);

#define HODGE_DENSE(Space, T)                                                                 \
  template void DensePrimitives<Space>::exchange_rows(const RowExchange&, int,                \
                                                      const DenseView<T>&);                   \
  template void DensePrimitives<Space>::solve_triangular(Factor, const DenseView<const T>&,   \
                                                         const DenseView<T>&);                \
  template void DensePrimitives<Space>::measure_matrix(const DenseView<const T>&, LuStatus*); \
  template void DensePrimitives<Space>::measure_factors(const DenseView<const T>&, LuStatus*);
#define HODGE_MULTIPLY_SUBTRACT(Space, T)                  \
  template void DensePrimitives<Space>::multiply_subtract( \
      bool, const DenseView<const T>&, const DenseView<const T>&, const DenseView<T>&);
#define HODGE_LU_FACTOR(Space, T)                                                          \
  template void DensePrimitives<Space>::lu_factor(const DenseView<T>&, const RowExchange&, \
                                                  const LuBlocking&, LuStatus*);
#define HODGE_TRANSPOSE(Space, T)                                                      \
  template void DensePrimitives<Space>::transpose(int, int, const T*, std::size_t, T*, \
                                                  std::size_t);                        \
  template void DensePrimitives<Space>::transpose_in_place(int, T*, std::size_t);
