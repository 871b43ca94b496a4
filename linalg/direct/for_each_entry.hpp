// Loops over the entries of boxes that may be flat.
#pragma once

#include <array>
#include <type_traits>

#include "linalg/base/macros.hpp"
#include "linalg/space/space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

// f at every index of a box of three axes. On a GPU the threads of a warp follow one another
// through the rows of a plane: rows of a spectrum, of 65 or 129 entries, would leave many of them
// idle.
template <class Space, class F>
void for_each_entry(const std::array<int, 3>& n, F f) {
  if constexpr (std::is_same_v<Space, Host>) {
    for_each<Space>(Box<3>{{{0, 0, 0}}, {{n[0], n[1], n[2]}}}, f);
  } else {
    const auto in_row = static_cast<unsigned>(n[0]);
    const auto in_plane = [=] HODGE_LAMBDA(int place, int plane) {
      const auto at = static_cast<unsigned>(place);
      f(Index<3>{{static_cast<int>(at % in_row), static_cast<int>(at / in_row), plane}});
    };
    const int plane = n[0] * n[1];
    if (n[2] == 1)
      for_each<Space>(plane, [=] HODGE_LAMBDA(int place) { in_plane(place, 0); });
    else
      for_each<Space>(Box<2>{{{0, 0}}, {{plane, n[2]}}},
                      [=] HODGE_LAMBDA(const Index<2>& i) { in_plane(i[0], i[1]); });
  }
}

}  // namespace hodge::linalg
