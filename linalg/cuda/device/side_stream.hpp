// A second stream of the Cuda space, whose work runs beside that of stream(), and events that put
// work of the two in order. Recordings hold the work of both, if the main stream waits for the side
// stream in the end. Included by .cu files only.
#pragma once

#include <cuda_runtime.h>

namespace hodge::linalg::cuda {

// Its blocks are placed before those of the main stream.
cudaStream_t side_stream();

class Event {
 public:
  Event();
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  // What is queued on a stream until now...
  void record(cudaStream_t on);
  // ... comes before what is queued on this one from now on.
  void precede(cudaStream_t later);

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace hodge::linalg::cuda
