// Cuda space: products with a block of Krylov vectors, each one pass over the block.
//
// A thread keeps its row of up to 32 columns in registers, so that a round of Gram-Schmidt reads
// them once for the sum and for the dot products of what it leaves. More columns go by groups.
#include <type_traits>

#include "linalg/cuda/grid_stride.cuh"
#include "linalg/cuda/reduction.cuh"

namespace hodge::linalg {

namespace cuda {

namespace {

constexpr int threads = 128;
constexpr int most_columns = 32;  // of a thread's registers

// How many blocks of a kernel the GPU holds at once: more would come as a second, short wave.
template <class... Arguments>
int blocks_at_once(void (*kernel)(Arguments...)) {
  int of_multiprocessor = 0, multiprocessors = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_multiprocessor, kernel, threads, 0),
        "asking for the blocks of a multiprocessor");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, context().device),
        "asking for the number of multiprocessors");
  return of_multiprocessor * multiprocessors;
}

template <class T>
struct Columns {
  int n, k;
  const T* first;
  __device__ double operator()(int j, int i) const {
    return static_cast<double>(__ldg(first + static_cast<std::size_t>(j) * n + i));
  }
};

// Calls f(std::integral_constant<int, K>), K >= k.
template <class F>
void with_columns(int k, F f) {
  if (k <= 4) return f(std::integral_constant<int, 4>{});
  if (k <= 8) return f(std::integral_constant<int, 8>{});
  if (k <= 16) return f(std::integral_constant<int, 16>{});
  if (k <= 24) return f(std::integral_constant<int, 24>{});
  f(std::integral_constant<int, most_columns>{});
}

// h_j = V_j . w, and h_k = w . w where it is asked for.
template <int K, bool Square, class T>
__global__ void __launch_bounds__(threads)
    basis_dots_kernel(Guard guard, Columns<T> basis, const T* w, double* h,
                      ReductionScratch scratch) {
  if (guard.halted()) return;
  double total[K + Square] = {};
  grid_stride(basis.n, [&](int i) {
    const double right = static_cast<double>(w[i]);
    constexpr int batch = K < 16 ? K : 16;  // asked for together
#pragma unroll
    for (int start = 0; start < K; start += batch) {
      double v[batch];
#pragma unroll
      for (int j = 0; j < batch; ++j) v[j] = start + j < basis.k ? basis(start + j, i) : 0.0;
#pragma unroll
      for (int j = 0; j < batch && start + j < K; ++j) total[start + j] += v[j] * right;
    }
    if (Square) total[K] += right * right;
  });
  reduce_grid<K + Square>(total, 0u, scratch, [&](int j, double value) {
    if (j < basis.k) h[j] = value;
    if (j == K) h[basis.k] = value;
  });
}

template <bool Square, class T>
void launch_dots(const Columns<T>& basis, const T* w, double* h) {
  with_columns(basis.k, [&](auto columns) {
    static const int most = blocks_at_once(basis_dots_kernel<columns.value, Square, T>);
    basis_dots_kernel<columns.value, Square, T>
        <<<blocks_for(basis.n, threads, most), threads, 0, stream()>>>(guard(), basis, w, h,
                                                                       reduction_scratch());
  });
  check_launch("basis_dots_kernel");
}

template <class T>
__global__ void basis_combine_kernel(Guard guard, Columns<T> basis, const double* h, double alpha,
                                     double beta, T* w) {
  if (guard.halted()) return;
  grid_stride(basis.n, [&](int i) {
    double value = beta == 0.0 ? 0.0 : beta * static_cast<double>(w[i]);
#pragma unroll 8
    for (int j = 0; j < basis.k; ++j) {
      const double c = alpha * h[j];
      if (c != 0.0) value += c * basis(j, i);
    }
    w[i] = static_cast<T>(value);
  });
}

// Whether the round has anything to do; all threads of the block ask together.
__device__ bool is_due(const OrthogonalisationRound& round, int k) {
  if (!round.second) return true;
  bool oblique = false;
  for (int j = static_cast<int>(threadIdx.x); j < k; j += blockDim.x)
    oblique = oblique || is_oblique(round.data, k, j);
  return __syncthreads_or(oblique) != 0;
}

