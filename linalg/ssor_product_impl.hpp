// Point functions of SsorProduct: compiled by the host compiler for Host and by nvcc for Cuda.
#pragma once

#include <climits>
#include <cmath>
#include <cstring>
#include <string>

#include "linalg/parallel.hpp"
#include "linalg/ssor_product.hpp"

namespace hodge::linalg {

namespace sai {

// Position of the first of columns[first..last) that is greater than (or equal to) `column`.
HODGE_HD inline int lower_bound(const int* columns, int first, int last, int column) {
  while (first < last) {
    const int middle = first + (last - first) / 2;
    if (columns[middle] < column) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

// The strictly upper part of row i of A: its first position.
template <class T>
HODGE_HD int upper_begin(const CsrView<T>& a, int i) {
  const int k = a.diagonal[i];
  return k < a.row_offsets[i + 1] && a.columns[k] == i ? k + 1 : k;
}

// Smallest column greater than `after` in row i of I + U + U^2; INT_MAX where there is none.
template <class T>
HODGE_HD int next_column(const CsrView<T>& a, int i, int after) {
  int next = INT_MAX;
  for (int p = upper_begin(a, i); p < a.row_offsets[i + 1]; ++p) {
    const int k = a.columns[p];
    if (k >= next) break;  // so are all columns of the rows from here on
    if (k > after) next = k;
    const int last = a.row_offsets[k + 1];
    const int q = lower_bound(a.columns, upper_begin(a, k), last, after + 1);
    if (q < last && a.columns[q] < next) next = a.columns[q];
  }
  return next;
}

template <class T>
struct FactorView {
  const int* row_offsets;
  const int* columns;
  const T* values;
};

template <class Space, class T>
FactorView<T> view(const NeumannFactor<Space, T>& f) {
  return {f.row_offsets.data(), f.columns.data(), f.values.data()};
}

// sum_k V_ik d_k W_jk, walking along the shorter row and searching in the longer one.
template <class T>
HODGE_HD double inner_product(const FactorView<T>& v, int i, const FactorView<T>& w, int j,
                              const T* d) {
  const bool v_is_shorter =
      v.row_offsets[i + 1] - v.row_offsets[i] <= w.row_offsets[j + 1] - w.row_offsets[j];
  const FactorView<T> shorter = v_is_shorter ? v : w, longer = v_is_shorter ? w : v;
  const int row = v_is_shorter ? i : j, other_row = v_is_shorter ? j : i;
  const int p_end = shorter.row_offsets[row + 1], q_end = longer.row_offsets[other_row + 1];
  int p = shorter.row_offsets[row], q = longer.row_offsets[other_row];
  const bool search = q_end - q > 8 * (p_end - p);
  double sum = 0.0;
  for (; p < p_end; ++p) {
    const int k = shorter.columns[p];
    if (search) {
      q = lower_bound(longer.columns, q, q_end, k);
    } else {
      while (q < q_end && longer.columns[q] < k) ++q;
    }
    if (q == q_end) break;
    if (longer.columns[q] == k) {  // in this order of factors P comes out exactly symmetric
      sum += static_cast<double>(d[k]) *
             (static_cast<double>(shorter.values[p]) * static_cast<double>(longer.values[q]));
    }
  }
  return sum;
}

// Sort key that puts large magnitudes first: the bits of a positive float are ordered as it is.
template <class T>
HODGE_HD int magnitude_key(T value) {
  const float magnitude = static_cast<float>(value < T(0) ? -value : value);
  int bits = 0;
  memcpy(&bits, &magnitude, sizeof bits);
  return INT_MAX - bits;
}

// The next three are free functions because a lambda of nvcc may not stand in a private member.

template <class Space, class T>
void count_factor(const CsrView<T>& a, int order, int* counts) {
  for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) {
    int count = 1;
    if (order == 1) {
      count += a.row_offsets[i + 1] - upper_begin(a, i);
    } else {
      for (int c = next_column(a, i, i); c != INT_MAX; c = next_column(a, i, c)) ++count;
    }
    counts[i] = count;
  });
}

template <class Space, class T>
void list_factor_columns(const CsrView<T>& a, int order, const int* row_offsets, int* columns) {
  for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) {
    int position = row_offsets[i];
    columns[position++] = i;
    if (order == 1) {
      for (int p = upper_begin(a, i); p < a.row_offsets[i + 1]; ++p)
        columns[position++] = a.columns[p];
    } else {
      for (int c = next_column(a, i, i); c != INT_MAX; c = next_column(a, i, c))
        columns[position++] = c;
    }
  });
}

