// How several processes transform the axes of a box that they share.
#pragma once

#include <cstddef>
#include <vector>

#include "linalg/direct/axis_choice.hpp"
#include "linalg/direct/shared_box.hpp"
#include "linalg/processes/agree.hpp"

namespace hodge::linalg {

// Those of choose_axis_methods(), if all processes choose alike. Where some machine has no library
// of Fourier transforms, none uses it: all axes by products. Collective.
template <class Space>
std::vector<AxisMethod> agreed_methods(const SeparableSystem& system, std::size_t value_size,
                                       const SharedPoints& points) {
  const bool is_shared = points.is_shared();
  std::vector<AxisMethod> methods = choose_axis_methods<Space>(
      system, value_size, !is_shared || !is_solved_in_parts<Space>(points));
  if (!is_shared) return methods;
  double by_library = 0;  // a bit for each axis
  for (const AxisMethod method : methods)
    by_library = 2 * by_library + (method == AxisMethod::products ? 0 : 1);
  Communicator& all = *points.processes;
  if (greatest(all, by_library) != -greatest(all, -by_library))
    methods.assign(methods.size(), AxisMethod::products), methods.back() = AxisMethod::elimination;
  return methods;
}

}  // namespace hodge::linalg
