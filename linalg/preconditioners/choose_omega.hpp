// The omega with which ssor_sai needs the fewest iterations of cg, as far as a few steps can tell.
//
// cg needs about sqrt(kappa) iterations. Of the two ends of the spectrum of M^-1 A, omega moves the
// upper one by itself, and the lower one as it moves the vectors that cg has most trouble with:
//
//   kappa(omega) ~ theta(omega) (y . r) / (r . M^-1 r),    r = A y
//
// theta is the largest Ritz value after 8 steps of cg. y is what 10 steps of cg with jacobi leave
// of a vector of noise. The search walks over the multiples of 0.1 from 0.7 (see `best`). For the
// truncated form it takes only an omega with which M is positive definite: 10 steps of the Lanczos
// process with D P, and for the result 24, leave the least Ritz value further from zero than its
// error.
//
// It gives 1 where A is not symmetric, or cg with jacobi finds that it is not positive definite.
// Cost: 10 products with A, and for each omega that is tried (4 to 8) 8 products with A and 10
// applications of M; truncated also the product's values, and 10 more products with it, and 24
// for the result. 6 vectors, which are given back.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "linalg/matrices/symmetry.hpp"
#include "linalg/preconditioners/probes.hpp"
#include "linalg/preconditioners/ritz_ends.hpp"

namespace hodge::linalg {

template <class Space, class T>
class OmegaSearch {
 public:
  using Vec = Vector<Space, T>;
  static constexpr double otherwise = 1.0;

  // `inverse_diagonal` is any multiple of 1 / a_ii.
  OmegaSearch(const CsrMatrix<Space, T>& a, const Vec& inverse_diagonal)
      : a_(a), y_(a.rows()), r_(a.rows()), z_(a.rows()), p_(a.rows()), q_(a.rows()) {
    usable_ = a.rows() > 0 && is_symmetric(a) && leave_hard_part(inverse_diagonal);
  }

  // `usual` is preferred among nearly equal ones. use(omega) makes M and returns the product of the
  // truncated form, null for the factored one; apply(r, z) returns M^-1 r.
  template <class Use, class Apply>
  double choose(double usual, Use use, Apply apply) {
    if (!usable_) return otherwise;
    const double found = best([&](double omega) {
      const double distance = omega - usual;
      return condition(use(omega), apply) * std::exp(0.2 * distance * distance);
    });
    return smaller_if_indefinite(found, use);
  }

 private:
  static constexpr int largest = 15;  // tenths; beyond, the series is a poor inverse
  static constexpr int smoothing_steps = 10, ritz_steps = 8, definite_steps = 10, sure_steps = 24;
  static constexpr double none = std::numeric_limits<double>::infinity();
  static constexpr double negligible = std::numeric_limits<T>::epsilon();

  // Leaves in y_ the error of cg with jacobi for A y = 0 from noise. False if A is not positive
  // definite, as far as these steps see it.
  bool leave_hard_part(const Vec& inverse_diagonal) {
    Probes<Space, T>::noise(y_);
    multiply(a_, y_, r_);
    r_ = -1.0 * r_;
    double first = 0;
    Scalar<Space> rz, before;
    for (int step = 0; step < smoothing_steps; ++step) {
      Space::multiply_elements(r_.size(), inverse_diagonal.data(), r_.data(), z_.data());
      rz = dot(r_, z_);
      const double energy = rz.to_host();
      if (step == 0) first = energy;
      if (!(energy > 0) || energy <= negligible * first) return step > 0 && energy >= 0;
      if (step == 0) {
        p_ = 1.0 * z_;
      } else {
        const auto beta = rz / before;
        p_ = z_ + beta * p_;
      }
      before = rz;
      multiply(a_, p_, q_);
      const Scalar<Space> pq = dot(p_, q_);
      if (!(pq.to_host() > 0)) return false;
      const auto alpha = rz / pq;
      y_ = y_ + alpha * p_;
      r_ = r_ - alpha * q_;
    }
    return true;
  }

