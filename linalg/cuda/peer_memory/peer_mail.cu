// Cuda space: messages through memory of the other GPUs (peer_mail.hpp).
#include "linalg/cuda/peer_memory/peer_mail.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "linalg/cuda/device/runtime.hpp"

namespace hodge::linalg::cuda {

namespace {

constexpr int mail_threads = 256, words_at_once = 4;
constexpr std::size_t unit_bytes = sizeof(int4);  // messages are cut and begin at multiples
constexpr std::size_t tile_bytes = unit_bytes * mail_threads * words_at_once;

// A part of a slot, and where it comes from or goes to.
struct Part {
  std::byte* place;
  std::size_t bytes;
  unsigned at = 0, pair = 0;  // in the slot; the slot is that of this pair
};

struct Pair {
  std::byte* slots;
  const PeerCounter* awaited;   // by it the other process says that the slot is free, or filled
  PeerCounter *counted, *told;  // own; of the other process
};

// What a process sends in a round, or what it receives: a slot for each pair.
template <int MostPairs>
struct Turns {
  Pair pair[MostPairs];
  Part part[MostPairs * PeerMail::most_parts];
  int pairs = 0, parts = 0;
  unsigned tiles = 0;              // of all parts, each with as many as the longest one has
  PeerCounter* tickets = nullptr;  // of blocks that are done
};

// A tile, by the threads of a block. All words are loaded before the first one is stored.
template <class Word>
__device__ void copy_words(const std::byte* from, std::byte* to, std::size_t bytes) {
  const auto* const in = reinterpret_cast<const Word*>(from);
  auto* const out = reinterpret_cast<Word*>(to);
  const auto words = static_cast<unsigned>(bytes / sizeof(Word));
  for (unsigned first = threadIdx.x; first < words; first += words_at_once * mail_threads) {
    Word word[words_at_once];
#pragma unroll
    for (int k = 0; k < words_at_once; ++k)
      if (first + k * mail_threads < words) word[k] = __ldcg(in + first + k * mail_threads);
#pragma unroll
    for (int k = 0; k < words_at_once; ++k)
      if (first + k * mail_threads < words) out[first + k * mail_threads] = word[k];
  }
}
__device__ void copy_bytes(const std::byte* from, std::byte* to, std::size_t bytes) {
  const auto all =
      reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to) | bytes;
  if (all % sizeof(int4) == 0) return copy_words<int4>(from, to, bytes);
  if (all % sizeof(int2) == 0) return copy_words<int2>(from, to, bytes);
  if (all % sizeof(int) == 0) return copy_words<int>(from, to, bytes);
  copy_words<char>(from, to, bytes);
}

// By all threads of the grid: waits until the counter of each pair is `ahead` of the own one, and
// copies. Then the own counters go on, and the other GPUs see them behind all that the blocks have
// read and written.
template <bool Sends, int MostPairs>
__device__ void take_turns(const Turns<MostPairs>& turns, int ahead) {
  if (turns.pairs == 0) return;
  __shared__ std::byte* slot[MostPairs];
  if (threadIdx.x < static_cast<unsigned>(turns.pairs)) {
    const Pair& pair = turns.pair[threadIdx.x];
    const PeerCounter number = *static_cast<const volatile PeerCounter*>(pair.counted);
    wait_for(pair.awaited, number + static_cast<PeerCounter>(ahead));
    slot[threadIdx.x] = pair.slots + number % 2 * PeerMail::slot_bytes;
  }
  __syncthreads();
  for (unsigned tile = blockIdx.x; tile < turns.tiles; tile += gridDim.x) {
    const Part& part = turns.part[tile % static_cast<unsigned>(turns.parts)];
    const std::size_t first = tile / static_cast<unsigned>(turns.parts) * tile_bytes;
    if (first >= part.bytes) continue;
    std::byte *const place = part.place + first, *const in_slot = slot[part.pair] + part.at + first;
    copy_bytes(Sends ? place : in_slot, Sends ? in_slot : place,
               min(part.bytes - first, tile_bytes));
  }
  if (!is_last_of_grid(turns.tickets)) return;
  for (int p = 0; p < turns.pairs; ++p) {
    const PeerCounter number = *turns.pair[p].counted + 1;
    *turns.pair[p].counted = number;
    store_release(turns.pair[p].told, number);
  }
}

template <int MostPairs>
__global__ void __launch_bounds__(mail_threads)
    exchange_mail_kernel(const __grid_constant__ Turns<MostPairs> sent,
                         const __grid_constant__ Turns<MostPairs> received) {
  take_turns<true>(sent, -1);
  take_turns<false>(received, 1);
}

// The parts of one slot.
using Parts = std::vector<Part>;

// The slots that the messages between this process and another one fill, one after another.
class SlotsOfPair {
 public:
  explicit SlotsOfPair(int other) : other_(other) {}

  int other() const { return other_; }
  const std::vector<Parts>& slots() const { return slots_; }

  void add(std::byte* message, std::size_t bytes) {
    while (bytes > 0) {
      if (free_ == 0 || slots_.back().size() == PeerMail::most_parts) {
        slots_.emplace_back();
        free_ = PeerMail::slot_bytes;
      }
      const std::size_t size = std::min(bytes, free_);
      slots_.back().push_back({message, size, static_cast<unsigned>(PeerMail::slot_bytes - free_)});
      free_ -= (size + unit_bytes - 1) / unit_bytes * unit_bytes;
      message += size;
      bytes -= size;
    }
  }

