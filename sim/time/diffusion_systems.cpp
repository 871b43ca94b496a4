#include "sim/time/diffusion_systems.hpp"

#include "sim/discrete/assembly/separable_transport.hpp"
#include "sim/discrete/boundaries/velocity_boundary.hpp"
#include "sim/time/scalar_state.hpp"
#include "sim/time/stability.hpp"

namespace hodge::sim {
namespace {

struct NamedField {
  std::string name;
  DiffusedField field;
};

std::vector<NamedField> diffused_fields(SystemKind kind, const Problem& problem, int dim) {
  std::vector<NamedField> fields;
  if (kind == SystemKind::scalars) {
    for (const ScalarProblem& scalar : problem.scalars)
      fields.push_back({"scalar " + scalar.name,
                        {scalar_sides(scalar, problem.boundaries), at_cells, scalar.diffusivity}});
    return fields;
  }
  for (int d = 0; d < dim; ++d) {
    fields.push_back({"velocity", {{}, d}});
    for (const auto [axis, side] : sides_of_box(dim))
      fields.back().field.sides[axis][side] =
          velocity_side(problem.boundaries.sides[axis][side], axis, d);
  }
  return fields;
}

}  // namespace

bool solves_systems_of(SystemKind kind, const TimeScheme& scheme, const Problem& problem) {
  if (!scheme.solves_transport()) return false;
  return kind == SystemKind::scalars ? !problem.scalars.empty() : !problem.prescribed_velocity;
}

bool has_transport_matrices(const Settings& settings, const Problem& problem) {
  const TimeScheme& scheme = find_time_scheme(settings.time.scheme);
  return (solves_systems_of(SystemKind::transport, scheme, problem) &&
          settings.transport.method != "direct") ||
         (solves_systems_of(SystemKind::scalars, scheme_of_scalars(settings, problem), problem) &&
          settings.scalars.method != "direct");
}

std::string against_separable_diffusion(SystemKind kind, const TimeScheme& scheme,
                                        const Problem& problem, int dim) {
  if (!problem.solids.empty()) return "the box has solids";
  if (scheme.has_implicit_convection())
    return std::string("with ") + scheme.name + " convection is in the matrix";
  if (problem.resistances.any()) return "porous bodies and sponges vary in space";
  if (kind == SystemKind::transport && viscosity_varies(problem)) return "the viscosity varies";
  for (const ScalarProblem& scalar : problem.scalars)
    if (kind == SystemKind::scalars && diffusivity_varies(problem, scalar))
      return "the diffusivity of " + scalar.name + " varies";
  for (const NamedField& one : diffused_fields(kind, problem, dim))
    if (const std::string why = against_separability(one.field, problem.boundaries, dim);
        !why.empty())
      return "of the " + one.name + " " + why;
  return {};
}

std::vector<linalg::SeparableSystem> diffusion_systems(SystemKind kind, const TimeScheme& scheme,
                                                       const Problem& problem, const Grid& grid) {
  std::vector<linalg::SeparableSystem> systems;
  if (!scheme.solves_transport() ||
      !against_separable_diffusion(kind, scheme, problem, grid.dim()).empty())
    return systems;
  for (const NamedField& one : diffused_fields(kind, problem, grid.dim()))
    systems.push_back(separable_transport(one.field, problem.boundaries, grid));
  return systems;
}

}  // namespace hodge::sim
