// A complex number as libraries of Fourier transforms store it.
#pragma once

#include "linalg/base/macros.hpp"

namespace hodge::linalg {

template <class T>
struct alignas(2 * sizeof(T)) Complex {
  T re, im;
};

template <class T>
HODGE_HD Complex<T> operator+(const Complex<T>& a, const Complex<T>& b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
HODGE_HD Complex<T> operator-(const Complex<T>& a, const Complex<T>& b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T>
HODGE_HD Complex<T> operator*(const Complex<T>& a, const Complex<T>& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
HODGE_HD Complex<T> operator*(T factor, const Complex<T>& a) {
  return {factor * a.re, factor * a.im};
}
template <class T>
HODGE_HD Complex<T> conjugate(const Complex<T>& a) {
  return {a.re, -a.im};
}

// A number of a table, in the precision of T.
template <class T>
HODGE_HD Complex<T> rounded(const Complex<double>& a) {
  return {static_cast<T>(a.re), static_cast<T>(a.im)};
}

}  // namespace hodge::linalg