  template <class Apply>
  double condition(const CsrMatrix<Space, T>* product, Apply apply) {
    if (product != nullptr && !is_definite(*product, definite_steps)) return none;
    multiply(a_, y_, r_);
    const Vec& smoothed = apply(r_, z_);
    const auto [energy, kept] = dots(y_, r_, r_, smoothed);
    const double low = kept.to_host() / energy.to_host();
    if (!(low > 0)) return none;
    Probes<Space, T>::noise(p_);
    multiply(a_, p_, r_);  // without a part in the null space
    const RitzEnds ends = ritz(a_, ritz_steps, apply);
    return ends.definite ? ends.largest / low : none;
  }

  // Few steps may miss a negative eigenvalue whose vector is local; so the result has to pass more.
  template <class Use>
  double smaller_if_indefinite(double omega, Use use) {
    while (omega > 0.1) {
      const CsrMatrix<Space, T>* product = use(omega);
      if (product == nullptr || is_definite(*product, sure_steps)) break;
      omega = omega > 0.15 ? std::round(10 * omega - 1) / 10 : 0.05;
    }
    return omega;
  }

  bool is_definite(const CsrMatrix<Space, T>& product, int steps) {
    if (diagonal_.size() == 0) {
      diagonal_.resize(a_.rows());
      Probes<Space, T>::diagonal(a_, diagonal_);
    }
    Probes<Space, T>::noise(r_);
    const RitzEnds ends = ritz(product, steps, [&](const Vec& r, Vec& z) -> const Vec& {
      Space::multiply_elements(r.size(), diagonal_.data(), r.data(), z.data());
      return z;
    });
    return ends.definite && ends.least > ends.least_error;
  }

  // Steps of cg for a x = r_.
  template <class Apply>
  RitzEnds ritz(const CsrMatrix<Space, T>& a, int steps, Apply apply) {
    std::vector<Scalar<Space>> rz(steps + 1), pq(steps);
    for (int j = 0; j <= steps; ++j) {
      const Vec& z = apply(r_, z_);
      rz[j] = dot(r_, z);
      if (j == steps) break;
      if (j == 0) {
        p_ = 1.0 * z;
      } else {
        const auto beta = rz[j] / rz[j - 1];
        p_ = z + beta * p_;
      }
      multiply(a, p_, q_);
      pq[j] = dot(p_, q_);
      const auto alpha = rz[j] / pq[j];
      r_ = r_ - alpha * q_;
    }
    std::vector<double> rz_host, pq_host;
    for (const auto& value : rz) rz_host.push_back(value.to_host());
    for (const auto& value : pq) pq_host.push_back(value.to_host());
    return ritz_ends(rz_host, pq_host, negligible);
  }

  // The k of the least condition(k / 10), which is taken to have one minimum: 7, 11 and 15, then
  // beside the best of them at distances of 2 and 1, and on below 5 while that helps.
  template <class Condition>
  static double best(Condition condition) {
    std::map<int, double> known;
    const auto at = [&](int k) {
      if (const auto found = known.find(k); found != known.end()) return found->second;
      return known[k] = condition(k / 10.0);
    };
    int k = 7;
    while (k > 0 && at(k) == none) --k;
    if (k == 0) return 0.05;
    for (const int next : {11, largest}) {
      if (k < 7 || at(next) >= at(k)) break;
      k = next;
    }
    for (const int distance : {2, 1}) {
      const int middle = k;
      for (const int next : {middle - distance, middle + distance})
        if (next <= largest && at(next) < at(k)) k = next;
    }
    while (k > 1 && k < 5 && at(k - 1) <= at(k)) --k;
    return k / 10.0;
  }

  const CsrMatrix<Space, T>& a_;
  Vec y_, r_, z_, p_, q_;
  Vec diagonal_;  // of A, for the truncated form
  bool usable_;
};

}  // namespace hodge::linalg
