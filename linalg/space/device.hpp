// Devices by name, as a user writes them: auto (a GPU where there is one), cpu, cuda, cuda:N.
#pragma once

#include <string>
#include <utility>

#include "linalg/processes/communicator.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg {

// The GPU that the name stands for on this machine; -1 for the CPU. Errors: ConfigError for an
// unknown name, a GPU number that is not here, or a program built without CUDA; DeviceError where
// there is no usable GPU.
int chosen_gpu(const std::string& device);

// The device of each of several processes that share a problem, by the name of a device as above:
// all compute on GPUs or all on CPUs. `cuda` gives the processes of a machine one GPU after the
// other, and `auto` does so where all machines have GPUs; `cuda:N` is for all of them. Collective;
// one process gets `device` as it is. Errors: ConfigError where a process has no such GPU, the same
// in all processes.
std::string device_of_process(Communicator& processes, const std::string& device);

// NCCL, by which GPUs of several processes are connected where the loader finds it: "2.28.3". Empty
// where it does not, and in a build without CUDA.
std::string nccl_version();

// action.template operator()<Space>() in the space that the name stands for.
template <class Action>
decltype(auto) on_device(const std::string& device, Action&& action) {
  [[maybe_unused]] const int gpu = chosen_gpu(device);
#if HODGE_HAS_CUDA
  if (gpu >= 0) {
    Cuda::select_device(gpu);
    return std::forward<Action>(action).template operator()<Cuda>();
  }
#endif
  return std::forward<Action>(action).template operator()<Host>();
}

}  // namespace hodge::linalg
