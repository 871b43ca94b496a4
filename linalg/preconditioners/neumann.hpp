// Neumann polynomial of the Jacobi splitting A = D - (D - A), of degree k:
//
//   M^-1 = sum_{i=0..k} (I - D^-1 A)^i D^-1            (degree 0 is jacobi)
//
// P. F. Dubois, A. Greenbaum & G. H. Rodrigue, Computing 22 (1979) 257-268. By Horner's rule
// z_0 = D^-1 r, z_i = D^-1 r - D^-1 (A - D) z_{i-1}. If A is SPD, an even degree is always positive
// definite, an odd degree if all eigenvalues of D^-1 A are below 2. On a system whose unknowns can
// be coloured in two colours and whose rows sum to zero (the 5- and 7-point systems of an
// all-Neumann problem) the checkerboard is an eigenvector with eigenvalue 2. An odd degree is
// singular there; failure() reports that. Cost per application: k passes over A; 3 vectors. For an
// odd degree setup() goes once over the pattern on the host; where processes share the rows, over
// the pattern of all of them.
#pragma once

#include "linalg/cost/byte_model.hpp"
#include "linalg/matrices/whole_system.hpp"
#include "linalg/preconditioners/inverse_diagonal.hpp"
#include "linalg/preconditioners/preconditioner.hpp"
#include "linalg/preconditioners/two_colouring.hpp"
#include "linalg/settings/options.hpp"

namespace hodge::linalg {

struct NeumannSettings {
  int degree = 2;

  void list(OptionList& options) {
    options.add("degree", degree, from_to(0, 20), "of its polynomial", Brief::named);
  }
};

template <class Space, class T>
class Neumann : public Preconditioner<Space, T> {
 public:
  using Settings = NeumannSettings;
  explicit Neumann(const NeumannSettings& settings) : degree_(settings.degree) {}
  static std::size_t memory(const NeumannSettings& settings, const SystemSize& size) {
    return size.vectors(settings.degree % 2 == 0 ? 3 : 4);
  }
  // r^ = D^-1 r (3 vectors), then one sweep per degree, the first of r^ itself.
  static double traffic(const NeumannSettings& settings, const SystemSize& size) {
    const int k = settings.degree;
    return vectors_bytes(size, 3) + (k > 0 ? full_sweep_bytes(size, true) : 0.0) +
           (k > 1 ? (k - 1) * full_sweep_bytes(size, false) : 0.0);
  }

  void setup(const LinearOperator<Space, T>& a) override {
    d_.resize(a.rows());
    r_hat_.resize(a.rows());
    other_.resize(a.rows());
    if (degree_ % 2 == 1) {
      const auto& entries = InverseDiagonal<Space, T>::entries(a, "neumann");
      colour(entries);
    }
    refresh(a);
  }
  void refresh(const LinearOperator<Space, T>& a) override {
    matrix_ = &InverseDiagonal<Space, T>::entries(a, "neumann");
    d_.refresh(*matrix_, 1.0);
  }
  void keep(const LinearOperator<Space, T>& a) override {
    matrix_ = &InverseDiagonal<Space, T>::entries(a, "neumann");
  }

  // Tests whether D^-1 A e = 2 e for the checkerboard e.
  PreconditionerFailure failure() const override {
    const PreconditionerFailure diagonal = d_.failure();
    if (diagonal.reason != Breakdown::none || !has_checkerboard_) return diagonal;
    const SharingRows scope(matrix_->shared_rows());
    sweep(*matrix_, checkerboard_, checkerboard_, other_);
    const double round_off = sizeof(T) == sizeof(double) ? 1e-11 : 1e-4;
    const double size = norm(other_).to_host();
    if (size > round_off * std::sqrt(static_cast<double>(matrix_->total_rows()))) return {};
    return {Breakdown::singular_preconditioner, -1};
  }

  const Vector<Space, T>& apply(const Vector<Space, T>& r, Vector<Space, T>& z) override {
    return apply_polynomial(*matrix_, r, z);
  }
  void use_transpose(const LinearOperator<Space, T>& at) override { matrix_transposed_ = &at; }
  // M^-T is the polynomial of A^T.
  const Vector<Space, T>& apply_transposed(const Vector<Space, T>& r,
                                           Vector<Space, T>& z) override {
    return apply_polynomial(*matrix_transposed_, r, z);
  }

  std::string advice(Breakdown breakdown) const override {
    if (degree_ % 2 == 0) return "";
    if (breakdown == Breakdown::singular_preconditioner) {
      return "a polynomial of odd degree maps the checkerboard to zero: use an even degree";
    }
    return breakdown == Breakdown::indefinite_preconditioner ? "use an even degree" : "";
  }

 private:
  using Vec = Vector<Space, T>;

  void colour(const CsrMatrix<Space, T>& a) {
    WholeMatrix<Space, T> whole;
    whole.setup(a);
    const std::vector<T> colours = two_colouring<T>(whole.matrix().pattern());
    has_checkerboard_ = !colours.empty();
    checkerboard_.resize(has_checkerboard_ ? a.rows() : 0);
    checkerboard_.upload(std::span(colours).subspan(
        has_checkerboard_ ? static_cast<std::size_t>(a.shared_rows().first) : 0,
        static_cast<std::size_t>(checkerboard_.size())));
  }

  const Vec& apply_polynomial(const LinearOperator<Space, T>& a, const Vec& r, Vec& z) {
    Vec& start = degree_ == 0 ? z : r_hat_;
    Space::multiply_elements(r.size(), d_.values().data(), r.data(), start.data());
    const Vec* from = &start;
    for (int i = 1; i <= degree_; ++i) {
      Vec& to = (degree_ - i) % 2 == 0 ? z : other_;  // z in the last step
      sweep(a, r_hat_, *from, to);
      from = &to;
    }
    return z;
  }

  // y = b - D^-1 (A - D) x
  void sweep(const LinearOperator<Space, T>& a, const Vec& b, const Vec& x, Vec& y) const {
    Space::sweep(a.csr_view(), Triangle::both, d_.values().data(), x.data(), b.data(), 1.0,
                 y.data());
  }

  int degree_;
  const CsrMatrix<Space, T>* matrix_ = nullptr;
  const LinearOperator<Space, T>* matrix_transposed_ = nullptr;
  InverseDiagonal<Space, T> d_;
  Vec r_hat_;
  mutable Vec other_;
  Vec checkerboard_;  // for an odd degree, if the pattern has a two-colouring
  bool has_checkerboard_ = false;
};

}  // namespace hodge::linalg
