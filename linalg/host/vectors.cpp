// Host space: vector primitives and reductions.
#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/base/choose.hpp"
#include "linalg/host/guard.hpp"
#include "linalg/host/pieces.hpp"
#include "linalg/space/instantiate.hpp"
#include "linalg/space/traffic.hpp"

namespace hodge::linalg {

namespace {

constexpr int block_length = 4096;

int block_count(int n) {
  return static_cast<int>((static_cast<long long>(n) + block_length - 1) / block_length);
}

// f(block, first, last) for each block of 0..n-1.
template <class F>
void for_each_block(int n, F f) {
  const int blocks = block_count(n);
#pragma omp parallel for schedule(static) if (blocks > 1)
  for (int block = 0; block < blocks; ++block) {
    const int first = block * block_length;
    f(block, first,
      static_cast<int>(std::min<long long>(n, static_cast<long long>(first) + block_length)));
  }
}

// How many different vectors the pairs read.
template <class T>
int vectors_of(const DotPairs<T>& pairs) {
  const T* known[2 * DotPairs<T>::capacity];
  int count = 0;
  for (int j = 0; j < pairs.count; ++j)
    for (const T* v : {pairs.left[j], pairs.right[j]})
      if (v != nullptr && std::find(known, known + count, v) == known + count) known[count++] = v;
  return count;
}

constexpr int block_pieces = block_length / sum_piece;

// body(first, last, sums) for blocks of whole pieces of 0..n-1, `sums` being k exact sums of the
// thread; store(j, total) for j < k. With one message where the rows are shared.
template <class Body, class Store>
void sum_blocks(int n, int k, Body body, Store store) {
  const SharedRows shared = shared_rows();
  const host::RowPieces pieces(n, shared);
  const int blocks = (pieces.count() + block_pieces - 1) / block_pieces;
  host::ThreadSums sums(k, blocks > 1);
#pragma omp parallel for schedule(static) if (blocks > 1)
  for (int block = 0; block < blocks; ++block) {
    const long long piece = static_cast<long long>(block) * block_pieces;
    body(pieces, pieces.first_row(piece), pieces.first_row(piece + block_pieces), sums.own());
  }
  int j = 0;
  for (const ExactSum& total : sums.totals(shared)) store(j++, total.value());
}

// Adds a . b over the rows of a block.
template <class T>
void add_dot(const host::RowPieces& pieces, const T* a, const T* b, int first, int last,
             ExactSum& sum) {
  double dots[block_pieces];
  const int count = host::dot_pieces(pieces, a, b, first, last, dots);
  sum.add(std::span<const double>(dots, static_cast<std::size_t>(count)));
}

// out = sum of `Terms` vectors times their coefficients, plus a constant.
template <int Terms, class T>
void combine_terms(int n, const double* coefficient, const T* const* data, double constant,
                   T* out) {
  for_each_block(n, [=](int, int first, int last) {
    for (int i = first; i < last; ++i) {
      double value = constant;
      for (int t = 0; t < Terms; ++t) value += coefficient[t] * static_cast<double>(data[t][i]);
      out[i] = static_cast<T>(value);
    }
  });
}

}  // namespace

template <>
template <class T>
void VectorPrimitives<Host>::fill(int n, T value, T* out) {
  if (host::halted()) return;
  for_each_block(n, [=](int, int first, int last) { std::fill(out + first, out + last, value); });
}

template <>
template <class T>
void VectorPrimitives<Host>::combine(int n, const Combination<T>& combination, T* out) {
  if (host::halted()) return;
  double coefficient[Combination<T>::capacity];
  const T* data[Combination<T>::capacity];
  double constant = 0.0;
  int terms = 0;
  for (int t = 0; t < combination.terms; ++t) {
    const double value = combination.term[t].coefficient.value();
    if (combination.term[t].data == nullptr) {
      constant += value;
    } else if (value != 0.0) {
      coefficient[terms] = value;
      data[terms++] = combination.term[t].data;
    }
  }
  count_vectors<Host, T>(n, terms + 1);
  with_constant<0, 1, 2, 3, 4, 5, 6>(
      terms, [&](auto count) { combine_terms<count.value>(n, coefficient, data, constant, out); });
}

template <>
template <class T>
void VectorPrimitives<Host>::multiply_elements(int n, const T* a, const T* b, T* out) {
  if (host::halted()) return;
  count_vectors<Host, T>(n, 3);
  for_each_block(n, [=](int, int first, int last) {
    for (int i = first; i < last; ++i) out[i] = a[i] * b[i];
  });
}

template <>
template <class T, class U>
void VectorPrimitives<Host>::convert(int n, const T* in, U* out) {
  if (host::halted()) return;
  count_moved<Host>(static_cast<double>(n) * (sizeof(T) + sizeof(U)));
  for_each_block(n, [=](int, int first, int last) {
    for (int i = first; i < last; ++i) out[i] = static_cast<U>(in[i]);
  });
}

template <>
template <class T>
void VectorPrimitives<Host>::dots(int n, const DotPairs<T>& pairs) {
  if (host::halted()) return;
  count_vectors<Host, T>(n, vectors_of(pairs));
  sum_blocks(
      n, pairs.count,
      [&pairs](const host::RowPieces& pieces, int first, int last, ExactSum* sums) {
        for (int j = 0; j < pairs.count; ++j)
          add_dot(pieces, pairs.left[j], pairs.right[j], first, last, sums[j]);
      },
      [&pairs](int j, double value) { *pairs.result[j] = value; });
}

namespace {

template <class T>
double largest_of(int n, const T* v, const double* weights) {
  const SharedRows shared = shared_rows();
  double largest = 0.0;
#pragma omp parallel for schedule(static) reduction(max : largest) if (n > block_length)
  for (int i = 0; i < n; ++i)
    largest = std::fmax(largest, std::fabs(weights[i] * static_cast<double>(v[i])));
  maximum_over_processes(shared, {&largest, 1});
  return largest;
}

}  // namespace

template <>
template <class T>
void VectorPrimitives<Host>::weighted_maximum(int n, const T* v, const double* weights,
                                              double* result) {
  if (!host::halted()) *result = largest_of(n, v, weights);
}

template <>
template <class T>
void ScalarPrimitives<Host>::monitor_maximum(MonitorState* state, int n, const T* r,
                                             const MaximumWatch& watch) {
  if (host::halted() || state->residual > watch.watch_from) return;
  finish_maximum(*state, largest_of(n, r, watch.weights), watch.limit);
}

template <>
template <class T>
void VectorPrimitives<Host>::basis_dots(int n, int k, const T* basis, const T* w, double* h) {
  if (host::halted()) return;
  count_vectors<Host, T>(n, k + 1);
  const auto stride = static_cast<std::size_t>(n);
  sum_blocks(
      n, k,
      [=](const host::RowPieces& pieces, int first, int last, ExactSum* sums) {
        for (int j = 0; j < k; ++j) add_dot(pieces, basis + stride * j, w, first, last, sums[j]);
      },
      [=](int j, double value) { h[j] = value; });
}

template <>
template <class T>
void VectorPrimitives<Host>::basis_combine(int n, int k, const T* basis, const double* h,
                                           double alpha, double beta, T* w) {
  if (host::halted()) return;
  count_vectors<Host, T>(n, k + (beta == 0.0 ? 1 : 2));
  const auto stride = static_cast<std::size_t>(n);
  for_each_block(n, [=](int, int first, int last) {
    double sums[block_length];
    for (int i = first; i < last; ++i)
      sums[i - first] = beta == 0.0 ? 0.0 : beta * static_cast<double>(w[i]);
    for (int j = 0; j < k; ++j) {
      const double c = alpha * h[j];
      const T* column = basis + stride * j;
      if (c == 0.0) continue;
      for (int i = first; i < last; ++i) sums[i - first] += c * static_cast<double>(column[i]);
    }
    for (int i = first; i < last; ++i) w[i] = static_cast<T>(sums[i - first]);
  });
}

// Block by block: a block of w stays in the cache for the sum and for the dot products.
template <>
template <class T>
void VectorPrimitives<Host>::basis_round(int n, int k, const T* basis, T* w,
                                         const OrthogonalisationRound& round) {
  if (host::halted()) return;
  bool due = !round.second;
  for (int j = 0; j < k; ++j) due = due || is_oblique(round.data, k, j);
  if (!due) return;
  count_vectors<Host, T>(n, k + 2);
  const auto stride = static_cast<std::size_t>(n);
  static thread_local std::vector<double> factors;
  factors.resize(static_cast<std::size_t>(k));
  for (int j = 0; j < k; ++j) factors[static_cast<std::size_t>(j)] = round.coefficient(k, j);
  const double* const factor = factors.data();  // of the calling thread
  const double scale = round.scale(k);
  sum_blocks(
      n, k + 1,
      [=](const host::RowPieces& pieces, int first, int last, ExactSum* sums) {
        double values[block_length];
        for (int i = first; i < last; ++i) values[i - first] = scale * static_cast<double>(w[i]);
        for (int j = 0; j < k; ++j) {
          const T* column = basis + stride * j;
          for (int i = first; i < last; ++i)
            values[i - first] -= factor[j] * static_cast<double>(column[i]);
        }
        for (int i = first; i < last; ++i) w[i] = static_cast<T>(values[i - first]);
        for (int j = 0; j <= k; ++j)
          add_dot(pieces, j < k ? basis + stride * j : w, w, first, last, sums[j]);
      },
      [&round](int j, double value) { round.results()[j] = value; });
}

HODGE_FOR_BOTH_VALUES(HODGE_VECTORS, Host)
HODGE_FOR_BOTH_VALUES(HODGE_COMBINATIONS, Host)
HODGE_FOR_BOTH_VALUES(HODGE_BASIS, Host)
HODGE_FOR_BOTH_VALUES(HODGE_BASIS_ROUND, Host)
template void VectorPrimitives<Host>::fill(int, int, int*);

}  // namespace hodge::linalg
