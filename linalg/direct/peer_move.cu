#include "linalg/direct/peer_move.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "linalg/base/complex.hpp"
#include "linalg/cuda/peer_memory.hpp"
#include "linalg/cuda/runtime.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/processes/message_count.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

namespace {

// Strips of the own array, and their place in the array of a process.
template <class Value>
struct WrittenStrips {
  std::ptrdiff_t from, from_stride;
  Value* to;
  std::ptrdiff_t to_stride;
  unsigned length, size;  // of a strip, of all
  bool to_other;          // process
};

constexpr int write_threads = 256, values_of_thread = 4;
constexpr unsigned values_of_tile = write_threads * values_of_thread;
constexpr unsigned line_bytes = 128;

// Tiles of strips for other processes take turns with own ones, so that all links and the own
// memory are busy from the beginning to the end. Threads begin at the start of a line of memory:
// where strips lie side by side in the other array, a warp writes whole lines.
//
// The fence: NCCL puts its kernels into another memory synchronization domain (CUDA programming
// guide). What they tell other GPUs is in order with what this kernel has written only where that
// has been flushed to the whole system. One thread does so for all tiles of its block. Nor does
// this kernel let the next one start before its own end, as those of launch_overlapping() do.
template <class Value>
__global__ void __launch_bounds__(write_threads)
    write_strips_kernel(const WrittenStrips<Value>* all, unsigned count, unsigned tiles,
                        const Value* in) {
  bool to_others = false;
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const WrittenStrips<Value> strips = all[tile % count];
    const unsigned before = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(strips.to) %
                                                  line_bytes / sizeof(Value));
    const unsigned first = tile / count * values_of_tile + threadIdx.x - before;
    Value values[values_of_thread];
    Value* places[values_of_thread];
#pragma unroll
    for (int k = 0; k < values_of_thread; ++k) {
      const unsigned i = first + k * write_threads;
      places[k] = nullptr;
      if (i >= strips.size) continue;
      const unsigned strip = i / strips.length, at = i % strips.length;
      values[k] = in[strips.from + strip * strips.from_stride + at];
      places[k] = strips.to + (strip * strips.to_stride + at);
    }
#pragma unroll
    for (int k = 0; k < values_of_thread; ++k)
      if (places[k] != nullptr) *places[k] = values[k];
    to_others = to_others || strips.to_other;
  }
  if (!to_others) return;
  __syncthreads();
  if (threadIdx.x == 0) __threadfence_system();
}

// Who writes to the array of another process must know that this has finished its work on it, and
// who goes on must know that the others have written. For that the processes meet: before and
// behind a move, or, where moves alternate, forward first, and use both arrays in turn, behind each
// move alone:
//
//   forward   writes `out` of others and reads the own `in`. The others have read `out` for the
//             last time before the meeting behind their last move back; before the first move there
//             is the set-up, which meets, too.
//   backward  writes `in` of others, which these have read before the meeting behind the move
//             forward, and do not touch before the one behind this move.
//
// All kernels are in the order of the stream, the meeting, too: who has left it sees what the
// others wrote before it.
template <class Value>
class PeerMove final : public BoxPass<Value> {
 public:
  PeerMove(const FixedMove<Value>& move, std::unique_ptr<cuda::PeerMemory> in,
           std::unique_ptr<cuda::PeerMemory> out)
      : processes_(&move.processes),
        meets_before_(move.use == ArrayUse::any),
        in_(std::move(in)),
        out_(std::move(out)),
        meeting_(1) {
    forward_ = written(move.from, exchange_lists(*processes_, move.to), *in_, *out_);
    backward_ = written(move.to, exchange_lists(*processes_, move.from), *out_, *in_);
  }

  void forward(const Value* in, Value*) override { write(forward_, in); }
  void backward(Value* in, Value*) override { write(backward_, in); }
  bool writes_directly() const override { return true; }

