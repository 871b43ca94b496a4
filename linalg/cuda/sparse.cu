// Cuda space: sparse matrix primitives. Short rows (the 5 and 7 entries of a stencil) take one
// thread a row, longer ones 8 or 32 lanes.
#include "linalg/cuda/reduction.cuh"

namespace hodge::linalg {

namespace cuda {

namespace {

constexpr int threads = 256;

// sum over k = first .. last-1 of f(k), shared by the Lanes threads of a row; valid in all of them.
template <int Lanes, class F>
__device__ double row_sum(int first, int last, int lane, F f) {
  double sum = 0.0;
  for (int k = first + lane; k < last; k += Lanes) sum += f(k);
#pragma unroll
  for (int offset = Lanes / 2; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  return sum;
}

template <int Lanes, class T>
__device__ double range_product(const CsrView<T>& a, const T* x, int first, int last, int lane) {
  return row_sum<Lanes>(first, last, lane, [&](int k) {
    return static_cast<double>(a.values[k]) * static_cast<double>(x[a.columns[k]]);
  });
}

template <int Lanes, class T>
__device__ double row_product(const CsrView<T>& a, const T* x, int row, int lane) {
  const bool inside = row < a.rows;  // all lanes of a warp take part in the shuffles
  const int first = inside ? a.row_offsets[row] : 0;
  const int last = inside ? a.row_offsets[row + 1] : 0;
  return range_product<Lanes>(a, x, first, last, lane);
}

template <int Lanes, class T>
__global__ void spmv_kernel(Guard guard, CsrView<T> a, double alpha, const T* x, double beta,
                            T* y) {
  if (guard.halted()) return;
  const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const int row = static_cast<int>(thread / Lanes), lane = static_cast<int>(thread % Lanes);
  const double product = alpha * row_product<Lanes>(a, x, row, lane);
  if (row >= a.rows || lane != 0) return;
  y[row] = static_cast<T>(beta == 0.0 ? product : product + beta * static_cast<double>(y[row]));
}

template <int Lanes, class T>
__global__ void spmv_dots_kernel(Guard guard, CsrView<T> a, const T* x, T* y,
                                 ReductionScratch scratch, ProductDots dots) {
  if (guard.halted()) return;
  double total[3] = {};
  const long long end = (static_cast<long long>(a.rows) * Lanes + 31) / 32 * 32;  // whole warps
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long t = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; t < end;
       t += stride) {
    const int row = static_cast<int>(t / Lanes), lane = static_cast<int>(t % Lanes);
    const double product = row_product<Lanes>(a, x, row, lane);
    if (row < a.rows && lane == 0) {
      y[row] = static_cast<T>(product);
      const double xi = static_cast<double>(x[row]), yi = static_cast<double>(y[row]);
      total[0] += xi * yi;
      total[1] += xi * xi;
      total[2] += yi * yi;
    }
  }
  reduce_grid<3>(total, 0u, scratch, [=](int k, double value) {
    *(k == 0 ? dots.xy : k == 1 ? dots.xx : dots.yy) = value;
  });
}

template <int Lanes, class T>
__global__ void sweep_kernel(Guard guard, CsrView<T> a, Triangle part, const T* d, const T* x,
                             const T* b, double factor, T* y) {
  if (guard.halted()) return;
  const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const int row = static_cast<int>(thread / Lanes), lane = static_cast<int>(thread % Lanes);
  const bool inside = row < a.rows;
  const int diagonal = inside ? a.diagonal[row] : 0;
  double product = 0.0;
  if (part != Triangle::strictly_upper) {
    const int first = inside ? a.row_offsets[row] : 0;
    product += range_product<Lanes>(a, x, first, diagonal, lane);
  }
  if (part != Triangle::strictly_lower) {
    const int last = inside ? a.row_offsets[row + 1] : 0;
    product += range_product<Lanes>(a, x, inside ? diagonal + 1 : 0, last, lane);
  }
  if (!inside || lane != 0) return;
  y[row] = static_cast<T>(factor *
                          (static_cast<double>(b[row]) - static_cast<double>(d[row]) * product));
}

template <class T>
__global__ void invert_diagonal_kernel(Guard guard, CsrView<T> a, double factor, T* out,
                                       int* first_bad) {
  if (guard.halted()) return;
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= a.rows) return;
  const int k = a.diagonal[row];
  const bool present = k < a.row_offsets[row + 1] && a.columns[k] == row;
  const double inverse = present ? factor / static_cast<double>(a.values[k]) : 0.0;
  const bool good = present && isfinite(inverse) && inverse != 0.0;
  out[row] = good ? static_cast<T>(inverse) : T(0);
  if (!good) atomicMin(first_bad, row);
}

__global__ void find_diagonal_kernel(int rows, const int* row_offsets, const int* columns,
                                     int* diagonal) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int k = row_offsets[row];
  while (k < row_offsets[row + 1] && columns[k] < row) ++k;
  diagonal[row] = k;
}

int blocks_of_rows(int rows, int lanes) {
  return static_cast<int>((static_cast<long long>(rows) * lanes + threads - 1) / threads);
}

// Calls f(std::integral_constant<int, lanes>) for the lanes that suit the mean row length.
template <class T, class F>
void with_lanes(const CsrView<T>& a, F f) {
  const int mean = a.rows > 0 ? a.nonzeros / a.rows : 0;
  if (mean <= 12) return f(std::integral_constant<int, 1>{});
  if (mean <= 48) return f(std::integral_constant<int, 8>{});
  return f(std::integral_constant<int, 32>{});
}

}  // namespace

}  // namespace cuda

