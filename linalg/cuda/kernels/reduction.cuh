// Sums and maxima over a grid of blocks in one launch, with the same bits for any number of blocks
// and processes.
//
// What is summed is divided into chunks that the problem as a whole defines, not the launch: rows
// (row_chunks.hpp) or cells of a box (loops.cuh). A block adds a chunk in a fixed order and stores
// its K sums. The block that takes the last ticket of its group of blocks adds the sums of the
// group's chunks exactly (exact_sums.cuh): it has the results at once where there is one group.
// Otherwise each group adds to the words of long numbers in memory, and the last of these blocks
// turns the words into results. Only tickets and words are atomic, both integers.
//
// Where processes share what is summed, the kernel stops at the words. They are added over the
// processes, and finish_reduction_kernel turns them into results (finish_over_processes()). If the
// guard is raised, no kernel touches the words, and the sum over the processes adds zeros.
//
// Results are a struct: is_due() tells all threads whether there is anything to do, store(k, total)
// runs once for each k in one thread, and finish() then in all threads of that block.
#pragma once

#include "linalg/cuda/device/runtime.hpp"
#include "linalg/cuda/kernels/exact_sums.cuh"
#include "linalg/cuda/kernels/fold.cuh"
#include "linalg/processes/communicator.hpp"

namespace hodge::linalg::cuda {

// f(i) for i in 0 .. n-1, divided among all threads of the grid.
template <class F>
__device__ void grid_stride(int n, F f) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += stride) {
    f(static_cast<int>(i));
  }
}

struct ReductionScratch {
  double* partial;  // K values of each chunk: k * chunks + chunk
  unsigned* ticket;
  Word* words;     // of most_sums sums, and a maximum of each: all 0 between launches
  int chunks;      // of this process
  bool is_shared;  // others have chunks, too: a later kernel makes the results

  __device__ Word* sum(int k) const { return words + k * words_of_sum; }
  __device__ Word* maximum(int k) const { return words + most_sums * words_of_sum + k; }
};

static_assert(context_words == most_sums * (words_of_sum + 1));

// Of K results over `chunks` chunks.
ReductionScratch reduction_scratch(int K, int chunks, const Communicator* processes);

// Queues messages: the words of K results become those of all processes.
void add_words_over_processes(Communicator& processes, int K, MaximumMask maxima,
                              const ReductionScratch& scratch);

// Blocks that take chunks in turn, at most `most`: each as many as the others, or one less.
inline int blocks_for_chunks(int chunks, int most) {
  if (chunks < 1) return 1;
  const int of_block = (chunks - 1) / most + 1;
  return (chunks - 1) / of_block + 1;
}

// f(chunk) for the chunks of a block. All threads call store_chunk() once in it.
template <class F>
__device__ void for_each_chunk(int chunks, F f) {
  for (long long chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) f(static_cast<int>(chunk));
}

// The same for chunks in an order in which neighbours share what they read: a block takes adjacent
// ones, f(chunk, place), and stores the sums of a chunk at `place`, as if it took chunks in turn.
template <class F>
__device__ void for_each_adjacent_chunk(int chunks, F f) {
  const int blocks = static_cast<int>(gridDim.x), block = static_cast<int>(blockIdx.x);
  const int of_all = chunks / blocks, with_one_more = chunks % blocks;
  const int first = block * of_all + min(block, with_one_more);
  const int count = of_all + (block < with_one_more ? 1 : 0);
  for (int turn = 0; turn < count; ++turn) f(first + turn, block + turn * blocks);
}

