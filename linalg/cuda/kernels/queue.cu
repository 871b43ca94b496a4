// Cuda space: gathers work before it is launched (queue.hpp).
#include "linalg/cuda/kernels/queue.hpp"

#include <bit>
#include <type_traits>
#include <utility>

#include "linalg/base/choose.hpp"
#include "linalg/base/errors.hpp"
#include "linalg/cuda/device/library_stream.hpp"
#include "linalg/cuda/kernels/join_fused.cuh"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

template <int Slots, int Steps, bool InSlotOrder = true, class T>
void launch_fused(const Fused<T>& fused, const SummedRows& rows,
                  const ScalarOperations& afterwards) {
  const FusedResults results = results_of(guard(), fused, afterwards);
  with_constant<0, 1, 2, Fused<T>::most_dots>(fused.dots, [&](auto dots) {
    constexpr int K = decltype(dots)::value;
    const auto kernel = fused_kernel<Slots, Steps, K, InSlotOrder, T>;
    static const int most = blocks_at_once(kernel, reduction_threads);
    const int blocks = K > 0 ? blocks_for_chunks(rows.chunks.count, most)
                             : blocks_for(fused.n, reduction_threads, one_wave_blocks);
    const ReductionScratch scratch = reduction_scratch(K, rows.chunks.count, rows.processes);
    launch_kernel("fused_kernel", kernel, blocks, reduction_threads, guard(), fused, rows.chunks,
                  scratch, results);
    if constexpr (K > 0) finish_over_processes<K>(rows.processes, 0u, scratch, results);
  });
}

// Uses the smallest kernel that has room for the work. Float vectors and sums in another order than
// that of slots are rare: all use the largest.
template <class T>
void launch_fitting(const Fused<T>& fused, const SummedRows& rows,
                    const ScalarOperations& afterwards) {
  constexpr int slots = Fused<T>::most_slots, steps = Fused<T>::most_steps;
  if (!fused.in_slot_order) return launch_fused<slots, steps, false>(fused, rows, afterwards);
  if constexpr (std::is_same_v<T, double>) {
    if (fused.slots <= 2 && fused.steps == 0) return launch_fused<2, 0>(fused, rows, afterwards);
    if (fused.slots <= 4 && fused.steps == 0) return launch_fused<4, 0>(fused, rows, afterwards);
    if (fused.slots <= 4 && fused.steps <= 1) return launch_fused<4, 1>(fused, rows, afterwards);
    if (fused.slots <= 4 && fused.steps <= 2) return launch_fused<4, 2>(fused, rows, afterwards);
    if (fused.slots <= 6 && fused.steps <= 2) return launch_fused<6, 2>(fused, rows, afterwards);
    if (fused.slots <= 6) return launch_fused<6, steps>(fused, rows, afterwards);
  }
  launch_fused<slots, steps>(fused, rows, afterwards);
}

// A single combination uses the kernel for its number of terms.
template <class T>
bool launch_single(const Fused<T>& fused) {
  if (fused.steps != 1 || fused.dots != 0 || fused.step[0].is_product ||
      fused.terms > Combination<T>::capacity)
    return false;
  Combination<T> combination;
  for (int t = 0; t < fused.terms; ++t) {
    const int slot = fused.term[t].slot;
    combination.term[combination.terms++] = {fused.term[t].coefficient,
                                             slot < 0 ? nullptr : fused.data[slot]};
  }
  launch_combine(fused.n, combination, fused.data[0], guard());
  return true;
}

