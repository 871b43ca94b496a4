// The cycle of cycle.hpp over levels of any kind, finest first. A level has
//
//   smooth(r, start, z_out)             z_out = start + S r; a null start is 0
//   residual(r, z, d)                   d = r - A z
//   restrict_to(coarse, d)              coarse.r = P^T d
//   prolong_from(coarse, z)             z += P coarse.z
//   solve(r, z)                         on the last level: z = A^-1 r
//   run_at_once()                       does the v cycle from r to z in one kernel, or returns
//   false once                                w and f cycles correct this level only once, too
//   transposed                          the level is that of A^T
//
// and the vectors z, r, t of type Value.
#pragma once

#include <type_traits>
#include <utility>

#include "linalg/multigrid/multigrid_settings.hpp"

namespace hodge::linalg::multigrid {

template <class Levels>
class RunCycle {
 public:
  using Value = typename Levels::value_type::Value;

  RunCycle(const MultigridSettings& settings, Levels& levels)
      : smoothings_(settings.smoothings), kind_(settings.cycle.front()), levels_(levels) {}

  // z_out = M^-1 r on level l. Only on the finest level, and with two levels at least, may R and Z
  // be other types than Value.
  template <class R, class Z>
  void run(std::size_t l, const R* r, Z* z_out) {
    run(kind_, l, r, z_out);
  }

 private:
  // The same by a cycle of this kind: v, w or f.
  template <class R, class Z>
  void run(char kind, std::size_t l, const R* r, Z* z_out) {
    auto& level = levels_[l];
    if constexpr (std::is_same_v<R, Value> && std::is_same_v<Z, Value>) {
      const bool of_level = r == level.r.data() && z_out == level.z.data();
      if (kind == 'v' && of_level && level.run_at_once()) return;
    }
    if (l + 1 == levels_.size()) {
      if constexpr (std::is_same_v<R, Value> && std::is_same_v<Z, Value>) level.solve(r, z_out);
      return;
    }
    Value* const z = level.z.data();
    level.smooth(r, static_cast<const Value*>(nullptr), z);
    for (int k = 1; k < smoothings_; ++k) smooth_again(level, r, z, z);
    correct(kind, l, r);
    for (int k = 1; k < smoothings_; ++k) smooth_again(level, r, z, z);
    smooth_again(level, r, z, z_out);
  }

  // One or two corrections; in the opposite order for the transpose.
  template <class R>
  void correct(char kind, std::size_t l, const R* r) {
    if (kind == 'v' || levels_[l].once || l + 2 >= levels_.size()) return correct_by('v', l, r);
    char first = kind, second = kind == 'w' ? 'w' : 'v';
    if (levels_[l].transposed) std::swap(first, second);
    correct_by(first, l, r);
    correct_by(second, l, r);
  }

  template <class R>
  void correct_by(char kind, std::size_t l, const R* r) {
    auto &fine = levels_[l], &coarse = levels_[l + 1];
    fine.residual(r, fine.z.data(), fine.t.data());
    fine.restrict_to(coarse, fine.t.data());
    run(kind, l + 1, static_cast<const Value*>(coarse.r.data()), coarse.z.data());
    fine.prolong_from(coarse, fine.z.data());
  }

  template <class Level, class R, class Z>
  void smooth_again(Level& level, const R* r, const Value* z, Z* z_out) {
    level.residual(r, z, level.t.data());
    level.smooth(static_cast<const Value*>(level.t.data()), z, z_out);
  }

  int smoothings_;
  char kind_;
  Levels& levels_;
};

// Calls `cycle` while every level is that of A^T.
template <class Levels, class Cycle>
void with_transposed_levels(Levels& levels, Cycle cycle) {
  for (auto& level : levels) level.transposed = true;
  cycle();
  for (auto& level : levels) level.transposed = false;
}

}  // namespace hodge::linalg::multigrid