// Reduces value[k] over the block and stores it as that of the chunk. Two buffers take turns, so
// that the threads meet once for each chunk.
template <int K>
__device__ void store_chunk(const double (&value)[K], MaximumMask maxima,
                            const ReductionScratch& scratch, int chunk) {
  __shared__ double parts[2][K][most_warps];
  double(&part)[K][most_warps] = parts[chunk / gridDim.x % 2];
  fold_values<0, K>(value, maxima, part);
  __syncthreads();
  const int k = static_cast<int>(threadIdx.x), warps = static_cast<int>(blockDim.x / 32);
  if (k >= K) return;
  const bool maximum = k < 32 && ((maxima >> k) & 1u) != 0;
  double total = part[k][0];
  for (int warp = 1; warp < warps; ++warp) total = combine_values(total, part[k][warp], maximum);
  scratch.partial[static_cast<std::size_t>(k) * scratch.chunks + chunk] = total;
}

// True, to all threads, in the block that is the last of `count` to come here. It sees what all of
// them have stored before.
__device__ inline bool is_last_of(unsigned* ticket, unsigned count) {
  __shared__ bool is_last;
  __syncthreads();
  if (count == 1) return true;
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicInc(ticket, count - 1) == count - 1;
  }
  __syncthreads();
  if (is_last) __threadfence();
  return is_last;
}

// Blocks whose chunks are added together: those of about group_chunks chunks.
struct BlockGroups {
  unsigned of_block, size;  // chunks of a block; blocks of a group
  unsigned own, count;      // the block's group; groups
  unsigned first, blocks;   // of the own group

  __device__ explicit BlockGroups(int chunks) {
    const unsigned all = gridDim.x;
    of_block = max(1u, (static_cast<unsigned>(chunks) + all - 1) / all);
    size = (group_chunks + of_block - 1) / of_block;
    own = blockIdx.x / size;
    count = (all + size - 1) / size;
    first = own * size;
    blocks = min(size, all - first);
  }
  __device__ unsigned slots() const { return of_block * blocks; }
  // The value of a chunk of the group; 0 for those that do not exist.
  __device__ double value(const double* partial, int chunks, unsigned slot) const {
    const unsigned long long turn = slot / blocks;
    const unsigned long long chunk = turn * gridDim.x + first + slot % blocks;
    return slot < slots() && chunk < chunks ? __ldcg(partial + chunk) : 0.0;
  }
};

inline constexpr unsigned values_of_lane = 8;
using GroupValues = WarpValues<values_of_lane>;

// The values from slot `start` on.
__device__ inline GroupValues load_values(const BlockGroups& group, const double* partial,
                                          int chunks, unsigned start = 0) {
  GroupValues values;
#pragma unroll
  for (unsigned j = 0; j < values_of_lane; ++j)
    values.value[j] = group.value(partial, chunks, start + 32 * j + lane_of_warp());
  return values;
}

// A warp adds the values of a group's chunks, of which it has loaded the first ones. `alone`: there
// is no other group; then `total` is the sum.
__device__ inline void add_group(const BlockGroups& group, const GroupValues& first,
                                 const double* partial, int chunks, bool alone, Word* words,
                                 double& total) {
  constexpr unsigned at_once = 32 * values_of_lane;
  const bool has_total = add_exactly(first, words, alone && group.slots() <= at_once, total);
  for (unsigned start = at_once; start < group.slots(); start += at_once)
    (void)add_exactly(load_values(group, partial, chunks, start), words, false, total);
  if (!alone || has_total) return;
  __threadfence();
  __syncwarp();
  const WarpWords sum(words);
  sum.clear(words);
  total = sum.nearest();
}

__device__ inline void compare_group(const BlockGroups& group, const double* partial, int chunks,
                                     bool alone, Word* maximum, double& total) {
  double largest = 0.0;
  for (unsigned slot = lane_of_warp(); slot < group.slots(); slot += 32)
    largest = combine_values(largest, group.value(partial, chunks, slot), true);
  total = warp_maximum_of(largest);
  // Bits of numbers that are not negative are in the order of the numbers.
  if (!alone && lane_of_warp() == 0) atomicMax(maximum, fixed_point::bits_of(total));
}

