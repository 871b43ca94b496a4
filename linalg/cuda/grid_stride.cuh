// A loop over 0 .. n-1 by all threads of a grid.
#pragma once

namespace hodge::linalg::cuda {

template <class F>
__device__ void grid_stride(int n, F f) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += stride) {
    f(static_cast<int>(i));
  }
}

}  // namespace hodge::linalg::cuda
