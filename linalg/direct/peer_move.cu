#include "linalg/direct/peer_move.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "linalg/base/complex.hpp"
#include "linalg/cuda/peer_meeting.cuh"
#include "linalg/cuda/peer_memory.hpp"
#include "linalg/cuda/runtime.hpp"
#include "linalg/cuda/side_stream.hpp"
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
// the transforms, which a kernel would slow down; own strips are copied between the transforms.
// Pieces forward meet behind the last one of them. Pieces backward meet each: what other processes
// wait for is a part of the array.
//
// Measured with 134 MB on each of two H100, the half of it for the other GPU: one kernel for all
// takes 200 us behind a transform of 194 us; in four pieces, both take 366 us. Memory limits them
// then: 540 MB for the transform and 268 MB for the move.
template <class Value>
class PeerMove final : public BoxPass<Value> {
 public:
  PeerMove(const FixedMove<Value>& move, std::unique_ptr<cuda::PeerMemory> in,
           std::unique_ptr<cuda::PeerMemory> out, std::unique_ptr<PeerMeeting> meeting)
      : meets_before_(move.use == ArrayUse::any),
        in_(std::move(in)),
        out_(std::move(out)),
        meeting_(std::move(meeting)),
        back_(move.pieces.size()) {
    for (const MovedStrips& strips : move.pieces) {
      const auto add = [&](std::vector<Piece>& pieces, const StripsOfProcesses& from,
                           const StripsOfProcesses& to, const cuda::PeerMemory& arrays) {
        pieces.push_back(piece_of(move.processes, from, exchange_lists(move.processes, to), arrays,
                                  move.pieces.size() > 1));
      };
      add(forward_, strips.from, strips.to, *out_);
      add(backward_, strips.to, strips.from, *in_);
    }
    sent_forward_ = instead_of_messages(move, *in_, &MovedStrips::from);
    sent_backward_ = instead_of_messages(move, *out_, &MovedStrips::to);
  }

  void forward(const Value* in, Value* out) override {
    for (int piece = 0; piece < pieces(); ++piece) start_forward(piece, in, out);
    finish_forward(in, out);
  }
  void backward(Value* in, Value* out) override {
    start_backward(in, out);
    for (int piece = pieces(); piece-- > 0;) wait_backward(piece);
  }

  void start_forward(int piece, const Value* in, Value*) override {
    const Piece& moved = forward_[static_cast<std::size_t>(piece)];
    const bool is_last = piece + 1 == pieces();
    if (piece == 0 && meets_before_) meet(cuda::stream());
    if (is_last) count(sent_forward_);
    if (pieces() > 1) {
      copy_to_others(moved, in, side_stream_behind_main());
      if (is_last) meet(cuda::side_stream());
    }
    write(moved, in, pieces() == 1);
  }
  void finish_forward(const Value*, Value*) override {
    if (pieces() == 1) return;
    there_.record(cuda::side_stream());
    there_.precede(cuda::stream());
  }
  void start_backward(Value* in, Value*) override {
    if (meets_before_) meet(cuda::stream());
    count(sent_backward_);
    if (pieces() == 1) return write(backward_[0], in, true);
    backward_in_ = in;
    const cudaStream_t beside = side_stream_behind_main();
    for (std::size_t piece = backward_.size(); piece-- > 0;) {
      copy_to_others(backward_[piece], in, beside);
      count_meeting();
      meeting_->tell_others(beside);
      back_[piece].record(beside);
    }
  }
  void wait_backward(int piece) override {
    if (pieces() == 1) return;
    const auto k = static_cast<std::size_t>(piece);
    write(backward_[k], backward_in_, false);
    back_[k].precede(cuda::stream());
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
  struct Piece {
    std::vector<Copied> to_others;
    Buffer<WrittenStrips<Value>, Cuda> written;  // by a kernel
    unsigned tiles = 0;
  };

  int pieces() const { return static_cast<int>(forward_.size()); }

  cudaStream_t side_stream_behind_main() {
    ready_.record(cuda::stream());
    ready_.precede(cuda::side_stream());
    return cuda::side_stream();
  }

  // `from`: own strips for each process; `to`: their places in the arrays of these processes. The
  // next process comes first, the own one last.
  static Piece piece_of(Communicator& processes, const StripsOfProcesses& from,
                        const StripsOfProcesses& to, const cuda::PeerMemory& arrays,
                        bool by_copy_engines) {
    Piece piece;
    std::vector<WrittenStrips<Value>> written;
    unsigned most = 0;
    const auto rank = static_cast<std::size_t>(processes.rank());
    for (std::size_t k = 1; k <= from.size(); ++k) {
      const std::size_t p = (rank + k) % from.size();
      for (std::size_t i = 0; i < from[p].size(); ++i) {
        const Strips &s = from[p][i], &place = to[p][i];
        if (s.size() == 0) continue;
        Value* const begin = reinterpret_cast<Value*>(arrays.array_of(p)) + place.first;
        if (by_copy_engines && p != rank) {
          piece.to_others.push_back({s, begin, place.stride});
          continue;
        }
        written.push_back({s.first, s.stride, begin, place.stride, static_cast<unsigned>(s.length),
                           static_cast<unsigned>(s.size())});
        most = std::max(most, written.back().size);
      }
    }
    constexpr unsigned before = line_bytes / sizeof(Value) - 1;  // at most, in a line
    const unsigned tiles_of_each = (most + before + values_of_tile - 1) / values_of_tile;
    piece.tiles = tiles_of_each * static_cast<unsigned>(written.size());
    piece.written =
        Buffer<WrittenStrips<Value>, Cuda>(std::span<const WrittenStrips<Value>>(written));
    return piece;
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

  void write(const Piece& piece, const Value* in, bool meets) {
    const auto kernel = write_strips_kernel<Value>;
    static const auto at_once = static_cast<unsigned>(cuda::blocks_at_once(kernel, write_threads));
    if (meets) count_meeting();
    if (piece.tiles == 0 && !meets) return;
    cuda::launch_kernel("write_strips_kernel", kernel, std::clamp(piece.tiles, 1u, at_once),
                        write_threads, piece.written.data(),
                        static_cast<unsigned>(piece.written.size()), piece.tiles, in,
                        meeting_->view(), meets);
  }

  static void copy_to_others(const Piece& piece, const Value* in, cudaStream_t on) {
    const auto bytes = [](std::ptrdiff_t values) {
      return static_cast<std::size_t>(values) * sizeof(Value);
    };
    for (const auto& [from, to, to_stride] : piece.to_others)
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
  std::vector<Piece> forward_, backward_;
  const Value* backward_in_ = nullptr;  // of the pieces that are on their way
  std::vector<OutgoingMessage> sent_forward_, sent_backward_;
  cuda::Event ready_, there_;
  std::vector<cuda::Event> back_;  // by piece
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
  std::unique_ptr<PeerMeeting> meeting = PeerMeeting::open(move.processes);
  if (meeting == nullptr) return nullptr;
  return std::make_unique<PeerMove<Value>>(move, std::move(in), std::move(out), std::move(meeting));
}

#define HODGE_PEER_MOVE(Value) \
  template std::unique_ptr<BoxPass<Value>> peer_move_of_gpus(const FixedMove<Value>&);
HODGE_PEER_MOVE(double)
HODGE_PEER_MOVE(float)
HODGE_PEER_MOVE(Complex<double>)
HODGE_PEER_MOVE(Complex<float>)

}  // namespace hodge::linalg
