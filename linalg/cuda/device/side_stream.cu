// Cuda space: the second stream (side_stream.hpp).
#include "linalg/cuda/device/side_stream.hpp"

#include "linalg/cuda/device/runtime.hpp"

namespace hodge::linalg::cuda {

cudaStream_t side_stream() {
  static const cudaStream_t the_stream = [] {
    (void)context();  // chooses the GPU
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for priorities of streams");
    cudaStream_t made = nullptr;
    check(cudaStreamCreateWithPriority(&made, cudaStreamNonBlocking, greatest),
          "creating a second stream");
    return made;
  }();
  return the_stream;
}

Event::Event() {
  (void)context();
  check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "creating an event");
}

Event::~Event() {
  (void)cudaEventDestroy(event_);
}

void Event::record(cudaStream_t on) {
  check(cudaEventRecord(event_, on), "recording an event");
}

void Event::precede(cudaStream_t later) {
  check(cudaStreamWaitEvent(later, event_, 0), "putting work of two streams in order");
}

}  // namespace hodge::linalg::cuda
