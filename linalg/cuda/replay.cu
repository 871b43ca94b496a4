// Cuda space: what is recorded as a graph (replay.hpp).
#include "linalg/replay.hpp"

#include "linalg/cuda/program.hpp"
#include "linalg/traffic.hpp"

namespace hodge::linalg {

struct Recording<Cuda>::Graph {
  cudaGraphExec_t executable = nullptr;
  std::vector<cuda::ProgramItem> items;    // what is in it; empty where it is more than that
  std::unique_ptr<cuda::Program> program;  // of this and the next
  // One that is still running is destroyed when it has ended.
  ~Graph() {
    if (executable != nullptr) (void)cudaGraphExecDestroy(executable);
  }
};

Recording<Cuda>::Recording() = default;
Recording<Cuda>::~Recording() = default;
Recording<Cuda>::Recording(Recording&&) noexcept = default;
Recording<Cuda>& Recording<Cuda>::operator=(Recording&&) noexcept = default;

void Recording<Cuda>::make(const std::function<void()>& work) {
  const cudaStream_t stream =
      cuda::stream();  // what has been gathered before does not belong to it
  cudaGraph_t recorded = nullptr;
  auto graph = std::make_unique<Graph>();
  cuda::ProgramNotes::start();
  cuda::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording");
  try {
    work();
    graph->items = cuda::ProgramNotes::finish();
  } catch (...) {
    (void)cuda::ProgramNotes::finish();
    (void)cudaStreamEndCapture(stream, &recorded);
    if (recorded != nullptr) (void)cudaGraphDestroy(recorded);
    throw;
  }
  cuda::check(cudaStreamEndCapture(stream, &recorded), "recording");
  const cudaError_t status = cudaGraphInstantiate(&graph->executable, recorded, 0);
  (void)cudaGraphDestroy(recorded);
  cuda::check(status, "instantiating a recording");
  graph_ = std::move(graph);
}

void Recording<Cuda>::play() {
  cuda::check(cudaGraphLaunch(graph_->executable, cuda::stream()), "launching a recording");
}

bool Recording<Cuda>::can_repeat(const Recording& even, const Recording& odd) {
  return !even.graph_->items.empty() && !odd.graph_->items.empty() &&
         even.graph_->items.size() + odd.graph_->items.size() <= cuda::Program::most_items;
}

void Recording<Cuda>::repeat(Recording& even, Recording& odd, int times) {
  std::unique_ptr<cuda::Program>& program = even.graph_->program;
  if (!program) {
    std::vector<cuda::ProgramItem> items = even.graph_->items;
    items.insert(items.end(), odd.graph_->items.begin(), odd.graph_->items.end());
    program = cuda::Program::make(items, cuda::context().guard);
  }
  program->play(times);
}

template <>
ReplayKey replay_epoch<Cuda>() {
  const Traffic t = traffic<Cuda>();
  return ReplayKey(static_cast<std::uint64_t>(t.allocations),
                   static_cast<std::uint64_t>(Cuda::allocated_bytes()), cuda::context().guard);
}

}  // namespace hodge::linalg
