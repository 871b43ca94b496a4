#include "linalg/direct/peer_move.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "linalg/base/complex.hpp"
#include "linalg/cuda/device/runtime.hpp"
#include "linalg/cuda/device/side_stream.hpp"
#include "linalg/cuda/peer_memory/peer_meeting.cuh"
#include "linalg/cuda/peer_memory/peer_memory.hpp"
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
};

using cuda::PeerMeeting;

constexpr int write_threads = 256, values_of_thread = 4;
constexpr unsigned values_of_tile = write_threads * values_of_thread;
constexpr unsigned line_bytes = 128;

// Tiles of strips for other processes take turns with own ones, so that all links and the own
// memory are busy from the beginning to the end. Threads begin at the start of a line of memory:
// where strips lie side by side in the other array, a warp writes whole lines.
//
// With a meeting, the processes meet behind what all of them have written. This kernel does not let
// the next one start before its own end, as those of launch_overlapping() do.
template <class Value>
__global__ void __launch_bounds__(write_threads)
    write_strips_kernel(const WrittenStrips<Value>* all, unsigned count, unsigned tiles,
                        const Value* in, PeerMeeting::View meeting, bool meets) {
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
  }
  if (meets) meeting.meet();
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
// In pieces, the copy engines of the GPU write to other processes, on a stream of their own beside
// the transforms, which a kernel would slow down. Strips that stay on this GPU are written by one
// kernel while the transforms wait for the link: behind the last transform forward, before the
// first one backward. No other process writes where these are. Pieces forward meet behind the last
// one of them. Pieces backward meet each: what other processes wait for is a part of the array.
//
// The link limits both ways: of 537 MB on each of two H200 the half goes to the other GPU in 740
// us; the transforms of these layers take 500 us. Four pieces are faster than six or eight.
template <class Value>
class PeerMove final : public MovePass<Value> {
 public:
  PeerMove(const FixedMove<Value>& move, std::unique_ptr<cuda::PeerMemory> in,
           std::unique_ptr<cuda::PeerMemory> out, std::unique_ptr<PeerMeeting> meeting)
      : meets_before_(move.use == ArrayUse::any),
        in_(std::move(in)),
        out_(std::move(out)),
        meeting_(std::move(meeting)),
        forward_(way_of(move, &MovedStrips::from, &MovedStrips::to, *out_)),
        backward_(way_of(move, &MovedStrips::to, &MovedStrips::from, *in_)),
        sent_forward_(instead_of_messages(move, *in_, &MovedStrips::from)),
        sent_backward_(instead_of_messages(move, *out_, &MovedStrips::to)),
        back_(move.pieces.size()) {}

  void forward(const Value* in, Value* out) override {
    for (int piece = 0; piece < pieces(); ++piece) start_forward(piece, in, out);
    finish_forward(in, out);
  }
  void backward(Value* in, Value* out) override {
    start_backward(in, out);
    for (int piece = 0; piece < pieces(); ++piece) wait_backward(piece);
  }

  void start_forward(int piece, const Value* in, Value*) override {
    if (piece == 0 && meets_before_) meet(cuda::stream());
    if (pieces() == 1) return;
    copy_to_others(forward_.copied[static_cast<std::size_t>(piece)], in, side_stream_behind_main());
  }
  void finish_forward(const Value* in, Value*) override {
    count(sent_forward_);
    if (pieces() == 1) return write(forward_, in, true);
    meet(cuda::side_stream());
    there_.record(cuda::side_stream());
    write(forward_, in, false);
    there_.precede(cuda::stream());
  }
  void start_backward(Value* in, Value*) override {
    if (meets_before_) meet(cuda::stream());
    count(sent_backward_);
    if (pieces() == 1) return write(backward_, in, true);
    const cudaStream_t beside = side_stream_behind_main();
    for (std::size_t piece = 0; piece < back_.size(); ++piece) {
      copy_to_others(backward_.copied[piece], in, beside);
      count_meeting();
      meeting_->tell_others(beside);
      back_[piece].record(beside);
    }
    write(backward_, in, false);
  }
  void wait_backward(int piece) override {
    if (pieces() == 1) return;
    back_[static_cast<std::size_t>(piece)].precede(cuda::stream());
    meeting_->wait_for_others(cuda::stream());
  }
  bool writes_directly() const override { return true; }

 private:
  // What copy engines copy to another process.
  struct Copied {
    Strips from;
    Value* to;
    std::ptrdiff_t to_stride;
  };
  // One piece is written by a kernel; of several pieces, what stays on this process.
  struct Way {
    std::vector<std::vector<Copied>> copied;  // by piece
    Buffer<WrittenStrips<Value>, Cuda> written;
    unsigned tiles = 0;
  };

  int pieces() const { return static_cast<int>(back_.size()); }

  cudaStream_t side_stream_behind_main() {
    ready_.record(cuda::stream());
    ready_.precede(cuda::side_stream());
    return cuda::side_stream();
  }

