// Cuda space: chooses the kernel for many small systems.
#include "linalg/cuda/dense/batched_gauss.cuh"

#include "linalg/base/choose.hpp"
#include "linalg/cuda/device/runtime.hpp"
#include "linalg/space/batched_gauss.hpp"

namespace hodge::linalg {

namespace {

int blocks_of(int count, int lanes_of_system) {
  const long long lanes = static_cast<long long>(count) * lanes_of_system;
  return static_cast<int>((lanes + cuda::batched_threads - 1) / cuda::batched_threads);
}

}  // namespace

template <class Space, class T>
void solve_batched(int n, int count, T* a, T* b, int* singular) {
  check_batch(n, count);
  if (count == 0) return;
  const char* const name = "batched_gauss_kernel";
  if (n <= 4) {
    return with_constant<1, 2, 3, 4>(n, [&](auto unknowns) {
      cuda::launch_kernel(name, cuda::batched_thread_kernel<T, unknowns.value>, blocks_of(count, 1),
                          cuda::batched_threads, count, a, b, singular);
    });
  }
  with_constant<8, 16, 32>(n <= 8    ? 8
                           : n <= 16 ? 16
                                     : 32,
                           [&](auto width) {
                             cuda::launch_kernel(name, cuda::batched_rows_kernel<T, width.value>,
                                                 blocks_of(count, width.value),
                                                 cuda::batched_threads, n, count, a, b, singular);
                           });
}

template void solve_batched<Cuda>(int, int, double*, double*, int*);
template void solve_batched<Cuda>(int, int, float*, float*, int*);

}  // namespace hodge::linalg
