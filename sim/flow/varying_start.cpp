#include "sim/flow/varying_start.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

constexpr long long most_looks_at_coefficients = 1 << 16;

std::array<double, 3> velocity_at_start(const Problem& problem, const Point& x) {
  if (const auto& given = problem.prescribed_velocity)
    return {(*given)[0](x, 0), (*given)[1](x, 0), (*given)[2](x, 0)};
  return problem.initial_velocity ? problem.initial_velocity(x) : std::array<double, 3>{};
}

// (2 S:S)^(1/2) of differences over the cell.
double shear_rate_at_start(const Problem& problem, const MeanBox& cell, int dim) {
  double gradient[3][3] = {};
  for (int e = 0; e < dim; ++e) {
    Point lower = point_of(cell), upper = lower;
    lower[e] = cell.lower[e];
    upper[e] = cell.upper[e];
    const auto below = velocity_at_start(problem, lower), above = velocity_at_start(problem, upper);
    for (int d = 0; d < dim; ++d) gradient[d][e] = (above[d] - below[d]) / (upper[e] - lower[e]);
  }
  double squares = 0;
  for (int d = 0; d < dim; ++d)
    for (int e = 0; e < dim; ++e) squares += 0.5 * std::pow(gradient[d][e] + gradient[e][d], 2);
  return std::sqrt(squares);
}

MeanBox cell_at(const Grid& grid, const Index<3>& c) {
  if (grid.dim() == 3) return mean_box(grid, -1, c);
  return mean_box(grid, -1, Index<2>{{c[0], c[1]}});
}

// 0 where no cell that is looked at has a finite one.
double largest_at_start(const Expression& formula, const Problem& problem, const Grid& grid) {
  const auto stride = static_cast<int>(1 + grid.cell_count() / most_looks_at_coefficients);
  const Box<3> box = all_cells(grid);
  double largest = 0;
  Index<3> c{};
  for (c[2] = 0; c[2] < box.upper[2]; ++c[2])
    for (c[1] = 0; c[1] < box.upper[1]; ++c[1])
      for (c[0] = (c[1] + c[2]) % stride; c[0] < box.upper[0]; c[0] += stride) {
        const double value = coefficient_at_start(formula, problem, cell_at(grid, c), grid.dim());
        if (std::isfinite(value)) largest = std::max(largest, value);
      }
  return largest;
}

}  // namespace

double coefficient_at_start(const Expression& formula, const Problem& problem, const MeanBox& cell,
                            int dim) {
  std::vector<double> variables;
  const bool has_shear = formula.depends_on(first_extra_variable);
  variables.push_back(has_shear ? shear_rate_at_start(problem, cell, dim) : 0.0);
  for (const ScalarProblem& scalar : problem.scalars)
    variables.push_back(scalar.initial ? scalar.initial(point_of(cell)) : 0.0);
  return formula(point_of(cell), 0, variables);
}

double flow_force_at_start(const Expression& formula, const Problem& problem, const MeanBox& at,
                           int dim) {
  const auto u = velocity_at_start(problem, point_of(at));
  std::vector<double> variables(u.begin(), u.begin() + dim);
  for (const ScalarProblem& scalar : problem.scalars)
    variables.push_back(scalar.initial ? scalar.initial(point_of(at)) : 0.0);
  return formula(point_of(at), 0, variables);
}

void measure_coefficients(const GridSettings& of, Problem& problem) {
  if (!diffusion_varies(problem)) return;
  const Grid grid(of);
  if (problem.varying_viscosity)
    problem.viscosity = largest_at_start(*problem.varying_viscosity, problem, grid);
  for (ScalarProblem& scalar : problem.scalars)
    if (scalar.varying_diffusivity)
      scalar.diffusivity = largest_at_start(*scalar.varying_diffusivity, problem, grid);
}

}  // namespace hodge::sim
