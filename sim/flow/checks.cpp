// Over 400 lines: every rule about which settings go with which problem stands here, a function
// each, so that one place says what is refused.
#include "sim/flow/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "linalg/solve/solve.hpp"
#include "sim/base/key_error.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/bodies/scalar_media.hpp"
#include "sim/discrete/fields/layout.hpp"
#include "sim/discrete/operators/closures/closures.hpp"
#include "sim/discrete/operators/convection.hpp"
#include "sim/discrete/operators/forcing.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/flow/output_regions.hpp"
#include "sim/flow/pressure_method.hpp"
#include "sim/flow/systems.hpp"
#include "sim/flow/transport_method.hpp"
#include "sim/model/schemes.hpp"
#include "sim/model/solid.hpp"
#include "sim/time/fluid_domain.hpp"
#include "sim/time/resisting_regions.hpp"
#include "sim/time/stability.hpp"
#include "sim/time/starting_guess.hpp"
#include "sim/time/step_size.hpp"

namespace hodge::sim {
namespace {

void check_fluid(const Problem& problem) {
  if (!(problem.density > 0) || !std::isfinite(problem.density))
    throw KeyError("fluid.density",
                   fmt::format("the density is {}; it must be positive", problem.density));
  if (!(problem.viscosity >= 0) || !std::isfinite(problem.viscosity))
    throw KeyError("fluid.viscosity",
                   fmt::format("the viscosity is {}; it must not be negative", problem.viscosity));
}

// A formula of more scalars than its kernel takes.
void check_coefficient(const Expression& f, const Problem& problem, const std::string& key) {
  const int first = first_extra_variable + 1;
  for (std::size_t k = most_scalars_in_coefficients; k < problem.scalars.size(); ++k)
    if (f.depends_on(first + static_cast<int>(k)))
      throw KeyError(key, fmt::format("{} has {} in it, expected one of the first {} scalars", key,
                                      problem.scalars[k].name, most_scalars_in_coefficients));
}

// Rotation, and formulas of more scalars than their kernel takes.
void check_flow_force(const Problem& problem, int dim) {
  if (problem.prescribed_velocity && problem.rotation != Point{})
    throw KeyError("rotation",
                   "the velocity is prescribed, and rotation is a force on one that is solved for, "
                   "expected no such key");
  for (std::size_t d = 0; d < 3; ++d)
    if (const auto& f = problem.flow_force[d]) {
      const std::string key = fmt::format("force[{}]", d);
      for (std::size_t k = most_scalars_in_coefficients; k < problem.scalars.size(); ++k)
        if (f->depends_on(first_extra_variable + dim + static_cast<int>(k)))
          throw KeyError(key,
                         fmt::format("{} has {} in it, expected one of the first {} scalars", key,
                                     problem.scalars[k].name, most_scalars_in_coefficients));
    }
}

// What coefficients that vary do not go with, beside what check_sharp_solids refuses.
void check_varying_coefficients(const Problem& problem, int dim) {
  if (problem.turbulence && dim != 3)
    throw KeyError("turbulence", "turbulence models need three dimensions, and the grid has two");
  if (problem.turbulence && problem.prescribed_velocity)
    throw KeyError("turbulence",
                   "the velocity is prescribed, and turbulence is a model of one that "
                   "is solved for, expected no such key");
  if (problem.turbulence && !problem.turbulence->average.empty()) {
    if (!is_dynamic(problem.turbulence->model))
      throw KeyError("turbulence.average",
                     "turbulence.average is of dynamic_smagorinsky, and turbulence.model is " +
                         problem.turbulence->model + ", expected no such key");
    bool any_periodic = false;
    for (int d = 0; d < dim; ++d) any_periodic = any_periodic || problem.boundaries.periodic(d);
    if (problem.turbulence->average == average_names[0] && !any_periodic)
      throw KeyError("turbulence.average",
                     "turbulence.average is periodic, and no axis is, expected local");
  }
  if (problem.turbulence && problem.turbulence->model == SmagorinskyClosure::row.name &&
      !problem.solids.empty())
    throw KeyError(
        "turbulence.model",
        "turbulence.model is smagorinsky, which knows the walls of the box and no solids, "
        "expected dynamic_smagorinsky, wale, vreman or sigma");
  if (problem.varying_viscosity)
    check_coefficient(*problem.varying_viscosity, problem, "fluid.viscosity");
  if (viscosity_varies(problem))
    for (std::size_t k = 0; k < problem.resistances.porous.size(); ++k)
      if (!problem.resistances.porous[k].darcy.is_zero())
        throw KeyError(
            fmt::format("porous[{}].darcy", k),
            fmt::format("porous[{}].darcy multiplies the viscosity, which varies "
                        "(fluid.viscosity), expected forchheimer or a constant viscosity",
                        k));
  for (const ScalarProblem& scalar : problem.scalars) {
    if (!diffusivity_varies(problem, scalar)) continue;
    const std::string key = problem.turbulence && !scalar.varying_diffusivity
                                ? "turbulence"
                                : "scalars." + scalar.name + ".diffusivity";
    if (scalar.varying_diffusivity) check_coefficient(*scalar.varying_diffusivity, problem, key);
    if (meets_bodies(scalar, problem.solids))
      throw KeyError(key,
                     fmt::format("{} varies, and a body conducts {} or has a condition for it, "
                                 "expected a constant",
                                 key, scalar.name));
  }
}

void check_axis(const Boundaries& boundaries, const Grid& grid, int axis) {
  const auto& [lower, upper] = boundaries.sides[axis];
  const char* const name = axis_names[axis];
  if (lower.traits().is_periodic() != upper.traits().is_periodic())
    throw KeyError(
        "boundaries." + side_name(axis, lower.traits().is_periodic() ? 1 : 0),
        fmt::format("one side along {} is periodic and the other is not; both or none must be",
                    name));
  const bool periodic = boundaries.periodic(axis);
  const int least = periodic ? 3 : 2;
  if (grid.cells(axis) < least)
    throw KeyError(
        "grid.cells",
        fmt::format("the grid has {} cells along {}; {} axis needs at least {}", grid.cells(axis),
                    name, periodic ? "a periodic" : "a bounded", least));
  for (const int s : {0, 1}) {
    const Side& side = boundaries.sides[axis][s];
    if (side.traits().moves_in_plane() && !side.velocity[axis].is_zero())
      throw KeyError(
          "boundaries." + side_name(axis, s),
          fmt::format("a wall normal to {} moves along {} with velocity {}; walls may only move in "
                      "their own plane: fluid enters through a side of kind inflow",
                      name, name, side.velocity[axis].text()));
  }
}

void check_flow_rates(const Problem& problem, int dim) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!problem.flow_rate[axis]) continue;
    if (problem.prescribed_velocity)
      throw KeyError("force",
                     "a flow rate is held and the velocity is prescribed; only one can be");
    if (axis >= dim || !problem.boundaries.periodic(axis))
      throw KeyError("force",
                     fmt::format("the flow rate along {} is held and the sides along {} are not "
                                 "periodic; they decide what flows through them",
                                 axis_names[axis], axis_names[axis]));
  }
}

