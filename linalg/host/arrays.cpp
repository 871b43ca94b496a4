// Host space: index arrays, through Thrust on OpenMP.
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/system/omp/execution_policy.h>

#include "linalg/host/loops.hpp"
#include "linalg/space/instantiate.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg {

template <>
void SparsePrimitives<Host>::exclusive_scan(int n, const int* in, int* out) {
  thrust::exclusive_scan(thrust::omp::par, in, in + n, out);
}

template <>
template <class T>
void SparsePrimitives<Host>::stable_sort_by_key(int n, int* keys, T* values) {
  thrust::stable_sort_by_key(thrust::omp::par, keys, keys + n, values);
}

template <>
template <class T>
void SparsePrimitives<Host>::gather(int n, const int* map, const T* in, T* out) {
  if (n < host::parallel_threshold) {  // starting threads would take longer
    thrust::gather(thrust::seq, map, map + n, in, out);
  } else {
    thrust::gather(thrust::omp::par, map, map + n, in, out);
  }
}

template <>
long long SparsePrimitives<Host>::sum(int n, const int* in) {
  return thrust::reduce(thrust::omp::par, in, in + n, 0LL, thrust::plus<long long>());
}

HODGE_FOR_BOTH_VALUES(HODGE_ARRAYS, Host)
HODGE_ARRAYS(Host, int)

}  // namespace hodge::linalg
