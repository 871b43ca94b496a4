// Cuda space: opens cuBLAS, and the products of dense blocks, C -= op(A) B.
//
// cuBLAS uses the FP64 tensor cores. Without it a tiled kernel of our own, which does not, computes
// the products several times slower.
#include "linalg/base/choose.hpp"
#include "linalg/base/shared_library.hpp"
#include "linalg/cuda/dense/dense.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

constexpr std::size_t workspace_bytes = std::size_t{32} << 20;  // what NVIDIA advises for Hopper

Cublas open_cublas() {
  static const SharedLibrary library({"libcublas.so.13", "libcublas.so.12", "libcublas.so"});
  Cublas b;
  decltype(cublasCreate_v2)* create;
  decltype(cublasSetStream_v2)* set_stream;
  decltype(cublasSetWorkspace_v2)* set_workspace;
  const bool complete =
      library.find(create, "cublasCreate_v2", set_stream, "cublasSetStream_v2", set_workspace,
                   "cublasSetWorkspace_v2", b.dgemm, "cublasDgemm_v2", b.sgemm, "cublasSgemm_v2",
                   b.dgemv, "cublasDgemv_v2", b.sgemv, "cublasSgemv_v2");
  (void)library.find(b.dgemm_strided_batched, "cublasDgemmStridedBatched", b.sgemm_strided_batched,
                     "cublasSgemmStridedBatched");
  cublasHandle_t handle = nullptr;
  if (!complete || create(&handle) != CUBLAS_STATUS_SUCCESS) return b;
  void* workspace = nullptr;
  check(cudaMalloc(&workspace, workspace_bytes), "allocating the workspace of cuBLAS");
  if (set_stream(handle, stream()) != CUBLAS_STATUS_SUCCESS ||
      set_workspace(handle, workspace, workspace_bytes) != CUBLAS_STATUS_SUCCESS) {
    check(cudaFree(workspace), "freeing the workspace of cuBLAS");
    return b;
  }
  b.handle = handle;
  return b;
}

void check_cublas(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  check(cudaErrorUnknown, what);
}

// y <- y - op(A) x
template <class T>
cublasStatus_t subtract_product(const Cublas& b, cublasOperation_t op, const DenseView<const T>& a,
                                const DenseView<const T>& x, const DenseView<T>& y) {
  const T minus = -1, one = 1;
  const int lda = static_cast<int>(a.stride);
  if (y.cols == 1)
    return for_type<T>(b.dgemv, b.sgemv)(b.handle, op, a.rows, a.cols, &minus, a.data, lda, x.data,
                                         1, &one, y.data, 1);
  return for_type<T>(b.dgemm, b.sgemm)(b.handle, op, CUBLAS_OP_N, y.rows, y.cols, x.rows, &minus,
                                       a.data, lda, x.data, static_cast<int>(x.stride), &one,
                                       y.data, static_cast<int>(y.stride));
}

constexpr int tile = 64, depth = 16, side = 16, per_thread = tile / side;

// A block of 16 x 16 threads computes a tile of 64 x 64, 4 x 4 entries per thread.
template <class T, bool Transposed>
__global__ void __launch_bounds__(side* side)
    multiply_subtract_kernel(DenseView<const T> a, DenseView<const T> b, DenseView<T> c) {
  __shared__ T a_tile[depth][tile + 1], b_tile[depth][tile + 1];
  const int t = threadIdx.x, tx = t % side, ty = t / side;
  const int first_row = blockIdx.x * tile, first_col = blockIdx.y * tile, inner = b.rows;
  T sum[per_thread][per_thread] = {};
  for (int first = 0; first < inner; first += depth) {
    for (int e = t; e < tile * depth; e += side * side) {
      // The faster index runs along the columns of the stored matrix.
      const int i = Transposed ? e / depth : e % tile, k = Transposed ? e % depth : e / tile;
      const bool inside = first_row + i < c.rows && first + k < inner;
      a_tile[k][i] = !inside      ? T(0)
                     : Transposed ? a(first + k, first_row + i)
                                  : a(first_row + i, first + k);
      const int kb = e % depth, j = e / depth;
      b_tile[kb][j] =
          first + kb < inner && first_col + j < c.cols ? b(first + kb, first_col + j) : T(0);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; ++k) {
#pragma unroll
      for (int p = 0; p < per_thread; ++p) {
#pragma unroll
        for (int q = 0; q < per_thread; ++q) {
          sum[p][q] += a_tile[k][tx + side * p] * b_tile[k][ty + side * q];
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < per_thread; ++p) {
#pragma unroll
    for (int q = 0; q < per_thread; ++q) {
      const int i = first_row + tx + side * p, j = first_col + ty + side * q;
      if (i < c.rows && j < c.cols) c(i, j) -= sum[p][q];
    }
  }
}

template <class T>
void launch_multiply_subtract(bool transposed, const DenseView<const T>& a,
                              const DenseView<const T>& b, const DenseView<T>& c) {
  const dim3 grid((c.rows + tile - 1) / tile, (c.cols + tile - 1) / tile);
  launch_kernel("multiply_subtract_kernel",
                transposed ? multiply_subtract_kernel<T, true> : multiply_subtract_kernel<T, false>,
                grid, side * side, a, b, c);
}

}  // namespace

const Cublas& cublas() {
  (void)context();
  static const Cublas opened = open_cublas();
  return opened;
}

}  // namespace cuda

template <>
template <class T>
void DensePrimitives<Cuda>::multiply_subtract(bool transposed, const DenseView<const T>& a,
                                              const DenseView<const T>& b, const DenseView<T>& c) {
  if (c.rows == 0 || c.cols == 0 || b.rows == 0) return;
  const cuda::Cublas& blas = cuda::cublas();
  if (!blas.usable()) return cuda::launch_multiply_subtract(transposed, a, b, c);
  const cublasOperation_t op = transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  cuda::check_cublas(cuda::subtract_product(blas, op, a, b, c), "a product by cuBLAS");
}

template <>
void DensePrimitives<Cuda>::prepare_dense() {
  (void)cuda::cublas();
  (void)cuda::message_box();
}

template <>
std::string DensePrimitives<Cuda>::dense_product_name() {
  return cuda::cublas().usable() ? "cuBLAS" : "a product of our own (cuBLAS was not found)";
}

HODGE_FOR_BOTH_VALUES(HODGE_MULTIPLY_SUBTRACT, Cuda)

}  // namespace hodge::linalg