void launch(std::monostate, const SummedRows&, const ScalarOperations& afterwards) {
  if (afterwards.count > 0) launch_scalar_operations(guard(), afterwards);
}
template <class T>
void launch(const QueuedProduct<T>& product, const SummedRows& rows,
            const ScalarOperations& afterwards) {
  if (product.y_transposed != nullptr)
    count_both_products<Cuda>(product.a, product.x, product.w);
  else
    count_product_and_dots<Cuda>(product.a, product.x, product.w, product.v);
  launch_product_and_dots(product, rows, guard(), afterwards);
}
template <class T>
void launch(const Fused<T>& fused, const SummedRows& rows, const ScalarOperations& afterwards) {
  count_vectors<Cuda, T>(fused.n, std::popcount(fused.loaded) + fused.steps);
  if (launch_single(fused)) return;
  Fused<T> sorted = fused;
  sort_slots(sorted);
  launch_fitting(sorted, rows, afterwards);
}

template <class Work>
bool takes_scalar_operations(const Work& work) {
  return std::visit(
      [](const auto& w) {
        using W = std::decay_t<decltype(w)>;
        if constexpr (std::is_same_v<W, Fused<double>> || std::is_same_v<W, Fused<float>>)
          return w.dots > 0;
        return true;
      },
      work);
}

}  // namespace

Queue& queue() {
  static Queue the_queue;
  return the_queue;
}

cudaStream_t library_stream() {
  return stream();
}

void launch_gathered() {
  queue().launch();
}

void Queue::launch() {
  if (work_.index() == 0 && afterwards_.count == 0) return;
  const Queue now = std::exchange(*this, Queue{});
  std::visit([&now](const auto& work) { cuda::launch(work, now.rows_, now.afterwards_); },
             now.work_);
}

template <class T, class Add>
void Queue::join(int n, bool sums, Add add) {
  const SummedRows rows = sums ? rows_to_sum(n) : SummedRows{};
  if (auto* fused = std::get_if<Fused<T>>(&work_);
      fused != nullptr && fused->n == n && afterwards_.count == 0) {
    Fused<T> longer = *fused;
    const bool shared_alike = !sums || fused->dots == 0 || rows_ == rows;
    if (shared_alike && add(longer)) {
      *fused = longer;
      if (sums) rows_ = rows;
      return;
    }
  }
  launch();
  Fused<T> fused;
  fused.n = n;
  if (!add(fused)) throw ShapeError("a fused kernel over more vectors than there are slots");
  work_ = fused;
  rows_ = rows;
}

template <class T>
void Queue::product(const QueuedProduct<T>& product) {
  const SummedRows rows = rows_to_sum(product.a.rows);
  launch();
  work_ = product;
  rows_ = rows;
}

void Queue::add(const ScalarOperation& operation, MonitorState* state) {
  const bool other_state =
      state != nullptr && afterwards_.state != nullptr && state != afterwards_.state;
  if (!takes_scalar_operations(work_) || afterwards_.count == ScalarOperations::capacity ||
      other_state)
    launch();
  if (state != nullptr) afterwards_.state = state;
  afterwards_.operation[afterwards_.count++] = operation;
}

}  // namespace cuda

template <>
template <class T>
void VectorPrimitives<Cuda>::combine(int n, const Combination<T>& combination, T* out) {
  if (n == 0) return;
  Combination<T> sorted = combination;
  cuda::put_own_term_first(sorted, out);
  cuda::queue().join<T>(
      n, false, [&](cuda::Fused<T>& fused) { return cuda::add_combine(fused, sorted, out); });
}

template <>
template <class T>
void VectorPrimitives<Cuda>::multiply_elements(int n, const T* a, const T* b, T* out) {
  if (n == 0) return;
  cuda::queue().join<T>(n, false,
                        [&](cuda::Fused<T>& fused) { return cuda::add_product(fused, a, b, out); });
}

template <>
template <class T>
void VectorPrimitives<Cuda>::dots(int n, const DotPairs<T>& pairs) {
  cuda::queue().join<T>(n, true,
                        [&](cuda::Fused<T>& fused) { return cuda::add_dots(fused, pairs); });
}

HODGE_FOR_BOTH_VALUES(HODGE_COMBINATIONS, Cuda)
template void cuda::Queue::product(const QueuedProduct<double>&);
template void cuda::Queue::product(const QueuedProduct<float>&);

}  // namespace hodge::linalg
