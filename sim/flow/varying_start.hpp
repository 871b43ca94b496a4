// Viscosities and diffusivities that vary, at t = 0, as functions of the initial state.
#pragma once

#include "sim/base/formulas/expression.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// Of a formula of coefficient_variables(), in a cell, with the initial scalars there and the shear
// rate of the initial velocity over the cell.
double coefficient_at_start(const Expression& formula, const Problem& problem, const MeanBox& cell,
                            int dim);

// Of a force of the flow (force_variables()), with the initial velocity and scalars there.
double flow_force_at_start(const Expression& formula, const Problem& problem, const MeanBox& at,
                           int dim);

// Sets the viscosity and the diffusivities of those that vary to their largest at t = 0, which the
// settings of steps and solvers go by. Large grids are strided.
void measure_coefficients(const GridSettings& grid, Problem& problem);

}  // namespace hodge::sim