 private:
  struct Written {
    Buffer<WrittenStrips<Value>, Cuda> strips;
    unsigned tiles = 0;
    std::vector<OutgoingMessage> instead_of;  // the messages that are to be counted
  };

  // `from`: own strips for each process; `to`: their places in the arrays of these processes. The
  // next process comes first, the own one last.
  Written written(const StripsOfProcesses& from, const StripsOfProcesses& to,
                  const cuda::PeerMemory& own, const cuda::PeerMemory& arrays) const {
    Written result;
    std::vector<WrittenStrips<Value>> list;
    unsigned most = 0;
    const auto rank = static_cast<std::size_t>(processes_->rank());
    for (std::size_t k = 1; k <= from.size(); ++k) {
      const std::size_t p = (rank + k) % from.size();
      std::size_t bytes = 0;
      for (std::size_t i = 0; i < from[p].size(); ++i) {
        const Strips &s = from[p][i], &place = to[p][i];
        if (s.size() == 0) continue;
        Value* const array = reinterpret_cast<Value*>(arrays.array_of(p));
        list.push_back({s.first, s.stride, array + place.first, place.stride,
                        static_cast<unsigned>(s.length), static_cast<unsigned>(s.size()),
                        p != rank});
        most = std::max(most, list.back().size);
        bytes += list.back().size * sizeof(Value);
      }
      if (bytes > 0 && p != rank)
        result.instead_of.push_back({static_cast<int>(p), {own.array_of(rank), bytes}});
    }
    constexpr unsigned before = line_bytes / sizeof(Value) - 1;  // at most, in a line
    const unsigned tiles_of_each = (most + before + values_of_tile - 1) / values_of_tile;
    result.tiles = tiles_of_each * static_cast<unsigned>(list.size());
    result.strips = Buffer<WrittenStrips<Value>, Cuda>(std::span<const WrittenStrips<Value>>(list));
    return result;
  }

  void write(const Written& written, const Value* in) {
    if (meets_before_) meet();
    {
      const CountedMessages counted(MessageKind::all_to_all, written.instead_of);
      const auto kernel = write_strips_kernel<Value>;
      static const auto at_once =
          static_cast<unsigned>(cuda::blocks_at_once(kernel, write_threads));
      if (written.tiles > 0)
        cuda::launch_kernel("write_strips_kernel", kernel, std::min(written.tiles, at_once),
                            write_threads, written.strips.data(),
                            static_cast<unsigned>(written.strips.size()), written.tiles, in);
    }
    meet();
  }

  void meet() {
    const CountedMessages counted(MessageKind::reductions, sizeof(std::int64_t));
    Cuda::sum_over_processes(*processes_, meeting_.data(), 1);
  }

  Communicator* processes_;
  bool meets_before_;
  std::unique_ptr<cuda::PeerMemory> in_, out_;
  Buffer<std::int64_t, Cuda> meeting_;  // a zero that the processes sum up
  Written forward_, backward_;
};

}  // namespace

template <class Value>
std::unique_ptr<BoxPass<Value>> peer_move_of_gpus(const FixedMove<Value>& move) {
  const auto open = [&](std::span<Value> array) {
    return cuda::PeerMemory::open(move.processes, std::as_writable_bytes(array));
  };
  std::unique_ptr<cuda::PeerMemory> in = open(move.in);
  if (in == nullptr) return nullptr;
  std::unique_ptr<cuda::PeerMemory> out = open(move.out);
  if (out == nullptr) return nullptr;
  return std::make_unique<PeerMove<Value>>(move, std::move(in), std::move(out));
}

#define HODGE_PEER_MOVE(Value) \
  template std::unique_ptr<BoxPass<Value>> peer_move_of_gpus(const FixedMove<Value>&);
HODGE_PEER_MOVE(double)
HODGE_PEER_MOVE(float)
HODGE_PEER_MOVE(Complex<double>)
HODGE_PEER_MOVE(Complex<float>)

}  // namespace hodge::linalg
