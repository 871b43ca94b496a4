// A double that lives in a space: the α, β, ρ of a Krylov method.
//
// Products and quotients of scalars are Monomials: they are evaluated where they are used, so
// `alpha = rho / pq` costs nothing and moves nothing. A Monomial refers to its scalars, which must
// outlive it (temporaries are refused).
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "linalg/space/monomial.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

// The memory of scalars, handed out and taken back without allocation. Who makes the same scalars
// in the same order finds them at the same addresses again, if they come from a pool of its own:
// that of a solver, whose iterations are recorded (solvers/solver.hpp). All others share one.
template <class Space>
class ScalarPool {
 public:
  explicit ScalarPool(int slots = 64)
      : slots_(static_cast<std::size_t>(slots)), taken_(static_cast<std::size_t>(slots), false) {}
  ScalarPool(const ScalarPool&) = delete;
  ScalarPool& operator=(const ScalarPool&) = delete;

  // The first free slot: where it is depends on nothing but the scalars that are alive.
  double* take() {
    const auto free = std::find(taken_.begin(), taken_.end(), false);
    if (free == taken_.end())
      throw ShapeError("more than " + std::to_string(taken_.size()) +
                       " scalars of one pool are alive at once");
    *free = true;
    return slots_.data() + (free - taken_.begin());
  }
  void give_back(double* slot) { taken_[static_cast<std::size_t>(slot - slots_.data())] = false; }

  // New scalars come from here.
  static ScalarPool& current() { return *the_current(); }

  // While it lives, new scalars come from `pool`. They must end before it does.
  class Use {
   public:
    explicit Use(ScalarPool& pool) : before_(std::exchange(the_current(), &pool)) {}
    ~Use() { the_current() = before_; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    ScalarPool* before_;
  };

 private:
  static ScalarPool*& the_current() {
    static ScalarPool* current = new ScalarPool(256);  // outlives the device's shutdown at exit
    return current;
  }

  Buffer<double, Space> slots_;
  std::vector<bool> taken_;
};

// What `rho = a - omega * b` has on its right side.
struct ScalarDifference {
  const double* minuend;
  Monomial subtrahend;
};

template <class Space>
class Scalar {
 public:
  Scalar() : pool_(&ScalarPool<Space>::current()), slot_(pool_->take()) {}
  explicit Scalar(double value) : Scalar() {
    Monomial constant;
    constant.factor = value;
    *this = constant;
  }
  Scalar(const Scalar&) = delete;
  Scalar(Scalar&& other) noexcept
      : pool_(other.pool_), slot_(std::exchange(other.slot_, nullptr)) {}
  ~Scalar() {
    if (slot_ != nullptr) pool_->give_back(slot_);
  }

  // The value, in the space; a scalar stays where it is.
  Scalar& operator=(const Scalar& other) { return *this = other.monomial(); }
  Scalar& operator=(const Monomial& value) {
    Space::assign(slot_, value);
    return *this;
  }
  Scalar& operator=(const ScalarDifference& value) {
    Space::assign_difference(slot_, value.minuend, value.subtrahend);
    return *this;
  }

  double* data() { return slot_; }
  const double* data() const { return slot_; }
  double to_host() const {
    double value = 0;
    Space::download(slot_, &value, sizeof value);
    return value;
  }
  Monomial monomial() const {
    Monomial m;
    m.numerator[m.numerators++] = slot_;
    return m;
  }

 private:
  ScalarPool<Space>* pool_;
  double* slot_;
};

template <class Space>
Monomial operator*(const Scalar<Space>& a, const Scalar<Space>& b) {
  return a.monomial() * b.monomial();
}
template <class Space>
Monomial operator/(const Scalar<Space>& a, const Scalar<Space>& b) {
  return a.monomial() / b.monomial();
}
template <class Space>
Monomial operator/(const Scalar<Space>& a, double b) {
  Monomial m = a.monomial();
  m.factor /= b;
  return m;
}
template <class Space>
Monomial operator*(const Monomial& a, const Scalar<Space>& b) {
  return a * b.monomial();
}
template <class Space>
Monomial operator/(const Monomial& a, const Scalar<Space>& b) {
  return a / b.monomial();
}
template <class Space>
ScalarDifference operator-(const Scalar<Space>& a, const Monomial& b) {
  return {a.data(), b};
}
template <class Space>
Monomial operator*(const Scalar<Space>&& a, const Scalar<Space>& b) = delete;
template <class Space>
Monomial operator/(const Scalar<Space>& a, const Scalar<Space>&& b) = delete;
template <class Space>
Monomial operator/(const Scalar<Space>&& a, const Scalar<Space>& b) = delete;
template <class Space>
Monomial operator/(const Scalar<Space>&& a, double b) = delete;
template <class Space>
ScalarDifference operator-(const Scalar<Space>&& a, const Monomial& b) = delete;

}  // namespace hodge::linalg
