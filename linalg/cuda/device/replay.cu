// Cuda space: recordings as CUDA graphs (space/replay.hpp).
#include "linalg/space/replay.hpp"

#include "linalg/cuda/device/runtime.hpp"

namespace hodge::linalg {

struct Recording<Cuda>::Graph {
  cudaGraphExec_t executable = nullptr;
  double moved = 0;  // bytes, each time
  // The runtime destroys a graph that is still running when it has ended.
  ~Graph() {
    if (executable != nullptr) (void)cudaGraphExecDestroy(executable);
  }
};

namespace {

bool in_progress = false;

}  // namespace

bool Recording<Cuda>::is_in_progress() {
  return in_progress;
}

Recording<Cuda>::Recording() = default;
Recording<Cuda>::~Recording() = default;
Recording<Cuda>::Recording(Recording&&) noexcept = default;
Recording<Cuda>& Recording<Cuda>::operator=(Recording&&) noexcept = default;

void Recording<Cuda>::make(const std::function<void()>& work) {
  const cudaStream_t stream = cuda::stream();  // launches earlier work, which is not recorded
  cudaGraph_t recorded = nullptr;
  const double moved_before = traffic<Cuda>().moved;
  cuda::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording");
  in_progress = true;
  try {
    work();
    cuda::launch_gathered();
    in_progress = false;
  } catch (...) {
    in_progress = false;
    (void)cudaStreamEndCapture(stream, &recorded);
    if (recorded != nullptr) (void)cudaGraphDestroy(recorded);
    throw;
  }
  cuda::check(cudaStreamEndCapture(stream, &recorded), "recording");
  auto graph = std::make_unique<Graph>();
  graph->moved = traffic<Cuda>().moved - moved_before;
  count_moved<Cuda>(-graph->moved);  // recorded, not run
  const cudaError_t status = cudaGraphInstantiate(&graph->executable, recorded, 0);
  (void)cudaGraphDestroy(recorded);
  cuda::check(status, "instantiating a recording");
  graph_ = std::move(graph);
}

void Recording<Cuda>::play() {
  count_moved<Cuda>(graph_->moved);
  cuda::check(cudaGraphLaunch(graph_->executable, cuda::stream()), "launching a recording");
}

template <>
ReplayKey replay_epoch<Cuda>() {
  const Traffic t = traffic<Cuda>();
  return ReplayKey(static_cast<std::uint64_t>(t.allocations),
                   static_cast<std::uint64_t>(Cuda::allocated_bytes()), cuda::context().guard);
}

}  // namespace hodge::linalg
