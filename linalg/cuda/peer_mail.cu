// Cuda space: messages through memory of the other GPUs (peer_mail.hpp).
#include "linalg/cuda/peer_mail.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "linalg/cuda/runtime.hpp"

namespace hodge::linalg::cuda {

// Pieces of a slot, one after another, and where they come from or go to.
struct Parcels {
  struct Part {
    std::byte* place;
    std::size_t bytes, at;  // in the slot
  };
  Part part[PeerMail::most_parts];
  int count = 0;
};

namespace {

constexpr int mail_threads = 256;
constexpr std::size_t bytes_of_block = 16 * mail_threads * 4;

// By all threads of the grid.
template <class Word>
__device__ void copy_words(const std::byte* from, std::byte* to, std::size_t words) {
  const auto* const in = reinterpret_cast<const Word*>(from);
  auto* const out = reinterpret_cast<Word*>(to);
  const std::size_t step = std::size_t{gridDim.x} * mail_threads;
  for (std::size_t i = std::size_t{blockIdx.x} * mail_threads + threadIdx.x; i < words; i += step)
    out[i] = __ldcg(in + i);
}
__device__ void copy_bytes(const std::byte* from, std::byte* to, std::size_t bytes) {
  const auto all =
      reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to) | bytes;
  if (all % sizeof(int4) == 0) return copy_words<int4>(from, to, bytes / sizeof(int4));
  if (all % sizeof(int2) == 0) return copy_words<int2>(from, to, bytes / sizeof(int2));
  if (all % sizeof(int) == 0) return copy_words<int>(from, to, bytes / sizeof(int));
  copy_words<char>(from, to, bytes);
}

// What is told to the other GPU when a slot has been filled or emptied.
struct Turn {
  PeerCounter *counted, *told;  // own; of the other process
  PeerCounter* tickets;         // of blocks that are done
};

// The counter goes on, and the other GPU sees it behind all that the blocks have read and written.
__device__ void end_turn(const Turn& turn, PeerCounter number) {
  if (!is_last_of_grid(turn.tickets)) return;
  *turn.counted = number + 1;
  store_release(turn.told, number + 1);
}

__global__ void __launch_bounds__(mail_threads)
    send_mail_kernel(Parcels parcels, std::byte* slots, const PeerCounter* consumed, Turn turn) {
  const PeerCounter number = *static_cast<const volatile PeerCounter*>(turn.counted);
  if (threadIdx.x == 0) wait_for(consumed, number - 1);
  __syncthreads();
  std::byte* const slot = slots + (number % 2) * PeerMail::slot_bytes;
  for (int k = 0; k < parcels.count; ++k)
    copy_bytes(parcels.part[k].place, slot + parcels.part[k].at, parcels.part[k].bytes);
  end_turn(turn, number);
}

__global__ void __launch_bounds__(mail_threads)
    receive_mail_kernel(Parcels parcels, const std::byte* slots, const PeerCounter* arrived,
                        Turn turn) {
  const PeerCounter number = *static_cast<const volatile PeerCounter*>(turn.counted);
  if (threadIdx.x == 0) wait_for(arrived, number + 1);
  __syncthreads();
  const std::byte* const slot = slots + (number % 2) * PeerMail::slot_bytes;
  for (int k = 0; k < parcels.count; ++k)
    copy_bytes(slot + parcels.part[k].at, parcels.part[k].place, parcels.part[k].bytes);
  end_turn(turn, number);
}

constexpr std::size_t unit_bytes = sizeof(int4);  // messages are cut and begin at multiples

// The slots that the messages between this process and another one fill, one after another.
class SlotsOfPair {
 public:
  explicit SlotsOfPair(int other) : other_(other) {}

  int other() const { return other_; }
  bool has(std::size_t slot) const { return slot < slots_.size(); }
  const Parcels& operator[](std::size_t slot) const { return slots_[slot]; }

  void add(std::byte* message, std::size_t bytes) {
    while (bytes > 0) {
      if (free_ == 0 || slots_.back().count == PeerMail::most_parts) {
        slots_.emplace_back();
        free_ = PeerMail::slot_bytes;
      }
      const std::size_t size = std::min(bytes, free_);
      Parcels& slot = slots_.back();
      slot.part[slot.count++] = {message, size, PeerMail::slot_bytes - free_};
      free_ -= (size + unit_bytes - 1) / unit_bytes * unit_bytes;
      message += size;
      bytes -= size;
    }
  }

