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
// and the vectors z, r, t, which of_z(), of_r() and of_t() hand over as their Array.
#pragma once

#include <type_traits>
#include <utility>

#include "linalg/multigrid/halo.hpp"
#include "linalg/multigrid/multigrid_settings.hpp"

namespace hodge::linalg::multigrid {

template <class Levels>
class RunCycle {
 public:
  using Array = typename Levels::value_type::Array;
  using ReadArray = decltype(reading(Array{}));

  RunCycle(const MultigridSettings& settings, Levels& levels)
      : smoothings_(settings.smoothings), kind_(settings.cycle.front()), levels_(levels) {}

  // z_out = M^-1 r on level l. Only on the finest level, and with two levels at least, may R and Z
  // be other types than ReadArray and Array.
  template <class R, class Z>
  void run(std::size_t l, R r, Z z_out) {
    run(kind_, l, r, z_out);
  }

 private:
  // The same by a cycle of this kind: v, w or f.
  template <class R, class Z>
  void run(char kind, std::size_t l, R r, Z z_out) {
    auto& level = levels_[l];
    constexpr bool is_of_levels = std::is_same_v<R, ReadArray> && std::is_same_v<Z, Array>;
    if constexpr (is_of_levels) {
      const bool of_level = r == reading(level.of_r()) && z_out == level.of_z();
      if (kind == 'v' && of_level && level.run_at_once()) return;
    }
    if (l + 1 == levels_.size()) {
      if constexpr (is_of_levels) level.solve(r, z_out);
      return;
    }
    const Array z = level.of_z();
    level.smooth(r, ReadArray{}, z);
    for (int k = 1; k < smoothings_; ++k) smooth_again(level, r, z, z);
    correct(kind, l, r);
    for (int k = 1; k < smoothings_; ++k) smooth_again(level, r, z, z);
    smooth_again(level, r, z, z_out);
  }

  // One or two corrections; in the opposite order for the transpose.
  template <class R>
  void correct(char kind, std::size_t l, R r) {
    if (kind == 'v' || levels_[l].once || l + 2 >= levels_.size()) return correct_by('v', l, r);
    char first = kind, second = kind == 'w' ? 'w' : 'v';
    if (levels_[l].transposed) std::swap(first, second);
    correct_by(first, l, r);
    correct_by(second, l, r);
  }

  template <class R>
  void correct_by(char kind, std::size_t l, R r) {
    auto &fine = levels_[l], &coarse = levels_[l + 1];
    fine.residual(r, reading(fine.of_z()), fine.of_t());
    fine.restrict_to(coarse, reading(fine.of_t()));
    run(kind, l + 1, reading(coarse.of_r()), coarse.of_z());
    fine.prolong_from(coarse, fine.of_z());
  }

  template <class Level, class R, class Z>
  void smooth_again(Level& level, R r, const Array& z, Z z_out) {
    level.residual(r, reading(z), level.of_t());
    level.smooth(reading(level.of_t()), reading(z), z_out);
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
