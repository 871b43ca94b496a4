// A double that lives in a space: the α, β, ρ of a Krylov method.
//
// Products and quotients of scalars are Monomials: they are evaluated where they are used, so
// `alpha = rho / pq` costs nothing and moves nothing. A Monomial refers to its scalars, which must
// outlive it (temporaries are refused).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "linalg/space/monomial.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

namespace detail {

// Slots for scalars, handed out and taken back without allocation.
template <class Space>
class ScalarPool {
 public:
  static ScalarPool& instance() {
    static ScalarPool* pool = new ScalarPool;  // outlives the device's shutdown at exit
    return *pool;
  }
  double* take() {
    if (free_.empty()) throw ShapeError("more than 1024 scalars of one space are alive at once");
    double* slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_back(double* slot) { free_.push_back(slot); }
  // Of the slots that are handed out next.
  std::uint64_t fingerprint() const {
    constexpr std::size_t looked_at = 32;
    std::uint64_t print = free_.size();
    for (std::size_t i = free_.size() - std::min(looked_at, free_.size()); i < free_.size(); ++i)
      print = print * 1099511628211u + static_cast<std::uint64_t>(free_[i] - slots_.data());
    return print;
  }

 private:
  static constexpr int capacity = 1024;
  ScalarPool() : slots_(capacity) {
    for (int i = capacity - 1; i >= 0; --i) free_.push_back(slots_.data() + i);
  }
  Buffer<double, Space> slots_;
  std::vector<double*> free_;
};

}  // namespace detail

// What `rho = a - omega * b` has on its right side.
struct ScalarDifference {
  const double* minuend;
  Monomial subtrahend;
};

template <class Space>
class Scalar {
 public:
  Scalar() : slot_(detail::ScalarPool<Space>::instance().take()) {}
  explicit Scalar(double value) : Scalar() {
    Monomial constant;
    constant.factor = value;
    *this = constant;
  }
  Scalar(const Scalar&) = delete;
  Scalar& operator=(const Scalar&) = delete;
  Scalar(Scalar&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
  Scalar& operator=(Scalar&& other) noexcept {
    std::swap(slot_, other.slot_);
    return *this;
  }
  ~Scalar() {
    if (slot_ != nullptr) detail::ScalarPool<Space>::instance().give_back(slot_);
  }

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