 private:
  int other_;
  std::vector<Parts> slots_;
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

// A slot of a pair, in a round.
struct Turn {
  Pair pair;
  const Parts* parts;
};

template <int MostPairs>
Turns<MostPairs> joined(std::span<const Turn> turns, PeerCounter* tickets) {
  Turns<MostPairs> all{};
  std::size_t longest = 0;
  for (const Turn& turn : turns) {
    for (Part part : *turn.parts) {
      part.pair = static_cast<unsigned>(all.pairs);
      all.part[all.parts++] = part;
      longest = std::max(longest, part.bytes);
    }
    all.pair[all.pairs++] = turn.pair;
  }
  all.tiles = static_cast<unsigned>((longest + tile_bytes - 1) / tile_bytes) *
              static_cast<unsigned>(all.parts);
  all.tickets = tickets;
  return all;
}

// Blocks that are on the GPU at once, beside the small ones of another stream.
template <class... Arguments>
unsigned most_blocks(void (*kernel)(Arguments...)) {
  constexpr int of_multiprocessor = 2;
  const int all =
      attribute(cudaDevAttrMultiProcessorCount, "asking for the number of multiprocessors");
  return static_cast<unsigned>(
      std::min(of_multiprocessor * all, blocks_at_once(kernel, mail_threads)));
}

// A kernel with room for fewer pairs has fewer parameters, and starts faster.
constexpr int few_pairs = 3, many_pairs = 8;

template <int MostPairs>
void launch_exchange(std::span<const Turn> sent, PeerCounter* sending,
                     std::span<const Turn> received, PeerCounter* receiving) {
  const auto kernel = exchange_mail_kernel<MostPairs>;
  static const unsigned most = most_blocks(kernel);
  const auto out = joined<MostPairs>(sent, sending), in = joined<MostPairs>(received, receiving);
  launch_kernel("exchange_mail_kernel", kernel, std::clamp(std::max(out.tiles, in.tiles), 1u, most),
                mail_threads, out, in);
}

}  // namespace

std::unique_ptr<PeerMail> PeerMail::open(Communicator& processes) {
  std::unique_ptr<PeerBlock> memory = PeerBlock::open(processes, bytes_for(processes.size()));
  if (memory == nullptr) return nullptr;
  return std::unique_ptr<PeerMail>(new PeerMail(processes, std::move(memory)));
}

// Of each process: the slots and the counters for each of the others, and its tickets.
std::size_t PeerMail::bytes_for(int processes) {
  const auto others = static_cast<std::size_t>(processes - 1);
  return others * 2 * slot_bytes + (others * counters + tickets) * peer_counter_bytes;
}

std::byte* PeerMail::slots(int of, int other) const {
  return memory_->of(of) + PeerBlock::place_among_others(other, of) * 2 * slot_bytes;
}

PeerCounter* PeerMail::line(int of, std::size_t number) const {
  const std::size_t slots = static_cast<std::size_t>(size_ - 1) * 2 * slot_bytes;
  return reinterpret_cast<PeerCounter*>(memory_->of(of) + slots + number * peer_counter_bytes);
}

PeerCounter* PeerMail::counter(Which which, int of, int other) const {
  return line(of, PeerBlock::place_among_others(other, of) * counters + which);
}

PeerCounter* PeerMail::ticket(Tickets which) const {
  return line(rank_, static_cast<std::size_t>(size_ - 1) * counters + which);
}

// More pairs than a kernel has room for: it fills all slots before it waits for the first message.
void PeerMail::exchange(std::span<const OutgoingMessage> outgoing,
                        std::span<const IncomingMessage> incoming) {
  const std::vector<SlotsOfPair> to = slots_by_process(outgoing, &OutgoingMessage::to),
                                 from = slots_by_process(incoming, &IncomingMessage::from);
  const auto turns_of = [](const std::vector<SlotsOfPair>& pairs, std::size_t round,
                           const auto& pair_with) {
    std::vector<Turn> turns;
    for (const SlotsOfPair& pair : pairs)
      if (round < pair.slots().size())
        turns.push_back({pair_with(pair.other()), &pair.slots()[round]});
    return turns;
  };
  for (std::size_t round = 0;; ++round) {
    const std::vector<Turn> sent_now = turns_of(to, round, [this](int other) {
      return Pair{slots(other, rank_), counter(consumed, rank_, other), counter(sent, rank_, other),
                  counter(arrived, other, rank_)};
    });
    const std::vector<Turn> received_now = turns_of(from, round, [this](int other) {
      return Pair{slots(rank_, other), counter(arrived, rank_, other),
                  counter(received, rank_, other), counter(consumed, other, rank_)};
    });
    if (sent_now.empty() && received_now.empty()) return;
    std::span<const Turn> out = sent_now, in = received_now;
    const auto launch = [&](std::size_t sends, std::size_t receives) {
      const bool few = std::max(sends, receives) <= few_pairs;
      (few ? launch_exchange<few_pairs>
           : launch_exchange<many_pairs>)(out.first(sends), ticket(of_sending), in.first(receives),
                                          ticket(of_receiving));
      out = out.subspan(sends);
      in = in.subspan(receives);
    };
    while (out.size() > many_pairs) launch(many_pairs, 0);
    do launch(out.size(), std::min<std::size_t>(in.size(), many_pairs));
    while (!in.empty());
  }
}

}  // namespace hodge::linalg::cuda
