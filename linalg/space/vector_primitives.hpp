// Combinations, products and reductions of vectors. All are guarded (space.hpp).
// host/vectors.cpp; cuda/kernels/vectors.cu, cuda/kernels/queue.cu, cuda/kernels/basis.cu and
// cuda/kernels/orthogonalise.cu.
#pragma once

#include "linalg/space/monitor_state.hpp"
#include "linalg/space/monomial.hpp"
#include "linalg/space/orthogonalisation.hpp"

namespace hodge::linalg {

// One summand of a linear combination: coefficient times a vector, or the coefficient itself where
// data is null.
template <class T>
struct Term {
  Monomial coefficient;
  const T* data = nullptr;
};

// sum_i coefficient_i * vector_i; a term whose coefficient is exactly zero is not read.
template <class T>
struct Combination {
  static constexpr int capacity = 6;
  int terms = 0;
  Term<T> term[capacity];
};

// Up to `capacity` dot products that one pass computes; a null `right` stands for a vector of ones.
template <class T>
struct DotPairs {
  static constexpr int capacity = 4;
  int count = 0;
  const T* left[capacity] = {};
  const T* right[capacity] = {};
  double* result[capacity] = {};
};

template <class Space>
struct VectorPrimitives {
  template <class T>
  static void fill(int n, T value, T* out);
  template <class T, class U>
  static void convert(int n, const T* in, U* out);
  template <class T>
  static void combine(int n, const Combination<T>& combination,
                      T* out);  // out may be among the terms
  template <class T>
  static void multiply_elements(int n, const T* a, const T* b, T* out);  // out_i = a_i b_i

  template <class T>
  static void dots(int n, const DotPairs<T>& pairs);
  // *result = max_i |weight_i v_i|, 0 for none; NaN is ignored.
  template <class T>
  static void weighted_maximum(int n, const T* v, const double* weights, double* result);
  // h_j = V_j . w for j < k, V being column-major n x k.
  template <class T>
  static void basis_dots(int n, int k, const T* basis, const T* w, double* h);
  // w = beta w + alpha sum_j h_j V_j
  template <class T>
  static void basis_combine(int n, int k, const T* basis, const double* h, double alpha,
                            double beta, T* w);
  // w = scale w - sum_j c_j V_j, then V_j . w and w . w, with the numbers of `round`; a second
  // round that is not needed does nothing.
  template <class T>
  static void basis_round(int n, int k, const T* basis, T* w, const OrthogonalisationRound& round);
};

}  // namespace hodge::linalg
