// Cuda space: index arrays, through Thrust.
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include "linalg/cuda/runtime.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

auto on_stream() {
  return thrust::cuda::par.on(cuda::stream());
}

}  // namespace

template <>
void SparsePrimitives<Cuda>::exclusive_scan(int n, const int* in, int* out) {
  thrust::exclusive_scan(on_stream(), in, in + n, out);
}

template <>
template <class T>
void SparsePrimitives<Cuda>::stable_sort_by_key(int n, int* keys, T* values) {
  thrust::stable_sort_by_key(on_stream(), keys, keys + n, values);
}

template <>
template <class T>
void SparsePrimitives<Cuda>::gather(int n, const int* map, const T* in, T* out) {
  thrust::gather(on_stream(), map, map + n, in, out);
}

template <>
long long SparsePrimitives<Cuda>::sum(int n, const int* in) {
  return thrust::reduce(on_stream(), in, in + n, 0LL, thrust::plus<long long>());
}

HODGE_FOR_BOTH_VALUES(HODGE_ARRAYS, Cuda)
HODGE_ARRAYS(Cuda, int)

}  // namespace hodge::linalg
