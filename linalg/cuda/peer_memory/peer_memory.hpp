// The arrays of several processes of one machine, each on the GPU of its process, as kernels of
// this process reach them (CUDA IPC): through NVLink or PCIe, or in the memory of one GPU that the
// processes share. Included by .cu files only.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "linalg/processes/communicator.hpp"

namespace hodge::linalg::cuda {

// HODGE_GPU_MESSAGES in the environment. "host": through memory of the host, also where NCCL or
// kernels could reach the other GPUs. "nccl": by NCCL alone.
bool way_is_asked_for(const char* way);

class PeerMemory {
 public:
  // cudaMalloc may place smaller arrays side by side in a block of this size, and IPC shares whole
  // blocks.
  static constexpr std::size_t least_bytes = std::size_t{2} << 20;

  // `own`: a whole Buffer, or nothing. Its first and last 8 bytes are overwritten. Null, on all
  // processes alike, where a process is on another machine, has a smaller array, cannot reach the
  // array of another one, or asks for messages through memory of the host. Collective; waits for
  // the GPU, so that all processes have finished their earlier work on the arrays when it returns.
  static std::unique_ptr<PeerMemory> open(Communicator& processes, std::span<std::byte> own);

  // Waits for the GPU and closes the arrays of the others. These may have been freed by then: the
  // driver keeps memory until it is closed everywhere, and nothing is written any more.
  ~PeerMemory();
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;

  // Null where the process has no array.
  std::byte* array_of(std::size_t process) const { return arrays_[process]; }

 private:
  struct Exported;

  PeerMemory() = default;
  static Exported exported(std::span<std::byte> own);
  bool reach(const Exported& array, const Exported& own);

  std::vector<std::byte*> arrays_;  // by process
  std::vector<void*> opened_;
};

}  // namespace hodge::linalg::cuda
