// Scaling by powers of two: it changes no digit of a number that stays within the range of T.
#pragma once

#include "linalg/space/space.hpp"

namespace hodge::linalg {

// max_i |v_i|; infinity if an entry is infinite or not a number. Waits.
template <class Space, class T>
double largest_size(int n, const T* v);

// out_i = v_i 2^power; may be in place.
template <class Space, class T>
void scale_by_power(int n, const T* v, int power, T* out);

}  // namespace hodge::linalg
