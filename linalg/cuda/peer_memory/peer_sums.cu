// Cuda space: sums and maxima through memory of the other GPUs (peer_sums.hpp).
#include "linalg/cuda/peer_memory/peer_sums.hpp"

#include <algorithm>
#include <vector>

#include "linalg/cuda/device/runtime.hpp"

namespace hodge::linalg::cuda {

namespace {

constexpr int sum_threads = 512;
constexpr std::size_t words_of_sum = 2 * std::size_t{PeerSums::most_values},
                      words_of_pair = 2 * words_of_sum;  // of sums that take turns

using Word = PeerSums::Word;

__device__ Word word_of(PeerCounter number, Word half) {
  return Word{number} << 32 | (half & 0xffffffffu);
}

// Waits until the word has come with this number; the half of a value in it.
__device__ Word half_of(const Word* at, PeerCounter number) {
  Word word;
  do {
    asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(word) : "l"(at) : "memory");
  } while (static_cast<PeerCounter>(word >> 32) != number);
  return word & 0xffffffffu;
}
__device__ void send(Word* to, Word word) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}

struct Sum {
  __device__ Word operator()(Word a, Word b) const { return a + b; }
};
struct Maximum {
  __device__ Word operator()(Word a, Word b) const {
    return __double_as_longlong(fmax(__longlong_as_double(static_cast<long long>(a)),
                                     __longlong_as_double(static_cast<long long>(b))));
  }
};

// By one block.
template <class Combine>
__global__ void __launch_bounds__(sum_threads)
    combine_over_peers_kernel(Word* values, int count, PeerSums::View peers, Combine combine) {
  const PeerCounter number = *static_cast<const volatile PeerCounter*>(peers.number) + 1;
  const std::size_t turn = number % 2 * words_of_sum;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += sum_threads)
    for (int p = 0; p < peers.others; ++p) {
      Word* const to = peers.of_others[p] + turn + i;
      send(to, word_of(number, values[i]));
      send(to + PeerSums::most_values, word_of(number, values[i] >> 32));
    }
  for (int i = static_cast<int>(threadIdx.x); i < count; i += sum_threads) {
    Word total = values[i];
    for (int p = 0; p < peers.others; ++p) {
      const Word* const from = peers.from_others + p * words_of_pair + turn + i;
      const Word low = half_of(from, number), high = half_of(from + PeerSums::most_values, number);
      total = combine(total, high << 32 | low);
    }
    values[i] = total;
  }
  __syncthreads();
  if (threadIdx.x == 0) *peers.number = number;
}

template <class Combine, class Value>
void combine_over_peers(Value* values, int count, const PeerSums::View& peers, Combine combine) {
  static_assert(sizeof(Value) == sizeof(Word));
  for (int first = 0; first < count; first += PeerSums::most_values)
    launch_kernel("combine_over_peers_kernel", combine_over_peers_kernel<Combine>, 1, sum_threads,
                  reinterpret_cast<Word*>(values + first),
                  std::min(count - first, PeerSums::most_values), peers, combine);
}

}  // namespace

// Of each process: the words of each of the others; where its own ones stand in their memory; the
// number of sums.
std::size_t PeerSums::bytes_for(int processes) {
  const auto others = static_cast<std::size_t>(processes - 1);
  return std::max(others * (words_of_pair * sizeof(Word) + sizeof(Word*)) + peer_counter_bytes,
                  PeerMemory::least_bytes);
}

std::unique_ptr<PeerSums> PeerSums::open(Communicator& processes) {
  std::unique_ptr<PeerBlock> memory = PeerBlock::open(processes, bytes_for(processes.size()));
  if (memory == nullptr) return nullptr;
  return std::unique_ptr<PeerSums>(new PeerSums(processes, std::move(memory)));
}

PeerSums::PeerSums(Communicator& processes, std::unique_ptr<PeerBlock> memory)
    : memory_(std::move(memory)) {
  const int rank = processes.rank();
  const auto words_from = [&](int other, int in) {
    return reinterpret_cast<Word*>(memory_->of(in)) +
           PeerBlock::place_among_others(other, in) * words_of_pair;
  };
  std::vector<Word*> of_others;
  for (int p = 0; p < processes.size(); ++p)
    if (p != rank) of_others.push_back(words_from(rank, p));
  const std::size_t others = of_others.size();
  std::byte* const places = memory_->of(rank) + others * words_of_pair * sizeof(Word);
  Cuda::upload(of_others.data(), places, others * sizeof(Word*));
  view_ = {reinterpret_cast<PeerCounter*>(places + others * sizeof(Word*)),
           reinterpret_cast<Word* const*>(places), reinterpret_cast<const Word*>(memory_->of(rank)),
           static_cast<int>(others)};
}

void PeerSums::sum(std::int64_t* values, int count) {
  combine_over_peers(values, count, view_, Sum{});
}
void PeerSums::maximum(double* values, int count) {
  combine_over_peers(values, count, view_, Maximum{});
}

}  // namespace hodge::linalg::cuda
