// A double in the memory of a space: the α, β, ρ of a Krylov method.
//
// Products and quotients of scalars are Monomials, which the kernel that uses them evaluates: an
// `alpha = rho / pq` queues and copies nothing. A Monomial refers to its scalars, which must
// outlive it (temporaries do not compile).
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "linalg/space/monomial.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

// Memory of scalars, handed out and taken back without allocation. Code that makes the same scalars
// in the same order from a pool of its own gets the same addresses each time: each solver has a
// pool, because recordings of its iterations hold the addresses (solvers/solver.hpp). All other
// scalars of a thread share one pool.
template <class Space>
class ScalarPool {
 public:
  explicit ScalarPool(int slots = 64)
      : slots_(static_cast<std::size_t>(slots)), taken_(static_cast<std::size_t>(slots), false) {}
  ScalarPool(const ScalarPool&) = delete;
  ScalarPool& operator=(const ScalarPool&) = delete;

  // The first free slot, so that addresses depend only on which scalars are alive.
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

  // While this object lives, new scalars come from `pool`, which must outlive them.
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
    if constexpr (std::is_same_v<Space, Host>) {  // threads may act as processes
      static thread_local ScalarPool own(256);
      static thread_local ScalarPool* current = &own;
      return current;
    } else {
      static ScalarPool* current = new ScalarPool(256);  // outlives the device's shutdown at exit
      return current;
    }
  }

  Buffer<double, Space> slots_;
  std::vector<bool> taken_;
};

// The right side of `rho = a - omega * b`.
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

  // Copies the value; the scalar keeps its address.
  Scalar& operator=(const Scalar& other) { return *this = other.monomial(); }
  Scalar& operator=(const Monomial& value) {
    if (value.numerators <= 2 && value.denominators <= 1) {
      Space::run({.factor = value.factor,
                  .in = {value.numerator[0], value.numerator[1], value.denominator[0]},
                  .out = slot_});
      return *this;
    }
    // One factor or divisor after the other, the last of them here.
    Monomial rest = value;
    const bool divides = rest.denominators > 0;
    const double* const last = std::exchange(
        divides ? rest.denominator[--rest.denominators] : rest.numerator[--rest.numerators],
        nullptr);
    Scalar part;
    part = rest;
    Space::run(
        {.in = {part.slot_, divides ? nullptr : last, divides ? last : nullptr}, .out = slot_});
    return *this;
  }
  Scalar& operator=(const ScalarDifference& value) {
    const Monomial& b = value.subtrahend;
    if (b.numerators > 2 || b.denominators > 0) {
      Scalar product;
      product = b;
      return *this = ScalarDifference{value.minuend, product.monomial()};
    }
    Space::run({.kind = ScalarOperation::Kind::difference,
                .factor = b.factor,
                .in = {value.minuend, b.numerator[0], b.numerator[1]},
                .out = slot_});
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
