// The bodies of powers_of_two.hpp.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "linalg/processes/shared_rows.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"
#include "linalg/vectors/powers_of_two.hpp"

namespace hodge::linalg {

template <class Space, class T>
double largest_size(int n, const T* v, Buffer<double, Space>& work) {
  if (n == 0 && !shared_rows().is_shared()) return 0.0;
  reduce<Space, 2>(
      Box<1>{{{0}}, {{n}}}, {Reduction::max, Reduction::max},
      [=] HODGE_LAMBDA(const Index<1>& i, double* value) {
        const double size = fabs(static_cast<double>(v[i[0]]));
        const bool finite = size - size == 0.0;
        value[0] = finite ? size : 0.0;
        value[1] = finite ? 0.0 : 1.0;
      },
      work.data());
  std::array<double, 2> found{};
  work.download(found);
  const auto [largest, not_finite] = found;
  return not_finite > 0.0 ? std::numeric_limits<double>::infinity() : largest;
}

template <class Space, class T>
void scale_by_power(int n, const T* v, int power, T* out) {
  for_each<Space>(n, [=] HODGE_LAMBDA(int i) {
    out[i] = static_cast<T>(scalbn(static_cast<double>(v[i]), power));
  });
}

template double largest_size<ThisSpace>(int, const double*, Buffer<double, ThisSpace>&);
template double largest_size<ThisSpace>(int, const float*, Buffer<double, ThisSpace>&);
template void scale_by_power<ThisSpace>(int, const double*, int, double*);
template void scale_by_power<ThisSpace>(int, const float*, int, float*);

}  // namespace hodge::linalg
