// Cuda space: vector primitives and reductions.
#include "linalg/cuda/reduction.cuh"

namespace hodge::linalg {

namespace cuda {

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 132 * 16;

int vector_blocks(int n) {
  return blocks_for(n, threads, most_blocks);
}

template <class F>
__device__ void grid_stride(int n, F f) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += stride) {
    f(static_cast<int>(i));
  }
}

template <class F>
__global__ void each_kernel(Guard guard, int n, F f) {
  if (guard.halted()) return;
  grid_stride(n, f);
}

template <class F>
void each(int n, const char* name, F f) {
  if (n == 0) return;
  each_kernel<<<vector_blocks(n), threads, 0, stream()>>>(guard(), n, f);
  check_launch(name);
}

// The first Terms terms have data; those after them are constants.
template <int Terms, class T>
__global__ void combine_kernel(Guard guard, int n, Combination<T> combination, T* out) {
  if (guard.halted()) return;
  double coefficient[Terms > 0 ? Terms : 1];
#pragma unroll
  for (int t = 0; t < Terms; ++t) coefficient[t] = combination.term[t].coefficient.value();
  double constant = 0.0;
  for (int t = Terms; t < combination.terms; ++t)
    constant += combination.term[t].coefficient.value();
  grid_stride(n, [&](int i) {
    double value = constant;
#pragma unroll
    for (int t = 0; t < Terms; ++t) {
      if (coefficient[t] != 0.0)
        value += coefficient[t] * static_cast<double>(combination.term[t].data[i]);
    }
    out[i] = static_cast<T>(value);
  });
}

template <int Terms, class T>
void launch_combine(int n, const Combination<T>& combination, T* out) {
  combine_kernel<Terms><<<vector_blocks(n), threads, 0, stream()>>>(guard(), n, combination, out);
  check_launch("combine_kernel");
}

template <int K, class T>
__global__ void dots_kernel(Guard guard, int n, DotPairs<T> pairs, ReductionScratch scratch) {
  if (guard.halted()) return;
  double total[K] = {};
  grid_stride(n, [&](int i) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const double right = pairs.right[k] == nullptr ? 1.0 : static_cast<double>(pairs.right[k][i]);
      total[k] += static_cast<double>(pairs.left[k][i]) * right;
    }
  });
  reduce_grid<K>(total, 0u, scratch, [&](int k, double value) { *pairs.result[k] = value; });
}

template <int K, class T>
void launch_dots(int n, const DotPairs<T>& pairs) {
  const int blocks = blocks_for(n, 2 * reduction_threads, max_reduction_blocks);
  dots_kernel<K>
      <<<blocks, reduction_threads, 0, stream()>>>(guard(), n, pairs, reduction_scratch());
  check_launch("dots_kernel");
}

// store(max_i |weight_i v_i|) by one thread.
template <class T, class Store>
__device__ void reduce_maximum(int n, const T* v, const double* weights, ReductionScratch scratch,
                               Store store) {
  double largest[1] = {};
  grid_stride(n, [&](int i) {
    largest[0] = fmax(largest[0], fabs(weights[i] * static_cast<double>(v[i])));
  });
  reduce_grid<1>(largest, 1u, scratch, [&](int, double value) { store(value); });
}

template <class T>
__global__ void weighted_maximum_kernel(Guard guard, int n, const T* v, const double* weights,
                                        ReductionScratch scratch, double* result) {
  if (guard.halted()) return;
  reduce_maximum(n, v, weights, scratch, [=](double value) { *result = value; });
}

// All blocks see the same state: the thread that changes it runs after they have all arrived.
template <class T>
__global__ void monitor_maximum_kernel(Guard guard, MonitorState* state, int n, const T* r,
                                       MaximumWatch watch, ReductionScratch scratch) {
  if (guard.halted() || state->residual > watch.watch_from) return;
  reduce_maximum(n, r, watch.weights, scratch,
                 [=](double value) { finish_maximum(*state, value, watch.limit); });
}

// Block row y takes columns 8 y .. 8 y + 7 of the basis.
template <class T>
__global__ void basis_dots_kernel(Guard guard, int n, int k, const T* basis, const T* w,
                                  ReductionScratch scratch, double* h) {
  if (guard.halted()) return;
  constexpr int width = reduction_width;
  const int first = blockIdx.y * width;
  const int columns = min(width, k - first);
  double total[width] = {};
  grid_stride(n, [&](int i) {
    const double right = static_cast<double>(w[i]);
#pragma unroll
    for (int j = 0; j < width; ++j) {
      if (j < columns)
        total[j] += static_cast<double>(basis[static_cast<std::size_t>(first + j) * n + i]) * right;
    }
  });
  reduce_grid<width>(total, 0u, group_scratch(scratch, blockIdx.y), [&](int j, double value) {
    if (j < columns) h[first + j] = value;
  });
}

template <class T>
__global__ void basis_combine_kernel(Guard guard, int n, int k, const T* basis, const double* h,
                                     double alpha, double beta, T* w) {
  if (guard.halted()) return;
  grid_stride(n, [&](int i) {
    double value = beta == 0.0 ? 0.0 : beta * static_cast<double>(w[i]);
#pragma unroll 4
    for (int j = 0; j < k; ++j) {
      const double c = alpha * h[j];
      if (c != 0.0) value += c * static_cast<double>(basis[static_cast<std::size_t>(j) * n + i]);
    }
    w[i] = static_cast<T>(value);
  });
}

}  // namespace

}  // namespace cuda

template <>
template <class T>
void Primitives<Cuda>::fill(int n, T value, T* out) {
  cuda::each(n, "fill", [=] __device__(int i) { out[i] = value; });
}

