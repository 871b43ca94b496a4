// The values of a box move from one array to another, between the processes that share it.
//
// Every process has a part of both arrays. What a process sends to another one are strips of its
// array, and they become strips of the other's. One message goes each way between two processes;
// strips that lie side by side are sent from where they are, all others are packed into a message
// by one pass. Memory: the strips that are packed.
//
// Between fixed arrays a kernel of this process writes its strips to where they belong, on all GPUs
// of a machine that reach each other's memory (peer_move.hpp): no messages, nothing is packed.
// There pieces travel beside other work; messages leave when all pieces are there.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "linalg/direct/box_pass.hpp"
#include "linalg/direct/peer_move.hpp"
#include "linalg/direct/strips.hpp"
#include "linalg/processes/communicator.hpp"
#include "linalg/processes/message_count.hpp"

namespace hodge::linalg {

template <class Space, class Value>
class BoxMove final : public MovePass<Value> {
 public:
  // `pieces`: the same strips in parts; none: in one piece.
  BoxMove(Communicator& processes, const MovedStrips& strips, std::vector<MovedStrips> pieces = {})
      : processes_(&processes),
        pieces_(std::move(pieces)),
        from_(end_of(strips.from)),
        to_(end_of(strips.to)),
        packed_(size_of_packed_) {
    const auto rank = static_cast<std::size_t>(processes.rank());
    const std::vector<Strips>&from = strips.from[rank], &to = strips.to[rank];
    std::vector<StripPair> own;
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i].size() > 0) own.emplace_back(from[i], to[i]);
    own_ = StripPairs<Space>(own);
    outgoing_.reserve(strips.from.size());
    incoming_.reserve(strips.from.size());
    if (pieces_.empty()) pieces_.push_back(strips);
  }

  // Collective.
  void forward(const Value* in, Value* out) override {
    if (directly_ != nullptr) return directly_->forward(in, out);
    move(from_, to_, false, in, out);
  }
  void backward(Value* in, Value* out) override {
    if (directly_ != nullptr) return directly_->backward(in, out);
    move(to_, from_, true, in, out);
  }

  void start_forward(int piece, const Value* in, Value* out) override {
    if (directly_ != nullptr) directly_->start_forward(piece, in, out);
  }
  void finish_forward(const Value* in, Value* out) override {
    if (directly_ != nullptr) return directly_->finish_forward(in, out);
    forward(in, out);
  }
  void start_backward(Value* in, Value* out) override {
    if (directly_ != nullptr) return directly_->start_backward(in, out);
    backward(in, out);
  }
  void wait_backward(int piece) override {
    if (directly_ != nullptr) directly_->wait_backward(piece);
  }

  void fix_arrays(std::span<Value> in, std::span<Value> out, ArrayUse use) override {
    directly_ = peer_move<Space, Value>({*processes_, pieces_, in, out, use});
    if (directly_ != nullptr) packed_ = Buffer<Value, Space>();
  }
  bool writes_directly() const override { return directly_ != nullptr; }

 private:
  // What this process and another one exchange: adjacent values of the array, or of packed_.
  struct Parcel {
    int process;
    bool is_packed;
    std::size_t first, size;
  };
  struct End {
    std::vector<Parcel> parcels;
    StripPairs<Space> packing;  // strips of the array, and where they are packed
  };

  End end_of(const StripsOfProcesses& strips) {
    End end;
    std::vector<StripPair> packing;
    for (std::size_t p = 0; p < strips.size(); ++p) {
      std::size_t size = 0;
      for (const Strips& s : strips[p]) size += static_cast<std::size_t>(s.size());
      if (size == 0 || static_cast<int>(p) == processes_->rank()) continue;
      const Strips& first = strips[p].front();
      const bool is_packed = strips[p].size() > 1 || !first.are_adjacent();
      end.parcels.push_back({static_cast<int>(p), is_packed,
                             is_packed ? size_of_packed_ : static_cast<std::size_t>(first.first),
                             size});
      if (!is_packed) continue;
      for (const Strips& s : strips[p]) {
        if (s.size() > 0)
          packing.emplace_back(s, s.packed_at(static_cast<std::ptrdiff_t>(size_of_packed_)));
        size_of_packed_ += static_cast<std::size_t>(s.size());
      }
    }
    end.packing = StripPairs<Space>(packing);
    return end;
  }

  void move(const End& sent, const End& received, bool back, const Value* in, Value* out) {
    copy_strips(sent.packing, false, in, packed_.data());
    outgoing_.clear();
    for (const Parcel& p : sent.parcels) {
      const Value* const array = p.is_packed ? packed_.data() : in;
      outgoing_.push_back({p.process, std::as_bytes(std::span(array + p.first, p.size))});
    }
    incoming_.clear();
    for (const Parcel& p : received.parcels) {
      Value* const array = p.is_packed ? packed_.data() : out;
      incoming_.push_back({p.process, std::as_writable_bytes(std::span(array + p.first, p.size))});
    }
    {
      const CountedMessages counted(MessageKind::all_to_all, outgoing_);
      Space::start_exchange(*processes_, outgoing_, incoming_);
      copy_strips(own_, back, in, out);
      Space::finish_exchange(*processes_);
    }
    copy_strips(received.packing, true, static_cast<const Value*>(packed_.data()), out);
  }

  Communicator* processes_;
  std::vector<MovedStrips> pieces_;
  std::size_t size_of_packed_ = 0;  // values
  End from_, to_;
  StripPairs<Space> own_;  // strips that stay on this process
  Buffer<Value, Space> packed_;
  std::vector<OutgoingMessage> outgoing_;
  std::vector<IncomingMessage> incoming_;
  std::unique_ptr<MovePass<Value>> directly_;  // null: by messages
};

}  // namespace hodge::linalg
