// Cuda space: products with a block of Krylov vectors. Each takes one pass over the block.
#include "linalg/cuda/kernels/basis.cuh"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

// Of a kernel with room for K columns, of which k are used.
template <int K>
struct BasisResults {
  Guard guard;
  int k;
  double* h;

  __device__ bool is_due() const { return !guard.halted(); }
  __device__ void store(int j, double total) const {
    if (j < k) h[j] = total;
    if (j == K) h[k] = total;
  }
  __device__ void finish() const {}
};

// h_j = V_j . w, and with Square h_k = w . w.
template <int K, bool Square, class T>
__global__ void __launch_bounds__(basis_threads)
    basis_dots_kernel(Columns<T> basis, const T* w, RowChunks chunks, ReductionScratch scratch,
                      BasisResults<K> results) {
  if (!results.is_due()) return;
  for_each_chunk(chunks.count, [&](int chunk) {
    double total[K + Square] = {};
    for_each_row(chunks, chunk, [&](int i) {
      const double right = static_cast<double>(w[i]);
      constexpr int batch = K < 16 ? K : 16;  // loads in flight together
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
    store_chunk<K + Square>(total, 0u, scratch, chunk);
  });
  reduce_chunks<K + Square>(0u, scratch, results);
}

template <bool Square, class T>
void launch_dots(const Columns<T>& basis, const T* w, double* h) {
  with_columns(basis.k, [&](auto columns) {
    constexpr int K = decltype(columns)::value;
    const auto kernel = basis_dots_kernel<K, Square, T>;
    static const int most = blocks_at_once(kernel, basis_threads);
    launch_chunks<K + Square>("basis_dots_kernel", kernel, most, basis.n,
                              BasisResults<K>{guard(), basis.k, h}, basis, w);
  });
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

}  // namespace

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

}  // namespace cuda

template <>
template <class T>
void VectorPrimitives<Cuda>::basis_dots(int n, int k, const T* basis, const T* w, double* h) {
  count_vectors<Cuda, T>(n, k + 1);
  cuda::launch_all_dots<T>({n, k, basis}, w, false, h);
}

template <>
template <class T>
void VectorPrimitives<Cuda>::basis_combine(int n, int k, const T* basis, const double* h,
                                           double alpha, double beta, T* w) {
  if (n == 0) return;
  count_vectors<Cuda, T>(n, k + (beta == 0.0 ? 1 : 2));
  const int blocks = cuda::blocks_for(n, cuda::basis_threads, cuda::most_loop_blocks);
  cuda::launch_kernel("basis_combine_kernel", cuda::basis_combine_kernel<T>, blocks,
                      cuda::basis_threads, cuda::guard(), cuda::Columns<T>{n, k, basis}, h, alpha,
                      beta, w);
}

template void cuda::launch_all_dots(const Columns<double>&, const double*, bool, double*);
template void cuda::launch_all_dots(const Columns<float>&, const float*, bool, double*);
HODGE_FOR_BOTH_VALUES(HODGE_BASIS, Cuda)

}  // namespace hodge::linalg
