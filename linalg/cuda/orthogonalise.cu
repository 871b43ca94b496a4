// Cuda space: rounds of Gram-Schmidt against a block of Krylov vectors (orthogonalisation.hpp),
// each one pass over the block: a thread reads its row once for the sum and for the dot products of
// what it leaves. The block that ends last brings the method's least-squares problem up to date.
#include "linalg/cuda/basis.cuh"
#include "linalg/cuda/deferred.hpp"
#include "linalg/cuda/least_squares.cuh"

namespace hodge::linalg {

namespace cuda {

namespace {

// Whether a second round is due; all threads of the block ask together.
__device__ bool is_second_due(const Orthogonalisation& data, int k) {
  bool oblique = false;
  for (int j = static_cast<int>(threadIdx.x); j < k; j += blockDim.x)
    oblique = oblique || is_oblique(data, k, j);
  return __syncthreads_or(oblique) != 0;
}

__device__ bool is_due(const OrthogonalisationRound& round, int k) {
  return !round.second || is_second_due(round.data, k);
}

// By all threads of the block that has stored the round's results.
__device__ void finish_round(const OrthogonalisationRound& round, int k, const Extension& append) {
  if (append.state == nullptr) return;
  __syncthreads();  // what thread 0 has stored is there for all
  if (!round.second && is_second_due(round.data, k)) return;
  if (threadIdx.x < 32) extend_by_warp(append.system, append.column, round.second, append.state);
}

// Of a multiprocessor, with K columns a thread. What counts is how many bytes are asked for at
// once: three blocks with 32 columns have as many in flight as four with 24.
constexpr int round_blocks(int K) {
  return K > 24 ? 3 : K > 16 ? 4 : K > 12 ? 5 : 7;
}

template <int K, class T>
__global__ void __launch_bounds__(basis_threads, round_blocks(K))
    basis_round_kernel(Guard guard, Columns<T> basis, T* w, OrthogonalisationRound round,
                       Extension append, ReductionScratch scratch) {
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
  reduce_grid<K + 1>(
      total, 0u, scratch,
      [&](int j, double value) {
        if (j < basis.k) round.results()[j] = value;
        if (j == K) round.results()[basis.k] = value;
      },
      [&] { finish_round(round, basis.k, append); });
}

// The sum alone, for more columns than fit the registers.
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
void launch_round(const DeferredRounds<T>& r, bool second, Guard guard) {
  const OrthogonalisationRound round{r.data, second};
  const Columns<T> basis{r.n, r.k, r.basis};
  with_columns(r.k, [&](auto count) {
    static const int most = blocks_at_once(basis_round_kernel<count.value, T>);
    basis_round_kernel<count.value, T>
        <<<blocks_for(r.n, basis_threads, most), basis_threads, 0, context().stream>>>(
            guard, basis, r.w, round, r.append, reduction_scratch());
  });
  check_launch("basis_round_kernel");
}

// A second round computes the dot products even where none is due: they are then those of the
// first.
template <class T>
void launch_long_round(const DeferredRounds<T>& r, bool second, Guard guard) {
  const OrthogonalisationRound round{r.data, second};
  const Columns<T> basis{r.n, r.k, r.basis};
  if (r.n > 0) {
    basis_subtract_kernel<<<blocks_for(r.n, basis_threads, most_reduction_blocks), basis_threads, 0,
                            context().stream>>>(guard, basis, r.w, round);
    check_launch("basis_subtract_kernel");
  }
  launch_all_dots(basis, static_cast<const T*>(r.w), true, round.results());
}

}  // namespace

template <class T>
void launch_rounds(const DeferredRounds<T>& rounds, Guard guard) {
  for (const bool second : {false, true}) {
    if (!(second ? rounds.second : rounds.first)) continue;
    if (rounds.k > most_columns) {
      launch_long_round(rounds, second, guard);
    } else {
      launch_round(rounds, second, guard);
    }
  }
  if (rounds.k > most_columns && rounds.append.state != nullptr)
    launch_extension(guard, rounds.append);
}

}  // namespace cuda

template <>
template <class T>
void Primitives<Cuda>::basis_round(int n, int k, const T* basis, T* w,
                                   const OrthogonalisationRound& round) {
  cuda::defer_round<T>({n, k, basis, w, round.data, !round.second, round.second, {}});
}

#define HODGE_ORTHOGONALISE(T)                                                    \
  template void cuda::launch_rounds(const cuda::DeferredRounds<T>&, cuda::Guard); \
  template void Primitives<Cuda>::basis_round(int, int, const T*, T*,             \
                                              const OrthogonalisationRound&);
HODGE_ORTHOGONALISE(double)
HODGE_ORTHOGONALISE(float)

}  // namespace hodge::linalg
