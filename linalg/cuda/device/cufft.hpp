// What is used of cufft.h, whose interface has been the same since CUDA 5. Declared here because
// the header comes with the library, and both may be missing; cufft_header.cu compares them.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace hodge::linalg::cuda::cufft_interface {

using Handle = int;
using Status = int;
inline constexpr Status success = 0;
enum Kind : int { c2c = 0x29, r2c = 0x2a, c2r = 0x2c, z2z = 0x69, d2z = 0x6a, z2d = 0x6c };
inline constexpr int direction_forward = -1, direction_inverse = 1;

using Create = Status(Handle*);
using Destroy = Status(Handle);
using SetAutoAllocation = Status(Handle, int);
using MakePlanMany = Status(Handle, int rank, int* n, int* in_embed, int in_stride, int in_distance,
                            int* out_embed, int out_stride, int out_distance, Kind, int batch,
                            std::size_t* work_bytes);
using SetStream = Status(Handle, cudaStream_t);
using SetWorkArea = Status(Handle, void*);
template <class In, class Out>
using RunReal = Status(Handle, In*, Out*);
template <class Value>
using RunComplex = Status(Handle, Value*, Value*, int direction);

}  // namespace hodge::linalg::cuda::cufft_interface
