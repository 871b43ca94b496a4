// csr_stream: the entries of 32 consecutive rows lie together in memory; a warp stages them in
// shared memory by wide asynchronous copies, and then sums them a thread a row.
//
// After J. L. Greathouse & M. Daga, Efficient sparse matrix-vector multiplication on GPUs using the
// CSR storage format, SC 2014 (there a block stages, and waits for its loads). Here every warp
// works for itself: while it sums one tile of 32 rows, the copies of the next are on their way, so
// there is no barrier and loads never stop. Reading short rows straight from memory, a thread a
// row, is bound by the L1 cache, because the 32 loads of a warp lie a row apart; the copies leave
// L1 to x. Consecutive tiles of a warp, and of the warps of a block, use neighbouring parts of x.
//
// A tile with more entries than its stage holds (long rows, uneven lengths) is summed from memory.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "linalg/cuda/row_kernels.cuh"

namespace hodge::linalg::cuda {

inline constexpr int stream_threads = 128;
inline constexpr int stream_stages = 2;
inline constexpr int copy_bytes = 16;  // of one copy; stages and what is copied are aligned to it

// Entries that a stage for `tile` entries holds: it may begin and end within 16 bytes.
__host__ __device__ constexpr int stage_entries(int tile) {
  return (tile + 6) / 4 * 4;
}

template <class T>
__host__ __device__ constexpr int stage_bytes(int tile) {
  return stage_entries(tile) * static_cast<int>(sizeof(T) + sizeof(int));
}

// Copies entries first .. last-1 and what is beside them up to 16-byte boundaries: up to 12 bytes
// beyond the array, which allocate() has granted.
template <class V>
__device__ void stage_array(V* stage, const V* array, int first, int last, int lane) {
  constexpr int width = copy_bytes / sizeof(V);
  const int begin = first / width * width;
  for (unsigned i = begin + lane * width; i < static_cast<unsigned>(last); i += 32 * width)
    __pipeline_memcpy_async(stage + (i - begin), array + i, copy_bytes);
}

// A staged part of a matrix.
template <class T>
struct StagedEntries {
  T* values;  // of entry value_base on
  int* columns;
  unsigned value_base, column_base;

  __device__ int column(unsigned k) const { return columns[k - column_base]; }
  __device__ double value(unsigned k) const { return static_cast<double>(values[k - value_base]); }
};

template <class T>
__device__ StagedEntries<T> staged_at(unsigned char* stage, int tile, int first) {
  constexpr int width = copy_bytes / sizeof(T);
  auto* values = reinterpret_cast<T*>(stage);
  return {values, reinterpret_cast<int*>(values + stage_entries(tile)),
          static_cast<unsigned>(first / width * width), static_cast<unsigned>(first / 4 * 4)};
}

// A lane's row of a tile, and the entries of the whole tile.
struct TileRow {
  int row;
  Range entries, tile;
};

template <class T>
__device__ TileRow tile_row(const CsrView<T>& a, long long tile, int lane) {
  const long long row = tile * 32 + lane;
  TileRow r;
  r.row = static_cast<int>(min(row, static_cast<long long>(a.rows)));
  r.entries.first = a.row_offsets[r.row];
  r.entries.last = a.row_offsets[min(row + 1, static_cast<long long>(a.rows))];
  r.tile = {0, 0};
  return r;
}

// Broadcasts the tile's range, and stages its entries where they fit.
template <class T>
__device__ void start_tile(const CsrView<T>& a, TileRow& r, unsigned char* stage, int lane) {
  r.tile = {__shfl_sync(0xffffffffu, r.entries.first, 0),
            __shfl_sync(0xffffffffu, r.entries.last, 31)};
  if (r.tile.last - r.tile.first <= a.plan.tile) {
    const StagedEntries<T> to = staged_at<T>(stage, a.plan.tile, r.tile.first);
    stage_array(to.values, a.values, r.tile.first, r.tile.last, lane);
    stage_array(to.columns, a.columns, r.tile.first, r.tile.last, lane);
  }
  __pipeline_commit();
}

template <class T, class Operation>
__device__ void finish_tile(const CsrView<T>& a, const Operation& operation, const TileRow& r,
                            unsigned char* stage, typename Operation::Totals& totals) {
  if (r.row >= a.rows || r.entries.last - r.entries.first > a.long_rows.length) return;
  const Range range = operation.range(a, r.row, r.entries);
  const bool staged = r.tile.last - r.tile.first <= a.plan.tile;
  const double sum = staged ? sum_of_products<8, 1>(staged_at<T>(stage, a.plan.tile, r.tile.first),
                                                    operation.x, range.first, range.last)
                            : sum_of_products<8, 1>(StoredEntries<T>{a.columns, a.values},
                                                    operation.x, range.first, range.last);
  operation.finish(r.row, sum, totals);
}

// Warp w of the grid takes tiles w * tiles .. w * tiles + tiles - 1.
template <class T, class Operation>
__global__ void __launch_bounds__(stream_threads)
    stream_kernel(Guard guard, CsrView<T> a, Operation operation, int tiles,
                  ReductionScratch scratch) {
  if (guard.halted()) return;
  extern __shared__ __align__(16) unsigned char stages[];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  unsigned char* const stage = stages + warp * stream_stages * stage_bytes<T>(a.plan.tile);
  const long long first =
      (static_cast<long long>(blockIdx.x) * (stream_threads / 32) + warp) * tiles;
  const long long all = (static_cast<long long>(a.rows) + 31) / 32;
  const int count = static_cast<int>(max(0LL, min(static_cast<long long>(tiles), all - first)));

  typename Operation::Totals totals;
  TileRow current = tile_row(a, first, lane), next = tile_row(a, first + 1, lane);
  if (count > 0) start_tile(a, current, stage, lane);
  for (int i = 0; i < count; ++i) {
    unsigned char* const here = stage + (i % 2) * stage_bytes<T>(a.plan.tile);
    unsigned char* const there = stage + ((i + 1) % 2) * stage_bytes<T>(a.plan.tile);
    if (i + 1 < count) {
      start_tile(a, next, there, lane);
    } else {
      __pipeline_commit();  // nothing, so that the wait below is for tile i in any case
    }
    const TileRow after = tile_row(a, first + i + 2, lane);  // its offsets arrive meanwhile
    __pipeline_wait_prior(1);
    __syncwarp();
    finish_tile(a, operation, current, here, totals);
    __syncwarp();  // all lanes have read the stage that is filled next
    current = next;
    next = after;
  }
  operation.reduce(totals, scratch);
}

}  // namespace hodge::linalg::cuda
