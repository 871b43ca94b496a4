// SSOR sparse approximate inverse.
//
// A = L + D + U, D' = D / omega, 0 < omega < 2. The inverse of M = (D'+L) D'^-1 (D'+U) / (2-omega)
// is replaced by the Neumann series of its triangular factors, truncated after the first or second
// order (J.-Q. Gao & Z.-C. Wang, J. Zhejiang Univ. of Technology 44 (2016) 140-145):
//
//   M^-1 ~ (2-omega) [I - D'^-1 U + (D'^-1 U)^2] D'^-1 [I - L D'^-1 + (L D'^-1)^2]
//
// Form `factored` applies one bracket after the other. It is exact, and symmetric positive definite
// for every omega if A is (U = L^T). Cost: order 1 one pass over A's pattern, order 2 two passes;
// 1 + order vectors. Form `truncated`, the published one, computes the product on A's pattern once
// (ssor_product.hpp) and applies it as one matrix; it may lose definiteness. Memory: the product,
// and the factors of order 2.
//
// Without a given omega setup() chooses one (choose_omega.hpp), which refresh() keeps.
#pragma once

#include <cmath>
#include <memory>
#include <string>

#include "linalg/base/number_text.hpp"
#include "linalg/cost/byte_model.hpp"
#include "linalg/preconditioners/choose_omega.hpp"
#include "linalg/preconditioners/inverse_diagonal.hpp"
#include "linalg/preconditioners/preconditioner.hpp"
#include "linalg/preconditioners/ssor_product.hpp"
#include "linalg/preconditioners/ssor_sai_settings.hpp"

namespace hodge::linalg {

template <class Space, class T>
class SsorSai : public Preconditioner<Space, T> {
 public:
  using Settings = SsorSaiSettings;
  explicit SsorSai(const SsorSaiSettings& settings)
      : settings_(settings),
        truncated_(settings.form == "truncated"),
        omega_(settings.omega.value_or(OmegaSearch<Space, T>::otherwise)),
        product_(settings.order, settings.alpha) {}
  // The factors of the truncated form of order 2 are taken to be those of a stencil, without
  // periodic axes.
  static std::size_t memory(const SsorSaiSettings& settings, const SystemSize& size) {
    if (settings.form != "truncated") return size.vectors(1 + settings.order);
    const std::size_t pattern =
        settings.alpha < 1 ? size.matrix() : size.nonzeros * size.value_size;
    const std::size_t product = size.vectors(1) + pattern;
    if (settings.order == 1) return product;
    const int factors = size.symmetric ? 1 : 2;
    if (size.few_diagonals) return product + diagonals_memory(factors, size);
    return product + factors * factor_memory(size) +
           (size.symmetric ? 0 : TransposedCsr<Space, T>::memory(size));
  }
  // Factored: r^ (3 vectors) and two sweeps per order, the first of each triangle with b = x.
  // Truncated: a product with the entries that are kept.
  static double traffic(const SsorSaiSettings& settings, const SystemSize& size) {
    if (settings.form != "truncated")
      return vectors_bytes(size, 3) + 2 * triangle_sweep_bytes(size, true) +
             2 * (settings.order - 1) * triangle_sweep_bytes(size, false);
    SystemSize kept = size;
    kept.nonzeros = static_cast<std::size_t>(settings.alpha * static_cast<double>(size.nonzeros));
    return product_bytes(kept);
  }

  // omega; which entries of the product are kept.
  static bool chooses(const SsorSaiSettings& settings) {
    return !settings.omega || (settings.form == "truncated" && settings.alpha < 1);
  }
  // Of an application.
  static int sweeps(const SsorSaiSettings& settings) {
    return settings.form == "truncated" ? 0 : 2 * settings.order;
  }

  void setup(const LinearOperator<Space, T>& a) override {
    d_.resize(a.rows());
    if (!truncated_) {
      t_.resize(a.rows());
      if (settings_.order == 2) s_.resize(a.rows());
    }
    if (settings_.omega)
      take_diagonal(a);
    else
      choose_omega(a);
    if (!truncated_) return;
    product_.setup(*matrix_, omega_, d_.values());
    product_transposed_.reset();
  }
  void refresh(const LinearOperator<Space, T>& a) override {
    take_diagonal(a);
    if (truncated_) product_.refresh(*matrix_, omega_, d_.values());
  }
  void keep(const LinearOperator<Space, T>& a) override {
    matrix_ = &InverseDiagonal<Space, T>::entries(a, "ssor_sai");
  }
  PreconditionerFailure failure() const override { return d_.failure(); }

  const Vector<Space, T>& apply(const Vector<Space, T>& r, Vector<Space, T>& z) override {
    if (!truncated_) return apply_factors(*matrix_, r, z);
    multiply(product_.matrix(), r, z);
    return z;
  }

  std::optional<SsorFactors<T>> ssor_factors() const override {
    if (truncated_) return {};
    return SsorFactors<T>{d_.values().data(), settings_.order, 2.0 - omega_};
  }

