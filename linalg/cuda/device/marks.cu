// Cuda space: marks are events of the one stream, which are kept and used again.
#include "linalg/space/marks.hpp"

#include <cstddef>
#include <vector>

#include "linalg/cuda/device/runtime.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg {

namespace {

struct Events {
  std::vector<cudaEvent_t> all;
  std::size_t used = 0;
};

Events& cuda_marks() {
  static Events* const events = new Events;  // outlives the device's shutdown at exit
  return *events;
}

cudaEvent_t event_of(int mark) {
  return cuda_marks().all[static_cast<std::size_t>(mark)];
}

}  // namespace

template <>
int Marks<Cuda>::set() {
  const cudaStream_t stream = cuda::stream();
  Events& events = cuda_marks();
  if (events.used == events.all.size()) {
    cudaEvent_t event = nullptr;
    cuda::check(cudaEventCreate(&event), "creating an event");
    events.all.push_back(event);
  }
  cuda::check(cudaEventRecord(events.all[events.used], stream), "recording an event");
  return static_cast<int>(events.used++);
}

template <>
void Marks<Cuda>::wait(int mark) {
  cuda::check(cudaEventSynchronize(event_of(mark)), "waiting for the GPU");
}

template <>
double Marks<Cuda>::seconds(int first, int second) {
  float milliseconds = 0;
  cuda::check(cudaEventElapsedTime(&milliseconds, event_of(first), event_of(second)),
              "timing work of the GPU");
  return 1e-3 * static_cast<double>(milliseconds);
}

template <>
void Marks<Cuda>::forget() {
  cuda_marks().used = 0;
}

template <>
void Marks<Cuda>::bring(const double* value, double* shared) {
  cuda::check(
      cudaMemcpyAsync(shared, value, sizeof *shared, cudaMemcpyDeviceToHost, cuda::stream()),
      "download");
}

}  // namespace hodge::linalg
