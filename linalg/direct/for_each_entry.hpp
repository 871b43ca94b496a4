// Loops over the entries of boxes that may be flat.
#pragma once

#include <array>

#include "linalg/base/macros.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

// f at every index of a box of three axes. A flat one is a box of two, so that a GPU's blocks of
// threads are full.
template <class Space, class F>
void for_each_entry(const std::array<int, 3>& n, F f) {
  if (n[2] != 1) return for_each<Space>(Box<3>{{{0, 0, 0}}, {{n[0], n[1], n[2]}}}, f);
  for_each<Space>(Box<2>{{{0, 0}}, {{n[0], n[1]}}}, [=] HODGE_LAMBDA(const Index<2>& i) {
    f(Index<3>{{i[0], i[1], 0}});
  });
}

}  // namespace hodge::linalg
