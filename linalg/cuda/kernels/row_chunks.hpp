// The chunks of the sums over the rows of a vector (processes/sum_chunks.hpp), for kernels.
#pragma once

#include "linalg/cuda/device/runtime.hpp"
#include "linalg/processes/communicator.hpp"

namespace hodge::linalg::cuda {

struct RowChunks {
  int rows = 0, count = 0, length = 0;
  const int* first = nullptr;  // count + 1 rows; null: chunk c begins at row c * length

  __device__ int begin(int chunk) const {
    return first != nullptr ? __ldg(first + chunk) : chunk * length;
  }
  __device__ int end(int chunk) const {
    if (first != nullptr) return __ldg(first + chunk + 1);
    return rows - chunk * length > length ? chunk * length + length : rows;
  }
  bool operator==(const RowChunks&) const = default;
};

// f(row) for the rows of a chunk, divided among the threads of a block.
template <class F>
__device__ void for_each_row(const RowChunks& chunks, int chunk, F f) {
  const long long end = chunks.end(chunk);
  for (long long i = static_cast<long long>(chunks.begin(chunk)) + threadIdx.x; i < end;
       i += blockDim.x)
    f(static_cast<int>(i));
}

// f(begin, end, chunk) for the rows that a block takes: with `by_chunks` chunks in turn, otherwise
// Rows rows.
template <int Rows, bool by_chunks, class F>
__device__ void for_each_rows_of_block(int rows, const RowChunks& chunks, F f) {
  if constexpr (by_chunks) {
    for (long long c = blockIdx.x; c < chunks.count; c += gridDim.x) {
      const int chunk = static_cast<int>(c);
      f(chunks.begin(chunk), chunks.end(chunk), chunk);
    }
  } else {
    const long long begin = static_cast<long long>(blockIdx.x) * Rows;
    if (begin < rows)
      f(static_cast<int>(begin), rows - begin > Rows ? static_cast<int>(begin) + Rows : rows, 0);
  }
}

// How a vector is summed: its chunks on this process, and the processes whose chunks are added.
struct SummedRows {
  RowChunks chunks;
  Communicator* processes = nullptr;  // null: this one alone

  bool operator==(const SummedRows&) const = default;
};

// Of a vector of `rows` elements, as the calling thread shares it now (processes/shared_rows.hpp).
// `many`: more than eight sums at once. May allocate and wait the first time.
SummedRows rows_to_sum(int rows, bool many = false);
// Of anything else that is summed or compared now.
Communicator* processes_to_sum();

}  // namespace hodge::linalg::cuda
