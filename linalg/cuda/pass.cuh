// Several linear combinations and products of elements, and then dot products, in one pass over
// vectors of one length: each vector is read once and written once, whatever happens to it in
// between.
//
// A vector of a pass is a slot. Every thread loads the slots that are read before they are written,
// takes the steps in order in registers, stores the slots that were written, and adds its part of
// the dot products; the block that ends last sums these and runs the scalar operations.
#pragma once

#include "linalg/cuda/reduction.cuh"
#include "linalg/cuda/scalar_operations.cuh"

namespace hodge::linalg::cuda {

// out = sum of coefficients times slots plus constants, or the product of two slots by elements.
struct PassStep {
  int out = 0;
  bool is_product = false;
  int left = 0, right = 0;  // of a product
};

struct PassTerm {
  int step = 0, slot = 0;  // slot -1: a constant
  Monomial coefficient;
};

struct PassDot {
  int left = 0, right = 0;  // right -1: a vector of ones
  double* result = nullptr;
};

template <class T>
struct Pass {
  static constexpr int most_slots = 8, most_steps = 4, most_terms = 12, most_dots = 4;
  int n = 0;
  int slots = 0, steps = 0, terms = 0, dots = 0;
  unsigned loaded = 0, stored = 0;  // bits of slots
  T* data[most_slots] = {};
  PassStep step[most_steps];
  PassTerm term[most_terms];
  PassDot dot[most_dots];
};

// v[slot] without an array in memory.
template <int Slots>
__device__ double pick(const double (&v)[Slots], int slot) {
  double value = v[0];
#pragma unroll
  for (int s = 1; s < Slots; ++s) value = s == slot ? v[s] : value;
  return value;
}

// The coefficients of every step, evaluated once a block.
template <class T>
struct PassCoefficients {
  double of_term[Pass<T>::most_terms];
  double of_slot[Pass<T>::most_steps][Pass<T>::most_slots];
  double constant[Pass<T>::most_steps];

  __device__ void evaluate(const Pass<T>& pass) {
    const int t = static_cast<int>(threadIdx.x);
    if (t < pass.terms) of_term[t] = pass.term[t].coefficient.value();
    __syncthreads();
    if (t < pass.steps) {
      constant[t] = 0.0;
      for (int s = 0; s < Pass<T>::most_slots; ++s) of_slot[t][s] = 0.0;
      for (int k = 0; k < pass.terms; ++k) {
        if (pass.term[k].step != t) continue;
        const int slot = pass.term[k].slot;
        (slot < 0 ? constant[t] : of_slot[t][slot]) += of_term[k];
      }
    }
    __syncthreads();
  }
};

// What step m makes of the slots. A slot whose coefficient is zero is not used, whatever it holds.
template <int Slots, class T>
__device__ double take_step(const Pass<T>& pass, const PassCoefficients<T>& coefficients, int m,
                            const double (&v)[Slots]) {
  const PassStep& step = pass.step[m];
  if (step.is_product) return pick(v, step.left) * pick(v, step.right);
  double value = coefficients.constant[m];
#pragma unroll
  for (int s = 0; s < Slots; ++s) {
    const double c = coefficients.of_slot[m][s];
    if (c != 0.0) value += c * v[s];
  }
  return value;
}

template <int Slots, int Dots, class T>
__global__ void __launch_bounds__(reduction_threads)
    pass_kernel(Guard guard, Pass<T> pass, ScalarOperations afterwards, ReductionScratch scratch) {
  if (guard.halted()) return;
  __shared__ PassCoefficients<T> coefficients;
  coefficients.evaluate(pass);
  double total[Dots > 0 ? Dots : 1] = {};
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < pass.n;
       i += stride) {
    double v[Slots];
#pragma unroll
    for (int s = 0; s < Slots; ++s)
      v[s] = (pass.loaded >> s & 1u) != 0 ? static_cast<double>(pass.data[s][i]) : 0.0;
    for (int m = 0; m < pass.steps; ++m) {
      const double rounded =
          static_cast<double>(static_cast<T>(take_step(pass, coefficients, m, v)));
#pragma unroll
      for (int s = 0; s < Slots; ++s) v[s] = s == pass.step[m].out ? rounded : v[s];
    }
#pragma unroll
    for (int s = 0; s < Slots; ++s)
      if ((pass.stored >> s & 1u) != 0) pass.data[s][i] = static_cast<T>(v[s]);
#pragma unroll
    for (int k = 0; k < Dots; ++k) {
      if (k < pass.dots)
        total[k] +=
            pick(v, pass.dot[k].left) * (pass.dot[k].right < 0 ? 1.0 : pick(v, pass.dot[k].right));
    }
  }
  if constexpr (Dots > 0) {
    reduce_grid<Dots>(
        total, 0u, scratch,
        [&](int k, double value) {
          if (k < pass.dots) *pass.dot[k].result = value;
        },
        [&] { run(afterwards, guard); });
  }
}

}  // namespace hodge::linalg::cuda
