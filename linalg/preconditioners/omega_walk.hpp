// How the search for omega (choose_omega.hpp) walks over tenths k = 1, 2, ..., to where an estimate
// is small. The estimate is taken to have about one minimum; it is `none` for a k that cannot be.
#pragma once

#include <limits>
#include <map>

namespace hodge::linalg::omega_walk {

inline constexpr double none = std::numeric_limits<double>::infinity();

// Computes each estimate once.
template <class Estimate>
auto remembered(Estimate estimate) {
  return [estimate, known = std::map<int, double>()](int k) mutable {
    if (const auto found = known.find(k); found != known.end()) return found->second;
    return known[k] = estimate(k);
  };
}

// 7, 11 and 15 as long as that helps, then beside the best of them at distances of 2 and 1. Below 7
// if 7 cannot be; 0 if none can.
template <class Estimate>
int coarse(Estimate& estimate) {
  int k = 7;
  while (k > 0 && estimate(k) == none) --k;
  for (const int next : {11, 15}) {
    if (k < 7 || estimate(next) >= estimate(k)) break;
    k = next;
  }
  for (const int distance : {2, 1}) {
    const int middle = k;
    for (const int next : {middle - distance, middle + distance})
      if (middle > 0 && estimate(next) < estimate(k)) k = next;
  }
  return k;
}

// On from k by steps of 1 to a minimum.
template <class Estimate>
int downhill(int k, Estimate& estimate) {
  while (k > 0) {
    if (estimate(k + 1) < estimate(k)) {
      ++k;
    } else if (estimate(k - 1) < estimate(k)) {
      --k;
    } else {
      break;
    }
  }
  return k;
}

}  // namespace hodge::linalg::omega_walk
