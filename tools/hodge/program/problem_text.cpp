#include "tools/hodge/program/problem_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/text.hpp"
#include "sim/discrete/grid/grid.hpp"

namespace hodge::tools {
namespace {

using sim::axis_names;

constexpr std::size_t longest_formula = 60;

// One line, and cut where it is long: the file has it whole.
std::string formula_text(const sim::Expression& formula) {
  const std::string text = sim::one_line(formula.text());
  return text.size() <= longest_formula ? text : text.substr(0, longest_formula - 3) + "...";
}

bool is_still(const sim::Side& side) {
  return std::all_of(side.velocity.begin(), side.velocity.end(),
                     [](const sim::Expression& f) { return f.is_zero(); });
}

std::string side_text(const sim::Side& side, int dim) {
  const sim::SideTraits& traits = side.traits();
  std::string text = traits.name;
  if (traits.is_inflow() || (traits.takes_velocity() && !is_still(side)))
    text += " " + vector_text(side.velocity, dim);
  if (traits.is_open() && !side.pressure.is_zero())
    text += ", pressure " + formula_text(side.pressure);
  return text;
}

std::string condition_text(const sim::ScalarSide& side) {
  if (side.is_without_flux()) return "no flux";
  const std::string kind = side.traits().name, value = formula_text(side.value);
  if (side.traits().has_coefficient())
    return fmt::format("{}, coefficient {}, value {}", kind, formula_text(side.coefficient), value);
  return kind + " " + value;
}

std::string conditions_text(const sim::Problem& problem, const sim::ScalarProblem& scalar,
                            int axis) {
  std::vector<std::string> sides;
  for (int side = 0; side < 2; ++side) {
    const sim::SideTraits& traits = problem.boundaries.sides[axis][side].traits();
    const sim::ScalarSide& condition = scalar.sides[axis][side];
    const bool is_said = traits.takes_entering_value() ? condition.traits().gives_value()
                                                       : traits.takes_scalar_condition();
    sides.push_back(is_said ? condition_text(condition) : traits.name);
  }
  return fmt::format("{}: {}", axis_names[axis], fmt::join(sides, " | "));
}

}  // namespace

std::string vector_text(const std::array<sim::Expression, 3>& formulas, int dim) {
  std::vector<std::string> components;
  for (int d = 0; d < dim; ++d) components.push_back(formula_text(formulas[d]));
  return "(" + sim::join(components) + ")";
}

std::string sides_text(const sim::Problem& problem, int axis, int dim) {
  const auto& [lower, upper] = problem.boundaries.sides[axis];
  return side_text(lower, dim) + " | " + side_text(upper, dim);
}

std::string scalar_text(const sim::Problem& problem, const sim::ScalarProblem& scalar, int dim) {
  std::string text =
      fmt::format("{}: diffusivity {}", scalar.name, sim::number_text(scalar.diffusivity));
  if (!scalar.source.is_zero()) text += ", source " + formula_text(scalar.source);
  if (scalar.reaction) text += ", reaction " + formula_text(*scalar.reaction);
  if (scalar.buoyancy != std::array<double, 3>{}) {
    std::vector<std::string> components;
    for (int d = 0; d < dim; ++d) components.push_back(sim::number_text(scalar.buoyancy[d]));
    text += fmt::format(", buoyancy ({}) (c - {})", sim::join(components),
                        sim::number_text(scalar.neutral));
  }
  for (int axis = 0; axis < dim; ++axis) text += "; " + conditions_text(problem, scalar, axis);
  return text;
}

std::string solids_text(const sim::Problem& problem, const sim::Grid& grid) {
  std::vector<std::string> names;
  for (const sim::Solid& solid : problem.solids) names.push_back(sim::one_line(solid.name));
  const std::vector<std::uint8_t> bodies = sim::cell_bodies(grid, problem.solids);
  return fmt::format("{}: {} of {} cells", sim::join(names),
                     std::count_if(bodies.begin(), bodies.end(), [](auto b) { return b != 0; }),
                     grid.cell_count());
}

}  // namespace hodge::tools