// V = I - X (+ X^2), X = D'^-1 U.
template <class Space, class T>
void fill_factor_values(const CsrView<T>& a, int order, const T* d, const int* row_offsets,
                        const int* columns, T* values) {
  for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) {
    const int first = row_offsets[i], last = row_offsets[i + 1];
    values[first] = T(1);
    for (int p = first + 1; p < last; ++p) values[p] = T(0);
    int own = first + 1;
    for (int p = upper_begin(a, i); p < a.row_offsets[i + 1]; ++p) {
      const int k = a.columns[p];
      const T x = d[i] * a.values[p];
      while (columns[own] < k) ++own;
      values[own] -= x;
      if (order == 1) continue;
      int square = own;
      for (int q = upper_begin(a, k); q < a.row_offsets[k + 1]; ++q) {
        square = lower_bound(columns, square, last, a.columns[q]);
        values[square] += x * d[k] * a.values[q];
      }
    }
  });
}

template <class Space, class T>
void fill_product(const CsrView<T>& p, double factor, FactorView<T> v, FactorView<T> w, const T* d,
                  T* values) {
  for_each<Space>(p.rows, [=] HODGE_LAMBDA(int i) {
    for (int k = p.row_offsets[i]; k < p.row_offsets[i + 1]; ++k)
      values[k] = static_cast<T>(factor * inner_product(v, i, w, p.columns[k], d));
  });
}

// keep[k] = 1 for the ceil(alpha n) largest of the n entries of each row and for the diagonal.
template <class Space, class T>
void mark_largest(const CsrView<T>& p, double alpha, int* keep) {
  const auto n = static_cast<std::size_t>(p.nonzeros);
  Buffer<int, Space> keys(n), positions(n), rows(n);
  int* const key = keys.data();
  int* const position = positions.data();
  int* const row = rows.data();
  for_each<Space>(p.rows, [=] HODGE_LAMBDA(int i) {
    for (int k = p.row_offsets[i]; k < p.row_offsets[i + 1]; ++k) row[k] = i;
  });
  for_each<Space>(p.nonzeros, [=] HODGE_LAMBDA(int k) {
    key[k] = magnitude_key(p.values[k]);
    position[k] = k;
  });
  Space::stable_sort_by_key(p.nonzeros, key, position);
  Space::gather(p.nonzeros, position, row, key);
  Space::stable_sort_by_key(p.nonzeros, key, position);
  for_each<Space>(p.nonzeros, [=] HODGE_LAMBDA(int s) {
    const int i = key[s], k = position[s];
    const int length = p.row_offsets[i + 1] - p.row_offsets[i];
    const bool large = s - p.row_offsets[i] < static_cast<int>(ceil(alpha * length));
    keep[k] = large || p.columns[k] == i ? 1 : 0;
  });
}

// counts[i] = entries of row i that are kept or whose mirror image is.
template <class Space, class T>
void mark_mirror_images(const CsrView<T>& p, const int* keep, int* keep_symmetric, int* counts) {
  for_each<Space>(p.rows, [=] HODGE_LAMBDA(int i) {
    int count = 0;
    for (int k = p.row_offsets[i]; k < p.row_offsets[i + 1]; ++k) {
      const int j = p.columns[k], last = p.row_offsets[j + 1];
      const int mirror = lower_bound(p.columns, p.row_offsets[j], last, i);
      const bool mirrored = mirror < last && p.columns[mirror] == i && keep[mirror] == 1;
      keep_symmetric[k] = keep[k] == 1 || mirrored ? 1 : 0;
      count += keep_symmetric[k];
    }
    counts[i] = count;
  });
}

template <class Space, class T>
void list_kept_columns(const CsrView<T>& p, const int* keep, const int* row_offsets, int* columns) {
  for_each<Space>(p.rows, [=] HODGE_LAMBDA(int i) {
    int position = row_offsets[i];
    for (int k = p.row_offsets[i]; k < p.row_offsets[i + 1]; ++k) {
      if (keep[k] == 1) columns[position++] = p.columns[k];
    }
  });
}

