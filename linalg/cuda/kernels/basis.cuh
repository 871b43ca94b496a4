// Shared by the kernels over a block of Krylov vectors. A thread keeps its row of up to
// most_columns columns in registers; more columns are taken in groups.
#pragma once

#include <type_traits>

#include "linalg/cuda/kernels/reduction.cuh"
#include "linalg/cuda/kernels/row_chunks.hpp"

namespace hodge::linalg::cuda {

inline constexpr int basis_threads = 128;
inline constexpr int most_columns = 32;  // in a thread's registers

template <class T>
struct Columns {
  int n, k;
  const T* first;
  __device__ double operator()(int j, int i) const {
    return static_cast<double>(__ldg(first + static_cast<std::size_t>(j) * n + i));
  }
};

// Calls f(std::integral_constant<int, K>), K the least multiple of 4 >= k, at most most_columns.
template <int K = 4, class F>
void with_columns(int k, F f) {
  if constexpr (K < most_columns) {
    if (k > K) return with_columns<K + 4>(k, f);
  }
  f(std::integral_constant<int, K>{});
}

// A kernel with K sums over the rows, by at most `most` blocks; its last parameters are the chunks,
// the scratch and the results.
template <int K, class Kernel, class Results, class... Arguments>
void launch_chunks(const char* name, Kernel kernel, int most, int rows, const Results& results,
                   const Arguments&... arguments) {
  launch_gathered();
  const SummedRows summed = rows_to_sum(rows, true);
  const ReductionScratch scratch = reduction_scratch(K, summed.chunks.count, summed.processes);
  launch_kernel(name, kernel, blocks_for_chunks(summed.chunks.count, most), basis_threads,
                arguments..., summed.chunks, scratch, results);
  finish_over_processes<K>(summed.processes, 0u, scratch, results);
}

// h_j = V_j . w of all columns, in groups, and with `square` h_k = w . w.
template <class T>
void launch_all_dots(const Columns<T>& basis, const T* w, bool square, double* h);

}  // namespace hodge::linalg::cuda
