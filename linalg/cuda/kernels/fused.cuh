// Several linear combinations and products of elements, and then dot products, in one pass over
// vectors of one length: each vector is read at most once and written at most once.
//
// Each vector has a slot; step m writes slot m. Every thread loads the slots that are read before
// they are written, takes the steps in order in registers, stores the slots that were written, and
// adds its part of the dot products. With dot products a block takes chunks of rows
// (row_chunks.hpp), whose sums the block that ends last adds before it runs the scalar operations.
//
// A combination is summed in the order of its terms, each by one fused multiply-add, as
// combine_kernel (vectors.cu) does: its bits do not depend on what it is joined with. Slots are
// numbered so that this is nearly always the order of slots, too (sort_slots, join_fused.cuh): the
// one that the step writes, then the others upwards. Kernels for that order name every slot by a
// constant; the kernel for any order selects it, which takes up to 1.6 times as long.
#pragma once

#include "linalg/cuda/kernels/reduction.cuh"
#include "linalg/cuda/kernels/row_chunks.hpp"
#include "linalg/cuda/kernels/scalar_operations.cuh"

namespace hodge::linalg::cuda {

// A linear combination of slots, or the product of two by elements.
struct FusedStep {
  bool is_product = false;
  int left = 0, right = 0;            // of a product
  int first_term = 0, terms_end = 0;  // of a combination
};

struct FusedTerm {
  int step = 0, slot = 0;  // slot -1: a constant
  Monomial coefficient;
};

// The same dot product may have several results: with z = r, r . r and r . z.
struct FusedDot {
  static constexpr int most_results = 3;
  int left = 0, right = 0;  // right -1: a vector of ones
  double* result[most_results] = {};
};

inline constexpr int most_fused_dots = 4;

template <class T>
struct Fused {
  static constexpr int most_slots = 8, most_steps = 4, most_terms = 12;
  static constexpr int most_dots = most_fused_dots;
  int n = 0;
  int slots = 0, steps = 0, terms = 0, dots = 0;
  unsigned loaded = 0;  // bits of slots
  bool in_slot_order = false;
  T* data[most_slots] = {};
  FusedStep step[most_steps];
  FusedTerm term[most_terms];
  FusedDot dot[most_dots];
};

// v[slot]; the array stays in registers.
template <int Slots>
__device__ double pick(const double (&v)[Slots], int slot) {
  double value = v[0];
#pragma unroll
  for (int s = 1; s < Slots; ++s) value = s == slot ? v[s] : value;
  return value;
}

// The coefficients of all terms and those of every step, in shared memory, because the slots need
// the registers. A term whose coefficient is zero is not used, even if its vector holds NaN.
template <int Slots, int Steps>
struct FusedCoefficients {
  static constexpr int steps = Steps > 0 ? Steps : 1;
  const double* of_term;
  const double (*of_slot)[Slots];
  const double* constant;
  unsigned used[steps];  // bits of slots
};

// Evaluated once a block.
template <int Slots, int Steps, class T>
__device__ FusedCoefficients<Slots, Steps> evaluate(const Fused<T>& fused) {
  constexpr int steps = FusedCoefficients<Slots, Steps>::steps;
  __shared__ double of_slot[steps][Slots], constant[steps], of_term[Fused<T>::most_terms];
  FusedCoefficients<Slots, Steps> c{of_term, of_slot, constant, {}};
  if constexpr (Steps > 0) {
    const int t = static_cast<int>(threadIdx.x);
    if (t < fused.terms) of_term[t] = fused.term[t].coefficient.value();
    __syncthreads();
    if (t < Steps * (Slots + 1)) {
      const int step = t / (Slots + 1), slot = t % (Slots + 1) - 1;  // -1: a constant
      double sum = 0.0;
      for (int k = 0; k < fused.terms; ++k)
        if (fused.term[k].step == step && fused.term[k].slot == slot) sum += of_term[k];
      (slot < 0 ? constant[step] : of_slot[step][slot]) = sum;
    }
    __syncthreads();
#pragma unroll
    for (int m = 0; m < Steps; ++m)
#pragma unroll
      for (int s = 0; s < Slots; ++s) c.used[m] |= (of_slot[m][s] != 0.0 ? 1u : 0u) << s;
  }
  return c;
}

// With many slots the number is read again at each use, so that the compiler keeps registers free.
template <int Slots>
__device__ double shared_number(const double* at) {
  return Slots > 4 ? *static_cast<const volatile double*>(at) : *at;
}

template <int Slots, int Steps, bool InSlotOrder, class T>
__device__ void take_steps(const Fused<T>& fused, const FusedCoefficients<Slots, Steps>& c,
                           double (&v)[Slots]) {
#pragma unroll
  for (int m = 0; m < Steps; ++m) {
    if (m >= fused.steps) break;
    double value = shared_number<Slots>(c.constant + m);
    if (fused.step[m].is_product) {
      value = pick(v, fused.step[m].left) * pick(v, fused.step[m].right);
    } else if constexpr (InSlotOrder) {
      const auto add = [&](int s) {
        if ((c.used[m] >> s & 1u) != 0)
          value = fma(shared_number<Slots>(c.of_slot[m] + s), v[s], value);
      };
      add(m);
#pragma unroll
      for (int s = 0; s < Slots; ++s)
        if (s != m) add(s);
    } else {
      for (int t = fused.step[m].first_term; t < fused.step[m].terms_end; ++t) {
        const double coefficient = shared_number<Slots>(c.of_term + t);
        if (coefficient != 0.0 && fused.term[t].slot >= 0)
          value = fma(coefficient, pick(v, fused.term[t].slot), value);
      }
    }
    v[m] = static_cast<double>(static_cast<T>(value));
  }
}

// Loads the slots that are read before they are written; elements beyond the end are 0.
template <int Slots, class T>
__device__ void load_slots(const Fused<T>& fused, long long i, long long end, double (&v)[Slots]) {
#pragma unroll
  for (int s = 0; s < Slots; ++s)
    v[s] = (fused.loaded >> s & 1u) != 0 && i < end ? static_cast<double>(fused.data[s][i]) : 0.0;
}

template <int Slots, int Dots, class T>
__device__ void accumulate_dots(const Fused<T>& fused, const double (&v)[Slots], double* total) {
#pragma unroll
  for (int k = 0; k < Dots; ++k) {
    if (k < fused.dots)
      total[k] +=
          pick(v, fused.dot[k].left) * (fused.dot[k].right < 0 ? 1.0 : pick(v, fused.dot[k].right));
  }
}

// The elements begin, begin + stride, ... < end.
template <int Slots, int Steps, int Dots, bool InSlotOrder, class T>
__device__ void take_elements(const Fused<T>& fused, const FusedCoefficients<Slots, Steps>& c,
                              long long begin, long long end, long long stride, double* total) {
  constexpr int batch = Slots <= 4 && Steps > 0 ? 2 : 1;  // elements whose loads overlap
  for (long long i = begin; i < end; i += batch * stride) {
    double v[batch][Slots];
#pragma unroll
    for (int e = 0; e < batch; ++e) load_slots(fused, i + e * stride, end, v[e]);
#pragma unroll
    for (int e = 0; e < batch; ++e) {
      if (i + e * stride >= end) continue;
      take_steps<Slots, Steps, InSlotOrder>(fused, c, v[e]);
#pragma unroll
      for (int m = 0; m < Steps; ++m)
        if (m < fused.steps) fused.data[m][i + e * stride] = static_cast<T>(v[e][m]);
      accumulate_dots<Slots, Dots>(fused, v[e], total);
    }
  }
}

struct FusedResults {
  Guard guard;
  int dots;
  FusedDot dot[most_fused_dots];
  ScalarOperations afterwards;

