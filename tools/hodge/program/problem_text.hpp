// What a problem is, in lines for `hodge check`.
#pragma once

#include <string>

#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::tools {

// "inflow (1, 0) | outflow": the lower and the upper side of an axis.
std::string sides_text(const sim::Problem& problem, int axis, int dim);

// "diffusivity 0.01; x: value 1 | outflow; y: no flux | no flux"
std::string scalar_text(const sim::Problem& problem, const sim::ScalarProblem& scalar, int dim);

// "(4*y*(1 - y), 0)"
std::string vector_text(const std::array<sim::Expression, 3>& formulas, int dim);

// "step, cylinder: 312 of 4096 cells"
std::string solids_text(const sim::Problem& problem, const sim::Grid& grid);

}  // namespace hodge::tools
