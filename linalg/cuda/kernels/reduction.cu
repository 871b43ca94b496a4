// Cuda space: the memory of a reduction.
#include "linalg/cuda/kernels/reduction.cuh"

#include <string>

#include "linalg/base/errors.hpp"
#include "linalg/processes/message_count.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg::cuda {

ReductionScratch reduction_scratch(int K, int chunks, const Communicator* processes) {
  if (K > most_sums || static_cast<long long>(K) * chunks > reduction_scratch_values)
    throw ShapeError(std::to_string(K) + " sums over " + std::to_string(chunks) +
                     " chunks of a vector or a box: expected at most " +
                     std::to_string(reduction_scratch_values) + " sums of chunks");
  const Context& c = context();
  return {c.partial_sums, c.tickets, c.words, chunks, processes != nullptr};
}

void add_words_over_processes(Communicator& processes, int K, MaximumMask maxima,
                              const ReductionScratch& scratch) {
  const CountedMessages counted(MessageKind::reductions,
                                sizeof(std::int64_t) * static_cast<std::size_t>(K) * words_of_sum);
  const MaximumMask all = K < 32 ? (1u << K) - 1u : 0u;
  if (maxima == 0 || maxima != all)
    Cuda::sum_over_processes(processes, reinterpret_cast<std::int64_t*>(scratch.words),
                             K * words_of_sum);
  if (maxima != 0)
    Cuda::maximum_over_processes(
        processes, reinterpret_cast<double*>(scratch.words + most_sums * words_of_sum), K);
}

}  // namespace hodge::linalg::cuda
