// The bodies of the members of SsorProduct.
#pragma once

#include <climits>
#include <string>

#include "linalg/preconditioners/keep_largest.hpp"
#include "linalg/preconditioners/ssor_first_order.hpp"
#include "linalg/preconditioners/ssor_product.hpp"
#include "linalg/preconditioners/ssor_second_order.hpp"
#include "linalg/space/this_space.hpp"

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

template <class Space, class T>
void SsorProduct<Space, T>::fill(const CsrMatrix<Space, T>& a, double omega,
                                 const Vector<Space, T>& d) {
  if (order_ == 1) {
    return sai::fill_first_order<Space>(a.view(), 2.0 - omega, d.data(), product_->view(),
                                        product_->values().data());
  }
  const auto v = sai::view(v_), w = transposed_ ? sai::view(w_) : v;
  sai::fill_product<Space>(product_->view(), 2.0 - omega, v, w, d.data(),
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
void SsorProduct<Space, T>::setup(const CsrMatrix<Space, T>& a, double omega,
                                  const Vector<Space, T>& d) {
  product_.reset();
  transposed_.reset();
  if (order_ == 2) build_factor(a, v_);
  if (order_ == 2 && a.symmetry() != Symmetry::symmetric) {
    transposed_ = std::make_unique<TransposedCsr<Space, T>>();
    transposed_->setup(a);
    build_factor(transposed_->matrix(), w_);
  }
  product_ = std::make_unique<CsrMatrix<Space, T>>(a.shared_pattern(), a.symmetry());
  refresh(a, omega, d);
  if (alpha_ == 1.0) return;
  keep_largest();
  fill(a, omega, d);
}

template <class Space, class T>
void SsorProduct<Space, T>::refresh(const CsrMatrix<Space, T>& a, double omega,
                                    const Vector<Space, T>& d) {
  if (order_ == 2) fill_factor(a, d, v_);
  if (transposed_) {
    transposed_->refresh(a);
    fill_factor(transposed_->matrix(), d, w_);
  }
  fill(a, omega, d);
}

template class SsorProduct<ThisSpace, double>;
template class SsorProduct<ThisSpace, float>;

}  // namespace hodge::linalg
