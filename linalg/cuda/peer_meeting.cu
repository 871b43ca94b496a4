// Cuda space: meetings of the kernels of all processes (peer_meeting.cuh).
#include "linalg/cuda/peer_meeting.cuh"

#include <span>
#include <utility>
#include <vector>

#include "linalg/cuda/runtime.hpp"
#include "linalg/processes/agree.hpp"

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
  constexpr std::size_t bytes = PeerMemory::least_bytes;
  OwnedMemory own = owned_memory(bytes);
  std::unique_ptr<PeerMemory> all = PeerMemory::open(processes, std::span(own.get(), bytes));
  if (all == nullptr) return nullptr;
  Cuda::clear(own.get(), bytes);
  Cuda::synchronize();
  (void)greatest(processes, 0.0);  // nobody comes before all numbers are 0
  return std::unique_ptr<PeerMeeting>(new PeerMeeting(processes, std::move(own), std::move(all)));
}

// In the memory of each process: the numbers of the others, in the order of the processes; its own
// counters; where its number stands in the memory of the others.
PeerMeeting::PeerMeeting(Communicator& processes, OwnedMemory own, std::unique_ptr<PeerMemory> all)
    : own_(std::move(own)), all_(std::move(all)) {
  const int rank = processes.rank();
  const auto line_of = [](std::byte* memory, int number) {
    return memory + static_cast<std::size_t>(number) * peer_counter_bytes;
  };
  std::vector<PeerCounter*> told;
  for (int p = 0; p < processes.size(); ++p)
    if (p != rank)
      told.push_back(reinterpret_cast<PeerCounter*>(
          line_of(all_->array_of(static_cast<std::size_t>(p)), rank < p ? rank : rank - 1)));
  const auto others = static_cast<int>(told.size());
  std::byte* const places = line_of(own_.get(), others + 3);
  Cuda::upload(told.data(), places, told.size() * sizeof(PeerCounter*));
  const auto counter = [&](int number) {
    return reinterpret_cast<PeerCounter*>(line_of(own_.get(), number));
  };
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
