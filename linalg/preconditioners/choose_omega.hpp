// The omega with which ssor_sai needs the fewest iterations of cg, as far as some steps can tell.
//
// Three estimates are multiplied, each of which is proportional to the number of iterations:
//
//   sqrt(theta(omega) (y . r) / (r . M^-1 r)),  r = A y      the root of a condition number
//   1 / rate of 12 steps of cg from noise                    how fast the bulk of the error falls
//   1 / rate of 32 steps of cg from y                        how fast what is hard falls
//
// theta is the largest Ritz value of the 12 steps. y is what 10 steps of cg with jacobi leave of a
// vector of noise. The rate is that of the energy of the error, which is known because the solution
// is 0. A factor that grows slowly from the usual omega decides between nearly equal ones.
//
// Where cg needs few iterations they rise in jumps of up to a tenth with omega, with the tolerance
// and with the right-hand side: an eigenvector of a small eigenvalue (on a periodic box, a group of
// them) is removed either just before or just after the residual is small enough. No estimate of a
// rate sees these jumps, so if 96 steps suffice the iterations of cg from noise are counted
// instead, in the mean over the tolerances eps^(3/8) ... eps^(5/8) (double: 1e-6 ... 1e-10).
//
// The search walks over the multiples of 0.1 with the first two estimates, and on from the best of
// them with all three, or with the counts (omega_walk.hpp). For the truncated form it takes only an
// omega with which M is positive definite: 10 steps of the Lanczos process with D P, and for the
// result 24, leave the least Ritz value further from zero than its error.
//
// It gives 1 where A is not symmetric, or cg with jacobi finds that it is not positive definite.
// Cost: 12 products with A; for each omega that is tried (4 to 8) 12 products with A and 14
// applications of M; for about three of them 32 of each more, or as many as cg takes to
// eps^(5/8). In the mean over 45 matrices 280 of each. Truncated also the
// product's values, and 10 more products with it, and 24 for the result. 7 vectors, which are given
// back.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "linalg/matrices/symmetry.hpp"
#include "linalg/preconditioners/omega_walk.hpp"
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
      : a_(a), r_(a.rows()), z_(a.rows()), p_(a.rows()), q_(a.rows()) {
    usable_ = a.total_rows() > 0 && is_symmetric(a) && find_starts(inverse_diagonal);
  }

  // `usual` is preferred among nearly equal ones. use(omega) makes M and returns the product of the
  // truncated form, null for the factored one; apply(r, z) returns M^-1 r.
  template <class Use, class Apply>
  double choose(double usual, Use use, Apply apply) {
    if (!usable_) return otherwise;
    auto quickly = omega_walk::remembered([&](int k) {
      if (k < 1 || k > largest) return none;
      const double distance = k / 10.0 - usual;
      return quick_estimate(use(k / 10.0), apply) * std::exp(0.15 * distance * distance);
    });
    auto fully = omega_walk::remembered([&](int k) {
      const double quick = quickly(k);
      if (quick == none) return none;
      use(k / 10.0);
      if (counts_) {
        const double count = mean_count(apply);
        counts_ = count != none || counted_;
        counted_ = count != none || counted_;
        if (counts_) return count;
      }
      const double rate = follow(hard_, hard_steps, apply).rate;
      return rate > 0 ? quick / rate : none;
    });
    const int start = omega_walk::coarse(quickly);
    return smaller_if_indefinite(omega_walk::downhill(start, fully), use);
  }

 private:
  static constexpr int largest = 17;  // tenths; beyond, the series is a poor inverse
  static constexpr int smoothing_steps = 10, bulk_steps = 12, hard_steps = 32;
  static constexpr int definite_steps = 10, sure_steps = 24;
  static constexpr int most_counted = 96, counted_together = 16;
  static constexpr double least = 0.05;
  static constexpr double none = omega_walk::none;
  static constexpr double negligible = std::numeric_limits<T>::epsilon();

  // An error e from which cg starts: A e, and the energy e . A e.
  struct Start {
    Vec residual;
    double energy = 0;
  };
  struct Steps {
    RitzEnds ends;
    double rate = 0;
  };

  // Sets bulk_ to noise and hard_ to what cg with jacobi leaves of it. False if A is not positive
  // definite, as far as these steps see it.
  bool find_starts(const Vec& inverse_diagonal) {
    Vec y(a_.rows());
    Probes<Space, T>::noise(y, a_.shared_rows().first);
    bulk_ = start_at(y);
    const bool positive = bulk_.energy > 0 && leave_hard_part(inverse_diagonal, y);
    if (positive) hard_ = start_at(y);
    return positive && hard_.energy > 0;
  }

  Start start_at(const Vec& y) {
    Start start{Vec(a_.rows())};
    multiply(a_, y, start.residual);
    start.energy = dot(y, start.residual).to_host();
    return start;
  }

  bool leave_hard_part(const Vec& inverse_diagonal, Vec& y) {
    r_ = -1.0 * bulk_.residual;
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
      y = y + alpha * p_;
      r_ = r_ - alpha * q_;
    }
    return true;
  }

  // The first two of the three estimates.
  template <class Apply>
  double quick_estimate(const CsrMatrix<Space, T>* product, Apply apply) {
    if (product != nullptr && !is_definite(*product)) return none;
    const Vec& smoothed = apply(hard_.residual, z_);
    const double low = dot(hard_.residual, smoothed).to_host() / hard_.energy;
    const Steps steps = follow(bulk_, bulk_steps, apply);
    if (!(low > 0) || !steps.ends.definite) return none;
    return std::sqrt(steps.ends.largest / low) / steps.rate;
  }

  template <class Apply>
  Steps follow(const Start& start, int steps, Apply apply) {
    r_ = 1.0 * start.residual;
    return take_steps(a_, steps, apply, start.energy);
  }

  bool is_definite(const CsrMatrix<Space, T>& product, int steps = definite_steps) {
    if (diagonal_.size() == 0) {
      diagonal_.resize(a_.rows());
      Probes<Space, T>::diagonal(a_, diagonal_);
    }
    Probes<Space, T>::noise(r_, a_.shared_rows().first);
    const auto apply = [&](const Vec& r, Vec& z) -> const Vec& {
      Space::multiply_elements(r.size(), diagonal_.data(), r.data(), z.data());
      return z;
    };
    const RitzEnds ends = take_steps(product, steps, apply, none).ends;
    return ends.definite && ends.least > ends.least_error;
  }

  // Few steps may miss a negative eigenvalue whose vector is local; so the result has to pass more.
  template <class Use>
  double smaller_if_indefinite(int k, Use use) {
    double omega = k > 0 ? k / 10.0 : least;
    while (omega > 0.1) {
      const CsrMatrix<Space, T>* product = use(omega);
      if (product == nullptr || is_definite(*product, sure_steps)) break;
      omega = omega > 0.15 ? std::round(10 * omega - 1) / 10 : least;
    }
    return omega;
  }

  // Steps of cg from bulk_, in the mean over tolerances; none if they are more than most_counted,
  // and as soon as the residual falls slower than that takes.
  template <class Apply>
  double mean_count(Apply apply) {
    const double first = 0.375 * std::log(negligible), last = 0.625 * std::log(negligible);
    r_ = 1.0 * bulk_.residual;
    std::vector<Scalar<Space>> rz, pq, rr;
    rr.push_back(dot(r_, r_));
    std::vector<double> logs;
    for (int steps = 0; steps < most_counted; steps += counted_together) {
      for (int j = 0; j < counted_together; ++j) {
        take_step(a_, apply, rz, pq);
        rr.push_back(dot(r_, r_));
      }
      for (const auto& value : rr) logs.push_back(0.5 * std::log(value.to_host()));
      const double mean = mean_steps(logs, first, last);
      if (mean != none) return mean;
      const double pace = last * (steps + counted_together) / most_counted;
      if (!(logs.back() - logs.front() <= pace)) break;
      rr.clear();
      for (auto* scalars : {&rz, &pq}) scalars->erase(scalars->begin(), scalars->end() - 1);
    }
    return none;
  }

  // A step of cg, which adds its r.z and p.Ap to those of the step before.
  template <class Apply>
  void take_step(const CsrMatrix<Space, T>& a, Apply apply, std::vector<Scalar<Space>>& rz,
                 std::vector<Scalar<Space>>& pq) {
    const Vec& z = apply(r_, z_);
    rz.push_back(dot(r_, z));
    if (pq.empty()) {
      p_ = 1.0 * z;
    } else {
      const auto beta = rz.back() / rz[rz.size() - 2];
      p_ = z + beta * p_;
    }
    multiply(a, p_, q_);
    pq.push_back(dot(p_, q_));
    const auto alpha = rz.back() / pq.back();
    r_ = r_ - alpha * q_;
  }

  // Steps of cg for a x = r_.
  template <class Apply>
  Steps take_steps(const CsrMatrix<Space, T>& a, int steps, Apply apply, double energy) {
    std::vector<Scalar<Space>> rz, pq;
    for (int j = 0; j < steps; ++j) take_step(a, apply, rz, pq);
    rz.push_back(dot(r_, apply(r_, z_)));
    std::vector<double> rz_host, pq_host;
    for (const auto& value : rz) rz_host.push_back(value.to_host());
    for (const auto& value : pq) pq_host.push_back(value.to_host());
    return {ritz_ends(rz_host, pq_host, negligible),
            energy_rate(energy, rz_host, pq_host, 100 * negligible)};
  }

  const CsrMatrix<Space, T>& a_;
  Start bulk_, hard_;
  Vec r_, z_, p_, q_;
  Vec diagonal_;  // of A, for the truncated form
  bool usable_;
  bool counts_ = true, counted_ = false;  // iterations are counted; at least once so far
};

}  // namespace hodge::linalg
