// What is used of nccl.h, whose interface has been the same since NCCL 2.7. Declared here because
// the header comes with the library, and both may be missing; nccl_header.cu compares them.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace hodge::linalg::cuda::nccl_interface {

struct UniqueId {
  char internal[128];
};
using Group = void*;  // ncclComm_t
using Status = int;
inline constexpr Status success = 0;
enum Type : int { int8 = 0, int64 = 4, float64 = 8 };
enum Operation : int { sum = 0, maximum = 2 };

using GetVersion = Status(int*);
using GetUniqueId = Status(UniqueId*);
using InitRank = Status(Group*, int size, UniqueId, int rank);
using Destroy = Status(Group);
using Abort = Status(Group);
using GroupStart = Status();
using GroupEnd = Status();
using Send = Status(const void*, std::size_t, Type, int peer, Group, cudaStream_t);
using Receive = Status(void*, std::size_t, Type, int peer, Group, cudaStream_t);
using Broadcast = Status(const void*, void*, std::size_t, Type, int root, Group, cudaStream_t);
using AllGather = Status(const void*, void*, std::size_t, Type, Group, cudaStream_t);
using AllReduce = Status(const void*, void*, std::size_t, Type, Operation, Group, cudaStream_t);
using GetErrorString = const char*(Status);

}  // namespace hodge::linalg::cuda::nccl_interface
