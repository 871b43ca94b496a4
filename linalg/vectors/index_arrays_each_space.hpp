// The primitives on index arrays (space/sparse_primitives.hpp). Thrust scans, sorts and sums: on a
// GPU on the space's stream, on the Host on OpenMP threads.
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include "linalg/space/instantiate.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

#ifndef __CUDACC__
#include <thrust/system/omp/execution_policy.h>
#endif

namespace hodge::linalg {

namespace detail {

inline auto thrust_policy() {
#ifdef __CUDACC__
  return thrust::cuda::par.on(cuda::stream());
#else
  return thrust::omp::par;
#endif
}

}  // namespace detail

template <>
void SparsePrimitives<ThisSpace>::exclusive_scan(int n, const int* in, int* out) {
  thrust::exclusive_scan(detail::thrust_policy(), in, in + n, out);
}

template <>
template <class T>
void SparsePrimitives<ThisSpace>::stable_sort_by_key(int n, int* keys, T* values) {
  thrust::stable_sort_by_key(detail::thrust_policy(), keys, keys + n, values);
}

template <>
template <class T>
void SparsePrimitives<ThisSpace>::gather(int n, const int* map, const T* in, T* out) {
  for_each<ThisSpace>(n, [=] HODGE_LAMBDA(int i) { out[i] = in[map[i]]; });
}

template <>
long long SparsePrimitives<ThisSpace>::sum(int n, const int* in) {
  return thrust::reduce(detail::thrust_policy(), in, in + n, 0LL, thrust::plus<long long>());
}

HODGE_FOR_BOTH_VALUES(HODGE_ARRAYS, ThisSpace)
HODGE_ARRAYS(ThisSpace, int)

}  // namespace hodge::linalg
