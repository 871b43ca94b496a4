// Cuda space: the panel of an LU factorisation column by column, with Thrust's search for the
// pivot. The host waits for each search and then queues the exchange and the elimination.
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>

#include <vector>

#include "linalg/cuda/dense/dense.hpp"
#include "linalg/cuda/dense/pivot_candidate.cuh"
#include "linalg/space/compose_exchanges.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

struct SmallerMagnitude {
  template <class T>
  __device__ bool operator()(T a, T b) const {
    return magnitude_key(a) < magnitude_key(b);
  }
};

// One block, one thread per column: exchanges rows c and `pivot` of the panel.
template <class T>
__global__ void exchange_pivot_kernel(DenseView<T> a, int c, int pivot, int first_column,
                                      LuStatus* status) {
  const int k = threadIdx.x;
  const T value = a(pivot, k);
  if (k == c) {
    const unsigned long long key = magnitude_key(value);
    status->note_pivot(first_column + c, key == 0, is_finite_key(key, value));
  }
  if (pivot == c) return;
  a(pivot, k) = a(c, k);
  a(c, k) = value;
}

template <class T>
__global__ void eliminate_kernel(DenseView<T> a, int c) {
  const int i = c + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a.rows) return;
  const T pivot = a(c, c);
  const T multiplier = pivot == T(0) ? T(0) : a(i, c) / pivot;
  a(i, c) = multiplier;
  for (int k = c + 1; k < a.cols; ++k) a(i, k) -= multiplier * a(c, k);
}

}  // namespace

template <class T>
void lu_panel_by_thrust(const DenseView<T>& a, const RowExchange& exchange, int first_column,
                        LuStatus* status) {
  constexpr int threads = 256;
  std::vector<int> pivots;
  for (int c = 0; c < a.cols; ++c) {
    const thrust::device_ptr<const T> column(&a(0, c));
    const auto largest = thrust::max_element(thrust::cuda::par.on(stream()), column + c,
                                             column + a.rows, SmallerMagnitude{});
    pivots.push_back(static_cast<int>(largest - column));
    launch_kernel("exchange_pivot_kernel", exchange_pivot_kernel<T>, 1, a.cols, a, c, pivots.back(),
                  first_column, status);
    if (c + 1 == a.rows) continue;
    launch_kernel("eliminate_kernel", eliminate_kernel<T>,
                  blocks_for(a.rows - c - 1, threads, 1 << 30), threads, a, c);
  }
  const ComposedExchange composed = compose_exchanges(pivots);
  Cuda::upload(composed.source.data(), exchange.source, sizeof(int) * pivots.size());
  Cuda::upload(composed.destination.data(), exchange.destination, sizeof(int) * pivots.size());
}

template void lu_panel_by_thrust(const DenseView<double>&, const RowExchange&, int, LuStatus*);
template void lu_panel_by_thrust(const DenseView<float>&, const RowExchange&, int, LuStatus*);

}  // namespace cuda

}  // namespace hodge::linalg
