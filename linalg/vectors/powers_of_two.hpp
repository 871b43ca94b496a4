// Scaling by powers of two: it changes no digit of a number that stays within the range of T.
#pragma once

#include "linalg/space/space.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

// max_i |v_i|; infinity if an entry is infinite or not a number. Waits. `work` has two entries.
template <class Space, class T>
double largest_size(int n, const T* v, Buffer<double, Space>& work);

// out_i = v_i 2^power; may be in place.
template <class Space, class T>
void scale_by_power(int n, const T* v, int power, T* out);

}  // namespace hodge::linalg
