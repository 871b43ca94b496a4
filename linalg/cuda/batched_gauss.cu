// Cuda space: chooses the kernel for many small systems.
#include "linalg/cuda/batched_gauss.cuh"

#include "linalg/cuda/runtime.hpp"
#include "linalg/space/batched_gauss.hpp"
#include "linalg/space/batched_gauss_check.hpp"

namespace hodge::linalg {

namespace {

template <int LanesOfSystem>
int blocks_of(int count) {
  const long long lanes = static_cast<long long>(count) * LanesOfSystem;
  return static_cast<int>((lanes + cuda::batched_threads - 1) / cuda::batched_threads);
}

template <int N, class T>
void launch_threads(int count, const T* a, T* b, int* singular) {
  cuda::batched_thread_kernel<T, N>
      <<<blocks_of<1>(count), cuda::batched_threads, 0, cuda::stream()>>>(count, a, b, singular);
}

template <int Width, class T>
void launch_rows(int n, int count, T* a, T* b, int* singular) {
  cuda::batched_rows_kernel<T, Width>
      <<<blocks_of<Width>(count), cuda::batched_threads, 0, cuda::stream()>>>(n, count, a, b,
                                                                              singular);
}

template <class T>
void launch(int n, int count, T* a, T* b, int* singular) {
  if (n == 1) return launch_threads<1>(count, a, b, singular);
  if (n == 2) return launch_threads<2>(count, a, b, singular);
  if (n == 3) return launch_threads<3>(count, a, b, singular);
  if (n == 4) return launch_threads<4>(count, a, b, singular);
  if (n <= 8) return launch_rows<8>(n, count, a, b, singular);
  if (n <= 16) return launch_rows<16>(n, count, a, b, singular);
  launch_rows<32>(n, count, a, b, singular);
}

}  // namespace

template <>
void solve_batched<Cuda, double>(int n, int count, double* a, double* b, int* singular) {
  check_batch(n, count);
  if (count == 0) return;
  launch(n, count, a, b, singular);
  cuda::check_launch("batched_gauss_kernel");
}

template <>
void solve_batched<Cuda, float>(int n, int count, float* a, float* b, int* singular) {
  check_batch(n, count);
  if (count == 0) return;
  launch(n, count, a, b, singular);
  cuda::check_launch("batched_gauss_kernel");
}

}  // namespace hodge::linalg
