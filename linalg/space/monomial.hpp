// A coefficient factor * a b ... / (c d ...) of scalars that live in a space; the kernel that uses
// it evaluates it.
#pragma once

#include <cassert>

#include "linalg/base/macros.hpp"

namespace hodge::linalg {

struct Monomial {
  static constexpr int capacity = 4;
  double factor = 1.0;
  int numerators = 0;
  int denominators = 0;
  const double* numerator[capacity] = {};
  const double* denominator[capacity] = {};

  HODGE_HD double value() const {
    double product = factor;
    for (int i = 0; i < numerators; ++i) product *= *numerator[i];
    for (int i = 0; i < denominators; ++i) product /= *denominator[i];
    return product;
  }
};

inline Monomial operator*(Monomial a, const Monomial& b) {
  assert(a.numerators + b.numerators <= Monomial::capacity);
  assert(a.denominators + b.denominators <= Monomial::capacity);
  a.factor *= b.factor;
  for (int i = 0; i < b.numerators; ++i) a.numerator[a.numerators++] = b.numerator[i];
  for (int i = 0; i < b.denominators; ++i) a.denominator[a.denominators++] = b.denominator[i];
  return a;
}

inline Monomial reciprocal(const Monomial& a) {
  Monomial inverse;
  inverse.factor = 1.0 / a.factor;
  inverse.numerators = a.denominators;
  inverse.denominators = a.numerators;
  for (int i = 0; i < a.denominators; ++i) inverse.numerator[i] = a.denominator[i];
  for (int i = 0; i < a.numerators; ++i) inverse.denominator[i] = a.numerator[i];
  return inverse;
}

inline Monomial operator/(const Monomial& a, const Monomial& b) {
  return a * reciprocal(b);
}

inline Monomial operator-(Monomial a) {
  a.factor = -a.factor;
  return a;
}

}  // namespace hodge::linalg
