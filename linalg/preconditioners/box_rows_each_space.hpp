// The bodies of the members of BoxRows.
#pragma once

#include "linalg/preconditioners/box_rows.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

template <class Space, class T>
void BoxRows<Space, T>::extend(const Buffer<int, Space>& row_of_cell, const Vector<Space, T>& x,
                               Vector<Space, T>& box) {
  const int* const row = row_of_cell.data();
  const T* const from = x.data();
  T* const to = box.data();
  for_each<Space>(box.size(),
                  [=] HODGE_LAMBDA(int i) { to[i] = row[i] >= 0 ? from[row[i]] : T(0); });
}

template <class Space, class T>
void BoxRows<Space, T>::take(const Buffer<int, Space>& row_of_cell, const Vector<Space, T>& box,
                             Vector<Space, T>& x) {
  const int* const row = row_of_cell.data();
  const T* const from = box.data();
  T* const to = x.data();
  for_each<Space>(box.size(), [=] HODGE_LAMBDA(int i) {
    if (row[i] >= 0) to[row[i]] = from[i];
  });
}

template struct BoxRows<ThisSpace, double>;
template struct BoxRows<ThisSpace, float>;

}  // namespace hodge::linalg
