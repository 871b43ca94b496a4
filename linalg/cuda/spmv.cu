// Cuda space: products with a sparse matrix and sweeps over its triangles, by the kernel that the
// matrix's plan names.
#include <climits>

#include "linalg/cuda/row_kernels.cuh"
#include "linalg/cuda/stream_kernel.cuh"
#include "linalg/cuda/two_step_kernels.cuh"

namespace hodge::linalg {

namespace cuda {

namespace {

// Most blocks of a product whose dots are reduced over the grid: more than one wave of the small
// blocks of csr_stream, and soon summed.
constexpr int most_dot_blocks = 4096;
static_assert(3 * most_dot_blocks <= max_reduction_blocks * reduction_groups * reduction_width);

template <class Operation>
constexpr bool has_dots = !std::is_empty_v<typename Operation::Totals>;

// Calls f(std::integral_constant<int, lanes>).
template <class F>
void with_lanes(int lanes, F f) {
  switch (lanes) {
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 8:
      return f(std::integral_constant<int, 8>{});
    case 16:
      return f(std::integral_constant<int, 16>{});
    case 32:
      return f(std::integral_constant<int, 32>{});
    default:
      return f(std::integral_constant<int, 1>{});
  }
}

template <class T, class Operation>
void launch_lanes(const CsrView<T>& a, const Operation& operation, int lanes) {
  const long long work = static_cast<long long>(a.rows) * lanes;
  const int most = has_dots<Operation> ? max_reduction_blocks : INT_MAX;
  with_lanes(lanes, [&](auto count) {
    lanes_kernel<count.value><<<blocks_for(work, row_threads, most), row_threads, 0, stream()>>>(
        guard(), a, operation, reduction_scratch());
  });
  check_launch("lanes_kernel");
}

// Tiles of 32 rows that a warp takes one after the other, so that copies run ahead of sums, while
// enough blocks remain to fill the GPU twice.
int tiles_of_warp(long long tiles, bool dots) {
  constexpr int warps = stream_threads / 32;
  constexpr long long filling = 2 * 1056 * warps, usual = 8;
  const long long wanted = std::clamp(tiles / filling, 1LL, usual);
  const long long most_warps = static_cast<long long>(most_dot_blocks) * warps;
  return static_cast<int>(dots ? std::max(wanted, (tiles + most_warps - 1) / most_warps) : wanted);
}

template <class T, class Operation>
void launch_stream(const CsrView<T>& a, const Operation& operation) {
  constexpr int warps = stream_threads / 32;
  const long long tiles = (static_cast<long long>(a.rows) + 31) / 32;
  const int tiles_each = tiles_of_warp(tiles, has_dots<Operation>);
  const int shared = warps * stream_stages * stage_bytes<T>(a.plan.tile);
  const int blocks = blocks_for(tiles, warps * tiles_each, INT_MAX);
  stream_kernel<<<blocks, stream_threads, shared, stream()>>>(guard(), a, operation, tiles_each,
                                                              reduction_scratch());
  check_launch("stream_kernel");
}

template <class T, class Operation>
void launch_two_step(const CsrView<T>& a, const Operation& operation) {
  const int blocks = blocks_for(a.nonzeros, row_threads, 1 << 16);
  products_kernel<<<blocks, row_threads, 0, stream()>>>(guard(), a, operation.x);
  check_launch("products_kernel");
  const int most = has_dots<Operation> ? most_dot_blocks : INT_MAX;
  row_sums_kernel<<<blocks_for(a.rows, staged_rows, most), staged_rows,
                    sizeof(double) * a.plan.staging, stream()>>>(guard(), a, operation,
                                                                 reduction_scratch());
  check_launch("row_sums_kernel");
}

template <class T, class Operation>
void launch_long_rows(const CsrView<T>& a, const Operation& operation) {
  if (a.long_rows.pieces == 0) return;
  long_rows_kernel<<<a.long_rows.pieces, row_threads, 0, stream()>>>(guard(), a, operation,
                                                                     reduction_scratch());
  check_launch("long_rows_kernel");
}

template <class T, class Operation>
void launch_product(const CsrView<T>& a, const Operation& operation) {
  if (a.plan.kernel == SpmvKernel::csr_stream) {
    launch_stream(a, operation);
  } else if (a.plan.kernel == SpmvKernel::csr_two_step) {
    launch_two_step(a, operation);
  } else {
    launch_lanes(a, operation, a.plan.lanes);
  }
  launch_long_rows(a, operation);
}

}  // namespace

}  // namespace cuda

template <>
template <class T>
void Primitives<Cuda>::spmv(const CsrView<T>& a, double alpha, const T* x, double beta, T* y) {
  if (a.rows == 0) return;
  cuda::launch_product(a, cuda::Multiply<T>{x, alpha, beta, y});
}

template <>
template <class T>
void Primitives<Cuda>::spmv_dots(const CsrView<T>& a, const T* x, T* y, const ProductDots& dots) {
  cuda::launch_product(a, cuda::MultiplyAndDots<T>{x, y, dots});
}

template <>
template <class T>
void Primitives<Cuda>::sweep(const CsrView<T>& a, Triangle part, const T* d, const T* x, const T* b,
                             double factor, T* y) {
  if (a.rows == 0) return;
  const cuda::Sweep<T> operation{x, part, a.diagonal, a.values, d, b, factor, y};
  if (a.plan.kernel == SpmvKernel::csr_stream) {
    cuda::launch_stream(a, operation);
  } else {
    cuda::launch_lanes(a, operation, a.plan.lanes);
  }
  cuda::launch_long_rows(a, operation);
}

#define HODGE_SPMV(T)                                                                              \
  template void Primitives<Cuda>::spmv(const CsrView<T>&, double, const T*, double, T*);           \
  template void Primitives<Cuda>::spmv_dots(const CsrView<T>&, const T*, T*, const ProductDots&);  \
  template void Primitives<Cuda>::sweep(const CsrView<T>&, Triangle, const T*, const T*, const T*, \
                                        double, T*);
HODGE_SPMV(double)
HODGE_SPMV(float)

}  // namespace hodge::linalg
