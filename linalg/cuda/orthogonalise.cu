// Cuda space: rounds of Gram-Schmidt against a block of Krylov vectors
// (space/orthogonalisation.hpp). Each takes one pass over the block: a thread reads its row once,
// for the sum and for the dot products with the result.
#include "linalg/cuda/basis.cuh"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

// Whether a second round is needed; all threads of the block call this together.
__device__ bool is_second_due(const Orthogonalisation& data, int k) {
  bool oblique = false;
  for (int j = static_cast<int>(threadIdx.x); j < k; j += blockDim.x)
    oblique = oblique || is_oblique(data, k, j);
  return __syncthreads_or(oblique) != 0;
}

__device__ bool is_due(const OrthogonalisationRound& round, int k) {
  return !round.second || is_second_due(round.data, k);
}

// Blocks per multiprocessor with K columns per thread. What counts is how many bytes are in flight:
// three blocks with 32 columns have as many as four with 24.
constexpr int round_blocks(int K) {
  return K > 24 ? 3 : K > 16 ? 4 : K > 12 ? 5 : 7;
}

template <int K, class T>
__global__ void __launch_bounds__(basis_threads, round_blocks(K))
    basis_round_kernel(Guard guard, Columns<T> basis, T* w, OrthogonalisationRound round,
                       ReductionScratch scratch) {
  const bool halted = guard.halted(), due = is_due(round, basis.k);
  if (halted || !due) return;
  __shared__ double coefficient[K];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < K) coefficient[thread] = thread < basis.k ? round.coefficient(basis.k, thread) : 0.0;
  const double scale = round.scale(basis.k);
  __syncthreads();
  double total[K + 1] = {};
  grid_stride(basis.n, [&](int i) {
    double v[K], sum = 0.0;
#pragma unroll
    for (int j = 0; j < K; ++j) v[j] = j < basis.k ? basis(j, i) : 0.0;
    const double before = scale * static_cast<double>(w[i]);
#pragma unroll
    for (int j = 0; j < K; ++j) sum += coefficient[j] * v[j];
    const T stored = static_cast<T>(before - sum);
    const double value = static_cast<double>(stored);
    w[i] = stored;
#pragma unroll
    for (int j = 0; j < K; ++j) total[j] += v[j] * value;
    total[K] += value * value;
  });
  reduce_grid<K + 1>(total, 0u, scratch, [&](int j, double value) {
    if (j < basis.k) round.results()[j] = value;
    if (j == K) round.results()[basis.k] = value;
  });
}

// Only the sum, for more columns than fit in registers.
template <class T>
__global__ void basis_subtract_kernel(Guard guard, Columns<T> basis, T* w,
                                      OrthogonalisationRound round) {
  if (guard.halted() || !is_due(round, basis.k)) return;
  const double scale = round.scale(basis.k);
  grid_stride(basis.n, [&](int i) {
    double value = scale * static_cast<double>(w[i]);
#pragma unroll 4
    for (int j = 0; j < basis.k; ++j) value -= round.coefficient(basis.k, j) * basis(j, i);
    w[i] = static_cast<T>(value);
  });
}

template <class T>
void launch_round(const Columns<T>& basis, T* w, const OrthogonalisationRound& round) {
  with_columns(basis.k, [&](auto count) {
    const auto kernel = basis_round_kernel<count.value, T>;
    static const int most = blocks_at_once(kernel);
    launch_kernel("basis_round_kernel", kernel, blocks_for(basis.n, basis_threads, most),
                  basis_threads, guard(), basis, w, round, reduction_scratch());
  });
}

// The dot products of a second round are computed even if it is not needed; they then equal those
// of the first.
template <class T>
void launch_long_round(const Columns<T>& basis, T* w, const OrthogonalisationRound& round) {
  if (basis.n > 0)
    launch_kernel("basis_subtract_kernel", basis_subtract_kernel<T>,
                  blocks_for(basis.n, basis_threads, most_reduction_blocks), basis_threads, guard(),
                  basis, w, round);
  launch_all_dots(basis, static_cast<const T*>(w), true, round.results());
}

}  // namespace

}  // namespace cuda

template <>
template <class T>
void VectorPrimitives<Cuda>::basis_round(int n, int k, const T* basis, T* w,
                                         const OrthogonalisationRound& round) {
  const cuda::Columns<T> columns{n, k, basis};
  // A second round reads nothing where none is due, which is the rule: it is not counted.
  if (!round.second) count_vectors<Cuda, T>(n, k > cuda::most_columns ? 2 * k + 3 : k + 2);
  if (k > cuda::most_columns) {
    cuda::launch_long_round(columns, w, round);
  } else {
    cuda::launch_round(columns, w, round);
  }
}

HODGE_FOR_BOTH_VALUES(HODGE_BASIS_ROUND, Cuda)

}  // namespace hodge::linalg
