// The passes over a box that put its points in the order of Fourier transforms, with their signs,
// and back (axis_wave.hpp). Not guarded.
#pragma once

#include <array>

#include "linalg/base/complex.hpp"
#include "linalg/direct/axis_wave.hpp"

namespace hodge::linalg {

// out(slots) = +-in(points)
template <class Space, class T>
void put_in_slots(const std::array<PointOrder, 3>& orders, const T* in, T* out);
// out(points) = +-in(slots)
template <class Space, class T>
void take_from_slots(const std::array<PointOrder, 3>& orders, const T* in, T* out);

// How real values pack into complex ones.
struct Packing {
  std::array<PointOrder, 3> orders;
  std::array<const Complex<double>*, 3> shifts{};  // by slots; null: none
  int axis = 0;                                    // along it slots m and m + n/2 share an entry
};
template <class Space, class T>
void pack(const Packing& packing, const T* in, Complex<T>* out);
template <class Space, class T>
void unpack(const Packing& packing, const Complex<T>* in, T* out);

}  // namespace hodge::linalg
