// Cuda space: products along an axis by cuBLAS, whose FP64 products run on the tensor cores. Where
// cuBLAS is missing, by a tiled kernel.
#include "linalg/base/choose.hpp"
#include "linalg/cuda/dense/dense.hpp"
#include "linalg/space/axis_product.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

// Axis 0: out = op(M)^T in, one product. Axes above: out = in op(M) for each layer.
template <class T>
cublasStatus_t multiply_by_cublas(const Cublas& b, const AxisShape& shape, const T* matrix,
                                  bool transposed, const T* in, T* out) {
  const T one = 1, zero = 0;
  const int n = shape.points, m = shape.inner;
  if (m == 1)
    return for_type<T>(b.dgemm, b.sgemm)(b.handle, transposed ? CUBLAS_OP_N : CUBLAS_OP_T,
                                         CUBLAS_OP_N, n, shape.outer, n, &one, matrix, n, in, n,
                                         &zero, out, n);
  const cublasOperation_t op = transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  if (shape.outer == 1)
    return for_type<T>(b.dgemm, b.sgemm)(b.handle, CUBLAS_OP_N, op, m, n, n, &one, in, m, matrix, n,
                                         &zero, out, m);
  const long long layer = 1LL * m * n;
  return for_type<T>(b.dgemm_strided_batched, b.sgemm_strided_batched)(
      b.handle, CUBLAS_OP_N, op, m, n, n, &one, in, m, layer, matrix, n, 0, &zero, out, m, layer,
      shape.outer);
}

constexpr int tile = 16;

// A block of 16 x 16 threads computes 16 entries j for 16 lines. Lines are numbered with the inner
// axes fastest.
template <class T>
__global__ void __launch_bounds__(tile* tile)
    multiply_along_kernel(AxisShape shape, const T* matrix, bool transposed, const T* in, T* out) {
  __shared__ T line_tile[tile][tile + 1], matrix_tile[tile][tile + 1];
  const int tx = threadIdx.x % tile, ty = threadIdx.x / tile, n = shape.points;
  const long long lines = 1LL * shape.inner * shape.outer;
  const int blocks_of_points = (n + tile - 1) / tile;
  const long long line = static_cast<long long>(blockIdx.x / blocks_of_points) * tile + tx;
  const int j = static_cast<int>(blockIdx.x % blocks_of_points) * tile + ty;
  const long long start = line % shape.inner + line / shape.inner * shape.inner * n;
  T sum = 0;
  for (int first = 0; first < n; first += tile) {
    const int i = first + ty;
    line_tile[ty][tx] = line < lines && i < n ? in[start + 1LL * i * shape.inner] : T(0);
    const int row = first + tx;
    matrix_tile[ty][tx] = row < n && j < n
                              ? (transposed ? matrix[j + 1LL * row * n] : matrix[row + 1LL * j * n])
                              : T(0);
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += line_tile[k][tx] * matrix_tile[ty][k];
    __syncthreads();
  }
  if (line < lines && j < n) out[start + 1LL * j * shape.inner] = sum;
}

template <class T>
void launch_multiply_along(const AxisShape& shape, const T* matrix, bool transposed, const T* in,
                           T* out) {
  const long long lines = 1LL * shape.inner * shape.outer;
  const long long blocks = (lines + tile - 1) / tile * ((shape.points + tile - 1) / tile);
  launch_kernel("multiply_along_kernel", multiply_along_kernel<T>,
                dim3(static_cast<unsigned>(blocks)), tile * tile, shape, matrix, transposed, in,
                out);
}

}  // namespace

}  // namespace cuda

template <>
template <class T>
void AxisPrimitives<Cuda>::multiply_along(const AxisShape& shape, const T* matrix, bool transposed,
                                          const T* in, T* out) {
  if (shape.size() == 0) return;
  const cuda::Cublas& blas = cuda::cublas();
  if (!blas.usable() || blas.dgemm_strided_batched == nullptr ||
      blas.sgemm_strided_batched == nullptr)
    return cuda::launch_multiply_along(shape, matrix, transposed, in, out);
  cuda::launch_gathered();
  if (cuda::multiply_by_cublas(blas, shape, matrix, transposed, in, out) != CUBLAS_STATUS_SUCCESS)
    cuda::check(cudaErrorUnknown, "a product along an axis by cuBLAS");
}

template <>
void AxisPrimitives<Cuda>::prepare_axis_products() {
  (void)cuda::cublas();
}

HODGE_FOR_BOTH_VALUES(HODGE_AXIS_PRODUCT, Cuda)

}  // namespace hodge::linalg