// use(k, load(k)) for k = 0 .. K-1, divided among the warps of a block. Where a warp has several k,
// what the next one needs is on its way while the present one is used.
template <int K, class Load, class Use>
__device__ void for_each_by_warps(Load load, Use use) {
  constexpr bool ahead = K > most_warps;
  const int warps = static_cast<int>(blockDim.x / 32);
  int k = static_cast<int>(threadIdx.x / 32);
  if (k >= K) return;
  auto loaded = load(k);
  for (; k < K; k += warps) {
    const auto now = loaded;
    const bool goes_on = k + warps < K;
    if (ahead && goes_on) loaded = load(k + warps);
    use(k, now);
    if (!ahead && goes_on) loaded = load(k + warps);
  }
}

__device__ inline bool is_maximum(MaximumMask maxima, int k) {
  return k < 32 && ((maxima >> k) & 1u) != 0;
}

// All warps of a block turn the words into results.
template <int K, class Results>
__device__ void store_results(MaximumMask maxima, const ReductionScratch& scratch,
                              const Results& results) {
  for_each_by_warps<K>([&](int k) { return WarpWords(scratch.sum(k)); },
                       [&](int k, const WarpWords& words) {
                         double total = 0.0;
                         if (is_maximum(maxima, k)) {
                           total = fixed_point::double_of(__ldcg(scratch.maximum(k)));
                           __syncwarp();
                           if (lane_of_warp() == 0) *scratch.maximum(k) = 0;
                         } else {
                           words.clear(scratch.sum(k));
                           total = words.nearest();
                         }
                         if (lane_of_warp() == 0) results.store(k, total);
                       });
}

// Reduces what the blocks have stored; called by all threads, once for a launch.
template <int K, class Results>
__device__ void reduce_chunks(MaximumMask maxima, const ReductionScratch& scratch,
                              const Results& results) {
  const BlockGroups group(scratch.chunks);
  if (!is_last_of(scratch.ticket + 1 + group.own, group.blocks)) return;
  const bool alone = group.count == 1 && !scratch.is_shared;
  const auto partial = [&](int k) {
    return scratch.partial + static_cast<std::size_t>(k) * scratch.chunks;
  };
  for_each_by_warps<K>(
      [&](int k) { return load_values(group, partial(k), scratch.chunks); },
      [&](int k, const GroupValues& first) {
        double total = 0.0;
        if (is_maximum(maxima, k)) {
          compare_group(group, partial(k), scratch.chunks, alone, scratch.maximum(k), total);
        } else {
          add_group(group, first, partial(k), scratch.chunks, alone, scratch.sum(k), total);
        }
        if (alone && lane_of_warp() == 0) results.store(k, total);
      });
  if (scratch.is_shared) return;
  if (!alone) {
    if (!is_last_of(scratch.ticket, group.count)) return;
    store_results<K>(maxima, scratch, results);
  }
  results.finish();
}

// By one block, after the words have been added over the processes.
template <int K, class Results>
__global__ void finish_reduction_kernel(MaximumMask maxima, ReductionScratch scratch,
                                        Results results) {
  if (!results.is_due()) return;
  store_results<K>(maxima, scratch, results);
  results.finish();
}

// Queues the rest of a reduction whose scratch is shared; nothing where it is not.
template <int K, class Results>
void finish_over_processes(Communicator* processes, MaximumMask maxima,
                           const ReductionScratch& scratch, const Results& results) {
  if (!scratch.is_shared) return;
  add_words_over_processes(*processes, K, maxima, scratch);
  launch_kernel("finish_reduction_kernel", finish_reduction_kernel<K, Results>, 1,
                32 * (K < most_warps ? K : most_warps), maxima, scratch, results);
}

// Results at an address, not guarded.
struct ResultsAt {
  double* result;
  __device__ bool is_due() const { return true; }
  __device__ void store(int k, double total) const { result[k] = total; }
  __device__ void finish() const {}
};

}  // namespace hodge::linalg::cuda