void check_condition(const ScalarProblem& scalar, const ScalarSide& side, const std::string& name) {
  const std::string where = "side " + name;
  const std::string key = "scalars." + scalar.name + ".boundaries." + name;
  if (side.traits().gives_flux() && scalar.diffusivity == 0 && !side.value.is_zero())
    throw KeyError(key,
                   fmt::format("{} has a flux of {} at {} and no diffusivity; a flux needs one",
                               scalar.name, side.value.text(), where));
  if (side.traits().has_coefficient() && side.coefficient.is_constant() &&
      side.coefficient({}, 0) < 0)
    throw KeyError(
        key, fmt::format("the convective coefficient of {} at {} is {}; it must not be negative",
                         scalar.name, where, side.coefficient.text()));
}

void check_scalar(const ScalarProblem& scalar, const Boundaries& boundaries, int dim) {
  if (!(scalar.diffusivity >= 0) || !std::isfinite(scalar.diffusivity))
    throw KeyError("scalars." + scalar.name + ".diffusivity",
                   fmt::format("the diffusivity of {} is {}; it must not be negative", scalar.name,
                               scalar.diffusivity));
  for (const auto [axis, side] : sides_of_box(dim))
    if (boundaries.sides[axis][side].traits().takes_scalar_condition())
      check_condition(scalar, scalar.sides[axis][side], side_name(axis, side));
}

