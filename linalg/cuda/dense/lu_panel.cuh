// One kernel factors a panel: P A = L U for up to lu_panel_width columns, all rows at once.
//
// Every thread keeps one row of the panel in registers from the first column to the last, so the
// panel is read once and written once. No row moves in between: each thread records the position
// that its row would have after the exchanges so far, and stores the row there at the end. For each
// column every block sends one message to all others, its largest entry with the row of that entry;
// a block that has all messages knows the pivot row and eliminates. The current column is always
// a[0]: the update moves the row left by one register, so the loop over columns is not unrolled.
//
// A column that is zero from the diagonal down stays as it is and is noted in `status` (its row of
// U then starts with zero); so is a column whose largest entry is not finite.
#pragma once

#include <cstddef>

#include "linalg/cuda/dense/pivot_candidate.cuh"
#include "linalg/space/dense_view.hpp"

namespace hodge::linalg::cuda {

// With 512 threads each can have 128 registers; a row of 32 doubles takes 64 of them.
template <int Width>
inline constexpr int lu_panel_most_threads = 512 * 32 / Width;

template <class T>
struct LuPanel {
  DenseView<T> a;
  RowExchange exchange;
  LuStatus* status;
  int first_column;       // of the panel in the matrix
  FlaggedWord* messages;  // 2 * blocks * message_words()
  unsigned flag;          // of the first column's messages; one more for each later column
};

template <int Width>
inline constexpr int message_words = 2 + Width;  // key, position, and the row

// The parts of a block's shared memory.
template <class T, int Width>
struct PanelMemory {
  Candidate* of_warp;  // 32
  T* pivot_row;        // Width
  T* finished;  // Width * threads: entries of L and U, entry c of thread t at [c * threads + t]

  static constexpr std::size_t bytes(int threads) {
    return 32 * sizeof(Candidate) + sizeof(T) * Width * (static_cast<std::size_t>(threads) + 1);
  }
  __device__ PanelMemory()
      : of_warp(reinterpret_cast<Candidate*>(dynamic_shared_memory())),
        pivot_row(reinterpret_cast<T*>(of_warp + 32)),
        finished(pivot_row + Width) {}
};

// The best candidate of a block, in all its threads.
__device__ inline Candidate best_of_block(const Candidate& mine, Candidate* of_warp) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const Candidate best = best_of_lanes(mine);
  if (lane == 0) of_warp[warp] = best;
  __syncthreads();
  return best_of_lanes(lane < warps ? of_warp[lane] : Candidate{});
}

template <class T, int Width>
__device__ void send_row(FlaggedWord* message, const Candidate& best, const T (&a)[Width],
                         int length, unsigned flag) {
  send(message, best.key, flag);
  send(message + 1, static_cast<unsigned long long>(best.position), flag);
#pragma unroll
  for (int k = 0; k < Width; ++k) {
    if (k < length) send(message + 2 + k, to_bits(a[k]), flag);
  }
}

// Waits for the messages of all blocks, writes the winner's row to `pivot_row`, and returns the
// winner. All reads of a round are in flight together. With many blocks the rows of the last ones
// are read in a second round, and only if the winner is among them.
template <class T, int Width>
__device__ Candidate receive_pivot(const FlaggedWord* messages, int length, unsigned flag,
                                   T* pivot_row) {
  constexpr int early = 3;
  constexpr int words = message_words<Width>;
  const int lane = threadIdx.x % 32, threads = blockDim.x, blocks = gridDim.x;
  const FlaggedWord* const head = messages + min(lane, blocks - 1) * words;
  FlaggedWord key, position, entry[early];
  bool waiting;
  do {
    key = look(head);
    position = look(head + 1);
#pragma unroll
    for (int q = 0; q < early; ++q) {
      const int i = static_cast<int>(threadIdx.x) + q * threads, block = i / Width, k = i % Width;
      if (block < blocks && k < length) entry[q] = look(messages + block * words + 2 + k);
    }
    waiting = !has_arrived(key, flag) || !has_arrived(position, flag);
#pragma unroll
    for (int q = 0; q < early; ++q) {
      const int i = static_cast<int>(threadIdx.x) + q * threads, block = i / Width, k = i % Width;
      if (block < blocks && k < length) waiting = waiting || !has_arrived(entry[q], flag);
    }
  } while (waiting);
  __syncwarp();
  Candidate best{value_of(key), static_cast<int>(value_of(position))};
  int sender = min(lane, blocks - 1);
  for (int block = lane + 32; block < blocks; block += 32) {
    Candidate other;
    other.key = receive(messages + block * words, flag);
    other.position = static_cast<int>(receive(messages + block * words + 1, flag));
    if (is_better(other, best)) {
      best = other;
      sender = block;
    }
  }
  __syncwarp();
  const Candidate winner = best_of_lanes(best);
  const unsigned has_it = __ballot_sync(0xffffffffu, best.position == winner.position);
  sender = __shfl_sync(0xffffffffu, sender, __ffs(static_cast<int>(has_it)) - 1);
#pragma unroll
  for (int q = 0; q < early; ++q) {
    const int i = static_cast<int>(threadIdx.x) + q * threads, block = i / Width, k = i % Width;
    if (block == sender && k < length) pivot_row[k] = from_bits<T>(value_of(entry[q]));
  }
  for (int i = static_cast<int>(threadIdx.x) + early * threads; i / Width <= sender; i += threads) {
    const int k = i % Width;
    if (i / Width == sender && k < length) {
      pivot_row[k] = from_bits<T>(receive(messages + sender * words + 2 + k, flag));
    }
  }
  return winner;
}