  // The factored form of A^T is the transpose of that of A.
  void use_transpose(const LinearOperator<Space, T>& at) override {
    matrix_transposed_ = &at;
    if (!truncated_ || matrix_transposed_ == matrix_) return;
    if (!product_transposed_) {
      product_transposed_ = std::make_unique<TransposedCsr<Space, T>>();
      product_transposed_->setup(product_.matrix());
    }
    product_transposed_->refresh(product_.matrix());
  }
  const Vector<Space, T>& apply_transposed(const Vector<Space, T>& r,
                                           Vector<Space, T>& z) override {
    if (!truncated_) return apply_factors(*matrix_transposed_, r, z);
    multiply(product_transposed_ ? product_transposed_->matrix() : product_.matrix(), r, z);
    return z;
  }

  std::string made_text() const override {
    return settings_.omega ? "" : "chosen omega " + number_text(omega_);
  }
  std::string advice(Breakdown breakdown) const override {
    if (breakdown != Breakdown::indefinite_preconditioner || !truncated_) return "";
    return "the product was cut to the pattern of the matrix: use form factored, or a smaller "
           "omega, or omega auto";
  }

 private:
  using Vec = Vector<Space, T>;

  static double upper_entries(const SystemSize& size) {  // of a row
    return (static_cast<double>(size.nonzeros) / static_cast<double>(size.rows) - 1) / 2;
  }
  static std::size_t factor_memory(const SystemSize& size) {
    const double upper = upper_entries(size), entries = 1 + upper + upper * (upper + 1) / 2;
    return static_cast<std::size_t>(entries * static_cast<double>(size.rows)) *
               (size.value_size + sizeof(int)) +
           size.rows * sizeof(int);
  }
  static std::size_t diagonals_memory(int factors, const SystemSize& size) {
    const int upper = static_cast<int>(std::ceil(upper_entries(size)));
    return size.vectors(factors * (upper + upper * (upper + 1) / 2) + upper);
  }

  void take_diagonal(const LinearOperator<Space, T>& a) {
    matrix_ = &InverseDiagonal<Space, T>::entries(a, "ssor_sai");
    d_.refresh(*matrix_, omega_);
  }

  void choose_omega(const LinearOperator<Space, T>& a) {
    omega_ = OmegaSearch<Space, T>::otherwise;
    take_diagonal(a);
    if (d_.failure().reason != Breakdown::none) return;
    const SharingRows scope(matrix_->shared_rows());
    OmegaSearch<Space, T> search(*matrix_, d_.values());
    bool has_pattern = false;
    const auto use = [&](double omega) -> const CsrMatrix<Space, T>* {
      omega_ = omega;
      take_diagonal(a);
      if (!truncated_) return nullptr;
      if (has_pattern && settings_.alpha == 1.0) {
        product_.refresh(*matrix_, omega_, d_.values());
      } else {  // a smaller alpha keeps other entries with each omega
        product_.setup(*matrix_, omega_, d_.values());
      }
      has_pattern = true;
      return &product_.matrix();
    };
    const double usual = truncated_ ? 0.9 : settings_.order == 1 ? 1.1 : 1.4;
    omega_ =
        search.choose(usual, use, [&](const Vec& r, Vec& z) -> const Vec& { return apply(r, z); });
    take_diagonal(a);
  }

  // Hats denote D'^-1 times a vector. A factor of order 1 is s^ = r^ - D'^-1 L r^; order 2 follows
  // by Horner's rule.
  const Vec& apply_factors(const LinearOperator<Space, T>& a, const Vec& r, Vec& z) {
    using enum Triangle;
    const double scale = 2.0 - omega_;
    Space::multiply_elements(r.size(), d_.values().data(), r.data(), z.data());  // r^
    if (settings_.order == 1) {
      sweep(a, strictly_lower, 1.0, z, z, t_);     // t^ = r^ - D'^-1 L r^
      sweep(a, strictly_upper, scale, t_, t_, z);  // z = (2-omega) (t^ - D'^-1 U t^)
    } else {
      sweep(a, strictly_lower, 1.0, z, z, s_);
      sweep(a, strictly_lower, 1.0, z, s_, t_);
      sweep(a, strictly_upper, 1.0, t_, t_, s_);
      sweep(a, strictly_upper, scale, t_, s_, z);
    }
    return z;
  }

  // y = factor (b - D'^-1 P(A) x)
  void sweep(const LinearOperator<Space, T>& a, Triangle part, double factor, const Vec& b,
             const Vec& x, Vec& y) {
    Space::sweep(a.csr_view(), part, d_.values().data(), x.data(), b.data(), factor, y.data());
  }

  SsorSaiSettings settings_;
  bool truncated_;
  double omega_;
  const CsrMatrix<Space, T>* matrix_ = nullptr;
  const LinearOperator<Space, T>* matrix_transposed_ = nullptr;
  InverseDiagonal<Space, T> d_;
  Vec s_, t_;
  SsorProduct<Space, T> product_;
  std::unique_ptr<TransposedCsr<Space, T>> product_transposed_;
};

}  // namespace hodge::linalg