// What a solid says of a scalar; `key` is where.
void check_solid_scalar(const Problem& problem, const SolidScalar& of, const std::string& key) {
  const std::vector<std::string> names = scalar_names(problem);
  const auto scalar = std::ranges::find(problem.scalars, of.name, &ScalarProblem::name);
  if (scalar == problem.scalars.end())
    throw KeyError(
        key, fmt::format("{}: there is no scalar {}, expected {}", key, quote(of.name),
                         names.empty() ? "none, as nothing is carried" : "one of " + join(names)));
  if (of.heat && !(of.heat->conductivity > 0 && std::isfinite(of.heat->conductivity) &&
                   of.heat->capacity > 0 && std::isfinite(of.heat->capacity) &&
                   of.heat->resistance >= 0 && std::isfinite(of.heat->resistance)))
    throw KeyError(key,
                   fmt::format("{}.heat: conductivity {}, capacity {} and resistance {}, "
                               "expected two numbers > 0 and one >= 0",
                               key, of.heat->conductivity, of.heat->capacity, of.heat->resistance));
  const ScalarSide& surface = of.surface;
  if (scalar->diffusivity == 0 && (of.heat || of.nusselt || !surface.is_without_flux()))
    throw KeyError(key, fmt::format("{}: {} has no diffusivity; what passes the surface of a body "
                                    "needs one",
                                    key, of.name));
  if (surface.traits().has_coefficient() && surface.coefficient.is_constant() &&
      surface.coefficient({}, 0) < 0)
    throw KeyError(key, fmt::format("{}: the convective coefficient is {}; it must not be negative",
                                    key, surface.coefficient.text()));
}

void check_solid_scalars(const Problem& problem) {
  for (std::size_t k = 0; k < problem.solids.size(); ++k)
    for (const SolidScalar& of : problem.solids[k].scalars)
      check_solid_scalar(problem, of, fmt::format("solids[{}].scalars.{}", k, of.name));
}

void check_scalars(const Problem& problem, int dim) {
  std::set<std::string> names;
  for (const OutputField& field : output_field_table()) names.insert(field.name);
  if (!problem.prescribed_velocity)
    names.insert(velocity_names.begin(), velocity_names.end());  // systems of the history
  int buoyant = 0;
  for (const ScalarProblem& scalar : problem.scalars) {
    if (!names.insert(scalar.name).second)
      throw KeyError(
          "scalars." + scalar.name,
          fmt::format("a scalar is called {}, which is the name of another field", scalar.name));
    check_scalar(scalar, problem.boundaries, dim);
    if (scalar.buoyancy != std::array<double, 3>{}) ++buoyant;
  }
  if (2 * buoyant > most_buoyancy_terms)
    throw KeyError("scalars", fmt::format("{} scalars have buoyancy; at most {} may", buoyant,
                                          most_buoyancy_terms / 2));
}

// A multistep scheme has levels that the reactions of the present step have not changed; bdf2 and
// backward_euler take another one for scalars that react.
void check_reactions(const Settings& settings, const Problem& problem) {
  const TimeScheme& scheme = find_time_scheme(settings.time.scheme);
  if (has_reactions(problem) && !scheme.lets_scalars_react())
    throw KeyError(
        "time.scheme",
        fmt::format("time.scheme is {} and scalars react; take bdf2, backward_euler or rk3",
                    scheme.name));
}