  // `arrays`: those that the strips `to` belong to. The next process comes first, the own one last.
  // Collective.
  static Way way_of(const FixedMove<Value>& move, StripsOfProcesses MovedStrips::*from,
                    StripsOfProcesses MovedStrips::*to, const cuda::PeerMemory& arrays) {
    Way way;
    std::vector<WrittenStrips<Value>> written;
    const auto rank = static_cast<std::size_t>(move.processes.rank()),
               size = static_cast<std::size_t>(move.processes.size());
    for (const MovedStrips& piece : move.pieces) {
      const StripsOfProcesses places = exchange_lists(move.processes, piece.*to);
      std::vector<Copied>& copied = way.copied.emplace_back();
      for (std::size_t k = 1; k <= size; ++k) {
        const std::size_t p = (rank + k) % size;
        for (std::size_t i = 0; i < places[p].size(); ++i) {
          const Strips &s = (piece.*from)[p][i], &place = places[p][i];
          if (s.size() == 0) continue;
          Value* const begin = reinterpret_cast<Value*>(arrays.array_of(p)) + place.first;
          if (p != rank && move.pieces.size() > 1)
            copied.push_back({s, begin, place.stride});
          else
            written.push_back({s.first, s.stride, begin, place.stride,
                               static_cast<unsigned>(s.length), static_cast<unsigned>(s.size())});
        }
      }
    }
    unsigned most = 0;
    for (const WrittenStrips<Value>& strips : written) most = std::max(most, strips.size);
    constexpr unsigned before = line_bytes / sizeof(Value) - 1;  // at most, in a line
    const unsigned tiles_of_each = (most + before + values_of_tile - 1) / values_of_tile;
    way.tiles = tiles_of_each * static_cast<unsigned>(written.size());
    way.written =
        Buffer<WrittenStrips<Value>, Cuda>(std::span<const WrittenStrips<Value>>(written));
    return way;
  }

  // The messages that are to be counted: one to each other process that gets strips.
  static std::vector<OutgoingMessage> instead_of_messages(const FixedMove<Value>& move,
                                                          const cuda::PeerMemory& own,
                                                          StripsOfProcesses MovedStrips::*sent) {
    std::vector<OutgoingMessage> messages;
    const int rank = move.processes.rank();
    for (int p = 0; p < move.processes.size(); ++p) {
      std::size_t bytes = 0;
      for (const MovedStrips& piece : move.pieces)
        for (const Strips& s : (piece.*sent)[static_cast<std::size_t>(p)])
          bytes += static_cast<std::size_t>(s.size()) * sizeof(Value);
      if (bytes > 0 && p != rank)
        messages.push_back({p, {own.array_of(static_cast<std::size_t>(rank)), bytes}});
    }
    return messages;
  }

  void write(const Way& way, const Value* in, bool meets) {
    const auto kernel = write_strips_kernel<Value>;
    static const auto at_once = static_cast<unsigned>(cuda::blocks_at_once(kernel, write_threads));
    if (meets) count_meeting();
    if (way.tiles == 0 && !meets) return;
    cuda::launch_kernel("write_strips_kernel", kernel, std::clamp(way.tiles, 1u, at_once),
                        write_threads, way.written.data(),
                        static_cast<unsigned>(way.written.size()), way.tiles, in, meeting_->view(),
                        meets);
  }

  static void copy_to_others(const std::vector<Copied>& copied, const Value* in, cudaStream_t on) {
    const auto bytes = [](std::ptrdiff_t values) {
      return static_cast<std::size_t>(values) * sizeof(Value);
    };
    for (const auto& [from, to, to_stride] : copied)
      cuda::check(cudaMemcpy2DAsync(to, bytes(to_stride), in + from.first, bytes(from.stride),
                                    bytes(from.length), static_cast<std::size_t>(from.count),
                                    cudaMemcpyDefault, on),
                  "copying to another GPU");
  }

  void meet(cudaStream_t on) {
    count_meeting();
    meeting_->meet(on);
  }

  static void count(const std::vector<OutgoingMessage>& messages) {
    const CountedMessages counted(MessageKind::all_to_all, messages);
  }
  static void count_meeting() {
    const CountedMessages counted(MessageKind::reductions, sizeof(cuda::PeerCounter));
  }

  bool meets_before_;
  std::unique_ptr<cuda::PeerMemory> in_, out_;
  std::unique_ptr<PeerMeeting> meeting_;
  Way forward_, backward_;
  std::vector<OutgoingMessage> sent_forward_, sent_backward_;
  cuda::Event ready_, there_;
  std::vector<cuda::Event> back_;  // by piece
};

}  // namespace

template <class Value>
std::unique_ptr<MovePass<Value>> peer_move_of_gpus(const FixedMove<Value>& move) {
  const auto open = [&](std::span<Value> array) {
    return cuda::PeerMemory::open(move.processes, std::as_writable_bytes(array));
  };
  std::unique_ptr<cuda::PeerMemory> in = open(move.in);
  if (in == nullptr) return nullptr;
  std::unique_ptr<cuda::PeerMemory> out = open(move.out);
  if (out == nullptr) return nullptr;
  std::unique_ptr<PeerMeeting> meeting = PeerMeeting::open(move.processes);
  if (meeting == nullptr) return nullptr;
  return std::make_unique<PeerMove<Value>>(move, std::move(in), std::move(out), std::move(meeting));
}

#define HODGE_PEER_MOVE(Value) \
  template std::unique_ptr<MovePass<Value>> peer_move_of_gpus(const FixedMove<Value>&);
HODGE_PEER_MOVE(double)
HODGE_PEER_MOVE(float)
HODGE_PEER_MOVE(Complex<double>)
HODGE_PEER_MOVE(Complex<float>)

}  // namespace hodge::linalg