// Parts threads share the columns of an element, K each: half a warp has the first K, the other
// half the rest.
template <int K, int Parts, class T>
__global__ void __launch_bounds__(threads, 4)
    basis_round_kernel(Guard guard, Columns<T> basis, T* w, OrthogonalisationRound round,
                       ReductionScratch scratch) {
  if (guard.halted() || !is_due(round, basis.k)) return;
  constexpr int all = K * Parts, width = 32 / Parts;
  __shared__ double coefficient[all];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, part = lane / width;
  if (thread < all)
    coefficient[thread] = thread < basis.k ? round.coefficient(basis.k, thread) : 0.0;
  const double scale = round.scale(basis.k);
  __syncthreads();
  double total[K] = {}, square = 0.0;
  const int first = part * K;
  const long long warp = (static_cast<long long>(blockIdx.x) * threads + thread) / 32;
  const long long stride = static_cast<long long>(gridDim.x) * threads / Parts;
  for (long long start = warp * width; start < basis.n; start += stride) {
    const bool mine = start + lane % width < basis.n;
    const int i = mine ? static_cast<int>(start) + lane % width : 0;
    double v[K], sum = 0.0;
#pragma unroll
    for (int j = 0; j < K; ++j) v[j] = mine && first + j < basis.k ? basis(first + j, i) : 0.0;
    const double before = mine ? scale * static_cast<double>(w[i]) : 0.0;
#pragma unroll
    for (int j = 0; j < K; ++j) sum += coefficient[first + j] * v[j];
    if (Parts == 2) sum += __shfl_xor_sync(0xffffffffu, sum, 16);
    const double value = static_cast<double>(static_cast<T>(before - sum));
    if (mine && part == 0) w[i] = static_cast<T>(value);
#pragma unroll
    for (int j = 0; j < K; ++j) total[j] += v[j] * value;
    if (part == 0) square += value * value;
  }
  double result[all + 1];
#pragma unroll
  for (int j = 0; j < all; ++j) result[j] = j / K == part ? total[j % K] : 0.0;
  result[all] = square;
  reduce_grid<all + 1>(result, 0u, scratch, [&](int j, double value) {
    if (j < basis.k) round.results()[j] = value;
    if (j == all) round.results()[basis.k] = value;
  });
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

// Of all columns, by groups, and of w itself.
template <class T>
void launch_all_dots(const Columns<T>& basis, const T* w, bool square, double* h) {
  for (int first = 0; first < basis.k; first += most_columns) {
    const bool last = first + most_columns >= basis.k;
    const Columns<T> group{basis.n, last ? basis.k - first : most_columns,
                           basis.first + static_cast<std::size_t>(first) * basis.n};
    if (square && last) {
      launch_dots<true>(group, w, h + first);
    } else {
      launch_dots<false>(group, w, h + first);
    }
  }
}

}  // namespace

}  // namespace cuda

template <>
template <class T>
void Primitives<Cuda>::basis_dots(int n, int k, const T* basis, const T* w, double* h) {
  cuda::launch_all_dots<T>({n, k, basis}, w, false, h);
}

template <>
template <class T>
void Primitives<Cuda>::basis_combine(int n, int k, const T* basis, const double* h, double alpha,
                                     double beta, T* w) {
  if (n == 0) return;
  cuda::basis_combine_kernel<<<cuda::blocks_for(n, cuda::threads, cuda::most_reduction_blocks),
                               cuda::threads, 0, cuda::stream()>>>(
      cuda::guard(), cuda::Columns<T>{n, k, basis}, h, alpha, beta, w);
  cuda::check_launch("basis_combine_kernel");
}

// Beyond the registers a second round computes the dot products even where none is due: they are
// then those of the first.
template <>
template <class T>
void Primitives<Cuda>::basis_round(int n, int k, const T* basis, T* w,
                                   const OrthogonalisationRound& round) {
  const cuda::Columns<T> columns{n, k, basis};
  if (k > cuda::most_columns) {
    if (n > 0)
      cuda::basis_subtract_kernel<<<cuda::blocks_for(n, cuda::threads, cuda::most_reduction_blocks),
                                    cuda::threads, 0, cuda::stream()>>>(cuda::guard(), columns, w,
                                                                        round);
    cuda::check_launch("basis_subtract_kernel");
    return cuda::launch_all_dots(columns, static_cast<const T*>(w), true, round.results());
  }
  cuda::with_columns(k, [&](auto count) {
    // 32 columns would take so many registers that too few threads were there to ask for them.
    constexpr int parts = count.value > 24 ? 2 : 1, of_thread = count.value / parts;
    static const int most = cuda::blocks_at_once(cuda::basis_round_kernel<of_thread, parts, T>);
    cuda::basis_round_kernel<of_thread, parts, T>
        <<<cuda::blocks_for(static_cast<long long>(n) * parts, cuda::threads, most), cuda::threads,
           0, cuda::stream()>>>(cuda::guard(), columns, w, round, cuda::reduction_scratch());
  });
  cuda::check_launch("basis_round_kernel");
}

#define HODGE_BASIS(T)                                                                             \
  template void Primitives<Cuda>::basis_dots(int, int, const T*, const T*, double*);               \
  template void Primitives<Cuda>::basis_combine(int, int, const T*, const double*, double, double, \
                                                T*);                                               \
  template void Primitives<Cuda>::basis_round(int, int, const T*, T*,                              \
                                              const OrthogonalisationRound&);
HODGE_BASIS(double)
HODGE_BASIS(float)

}  // namespace hodge::linalg