// Of sharp bodies; formulas are looked at by formula_check.hpp.
void check_convective_coefficients(const Problem& problem, const Grid& grid) {
  for (std::size_t k = 0; k < problem.solids.size(); ++k)
    for (const SolidScalar& of : problem.solids[k].scalars)
      for (const ScalarProblem& scalar : problem.scalars) {
        const ScalarSide& at = of.surface;
        const double most =
            largest_convective_coefficient(least_conductivity(scalar, problem.solids), grid);
        if (scalar.name != of.name || !at.traits().has_coefficient() ||
            !at.coefficient.is_constant() || at.coefficient({}, 0) <= most)
          continue;
        throw KeyError(
            fmt::format("solids[{}].scalars.{}.convective.coefficient", k, of.name),
            fmt::format(
                "the coefficient is {} at a sharp solid, expected at most {:.4g} with cells "
                "of this size; take smaller cells, value, or treatment: staircase",
                at.coefficient({}, 0), most));
      }
}

// Of sharp bodies that conduct a scalar; `refuse` as in check_sharp_solids.
template <class Refuse>
void check_sharp_conductors(const Problem& problem, const Refuse& refuse) {
  for (const ScalarProblem& scalar : problem.scalars) {
    const auto conducts = std::ranges::find_if(
        problem.solids, [&](const Solid& solid) { return heat_in(solid, scalar.name) != nullptr; });
    if (conducts == problem.solids.end()) continue;
    const auto k = static_cast<std::size_t>(conducts - problem.solids.begin());
    const std::string name = solid_names(problem.solids)[k];
    if (scalar.reaction)
      refuse(fmt::format("scalars.{}.reaction", scalar.name),
             fmt::format("{} reacts, {} conducts it", scalar.name, name),
             "no reaction, or staircase (solids[0].treatment)");
  }
}

void check_step(const Settings& settings, const Problem& problem, const Grid& grid) {
  const TimeScheme& scheme = find_time_scheme(settings.time.scheme);
  const StepSettings& step = settings.time.step;
  for (const StablePair* pair : stable_pairs(settings, carried_in(problem)))
    if (step.cfl && *step.cfl > pair->largest_cfl)
      throw KeyError("time.step.cfl",
                     fmt::format("time.step.cfl is {}; {} with {} convection is stable up to {}",
                                 *step.cfl, pair->time, pair->convection, pair->largest_cfl));
  if (const Undamped none = undamped(settings, problem); none.pair != nullptr)
    throw KeyError(
        "time.scheme",
        fmt::format("{} with {} convection is unstable without diffusion, and {} has none: take "
                    "bdf2 or rk3 (time.scheme), or quick (convection.{})",
                    none.pair->time, none.pair->convection, none.what,
                    none.what == "the velocity" ? "scheme" : "scalars"));
  const double limit = diffusive_step_limit(settings, problem, grid);
  if (step.size && *step.size > limit)
    throw KeyError("time.step.size", fmt::format("time.step.size is {}; on this grid diffusion by "
                                                 "{} is stable up to {:.4g}: take smaller "
                                                 "steps, larger cells or an implicit scheme",
                                                 *step.size, scheme.name, limit));
}

// Positions in fields and rows of systems are 32-bit.
void check_cells(const Settings& settings, const Grid& grid) {
  const auto values = static_cast<double>(padded_values(settings, grid));
  if (values >= static_cast<double>(most_values))
    throw KeyError("grid.cells",
                   fmt::format("fields of {} have {:.6g} values with their ghost cells, whose "
                               "positions are 32-bit, expected fewer than {}: take fewer cells",
                               grid.description(), values, most_values));
}

// So are the positions of entries, of the matrices that are built.
void check_matrices(const Settings& settings, const Problem& problem, const Grid& grid) {
  const bool transports = find_time_scheme(settings.time.scheme).solves_transport();
  const bool solves_scalars =
      !problem.scalars.empty() && scheme_of_scalars(settings, problem).solves_transport();
  const bool builds_pressure = builds_pressure_matrix(settings, problem);
  for (const FlowSystem& system : system_sizes(problem.boundaries, grid)) {
    const bool is_pressure = system.name == "pressure";
    const bool scalars = is_pressure && solves_scalars;
    const bool velocity = !is_pressure && transports && !problem.prescribed_velocity;
    const bool is_built = velocity || scalars || (is_pressure && builds_pressure);
    if (!is_built || system.nonzeros < most_values) continue;
    throw KeyError("grid.cells",
                   fmt::format("the {} matrix has {} non-zeros, whose positions are 32-bit, "
                               "expected fewer than {}: take fewer cells{}",
                               scalars ? "scalar" : system.name, system.nonzeros, most_values,
                               problem.solids.empty()
                                   ? ", or what builds no matrix: rk3 or ab2 (time.scheme), direct "
                                     "(solvers.pressure.method), no comparison of solvers"
                                   : ""));
  }
}