 private:
  int other_;
  std::vector<Parcels> slots_;
  std::size_t free_ = 0;  // bytes of the last slot
};

template <class Message>
std::vector<SlotsOfPair> slots_by_process(std::span<const Message> messages, int Message::*other) {
  std::vector<SlotsOfPair> pairs;
  for (const Message& m : messages) {
    auto pair = std::ranges::find(pairs, m.*other, &SlotsOfPair::other);
    if (pair == pairs.end()) pair = pairs.emplace(pair, m.*other);
    pair->add(const_cast<std::byte*>(static_cast<const std::byte*>(m.bytes.data())),
              m.bytes.size());
  }
  return pairs;
}

template <class Kernel>
int blocks_of(const Parcels& parcels, Kernel kernel) {
  static const int at_once = blocks_at_once(kernel, mail_threads);
  std::size_t bytes = 0;
  for (int k = 0; k < parcels.count; ++k) bytes += parcels.part[k].bytes;
  return static_cast<int>(std::clamp<std::size_t>((bytes + bytes_of_block - 1) / bytes_of_block, 1,
                                                  static_cast<std::size_t>(at_once)));
}

// awaited: the counter that the kernel waits for.
template <class Slots>
void launch_mail(const char* name, void (*kernel)(Parcels, Slots, const PeerCounter*, Turn),
                 const Parcels& parcels, Slots slots, const PeerCounter* awaited,
                 const Turn& turn) {
  launch_kernel(name, kernel, blocks_of(parcels, kernel), mail_threads, parcels, slots, awaited,
                turn);
}

}  // namespace

std::unique_ptr<PeerMail> PeerMail::open(Communicator& processes) {
  std::unique_ptr<PeerBlock> memory = PeerBlock::open(processes, bytes_for(processes.size()));
  if (memory == nullptr) return nullptr;
  return std::unique_ptr<PeerMail>(new PeerMail(processes, std::move(memory)));
}

std::size_t PeerMail::bytes_for(int processes) {
  const auto others = static_cast<std::size_t>(processes - 1);
  return others * (2 * slot_bytes + counters * peer_counter_bytes);
}

std::byte* PeerMail::slots(int of, int other) const {
  return memory_->of(of) + PeerBlock::place_among_others(other, of) * 2 * slot_bytes;
}

PeerCounter* PeerMail::counter(Which which, int of, int other) const {
  const std::size_t pair = PeerBlock::place_among_others(other, of),
                    at = static_cast<std::size_t>(size_ - 1) * 2 * slot_bytes +
                         (pair * counters + which) * peer_counter_bytes;
  return reinterpret_cast<PeerCounter*>(memory_->of(of) + at);
}

void PeerMail::exchange(std::span<const OutgoingMessage> outgoing,
                        std::span<const IncomingMessage> incoming) {
  const std::vector<SlotsOfPair> to = slots_by_process(outgoing, &OutgoingMessage::to),
                                 from = slots_by_process(incoming, &IncomingMessage::from);
  bool goes_on = true;
  for (std::size_t round = 0; goes_on; ++round) {
    goes_on = false;
    for (const SlotsOfPair& pair : to) {
      if (!pair.has(round)) continue;
      send(pair.other(), pair[round]);
      goes_on = true;
    }
    for (const SlotsOfPair& pair : from) {
      if (round > 0 && pair.has(round - 1)) receive(pair.other(), pair[round - 1]);
      goes_on = goes_on || pair.has(round);
    }
  }
}

void PeerMail::send(int to, const Parcels& parcels) {
  launch_mail("send_mail_kernel", send_mail_kernel, parcels, slots(to, rank_),
              counter(consumed, rank_, to),
              {counter(sent, rank_, to), counter(arrived, to, rank_), counter(sending, rank_, to)});
}

void PeerMail::receive(int from, const Parcels& parcels) {
  launch_mail("receive_mail_kernel", receive_mail_kernel, parcels,
              static_cast<const std::byte*>(slots(rank_, from)), counter(arrived, rank_, from),
              {counter(received, rank_, from), counter(consumed, from, rank_),
               counter(receiving, rank_, from)});
}

}  // namespace hodge::linalg::cuda
