// Cuda space: memory of GPUs that several processes reach (peer_memory.hpp).
#include "linalg/cuda/peer_memory/peer_memory.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>

#include "linalg/base/errors.hpp"
#include "linalg/cuda/device/runtime.hpp"
#include "linalg/processes/agree.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/processes/machines.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg::cuda {

bool way_is_asked_for(const char* way) {
  const char* const asked = std::getenv("HODGE_GPU_MESSAGES");
  return asked != nullptr && std::strcmp(asked, way) == 0;
}

namespace {

using Mark = std::uint64_t;

// Numbers of processes (getpid) may be alike in two containers of a machine.
std::uint64_t number_of_program() {
  static const std::uint64_t number = [] {
    std::random_device random;
    return std::uint64_t{random()} << 32 | random();
  }();
  return number;
}

bool succeeds(cudaError_t status) {
  if (status != cudaSuccess) (void)cudaGetLastError();
  return status == cudaSuccess;
}

// Where the marks of an array stand: at both ends.
std::array<std::byte*, 2> marked_places(std::byte* array, std::size_t bytes) {
  return {array, array + bytes - sizeof(Mark)};
}

bool has_marks(std::byte* array, std::size_t bytes, Mark mark) {
  for (const std::byte* const place : marked_places(array, bytes)) {
    Mark found = 0;
    if (!succeeds(cudaMemcpyAsync(&found, place, sizeof found, cudaMemcpyDeviceToHost, stream())) ||
        !succeeds(cudaStreamSynchronize(stream())) || found != mark)
      return false;
  }
  return true;
}

}  // namespace

// What a process says of its array.
struct PeerMemory::Exported {
  MachineName machine;
  std::uint64_t program;
  std::byte* array;  // its address in its own process
  std::size_t bytes;
  cudaIpcMemHandle_t handle;
  bool is_usable;

  // Differs between all arrays of a machine.
  Mark mark() const { return program + reinterpret_cast<std::uintptr_t>(array); }
};

PeerMemory::Exported PeerMemory::exported(std::span<std::byte> own) {
  (void)context();  // chooses the GPU
  Exported e{machine_name(), number_of_program(), own.data(), own.size(), {}, true};
  e.is_usable = !way_is_asked_for("host");
  if (own.empty() || !e.is_usable) return e;
  e.is_usable = own.size() >= least_bytes && succeeds(cudaIpcGetMemHandle(&e.handle, own.data()));
  if (!e.is_usable) return e;
  const Mark mark = e.mark();
  for (std::byte* const place : marked_places(own.data(), own.size()))
    Cuda::upload(&mark, place, sizeof mark);
  return e;
}

// The marks show that what was opened is the array of the other process, and that it can be read.
bool PeerMemory::reach(const Exported& array, const Exported& own) {
  void* reached = nullptr;
  if (array.bytes > 0) {
    if (array.program == own.program) {
      reached = array.array;  // processes that are threads of one program
    } else {
      if (!succeeds(cudaIpcOpenMemHandle(&reached, array.handle, cudaIpcMemLazyEnablePeerAccess)))
        return false;
      opened_.push_back(reached);
    }
    if (!has_marks(static_cast<std::byte*>(reached), array.bytes, array.mark())) return false;
  }
  arrays_.push_back(static_cast<std::byte*>(reached));
  return true;
}

std::unique_ptr<PeerMemory> PeerMemory::open(Communicator& processes, std::span<std::byte> own) {
  const Exported of_this = exported(own);
  Cuda::synchronize();
  const std::vector<Exported> all = gather_one(processes, of_this);
  for (const Exported& e : all)
    if (!e.is_usable || e.machine != of_this.machine) return nullptr;
  std::unique_ptr<PeerMemory> peers(new PeerMemory);
  const bool reaches_all =
      std::ranges::all_of(all, [&](const Exported& e) { return peers->reach(e, of_this); });
  if (greatest(processes, reaches_all ? 0.0 : 1.0) > 0) return nullptr;
  return peers;
}

PeerMemory::~PeerMemory() {
  if (opened_.empty()) return;
  try {
    Cuda::synchronize();
  } catch (const DeviceError&) {  // the next call reports the same error
  }
  for (void* const array : opened_) (void)succeeds(cudaIpcCloseMemHandle(array));
}

}  // namespace hodge::linalg::cuda
