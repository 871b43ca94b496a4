// Cuda space: rounds of Gram-Schmidt against a block of Krylov vectors
// (space/orthogonalisation.hpp). Each takes one pass over the block: a thread reads its row once,
// for the sum and for the dot products with the result.
#include "linalg/cuda/kernels/basis.cuh"
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

template <int K>
struct RoundResults {
  Guard guard;
  int k;
  OrthogonalisationRound round;

  __device__ bool is_due() const {
    const bool halted = guard.halted(), due = cuda::is_due(round, k);
    return !halted && due;
  }
  __device__ void store(int j, double total) const {
    if (j < k) round.results()[j] = total;
    if (j == K) round.results()[k] = total;
  }
  __device__ void finish() const {}
};

template <int K, class T>
__global__ void __launch_bounds__(basis_threads, round_blocks(K))
    basis_round_kernel(Columns<T> basis, T* w, RowChunks chunks, ReductionScratch scratch,
                       RoundResults<K> results) {
  if (!results.is_due()) return;
  const OrthogonalisationRound& round = results.round;
  __shared__ double coefficient[K];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < K) coefficient[thread] = thread < basis.k ? round.coefficient(basis.k, thread) : 0.0;
  const double scale = round.scale(basis.k);
  __syncthreads();
  for_each_chunk(chunks.count, [&](int chunk) {
    double total[K + 1] = {};
    for_each_row(chunks, chunk, [&](int i) {
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
    store_chunk<K + 1>(total, 0u, scratch, chunk);
  });
  reduce_chunks<K + 1>(0u, scratch, results);
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
    constexpr int K = decltype(count)::value;
    const auto kernel = basis_round_kernel<K, T>;
    static const int most = blocks_at_once(kernel, basis_threads);
    launch_chunks<K + 1>("basis_round_kernel", kernel, most, basis.n,
                         RoundResults<K>{guard(), basis.k, round}, basis, w);
  });
}

// The dot products of a second round are computed even if it is not needed; they then equal those
// of the first.
template <class T>
void launch_long_round(const Columns<T>& basis, T* w, const OrthogonalisationRound& round) {
  if (basis.n > 0)
    launch_kernel("basis_subtract_kernel", basis_subtract_kernel<T>,
                  blocks_for(basis.n, basis_threads, most_loop_blocks), basis_threads, guard(),
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
