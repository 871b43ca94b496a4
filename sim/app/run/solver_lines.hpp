// The solver of every kind of linear systems that a run has, and why it has this one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// In the order of a step, of those that the problem has: pressure, transport, scalars, reactions.
//
//   pressure   direct (auto: separable box: fft x, elimination y)
//   transport  bicgstab with jacobi, then gmres (default: nonsymmetric by implicit convection)
//   scalars    gmres(16) with ssor_sai order 1 omega 1 (configured)
//   reactions  newton with batched gauss (a small dense system in each cell)
std::vector<std::pair<std::string, std::string>> solver_lines(const Settings& settings,
                                                              const Problem& problem);

}  // namespace hodge::sim