template <class T>
__device__ void note_pivot(const LuPanel<T>& p, int c, const Candidate& pivot) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  p.status->note_pivot(p.first_column + c, pivot.key == 0, is_finite_key(pivot.key, T{}));
}

// Subtracts the multiple of the pivot row that makes a[0] zero, moves the row left by one entry,
// and returns the multiplier.
template <class T, int Width>
__device__ T eliminate(T (&a)[Width], const T* pivot_row, int length) {
  constexpr int step = 8;
  const T multiplier = pivot_row[0] == T(0) ? T(0) : a[0] / pivot_row[0];
#pragma unroll
  for (int first = 0; first < Width; first += step) {
    if (first < length) {
#pragma unroll
      for (int k = first; k < first + step; ++k) {
        if (k > 0) a[k - 1] = a[k] - multiplier * pivot_row[k];
      }
    }
  }
  return multiplier;
}

template <class T, int Width>
__global__ void __launch_bounds__(lu_panel_most_threads<Width>) lu_panel_kernel(LuPanel<T> p) {
  const PanelMemory<T, Width> shared;
  const int t = threadIdx.x, threads = blockDim.x, columns = p.a.cols;
  const int row = blockIdx.x * threads + t;
  const bool exists = row < p.a.rows;
  bool is_free = exists;  // not a pivot yet
  int position = row;
  T a[Width];
#pragma unroll
  for (int k = 0; k < Width; ++k) a[k] = exists && k < columns ? p.a(row, k) : T(0);

  for (int c = 0; c < columns; ++c) {
    const int length = columns - c;
    Candidate pivot = best_of_block(
        is_free ? Candidate{magnitude_key(a[0]), position} : Candidate{}, shared.of_warp);
    const bool is_none = pivot.position == Candidate{}.position;
    const bool speaks = is_none ? t == 0 : is_free && position == pivot.position;
    if (gridDim.x == 1) {
      if (speaks) {
#pragma unroll
        for (int k = 0; k < Width; ++k) shared.pivot_row[k] = a[k];
      }
    } else {
      const unsigned flag = p.flag + c;
      FlaggedWord* const messages = p.messages + (flag & 1u) * gridDim.x * message_words<Width>;
      if (speaks) send_row(messages + blockIdx.x * message_words<Width>, pivot, a, length, flag);
      __syncwarp();
      pivot = receive_pivot<T, Width>(messages, length, flag, shared.pivot_row);
    }
    __syncthreads();
    note_pivot(p, c, pivot);
    if (is_free && position == pivot.position) {
#pragma unroll
      for (int k = 0; k < Width; ++k) {
        if (k < length) shared.finished[(c + k) * threads + t] = a[k];
      }
      position = c;
      is_free = false;
    } else if (is_free) {
      if (position == c) position = pivot.position;
      shared.finished[c * threads + t] = eliminate(a, shared.pivot_row, length);
    }
  }

  if (!exists) return;
  for (int c = 0; c < columns; ++c) p.a(position, c) = shared.finished[c * threads + t];
  if (position < columns) p.exchange.source[position] = row;
  if (row < columns) p.exchange.destination[row] = position >= columns ? position : -1;
}

}  // namespace hodge::linalg::cuda
