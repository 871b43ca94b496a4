// The bandwidth of a large copy: the ceiling that other kernels are compared with.
#pragma once

#include <algorithm>

#include "linalg/base/timing.hpp"
#include "linalg/vectors/vector.hpp"

namespace hodge::linalg {

// Bytes per second, read and written, of y = x with vectors of n doubles: the better of the space's
// copy and its kernel for y = x. The vectors should be much larger than every cache.
template <class Space>
double copy_bandwidth(int n = 1 << 27) {  // 1 GiB
  while (n > 1 && 32 * static_cast<std::size_t>(n) > Space::available_memory()) n /= 2;
  Vector<Space> x(n), y(n);
  x.fill(1.0);
  const double bytes = 2.0 * sizeof(double) * n;
  const double copied = median_seconds<Space>(
      [&] { Space::copy(x.data(), y.data(), sizeof(double) * static_cast<std::size_t>(n)); });
  const double combined = median_seconds<Space>([&] { y = x; });
  return bytes / std::min(copied, combined);
}

}  // namespace hodge::linalg