// Turns rows + 1 counts (the last is 0) into row offsets; the total.
template <class Space>
std::size_t scan_counts(int rows, Buffer<int, Space>& counts, const char* what) {
  const long long total = Space::sum(rows, counts.data());
  if (total >= INT_MAX) {
    throw ShapeError(std::string(what) + " would have " + std::to_string(total) +
                     " entries, which do not fit 32-bit indices: use form factored");
  }
  Space::exclusive_scan(rows + 1, counts.data(), counts.data());
  return static_cast<std::size_t>(total);
}

}  // namespace sai

template <class Space, class T>
void SsorProduct<Space, T>::build_factor(const CsrMatrix<Space, T>& a,
                                         NeumannFactor<Space, T>& factor) {
  factor.row_offsets = Buffer<int, Space>(static_cast<std::size_t>(a.rows()) + 1);
  sai::count_factor<Space>(a.view(), order_, factor.row_offsets.data());
  const std::size_t entries =
      sai::scan_counts(a.rows(), factor.row_offsets, "ssor_sai: a factor of the truncated form");
  factor.columns = Buffer<int, Space>(entries);
  factor.values = Buffer<T, Space>(entries);
  sai::list_factor_columns<Space>(a.view(), order_, factor.row_offsets.data(),
                                  factor.columns.data());
}

template <class Space, class T>
void SsorProduct<Space, T>::fill_factor(const CsrMatrix<Space, T>& a, const Vector<Space, T>& d,
                                        NeumannFactor<Space, T>& factor) {
  sai::fill_factor_values<Space>(a.view(), order_, d.data(), factor.row_offsets.data(),
                                 factor.columns.data(), factor.values.data());
}

template <class Space, class T>
void SsorProduct<Space, T>::multiply_factors(const Vector<Space, T>& d) {
  const auto v = sai::view(v_), w = transposed_ ? sai::view(w_) : v;
  sai::fill_product<Space>(product_->view(), 2.0 - omega_, v, w, d.data(),
                           product_->values().data());
}

template <class Space, class T>
void SsorProduct<Space, T>::keep_largest() {
  const CsrView<T> p = product_->view();
  const auto n = static_cast<std::size_t>(p.nonzeros);
  Buffer<int, Space> keep(n), keep_symmetric(n), offsets(static_cast<std::size_t>(p.rows) + 1);
  sai::mark_largest<Space>(p, alpha_, keep.data());
  sai::mark_mirror_images<Space>(p, keep.data(), keep_symmetric.data(), offsets.data());
  Buffer<int, Space> columns(sai::scan_counts(p.rows, offsets, "ssor_sai: the product"));
  sai::list_kept_columns<Space>(p, keep_symmetric.data(), offsets.data(), columns.data());
  auto pattern = std::make_shared<const CsrPattern<Space>>(p.rows, p.cols, std::move(offsets),
                                                           std::move(columns));
  product_ = std::make_unique<CsrMatrix<Space, T>>(std::move(pattern), product_->symmetry());
}

template <class Space, class T>
void SsorProduct<Space, T>::setup(const CsrMatrix<Space, T>& a, const Vector<Space, T>& d) {
  product_.reset();
  transposed_.reset();
  build_factor(a, v_);
  if (a.symmetry() != Symmetry::symmetric) {
    transposed_ = std::make_unique<TransposedCsr<Space, T>>();
    transposed_->setup(a);
    build_factor(transposed_->matrix(), w_);
  }
  product_ = std::make_unique<CsrMatrix<Space, T>>(a.shared_pattern(), a.symmetry());
  refresh(a, d);
  if (alpha_ == 1.0) return;
  keep_largest();
  multiply_factors(d);
}

template <class Space, class T>
void SsorProduct<Space, T>::refresh(const CsrMatrix<Space, T>& a, const Vector<Space, T>& d) {
  fill_factor(a, d, v_);
  if (transposed_) {
    transposed_->refresh(a);
    fill_factor(transposed_->matrix(), d, w_);
  }
  multiply_factors(d);
}

}  // namespace hodge::linalg
