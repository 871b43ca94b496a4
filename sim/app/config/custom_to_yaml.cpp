#include "sim/app/config/custom_to_yaml.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/text.hpp"
#include "sim/model/sides.hpp"

namespace hodge::sim {
namespace {

// Quoted, because a formula may look like anything else to YAML.
std::string formula(const Expression& formula) {
  return double_quoted(formula.text());
}

std::string formula(double number) {
  return number_text(number);
}

template <typename T>
std::string list(const std::array<T, 3>& values, int dim) {
  std::vector<std::string> items;
  for (int d = 0; d < dim; ++d) items.push_back(formula(values[d]));
  return "[" + join(items) + "]";
}

bool all_zero(const Formulas3& formulas) {
  return std::all_of(formulas.begin(), formulas.end(),
                     [](const Expression& f) { return f.is_zero(); });
}

std::string side_text(const Side& side, int dim, bool prescribed) {
  const SideTraits& traits = side.traits();
  if (traits.is_open() && !prescribed && !side.pressure.is_zero())
    return fmt::format("{{kind: {}, pressure: {}}}", traits.name, formula(side.pressure));
  const bool moves = traits.is_inflow() || (traits.takes_velocity() && !all_zero(side.velocity));
  if (!moves || prescribed) return traits.name;
  return fmt::format("{{kind: {}, velocity: {}}}", traits.name, list(side.velocity, dim));
}

std::string condition_text(const ScalarSide& side) {
  const ScalarConditionTraits& traits = side.traits();
  if (!traits.has_coefficient()) return fmt::format("{{{}: {}}}", traits.name, formula(side.value));
  return fmt::format("{{{}: {{coefficient: {}, value: {}}}}}", traits.name,
                     formula(side.coefficient), formula(side.value));
}

// A flux of 0 is what a side has without a condition, but on an inflow it must be said.
std::string sides_text(const ScalarSides& sides, int dim, const Boundaries* boundaries) {
  std::string text;
  for (int axis = 0; axis < dim; ++axis) {
    for (int k = 0; k < 2; ++k) {
      const ScalarSide& side = sides[axis][k];
      const bool said = boundaries != nullptr && boundaries->sides[axis][k].traits().is_inflow();
      if (said || !side.is_without_flux())
        text += fmt::format("      {}: {}\n", side_name(axis, k), condition_text(side));
    }
  }
  return text.empty() ? "" : "    boundaries:\n" + text;
}

std::string scalar_text(const CustomScalar& scalar, int dim, const Boundaries* boundaries) {
  std::string text =
      fmt::format("  {}:\n    diffusivity: {}\n    initial: {}\n    source: {}\n", scalar.name,
                  number_text(scalar.diffusivity), formula(scalar.initial), formula(scalar.source));
  if (scalar.reaction) text += fmt::format("    reaction: {}\n", formula(*scalar.reaction));
  text += fmt::format("    buoyancy: {}\n    neutral: {}\n", list(scalar.buoyancy, dim),
                      number_text(scalar.neutral));
  if (scalar.exact) text += fmt::format("    exact: {}\n", formula(*scalar.exact));
  return text + sides_text(scalar.sides, dim, boundaries);
}

std::string momentum_text(const CustomSettings& custom, int dim) {
  std::string text = fmt::format("fluid:\n  density: {}\n  viscosity: {}\nforce: {}\n",
                                 number_text(custom.density), number_text(custom.viscosity),
                                 list(custom.force, dim));
  text += fmt::format("initial:\n  velocity: {}\n  pressure: {}\n",
                      list(custom.initial_velocity, dim), formula(custom.initial_pressure));
  if (custom.exact_velocity)
    text += fmt::format("exact:\n  velocity: {}\n", list(*custom.exact_velocity, dim));
  if (custom.exact_pressure)
    text += fmt::format("  pressure: {}\n", formula(*custom.exact_pressure));
  return text;
}

}  // namespace

std::string custom_to_yaml(const CustomSettings& custom, int dim) {
  const auto& prescribed = custom.prescribed_velocity;
  std::string text = prescribed ? fmt::format("prescribed_velocity: {}\n", list(*prescribed, dim))
                                : momentum_text(custom, dim);
  text += "boundaries:\n";
  for (int axis = 0; axis < dim; ++axis)
    for (int k = 0; k < 2; ++k)
      text += fmt::format("  {}: {}\n", side_name(axis, k),
                          side_text(custom.boundaries.sides[axis][k], dim, prescribed.has_value()));
  return text;
}

std::string scalars_to_yaml(const std::vector<CustomScalar>& scalars, int dim,
                            const Boundaries* boundaries) {
  std::string text = scalars.empty() ? "" : "scalars:\n";
  for (const CustomScalar& scalar : scalars) text += scalar_text(scalar, dim, boundaries);
  return text;
}

}  // namespace hodge::sim
