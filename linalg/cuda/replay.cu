// Cuda space: work that is recorded as a graph (replay.hpp).
#include "linalg/replay.hpp"

#include "linalg/cuda/runtime.hpp"

namespace hodge::linalg {

struct Replay<Cuda>::Recordings {
  static constexpr int most = 4;

  struct Entry {
    ReplayKey key;
    const int* guard = nullptr;  // part of the kernels' arguments
    int uses = 0;
    cudaGraphExec_t graph = nullptr;
  };

  ~Recordings() { forget(); }

  void forget() {
    for (Entry& entry : entries) release(entry);
  }

  Entry& entry_of(const ReplayKey& key, const int* guard) {
    for (Entry& entry : entries)
      if (entry.uses > 0 && entry.key == key && entry.guard == guard) return entry;
    Entry& entry = entries[next];
    next = (next + 1) % most;
    release(entry);
    entry.key = key;
    entry.guard = guard;
    return entry;
  }

  // A graph that is still running is destroyed when it has ended.
  static void release(Entry& entry) {
    if (entry.graph != nullptr) (void)cudaGraphExecDestroy(entry.graph);
    entry = Entry{};
  }

  Entry entries[most];
  int next = 0;
};

namespace {

cudaGraph_t record(const std::function<void()>& work) {
  const cudaStream_t stream = cuda::context().stream;
  cudaGraph_t graph = nullptr;
  cuda::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording");
  try {
    work();
    cuda::launch_deferred();
  } catch (...) {
    (void)cudaStreamEndCapture(stream, &graph);
    if (graph != nullptr) (void)cudaGraphDestroy(graph);
    throw;
  }
  cuda::check(cudaStreamEndCapture(stream, &graph), "recording");
  return graph;
}

}  // namespace

Replay<Cuda>::Replay() : recordings_(std::make_unique<Recordings>()) {}
Replay<Cuda>::~Replay() = default;
Replay<Cuda>::Replay(Replay&&) noexcept = default;
Replay<Cuda>& Replay<Cuda>::operator=(Replay&&) noexcept = default;

void Replay<Cuda>::forget() {
  recordings_->forget();
}

void Replay<Cuda>::run(const ReplayKey& key, const std::function<void()>& work) {
  const cudaStream_t stream = cuda::stream();  // what has been gathered does not belong to it
  Recordings::Entry& entry = recordings_->entry_of(key, cuda::context().guard);
  ++entry.uses;
  if (entry.uses == 1) return work();
  if (entry.graph == nullptr) {
    const cudaGraph_t graph = record(work);
    const cudaError_t status = cudaGraphInstantiate(&entry.graph, graph, 0);
    (void)cudaGraphDestroy(graph);
    cuda::check(status, "instantiating a recording");
  }
  cuda::check(cudaGraphLaunch(entry.graph, stream), "launching a recording");
}

}  // namespace hodge::linalg
