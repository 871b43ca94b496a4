// The bodies of the members of Probes.
#pragma once

#include <cstdint>

#include "linalg/base/mixed_bits.hpp"
#include "linalg/preconditioners/probes.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

template <class Space, class T>
void Probes<Space, T>::noise(Vector<Space, T>& out, std::int64_t first) {
  T* const values = out.data();
  for_each<Space>(out.size(), [=] HODGE_LAMBDA(int i) {
    const std::uint64_t x =
        mixed_bits((static_cast<std::uint64_t>(first + i) + 1) * 0x9E3779B97F4A7C15u);
    values[i] = static_cast<T>(static_cast<double>(x >> 11) * 0x1p-52 - 1.0);
  });
}

template <class Space, class T>
void Probes<Space, T>::diagonal(const CsrMatrix<Space, T>& a, Vector<Space, T>& out) {
  const CsrView<T> view = a.view();
  T* const values = out.data();
  for_each<Space>(a.rows(), [=] HODGE_LAMBDA(int i) { values[i] = view.values[view.diagonal[i]]; });
}

template struct Probes<ThisSpace, double>;
template struct Probes<ThisSpace, float>;

}  // namespace hodge::linalg
