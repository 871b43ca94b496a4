// Compares nccl.hpp with the header of the library, where it is there.
#if __has_include(<nccl.h>)
#include <nccl.h>

#include "linalg/cuda/device/alike.hpp"
#include "linalg/cuda/messages/nccl.hpp"

namespace hodge::linalg::cuda {

template <>
constexpr bool alike<nccl_interface::UniqueId, ncclUniqueId> = sizeof(nccl_interface::UniqueId) ==
                                                               sizeof(ncclUniqueId);
template <>
constexpr bool alike<nccl_interface::Group, ncclComm_t> = true;

namespace nccl_interface {

namespace {

static_assert(same_call<GetVersion, decltype(ncclGetVersion)>);
static_assert(same_call<GetUniqueId, decltype(ncclGetUniqueId)>);
static_assert(same_call<InitRank, decltype(ncclCommInitRank)>);
static_assert(same_call<Destroy, decltype(ncclCommDestroy)>);
static_assert(same_call<Abort, decltype(ncclCommAbort)>);
static_assert(same_call<GroupStart, decltype(ncclGroupStart)>);
static_assert(same_call<GroupEnd, decltype(ncclGroupEnd)>);
static_assert(same_call<Send, decltype(ncclSend)>);
static_assert(same_call<Receive, decltype(ncclRecv)>);
static_assert(same_call<Broadcast, decltype(ncclBroadcast)>);
static_assert(same_call<AllGather, decltype(ncclAllGather)>);
static_assert(same_call<AllReduce, decltype(ncclAllReduce)>);
static_assert(same_call<GetErrorString, decltype(ncclGetErrorString)>);
static_assert(int8 == int{ncclInt8} && int64 == int{ncclInt64} && float64 == int{ncclFloat64});
static_assert(sum == int{ncclSum} && maximum == int{ncclMax});
static_assert(success == int{ncclSuccess});

}  // namespace

}  // namespace nccl_interface

}  // namespace hodge::linalg::cuda
#endif