// What linalg leaves to the makers of sequences.
void check_solver(const SystemSettings& solver, const char* name, bool projects) {
  linalg::SolverSettings settings = solver;
  if (solver.stops_by_divergence()) settings.tolerance = 0;  // the user's is one on div u, in 1/T
  linalg::check(settings);
  (void)guess_kind(solver.guess);
  if (solver.guess_vectors < 1)
    throw KeyError(fmt::format("solvers.{}.guess_vectors", name),
                   fmt::format("solvers.{}.guess_vectors is {}, expected a whole number > 0", name,
                               solver.guess_vectors));
  if (solver.stop != "residual" && !(projects && solver.stops_by_divergence()))
    throw KeyError(fmt::format("solvers.{}.stop", name),
                   fmt::format("solvers.{}.stop is '{}', expected residual{}", name, solver.stop,
                               projects ? " or divergence" : ""));
}

// A profile averages over layers of cells whose statistics are the same everywhere.
void check_profile(const OutputSettings& output, const Boundaries& boundaries, const Grid& grid) {
  if (!output.statistics || output.statistics->profile.empty()) return;
  const int along = output.statistics->profile[0] - 'x';
  if (along >= grid.dim())
    throw ConfigError("output.statistics.profile is z, and the grid has two axes, expected x or y");
  for (int axis = 0; axis < grid.dim(); ++axis)
    if (axis != along && !boundaries.periodic(axis))
      throw ConfigError(
          fmt::format("output.statistics.profile is {}: it averages over {}, which is not periodic",
                      output.statistics->profile, axis_names[axis]));
}

void check_fields_of_solids(const std::vector<std::string>& fields, const Problem& problem) {
  const auto found = std::ranges::find(fields, SignedDistanceOutput::row.name);
  if (found != fields.end() && problem.solids.empty())
    throw KeyError(fmt::format("output.fields[{}]", found - fields.begin()),
                   fmt::format("output.fields[{}] is signed_distance, of which there is none "
                               "without solids",
                               found - fields.begin()));
}

void check_surfaces(const Settings& settings, const Problem& problem, const Grid& grid) {
  std::vector<std::string> known;
  for (const auto [axis, side] : sides_of_box(grid.dim()))
    if (!problem.boundaries.periodic(axis)) known.push_back(side_name(axis, side));
  for (const std::string& body : solid_names(problem.solids)) {
    if (!settings.output.surfaces.empty() && std::ranges::find(known, body) != known.end())
      throw KeyError("output.surfaces",
                     fmt::format("{} is a side and a body: the body needs another "
                                 "name for output.surfaces",
                                 body));
    known.push_back(body);
  }
  const std::vector<std::string>& names = settings.output.surfaces;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (std::ranges::find(known, names[k]) == known.end())
      throw KeyError(fmt::format("output.surfaces[{}]", k),
                     fmt::format("output.surfaces[{}] is {}, expected one of {}", k,
                                 quote(names[k]), join(known)));
}

}  // namespace

