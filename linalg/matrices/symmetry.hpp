// Whether an operator is symmetric: as declared, or by (A u, v) = (u, A v) for two random vectors.
//
// A nonsymmetric operator passes the test with probability zero; the tolerance allows for
// round-off. Costs two products. Where processes share the rows, each draws the numbers of all rows
// before its own.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "linalg/matrices/operator.hpp"

namespace hodge::linalg {

// Entries first .. first + size - 1 of a vector that depends on the seed alone.
template <class Space, class T>
Vector<Space, T> random_vector(int size, unsigned seed, std::int64_t first = 0) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  for (std::int64_t i = 0; i < first; ++i) (void)normal(generator);
  std::vector<T> values(static_cast<std::size_t>(size));
  for (T& value : values) value = static_cast<T>(normal(generator));
  return Vector<Space, T>(std::span<const T>(values));
}

template <class Space, class T>
bool is_symmetric(const LinearOperator<Space, T>& a) {
  if (a.symmetry() != Symmetry::unknown) return a.symmetry() == Symmetry::symmetric;
  const SharedRows shared = a.shared_rows();
  const SharingRows scope(shared);
  const auto u = random_vector<Space, T>(a.rows(), 1, shared.first);
  const auto v = random_vector<Space, T>(a.rows(), 2, shared.first);
  Vector<Space, T> au(a.rows()), av(a.rows());
  multiply(a, u, au);
  multiply(a, v, av);
  const auto [au_v, u_av, au_au, vv] = dots(au, v, u, av, au, au, v, v);
  const double scale = std::sqrt(au_au.to_host() * vv.to_host());
  const double round_off = sizeof(T) == sizeof(double) ? 1e-11 : 1e-3;
  return std::abs(au_v.to_host() - u_av.to_host()) <= round_off * scale;
}

}  // namespace hodge::linalg