template <>
template <class T>
void Primitives<Cuda>::combine(int n, const Combination<T>& combination, T* out) {
  if (n == 0) return;
  Combination<T> sorted;  // vectors first, constants last
  int vectors = 0;
  for (int t = 0; t < combination.terms; ++t) {
    if (combination.term[t].data != nullptr) sorted.term[vectors++] = combination.term[t];
  }
  sorted.terms = vectors;
  for (int t = 0; t < combination.terms; ++t) {
    if (combination.term[t].data == nullptr) sorted.term[sorted.terms++] = combination.term[t];
  }
  switch (vectors) {
    case 0:
      return cuda::launch_combine<0>(n, sorted, out);
    case 1:
      return cuda::launch_combine<1>(n, sorted, out);
    case 2:
      return cuda::launch_combine<2>(n, sorted, out);
    case 3:
      return cuda::launch_combine<3>(n, sorted, out);
    case 4:
      return cuda::launch_combine<4>(n, sorted, out);
    case 5:
      return cuda::launch_combine<5>(n, sorted, out);
    default:
      return cuda::launch_combine<6>(n, sorted, out);
  }
}

template <>
template <class T>
void Primitives<Cuda>::multiply_elements(int n, const T* a, const T* b, T* out) {
  cuda::each(n, "multiply_elements", [=] __device__(int i) { out[i] = a[i] * b[i]; });
}

template <>
template <class T, class U>
void Primitives<Cuda>::convert(int n, const T* in, U* out) {
  cuda::each(n, "convert", [=] __device__(int i) { out[i] = static_cast<U>(in[i]); });
}

template <>
template <class T>
void Primitives<Cuda>::dots(int n, const DotPairs<T>& pairs) {
  switch (pairs.count) {
    case 1:
      return cuda::launch_dots<1>(n, pairs);
    case 2:
      return cuda::launch_dots<2>(n, pairs);
    case 3:
      return cuda::launch_dots<3>(n, pairs);
    default:
      return cuda::launch_dots<4>(n, pairs);
  }
}

template <>
template <class T>
void Primitives<Cuda>::weighted_maximum(int n, const T* v, const double* weights, double* result) {
  const int blocks = cuda::blocks_for(n, 2 * cuda::reduction_threads, cuda::max_reduction_blocks);
  cuda::weighted_maximum_kernel<<<blocks, cuda::reduction_threads, 0, cuda::stream()>>>(
      cuda::guard(), n, v, weights, cuda::reduction_scratch(), result);
  cuda::check_launch("weighted_maximum_kernel");
}

template <>
template <class T>
void Primitives<Cuda>::monitor_maximum(MonitorState* state, int n, const T* r,
                                       const MaximumWatch& watch) {
  const int blocks = cuda::blocks_for(n, 2 * cuda::reduction_threads, cuda::max_reduction_blocks);
  cuda::monitor_maximum_kernel<<<blocks, cuda::reduction_threads, 0, cuda::stream()>>>(
      cuda::guard(), state, n, r, watch, cuda::reduction_scratch());
  cuda::check_launch("monitor_maximum_kernel");
}

template <>
template <class T>
void Primitives<Cuda>::basis_dots(int n, int k, const T* basis, const T* w, double* h) {
  constexpr int most = cuda::reduction_groups * cuda::reduction_width;  // columns of one launch
  for (int first = 0; first < k; first += most) {
    const int columns = k - first < most ? k - first : most;
    const dim3 grid(cuda::blocks_for(n, 2 * cuda::reduction_threads, cuda::max_reduction_blocks),
                    (columns + cuda::reduction_width - 1) / cuda::reduction_width);
    cuda::basis_dots_kernel<<<grid, cuda::reduction_threads, 0, cuda::stream()>>>(
        cuda::guard(), n, columns, basis + static_cast<std::size_t>(first) * n, w,
        cuda::reduction_scratch(), h + first);
    cuda::check_launch("basis_dots_kernel");
  }
}

template <>
template <class T>
void Primitives<Cuda>::basis_combine(int n, int k, const T* basis, const double* h, double alpha,
                                     double beta, T* w) {
  if (n == 0) return;
  cuda::basis_combine_kernel<<<cuda::vector_blocks(n), cuda::threads, 0, cuda::stream()>>>(
      cuda::guard(), n, k, basis, h, alpha, beta, w);
  cuda::check_launch("basis_combine_kernel");
}

#define HODGE_VECTORS(T)                                                                           \
  template void Primitives<Cuda>::fill(int, T, T*);                                                \
  template void Primitives<Cuda>::combine(int, const Combination<T>&, T*);                         \
  template void Primitives<Cuda>::multiply_elements(int, const T*, const T*, T*);                  \
  template void Primitives<Cuda>::dots(int, const DotPairs<T>&);                                   \
  template void Primitives<Cuda>::weighted_maximum(int, const T*, const double*, double*);         \
  template void Primitives<Cuda>::monitor_maximum(MonitorState*, int, const T*,                    \
                                                  const MaximumWatch&);                            \
  template void Primitives<Cuda>::basis_dots(int, int, const T*, const T*, double*);               \
  template void Primitives<Cuda>::basis_combine(int, int, const T*, const double*, double, double, \
                                                T*);
HODGE_VECTORS(double)
HODGE_VECTORS(float)
template void Primitives<Cuda>::fill(int, int, int*);
template void Primitives<Cuda>::convert(int, const double*, float*);
template void Primitives<Cuda>::convert(int, const float*, double*);

}  // namespace hodge::linalg