  __device__ bool is_due() const { return !guard.halted(); }
  __device__ void store(int k, double total) const {
    if (k >= dots) return;
    for (double* result : dot[k].result)
      if (result != nullptr) *result = total;
  }
  __device__ void finish() const { run(afterwards, guard); }
};

template <class T>
FusedResults results_of(Guard guard, const Fused<T>& fused, const ScalarOperations& afterwards) {
  FusedResults results{guard, fused.dots, {}, afterwards};
  for (int k = 0; k < fused.dots; ++k) results.dot[k] = fused.dot[k];
  return results;
}

// Blocks per multiprocessor; 0: the compiler chooses.
template <int Slots, int Steps, int Dots>
constexpr int fused_blocks() {
  if (Slots > 6) return 4;
  if (Dots == 0) return 0;
  const int blocks = Steps > 2    ? 4
                     : Slots > 4  ? 5
                     : Steps == 2 ? 4
                     : Steps == 1 ? 5
                     : Slots > 2  ? 6
                                  : 8;
  return blocks_with_registers(reduction_threads, blocks);
}

template <int Slots, int Steps, int Dots, bool InSlotOrder, class T>
__global__ void __launch_bounds__(reduction_threads, fused_blocks<Slots, Steps, Dots>())
    fused_kernel(Guard guard, Fused<T> fused, RowChunks chunks, ReductionScratch scratch,
                 FusedResults results) {
  const bool halted = guard.halted();
  const FusedCoefficients<Slots, Steps> coefficients = evaluate<Slots, Steps>(fused);
  if (halted) return;
  if constexpr (Dots > 0) {
    for_each_chunk(chunks.count, [&](int chunk) {
      double total[Dots] = {};
      take_elements<Slots, Steps, Dots, InSlotOrder>(
          fused, coefficients, static_cast<long long>(chunks.begin(chunk)) + threadIdx.x,
          chunks.end(chunk), reduction_threads, total);
      store_chunk<Dots>(total, 0u, scratch, chunk);
    });
    reduce_chunks<Dots>(0u, scratch, results);
  } else {
    take_elements<Slots, Steps, Dots, InSlotOrder>(
        fused, coefficients, static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x, fused.n,
        static_cast<long long>(gridDim.x) * blockDim.x, nullptr);
  }
}

}  // namespace hodge::linalg::cuda
