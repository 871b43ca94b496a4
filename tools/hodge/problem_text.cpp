#include "tools/hodge/problem_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/side_names.hpp"
#include "sim/config/text.hpp"
#include "sim/grid/grid.hpp"

namespace hodge::tools {
namespace {

using sim::axis_names;
using sim::SideKind;

// One text a side, "x: lower | upper; y: lower | upper".
template <typename SideText>
std::string by_axis(int dim, SideText text) {
  std::vector<std::string> axes;
  for (int axis = 0; axis < dim; ++axis)
    axes.push_back(fmt::format("{}: {} | {}", axis_names[axis], text(axis, 0), text(axis, 1)));
  return fmt::format("{}", fmt::join(axes, "; "));
}

bool is_still(const sim::Side& side) {
  return std::all_of(side.velocity.begin(), side.velocity.end(),
                     [](const sim::Expression& f) { return f.is_zero(); });
}

std::string side_text(const sim::Side& side, int dim) {
  std::string text = sim::name_of(side.kind);
  if (side.kind == SideKind::inflow || (side.kind == SideKind::wall && !is_still(side)))
    text += " " + vector_text(side.velocity, dim);
  return text;
}

std::string condition_text(const sim::ScalarSide& side) {
  const std::string kind = sim::name_of(side.kind), value = sim::one_line(side.value.text());
  if (side.kind != sim::ScalarSideKind::convective) return kind + " " + value;
  return fmt::format("{} {} (c - {})", kind, sim::one_line(side.coefficient.text()), value);
}

}  // namespace

std::string vector_text(const std::array<sim::Expression, 3>& formulas, int dim) {
  std::vector<std::string> components;
  for (int d = 0; d < dim; ++d) components.push_back(sim::one_line(formulas[d].text()));
  return "(" + sim::join(components) + ")";
}

std::string boundaries_text(const sim::Problem& problem, int dim) {
  return by_axis(dim, [&](int axis, int side) {
    return side_text(problem.boundaries.sides[axis][side], dim);
  });
}

std::string scalar_text(const sim::Problem& problem, const sim::ScalarProblem& scalar, int dim) {
  std::string text =
      fmt::format("{}: diffusivity {}", scalar.name, sim::number_text(scalar.diffusivity));
  if (!scalar.source.is_zero()) text += ", source " + sim::one_line(scalar.source.text());
  if (scalar.reaction) text += ", reaction " + sim::one_line(scalar.reaction->text());
  if (scalar.buoyancy != std::array<double, 3>{}) {
    std::vector<std::string> components;
    for (int d = 0; d < dim; ++d) components.push_back(sim::number_text(scalar.buoyancy[d]));
    text += fmt::format(", buoyancy ({}) (c - {})", sim::join(components),
                        sim::number_text(scalar.neutral));
  }
  return text + "; " + by_axis(dim, [&](int axis, int side) -> std::string {
           const SideKind kind = problem.boundaries.sides[axis][side].kind;
           const bool carried = kind == SideKind::periodic || kind == SideKind::outflow;
           return carried ? sim::name_of(kind) : condition_text(scalar.sides[axis][side]);
         });
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