void check_sharp_solids(const Settings& settings, const Problem& problem, const Grid& grid) {
  const std::vector<Solid>& solids = problem.solids;
  constexpr const char* names[] = {"staircase", "sharp"};
  for (std::size_t k = 1; k < solids.size(); ++k)
    if (solids[k].sharp != solids.front().sharp)
      throw KeyError(fmt::format("solids[{}].treatment", k),
                     fmt::format("{} is {} and {} is {}, expected one treatment of all solids",
                                 solid_names(solids)[k], names[solids[k].sharp],
                                 solid_names(solids)[0], names[solids[0].sharp]));
  if (!has_sharp_solids(solids)) return;
  const auto refuse = [](const std::string& key, const std::string& what,
                         const std::string& expected) {
    throw KeyError(key, fmt::format("{}, and the solids are sharp, expected {}", what, expected));
  };
  const std::string or_staircase = " or staircase (solids[0].treatment)";
  if (diffusion_varies(problem))
    refuse("solids[0].treatment", "a viscosity or diffusivity varies", "constants" + or_staircase);
  if (settings.convection_scheme != "central")
    refuse("convection.scheme", "convection.scheme is " + settings.convection_scheme,
           "central" + or_staircase);
  check_sharp_conductors(problem, refuse);
  check_convective_coefficients(problem, grid);
  if (problem.prescribed_velocity)
    refuse("solids[0].treatment", "the velocity is prescribed", "staircase (solids[0].treatment)");
}

void check(const Settings& settings, const Problem& problem, const Grid& grid) {
  (void)find_time_scheme(settings.time.scheme);
  (void)find_convection_scheme(settings.convection_scheme);
  (void)find_convection_scheme(settings.convection_of_scalars());
  check_solver(settings.pressure, "pressure", true);
  check_resistances(problem, grid);
  check_pressure_method(settings, problem);
  check_solver(settings.transport, "transport", false);
  check_transport_methods(settings, problem);
  check_fluid(problem);
  check_flow_force(problem, grid.dim());
  check_varying_coefficients(problem, grid.dim());
  check_solver(settings.scalars, "scalars", false);
  for (int axis = 0; axis < grid.dim(); ++axis) check_axis(problem.boundaries, grid, axis);
  check_flow_rates(problem, grid.dim());
  check_scalars(problem, grid.dim());
  check_solid_scalars(problem);
  check_reactions(settings, problem);
  check_sharp_solids(settings, problem, grid);
  check_step(settings, problem, grid);
  check_profile(settings.output, problem.boundaries, grid);
  check_surfaces(settings, problem, grid);
  check_regions(settings, grid);
  check_fields_of_solids(settings.output.fields, problem);
  check_cells(settings, grid);
  check_matrices(settings, problem, grid);
}

void check_sharing(const Settings& settings, const Problem& problem, const Grid& grid) {
  const long long rows = grid.cell_count();  // about
  const auto require = [&](const SystemSettings& solver, const char* name) {
    const std::string refusal = linalg::refusal_of_sharing(solver, rows);
    if (!refusal.empty())
      throw KeyError(fmt::format("solvers.{}", name), fmt::format("solvers.{}: {}", name, refusal));
  };
  const bool transport = find_time_scheme(settings.time.scheme).solves_transport();
  if (!problem.prescribed_velocity) require(settings.pressure, "pressure");
  if (transport && !problem.prescribed_velocity) require(settings.transport, "transport");
  if (!problem.scalars.empty() && scheme_of_scalars(settings, problem).solves_transport())
    require(settings.scalars, "scalars");
}

void check_fixed_step(const Settings& settings, const Problem& problem, const Grid& grid,
                      double cfl_rate, double max_speed, const PresentDiffusion& now) {
  if (!settings.time.step.size) return;
  const StableStep stable(settings, problem, grid);
  const double limit = stable.largest(cfl_rate, max_speed, now);
  if (*settings.time.step.size <= limit * (1 + 1e-9)) return;
  const StablePair& pair = stable.binding(cfl_rate, max_speed, now);
  const std::string forces = stable.text_of_forces(limit, now);
  throw KeyError(
      "time.step.size",
      fmt::format(
          "time.step.size is {}; with the initial velocity {} with {} convection is stable up to "
          "{:.4g}{}: take smaller steps{}",
          *settings.time.step.size, pair.time, pair.convection, limit, forces,
          forces.empty() ? " or an implicit scheme (bdf2)" : ""));
}

void check_inflow(const Problem& problem, const Grid& grid) {
  for (const auto [axis, side] : sides_of_box(grid.dim()))
    if (problem.boundaries.sides[axis][side].traits().is_inflow())
      return (void)fluid_domain(grid, problem);
}

}  // namespace hodge::sim
