// The bodies of the members of SsorProduct.
#pragma once

#include <algorithm>
#include <climits>
#include <string>

#include "linalg/preconditioners/keep_largest.hpp"
#include "linalg/preconditioners/ssor_diagonals.hpp"
#include "linalg/preconditioners/ssor_first_order.hpp"
#include "linalg/preconditioners/ssor_product.hpp"
#include "linalg/preconditioners/ssor_second_order.hpp"
#include "linalg/space/this_space.hpp"
#ifdef __CUDACC__
#include "linalg/preconditioners/ssor_warps.cuh"
#endif

namespace hodge::linalg {

namespace sai {

// Turns rows + 1 counts (the last is 0) into row offsets and returns the total.
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
  sai::count_factor<Space>(a.view(), factor.row_offsets.data());
  const std::size_t entries =
      sai::scan_counts(a.rows(), factor.row_offsets, "ssor_sai: a factor of the truncated form");
  factor.columns = Buffer<int, Space>(entries);
  factor.values = Buffer<T, Space>(entries);
  sai::list_factor_columns<Space>(a.view(), factor.row_offsets.data(), factor.columns.data());
}

template <class Space, class T>
void SsorProduct<Space, T>::fill_factor(const CsrMatrix<Space, T>& a, const Vector<Space, T>& d,
                                        NeumannFactor<Space, T>& factor) {
  sai::fill_factor_values<Space>(a.view(), d.data(), factor.row_offsets.data(),
                                 factor.columns.data(), factor.values.data());
}

// False unless V and W have few diagonals too.
template <class Space, class T>
bool SsorProduct<Space, T>::choose_diagonals(const CsrMatrix<Space, T>& a) {
  const DiagonalsView& of_a = a.pattern().diagonals().shape;
  on_ = {};
  if (how_ != SsorConstruction::automatic || order_ == 1 || of_a.count == 0) return false;
  on_.v = sai::factor_diagonals(of_a, 1);
  on_.w = sai::factor_diagonals(of_a, -1);
  if (on_.v.count == 0 || on_.w.count == 0) on_ = {};
  return on_.v.count > 0;
}

template <class Space, class T>
void SsorProduct<Space, T>::setup_diagonals(const CsrMatrix<Space, T>& a) {
  const auto diagonals = [&](int count) {
    return Buffer<T, Space>(static_cast<std::size_t>(count) * static_cast<std::size_t>(a.rows()));
  };
  on_.v_values = diagonals(on_.v.count - 1);
  if (a.symmetry() != Symmetry::symmetric) on_.w_values = diagonals(on_.w.count - 1);
  on_.steps = diagonals(std::max(on_.v.steps, on_.w.steps));
}

// For the pattern of P, which may have fewer diagonals than A.
template <class Space, class T>
void SsorProduct<Space, T>::choose_terms() {
  if (on_.v.count > 0)
    on_.terms = sai::product_terms(product_->pattern().diagonals().shape, on_.v, on_.w);
}

template <class Space, class T>
void SsorProduct<Space, T>::setup_rows(const CsrMatrix<Space, T>& a) {
  build_factor(a, v_);
  if (a.symmetry() == Symmetry::symmetric) return;
  transposed_ = std::make_unique<TransposedCsr<Space, T>>();
  transposed_->setup(a);
  build_factor(transposed_->matrix(), w_);
}

// From the table `construction` of `hodge bench ssor_sai` on an H200. One long row keeps a thread
// busy while all others wait, and few rows leave most of the GPU without a thread.
template <class Space, class T>
bool SsorProduct<Space, T>::by_warps() const {
  if (std::is_same_v<Space, Host> || how_ == SsorConstruction::thread_a_row) return false;
  if (how_ == SsorConstruction::warp_a_row) return true;
  const RowStatistics& of_rows = product_->pattern().statistics();
  const double mean = static_cast<double>(product_->pattern().nonzeros()) / product_->rows();
  const bool few_rows = product_->rows() < 32768;
  return of_rows.longest > 256 || mean > (few_rows ? 8 : order_ == 1 ? 28 : 14);
}

template <class Space, class T>
const char* SsorProduct<Space, T>::construction() const {
  return on_.v.count > 0 ? "diagonals" : by_warps() ? "warp a row" : "thread a row";
}

template <class Space, class T>
void SsorProduct<Space, T>::fill(const CsrMatrix<Space, T>& a, double omega,
                                 const Vector<Space, T>& d) {
  const CsrView<T> p = product_->view();
  const double factor = 2.0 - omega;
  T* const values = product_->values().data();
  if (on_.v.count > 0) {
    const auto rows = static_cast<std::size_t>(p.rows);
    const bool symmetric = a.symmetry() == Symmetry::symmetric;
    return sai::fill_product_diagonals<Space, T>(
        p, product_->pattern().statistics().longest, factor, on_.terms, {on_.v_values.data(), rows},
        {symmetric ? on_.v_values.data() : on_.w_values.data(), rows}, d.data(), values);
  }
  const auto v = sai::view(v_), w = transposed_ ? sai::view(w_) : v;
#ifdef __CUDACC__
  if (by_warps()) {
    if (order_ == 1) return sai::fill_first_order_by_warps(a.view(), factor, d.data(), p, values);
    return sai::fill_product_by_warps(p, factor, v, w, d.data(), values);
  }
#endif
  if (order_ == 1) return sai::fill_first_order<Space>(a.view(), factor, d.data(), p, values);
  sai::fill_product<Space>(p, factor, v, w, d.data(), values);
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
void SsorProduct<Space, T>::setup(const CsrMatrix<Space, T>& a, double omega,
                                  const Vector<Space, T>& d) {
  product_.reset();
  transposed_.reset();
  v_ = {};
  w_ = {};
  if (choose_diagonals(a)) {
    setup_diagonals(a);
  } else if (order_ == 2) {
    setup_rows(a);
  }
  product_ = std::make_unique<CsrMatrix<Space, T>>(a.shared_pattern(), a.symmetry());
  choose_terms();
  refresh(a, omega, d);
  if (alpha_ == 1.0) return;
  keep_largest();
  choose_terms();
  fill(a, omega, d);
}

template <class Space, class T>
void SsorProduct<Space, T>::refresh(const CsrMatrix<Space, T>& a, double omega,
                                    const Vector<Space, T>& d) {
  const auto fill_diagonals = [&](const sai::FactorDiagonals& f, Buffer<T, Space>& values) {
    sai::fill_steps<Space>(a.view(), f, d.data(), on_.steps.data());
    sai::fill_factor_diagonals<Space>(a.rows(), f, on_.steps.data(), values.data());
  };
  if (on_.v.count > 0) fill_diagonals(on_.v, on_.v_values);
  if (on_.w_values.size() > 0) fill_diagonals(on_.w, on_.w_values);
  if (order_ == 2 && on_.v.count == 0) fill_factor(a, d, v_);
  if (transposed_) {
    transposed_->refresh(a);
    fill_factor(transposed_->matrix(), d, w_);
  }
  fill(a, omega, d);
}

template class SsorProduct<ThisSpace, double>;
template class SsorProduct<ThisSpace, float>;

}  // namespace hodge::linalg