template <>
template <class T>
void Primitives<Cuda>::spmv(const CsrView<T>& a, double alpha, const T* x, double beta, T* y) {
  if (a.rows == 0) return;
  cuda::with_lanes(a, [&](auto lanes) {
    cuda::spmv_kernel<lanes.value>
        <<<cuda::blocks_of_rows(a.rows, lanes.value), cuda::threads, 0, cuda::stream()>>>(
            cuda::guard(), a, alpha, x, beta, y);
    cuda::check_launch("spmv_kernel");
  });
}

template <>
template <class T>
void Primitives<Cuda>::spmv_dots(const CsrView<T>& a, const T* x, T* y, const ProductDots& dots) {
  cuda::with_lanes(a, [&](auto lanes) {
    const int blocks = cuda::blocks_for(static_cast<long long>(a.rows) * lanes.value,
                                        cuda::reduction_threads, cuda::max_reduction_blocks);
    cuda::spmv_dots_kernel<lanes.value><<<blocks, cuda::reduction_threads, 0, cuda::stream()>>>(
        cuda::guard(), a, x, y, cuda::reduction_scratch(), dots);
    cuda::check_launch("spmv_dots_kernel");
  });
}

template <>
template <class T>
void Primitives<Cuda>::sweep(const CsrView<T>& a, Triangle part, const T* d, const T* x, const T* b,
                             double factor, T* y) {
  if (a.rows == 0) return;
  cuda::with_lanes(a, [&](auto lanes) {
    cuda::sweep_kernel<lanes.value>
        <<<cuda::blocks_of_rows(a.rows, lanes.value), cuda::threads, 0, cuda::stream()>>>(
            cuda::guard(), a, part, d, x, b, factor, y);
    cuda::check_launch("sweep_kernel");
  });
}

template <>
template <class T>
void Primitives<Cuda>::invert_diagonal(const CsrView<T>& a, double factor, T* out, int* first_bad) {
  fill(1, a.rows, first_bad);
  if (a.rows == 0) return;
  cuda::
      invert_diagonal_kernel<<<cuda::blocks_of_rows(a.rows, 1), cuda::threads, 0, cuda::stream()>>>(
          cuda::guard(), a, factor, out, first_bad);
  cuda::check_launch("invert_diagonal_kernel");
}

template <>
void Primitives<Cuda>::find_diagonal(int rows, const int* row_offsets, const int* columns,
                                     int* diagonal) {
  if (rows == 0) return;
  cuda::find_diagonal_kernel<<<cuda::blocks_of_rows(rows, 1), cuda::threads, 0, cuda::stream()>>>(
      rows, row_offsets, columns, diagonal);
  cuda::check_launch("find_diagonal_kernel");
}

#define HODGE_SPARSE(T)                                                                            \
  template void Primitives<Cuda>::spmv(const CsrView<T>&, double, const T*, double, T*);           \
  template void Primitives<Cuda>::spmv_dots(const CsrView<T>&, const T*, T*, const ProductDots&);  \
  template void Primitives<Cuda>::sweep(const CsrView<T>&, Triangle, const T*, const T*, const T*, \
                                        double, T*);                                               \
  template void Primitives<Cuda>::invert_diagonal(const CsrView<T>&, double, T*, int*);
HODGE_SPARSE(double)
HODGE_SPARSE(float)

}  // namespace hodge::linalg
