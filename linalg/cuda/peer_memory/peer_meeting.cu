// Cuda space: meetings of the kernels of all processes (peer_meeting.cuh).
#include "linalg/cuda/peer_memory/peer_meeting.cuh"

#include <utility>
#include <vector>

#include "linalg/cuda/device/runtime.hpp"

namespace hodge::linalg::cuda {

namespace {

__global__ void meet_kernel(PeerMeeting::View meeting, bool tells, bool waits) {
  if (threadIdx.x != 0) return;
  __threadfence_system();
  if (tells) meeting.tell_others();
  if (waits) meeting.wait_for_others();
}

void launch_meet_kernel(const PeerMeeting::View& meeting, bool tells, bool waits, cudaStream_t on) {
  meet_kernel<<<1, 1, 0, on>>>(meeting, tells, waits);
  check_launch("meet_kernel");
}

}  // namespace

std::unique_ptr<PeerMeeting> PeerMeeting::open(Communicator& processes) {
  std::unique_ptr<PeerBlock> memory = PeerBlock::open(processes, PeerMemory::least_bytes);
  if (memory == nullptr) return nullptr;
  return std::unique_ptr<PeerMeeting>(new PeerMeeting(processes, std::move(memory)));
}

// In the memory of each process: the numbers of the others, in the order of the processes; its own
// counters; where its number stands in the memory of the others.
PeerMeeting::PeerMeeting(Communicator& processes, std::unique_ptr<PeerBlock> memory)
    : memory_(std::move(memory)) {
  const int rank = processes.rank(), others = processes.size() - 1;
  const auto line_of = [&](int process, std::size_t number) {
    return memory_->of(process) + number * peer_counter_bytes;
  };
  std::vector<PeerCounter*> told;
  for (int p = 0; p < processes.size(); ++p)
    if (p != rank)
      told.push_back(
          reinterpret_cast<PeerCounter*>(line_of(p, PeerBlock::place_among_others(rank, p))));
  const auto counter = [&](int number) {
    return reinterpret_cast<PeerCounter*>(line_of(rank, static_cast<std::size_t>(number)));
  };
  std::byte* const places = line_of(rank, told.size() + 3);
  Cuda::upload(told.data(), places, told.size() * sizeof(PeerCounter*));
  view_ = {counter(others),
           counter(others + 1),
           counter(others + 2),
           counter(0),
           reinterpret_cast<PeerCounter* const*>(places),
           others};
}

void PeerMeeting::meet(cudaStream_t on) const {
  launch_meet_kernel(view_, true, true, on);
}
void PeerMeeting::tell_others(cudaStream_t on) const {
  launch_meet_kernel(view_, true, false, on);
}
void PeerMeeting::wait_for_others(cudaStream_t on) const {
  launch_meet_kernel(view_, false, true, on);
}

}  // namespace hodge::linalg::cuda
