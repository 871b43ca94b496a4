// The values of a box move from one array to another, between the processes that share it.
//
// Every process has a part of both arrays. What a process sends to another one are strips of its
// array, and they become strips of the other's. One message goes each way between two processes;
// strips that lie side by side are sent from where they are. Memory: the strips that do not.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "linalg/direct/box_pass.hpp"
#include "linalg/host/loops.hpp"
#include "linalg/processes/communicator.hpp"
#include "linalg/processes/message_count.hpp"

namespace hodge::linalg {

// `count` times `length` adjacent values, which begin `stride` apart.
struct Strips {
  std::ptrdiff_t first = 0, length = 0, count = 0, stride = 0;

  std::ptrdiff_t size() const { return length * count; }
  bool are_adjacent() const { return count <= 1 || stride == length; }
  Strips packed_at(std::ptrdiff_t place) const { return {place, length, count, length}; }
};

// By process: its strips of the own array.
using StripsOfProcesses = std::vector<Strips>;

template <class T>
class BoxMove final : public BoxPass<T> {
 public:
  // `to` of another process has as many strips for this one as `from` has for it.
  BoxMove(Communicator& processes, StripsOfProcesses from, StripsOfProcesses to)
      : processes_(&processes), from_(std::move(from)), to_(std::move(to)) {
    std::ptrdiff_t packed = 0;
    for (const StripsOfProcesses* const side : {&from_, &to_})
      for (const Strips& strips : *side)
        if (!strips.are_adjacent()) packed += strips.size();
    packed_.resize(static_cast<std::size_t>(packed));
    outgoing_.reserve(from_.size());
    incoming_.reserve(from_.size());
  }

  // Collective.
  void forward(const T* in, T* out) override { move(from_, to_, in, out); }
  void backward(T* in, T* out) override { move(to_, from_, in, out); }

 private:
  void move(const StripsOfProcesses& sent, const StripsOfProcesses& received, const T* in, T* out) {
    const auto rank = static_cast<std::size_t>(processes_->rank());
    outgoing_.clear();
    incoming_.clear();
    std::ptrdiff_t place = 0;
    for (std::size_t p = 0; p < sent.size(); ++p)
      if (p != rank && sent[p].size() > 0)
        outgoing_.push_back({static_cast<int>(p), std::as_bytes(adjacent(sent[p], in, place))});
    const std::ptrdiff_t place_of_received = place;
    for (std::size_t p = 0; p < received.size(); ++p)
      if (p != rank && received[p].size() > 0)
        incoming_.push_back(
            {static_cast<int>(p), std::as_writable_bytes(room_for(received[p], out, place))});
    {
      const CountedMessages counted(MessageKind::all_to_all, outgoing_);
      processes_->start_exchange(outgoing_, incoming_);
      copy(sent[rank], in, received[rank], out);
      processes_->finish_exchange();
    }
    place = place_of_received;
    for (std::size_t p = 0; p < received.size(); ++p)
      if (p != rank && !received[p].are_adjacent()) {
        copy(received[p].packed_at(place), packed_.data(), received[p], out);
        place += received[p].size();
      }
  }

  // The values of strips side by side: those of the array, or a copy of them.
  std::span<const T> adjacent(const Strips& strips, const T* array, std::ptrdiff_t& place) {
    const auto size = static_cast<std::size_t>(strips.size());
    if (strips.are_adjacent()) return {array + strips.first, size};
    const Strips packed = strips.packed_at(place);
    copy(strips, array, packed, packed_.data());
    place += packed.size();
    return {packed_.data() + packed.first, size};
  }
  std::span<T> room_for(const Strips& strips, T* array, std::ptrdiff_t& place) {
    const auto size = static_cast<std::size_t>(strips.size());
    if (strips.are_adjacent()) return {array + strips.first, size};
    return {packed_.data() + std::exchange(place, place + strips.size()), size};
  }

  // Both have the same length and count.
  static void copy(const Strips& from, const T* in, const Strips& to, T* out) {
    [[maybe_unused]] const bool parallel = from.size() > host::parallel_threshold;
#pragma omp parallel for schedule(static) if (parallel)
    for (std::ptrdiff_t i = 0; i < from.count; ++i)
      std::copy_n(in + from.first + i * from.stride, from.length, out + to.first + i * to.stride);
  }

  Communicator* processes_;
  StripsOfProcesses from_, to_;
  std::vector<T> packed_;
  std::vector<OutgoingMessage> outgoing_;
  std::vector<IncomingMessage> incoming_;
};

}  // namespace hodge::linalg
