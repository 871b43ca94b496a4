// The incompressible Navier-Stokes equations with transported scalars in a box: what a time step
// works on. The verbs that steps are made of are in step_verbs.hpp and projection_verbs.hpp, the
// steps in
//
//   implicit_step.hpp      bdf2, backward_euler, cn_ab2
//   runge_kutta_step.hpp   rk3, ab2
//
// and time_step.hpp takes the one that belongs to the scheme.
//
// Every step is an incremental pressure correction: with the pressure of the level before, a
// velocity u* that has a divergence; then phi with lap phi = (rho a0 / dt) div u*, and
// u = u* - dt / (rho a0) grad phi. Scalars go first, so that buoyancy is that of the new level;
// reactions are split off around the step (G. Strang, SIAM J. Numer. Anal. 5, 1968). Scalars may
// have another scheme than the velocity (scalar_step.hpp).
//
// Over 400 lines: what a flow holds, made in the order in which its parts need each other.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/discrete/assembly/limited_fluxes.hpp"
#include "sim/discrete/assembly/numbering.hpp"
#include "sim/discrete/assembly/separable_pressure.hpp"
#include "sim/discrete/bodies/sharp.hpp"
#include "sim/discrete/bodies/sharp_scalars.hpp"
#include "sim/discrete/bodies/staircase.hpp"
#include "sim/discrete/boundaries/pressure_sides.hpp"
#include "sim/discrete/boundaries/velocity_boundary.hpp"
#include "sim/discrete/grid/uniform_grid.hpp"
#include "sim/discrete/operators/formula_field.hpp"
#include "sim/discrete/processes/visit_lists.hpp"
#include "sim/discrete/reactions/reactions.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"
#include "sim/time/control_volumes.hpp"
#include "sim/time/deferred_convection.hpp"
#include "sim/time/diffusion_systems.hpp"
#include "sim/time/flow_fields.hpp"
#include "sim/time/flow_force.hpp"
#include "sim/time/flow_rate_control.hpp"
#include "sim/time/fluid_domain.hpp"
#include "sim/time/pressure_by_iterations.hpp"
#include "sim/time/pressure_by_transforms.hpp"
#include "sim/time/resistance.hpp"
#include "sim/time/rounding.hpp"
#include "sim/time/stability.hpp"
#include "sim/time/transport_by_iterations.hpp"
#include "sim/time/transport_by_transforms.hpp"
#include "sim/time/varying_coefficients.hpp"

namespace hodge::sim {

// A divergence below this fraction of |u| / h is rounding, and no solve is asked to reduce it.
inline constexpr double round_off = 1e-14;

template <int Dim, class Space>
struct NavierStokes {
  using Scalar = ScalarState<Dim, Space>;
  using ScalarLevel = Field<Dim, Space> Scalar::*;

  // Settings and problem are taken as checked (flow/checks.hpp). The fluid is at rest.
  NavierStokes(const Settings& settings, const Problem& problem, const Grid& box,
               const FluidDomain& domain)
      : NavierStokes(settings, problem, box, domain, layout_of<Dim>(box)) {}
  // The cells `part` of the box alone; those beyond its cuts are other processes'.
  NavierStokes(const Settings& settings, const Problem& problem, const Grid& box,
               const FluidDomain& domain, const Layout<Dim>& part);

  bool velocity_is_prescribed() const { return prescribed.count() > 0; }
  const ConvectionScheme& convection_at(int location) const {
    return location == at_cells ? scalar_convection : convection;
  }
  // Whether implicit steps iterate a part of convection (deferred_convection.hpp).
  bool iterates(int location) const {
    const TimeScheme& of = location == at_cells ? scalar_scheme : scheme;
    return of.has_implicit_convection() && convection_at(location).is_deferred();
  }
  // Whether scalars are solved for after the stages of the velocity.
  bool scalars_follow() const { return scheme.has_stages() && scalar_solver != nullptr; }
  // Whether what may fail follows the last projection of a step with stages, which leaves the
  // pressure alone then.
  bool ends_with_scalars() const { return reactions != nullptr || scalars_follow(); }
  const SideKinds<Dim>& sides() const { return boundary.sides(); }
  // Null where bodies are nothing to the scalar but closed.
  std::unique_ptr<OwnDomain<Dim, Space>> own_domain(const ScalarProblem& scalar,
                                                    const Problem& problem, const Grid& box,
                                                    const std::vector<std::uint8_t>& body_of_cell);

  // The equations.
  const TimeScheme &scheme, &scalar_scheme;
  const ConvectionScheme &convection, &scalar_convection;
  double density, viscosity;                                     // of one that varies its reference
  std::vector<std::unique_ptr<FormulaField<Dim, Space>>> force;  // of each component
  std::unique_ptr<FlowForce<Dim, Space>> flow_force;             // null where none depends on it
  Programs<Space> prescribed;                        // of each component; without any: none
  bool prescribed_changes = false;                   // in time
  std::unique_ptr<Reactions<Dim, Space>> reactions;  // null without any

  // The box.
  DeviceGrid<Dim, Space> grid;
  VaryingCoefficients<Dim, Space> varying;
  std::optional<UniformGrid<Dim>> uniform;      // of equal cells
  std::optional<SharpFaces<Dim, Space>> sharp;  // beside sharp bodies
  BodyPoints<Dim> body_points;                  // on the host, until the flow is made
  Bodies<Dim, Space> bodies;
  Resistance<Dim, Space> resistance;
  VelocityBoundary<Dim, Space> boundary;
  PressureSides<Dim, Space> pressure_sides;
  double fluid_volume;
  bool equal_locations;  // equal cells in a periodic box

  FlowFields<Dim, Space> fields;
  FlowRateControl<Dim, Space> flow_rates;

  // The linear systems.
  std::vector<NumberedUnknowns<Dim, Space>> faces;  // of each component
  NumberedUnknowns<Dim, Space> cells;
  PressureSystem<Dim, Space> pressure_system;
  std::unique_ptr<PressureSolve<Dim, Space>> pressure_solve;  // null where velocity is prescribed
  double divergence_tolerance;  // root mean square of dt div u that need not be reduced
  std::unique_ptr<TransportSolve<Dim, Space>> momentum_solver, scalar_solver;  // where solved for
  DeferredScratch<Dim, Space> deferred;
  std::optional<LimitScratch<Dim, Space>> limits;     // of scalars, where steps limit them
  std::optional<VelocityField<Dim, Space>> carrying;  // of a scalar beside sharp bodies
  Workspace<Space> work;
  Rounding<Dim, Space> rounding;  // of the step that is being taken
  SolveObserver<Space>* observer = nullptr;
  // Where the last correction of a step measures cells, if it can; null: nowhere.
  MeasuredCells<Space>* measured = nullptr;
  ControlVolumes<Dim, Space> control_volumes{};  // around bodies, whose forces are measured
};

template <class Space>
Programs<Space> programs_of(std::span<const Expression> formulas) {
  std::vector<std::span<const Instruction>> programs;
  for (const Expression& formula : formulas) programs.push_back(formula.instructions());
  return Programs<Space>(programs);
}

inline PressureRegions pressure_regions(const FluidDomain& domain, const Grid& box,
                                        const Problem& problem) {
  PressureRegions regions{domain.pinned, domain.has_level};
  if (problem.prescribed_velocity) return regions;
  regions.box = separable_pressure(box, problem.boundaries);
  regions.is_box = domain.bodies.empty();
  return regions;
}

template <int Dim, class Space>
std::unique_ptr<TransportSolve<Dim, Space>> transport_solve(
    const SystemSettings& settings, const DeviceGrid<Dim, Space>& grid,
    const TransportSystems<Dim, Space>& systems) {
  if (settings.method == "direct")
    return std::make_unique<TransportByTransforms<Dim, Space>>(settings, grid, systems);
  return std::make_unique<TransportByIterations<Dim, Space>>(settings, grid, systems);
}

// `sharp` is made where bodies are sharp.
template <int Dim, class Space>
BodyPoints<Dim> points_of_bodies(const Grid& box, const Problem& problem, const FluidDomain& domain,
                                 const Layout<Dim>& layout,
                                 std::optional<SharpFaces<Dim, Space>>& sharp) {
  if (!has_sharp_solids(problem.solids))
    return staircase(layout, domain.bodies, problem.boundaries);
  SharpBodies<Dim> bodies = sharp_bodies(layout, box, problem, domain.bodies);
  sharp.emplace(bodies.lists);
  return std::move(bodies.points);
}

template <int Dim, class Space>
NavierStokes<Dim, Space>::NavierStokes(const Settings& settings, const Problem& problem,
                                       const Grid& box, const FluidDomain& domain,
                                       const Layout<Dim>& part)
    : scheme(find_time_scheme(settings.time.scheme)),
      scalar_scheme(scheme_of_scalars(settings, problem)),
      convection(find_convection_scheme(settings.convection_scheme)),
      // At rest there is nothing to bound, and no correction to iterate.
      scalar_convection(find_convection_scheme(
          is_at_rest(problem) ? "central" : settings.convection_of_scalars())),
      density(problem.density),
      viscosity(viscosity_varies(problem) ? reference_of(problem.viscosity) : problem.viscosity),
      grid(box, problem.boundaries, part),
      varying(problem, box, grid.layout()),
      uniform(uniform_grid<Dim>(box, grid.layout())),
      body_points(points_of_bodies(box, problem, domain, grid.layout(), sharp)),
      bodies(grid.layout(), body_points),
      resistance(problem, box, grid.layout()),
      boundary(problem.boundaries, grid, bodies.view(), viscosity, domain.inflow,
               body_points.places),
      pressure_sides(problem.boundaries, grid),
      fluid_volume(domain.volume),
      equal_locations(grid.uniform() && !bodies.any() && !problem.resistances.any() &&
                      is_periodic(problem.boundaries, Dim)),
      fields(grid.layout(), problem, scheme,
             !problem.scalars.empty() && scalar_scheme.has_implicit_convection(),
             !problem.prescribed_velocity && settings.pressure.method != "direct"),
      flow_rates(problem, box, grid.layout(), bodies.any()),
      cells(at_cells, grid.layout(), boundary.sides(), boundary.sides_of_whole_box(),
            bodies.view()),
      pressure_system(grid, boundary.sides(), cells.view(), bodies.view(),
                      pressure_regions(domain, box, problem), resistance.mobility()),
      divergence_tolerance(settings.pressure.absolute_tolerance),
      deferred{Field<Dim, Space>(has_deferred(settings, problem) ? grid.layout() : Layout<Dim>{})},
      rounding(problem.scalars.size()) {
  if (!problem.prescribed_velocity) {
    if (settings.pressure.method == "direct")
      pressure_solve =
          std::make_unique<PressureByTransforms<Dim, Space>>(settings.pressure, pressure_system);
    else
      pressure_solve = std::make_unique<PressureByIterations<Dim, Space>>(
          settings.pressure, pressure_system, fields.phi);
  }
  for (int d = 0; d < Dim; ++d)
    force.push_back(std::make_unique<FormulaField<Dim, Space>>(d, problem.force[d], grid));
  if (has_flow_force(problem) && !problem.prescribed_velocity)
    flow_force = std::make_unique<FlowForce<Dim, Space>>(problem, grid.layout());
  if (problem.prescribed_velocity) {
    prescribed = programs_of<Space>(*problem.prescribed_velocity);
    for (const Expression& u : *problem.prescribed_velocity)
      prescribed_changes = prescribed_changes || u.depends_on_time();
  }
  for (const ScalarProblem& scalar : problem.scalars)
    fields.scalars.emplace_back(
        scalar, diffusivity_varies(problem, scalar),
        problem.turbulence ? 1.0 / problem.turbulence->prandtl : 0.0, problem.boundaries, grid,
        ScalarDomain<Dim>{cells.view(), bodies.view()},
        own_domain(scalar, problem, box, domain.bodies), scalar_scheme.has_stages());
  body_points = {};
  if (sharp && !problem.scalars.empty()) carrying.emplace(grid.layout());
  if (has_reactions(problem))
    reactions = std::make_unique<Reactions<Dim, Space>>(box, grid.layout(), reaction_rates(problem),
                                                        scalar_names(problem), bodies.view());
  using enum linalg::Symmetry;
  TransportSystems<Dim, Space> systems{
      SystemKind::transport,
      {},
      scheme.has_symmetric_transport() ? symmetric : nonsymmetric,
      cells.view(),
      nullptr,
      false,
      diffusion_systems(SystemKind::transport, scheme, problem, box)};
  int largest = cells.rows();
  for (int d = 0; d < Dim; ++d) {
    faces.emplace_back(d, grid.layout(), boundary.sides(), boundary.sides_of_whole_box(),
                       bodies.view());
    systems.rows.push_back(faces[d].view());
    largest = std::max(largest, faces[d].rows());
  }
  for (const Scalar& scalar : fields.scalars) largest = std::max(largest, scalar.domain.cells.rows);
  work.resize(largest);
  if (!fields.scalars.empty() && limits_scalars(settings, problem)) limits.emplace(grid.layout());
  const bool solves_velocity = scheme.solves_transport() && !velocity_is_prescribed();
  const bool solves_scalars = scalar_scheme.solves_transport() && !fields.scalars.empty();
  if (!solves_velocity && !solves_scalars) return;
  const bool like_cells = std::ranges::any_of(
      systems.rows, [&](const Unknowns<Dim>& rows) { return same_rows(rows, cells.view()); });
  const bool takes_pattern = solves_scalars || (like_cells && solves_velocity);
  if (takes_pattern && has_transport_matrices(settings, problem))
    systems.cell_pattern = pressure_system.pattern();
  if (solves_velocity) momentum_solver = transport_solve(settings.transport, grid, systems);
  if (!solves_scalars) return;
  systems.kind = SystemKind::scalars;
  systems.symmetry = scalar_scheme.has_symmetric_transport() ? symmetric : nonsymmetric;
  systems.separable = diffusion_systems(SystemKind::scalars, scalar_scheme, problem, box);
  systems.rows.clear();
  for (const Scalar& scalar : fields.scalars) systems.rows.push_back(scalar.domain.cells);
  systems.keeps_bounds = keeps_bounds(settings, problem);
  scalar_solver =
      transport_solve(for_bounds(settings.scalars, systems.keeps_bounds), grid, systems);
}

template <int Dim, class Space>
std::unique_ptr<OwnDomain<Dim, Space>> NavierStokes<Dim, Space>::own_domain(
    const ScalarProblem& scalar, const Problem& problem, const Grid& box,
    const std::vector<std::uint8_t>& body_of_cell) {
  const bool is_sharp = has_sharp_solids(problem.solids);
  if (!is_sharp && !meets_bodies(scalar, problem.solids)) return nullptr;
  const Layout<Dim>& layout = grid.layout();
  const ScalarMedia<Dim> media =
      is_sharp ? sharp_scalar_media(box, layout, problem, scalar, body_points)
               : scalar_media(box, layout, problem, scalar, body_of_cell,
                              staircase(layout, body_of_cell, problem.boundaries));
  auto own = std::make_unique<OwnDomain<Dim, Space>>(OwnDomain<Dim, Space>{
      ScalarBodies<Dim, Space>(grid, problem.solids, scalar.name, scalar.diffusivity, media)});
  own->largest_conductivity = scalar.diffusivity;
  for (const Solid& solid : problem.solids)
    if (const HeatInside* const heat = heat_in(solid, scalar.name)) {
      own->largest_conductivity = std::max(own->largest_conductivity, heat->conductivity);
      own->largest_capacity = std::max(own->largest_capacity, heat->capacity);
    }
  if (own->bodies.has_media())
    own->cells = std::make_unique<NumberedUnknowns<Dim, Space>>(
        at_cells, layout, boundary.sides(), boundary.sides_of_whole_box(), own->bodies.view());
  return own;
}

// Shown every system of the steps to come; null: none. It must outlive them.
template <int Dim, class Space>
void observe_solves(NavierStokes<Dim, Space>& flow, SolveObserver<Space>* observer) {
  flow.observer = observer;
  if (flow.pressure_solve) flow.pressure_solve->observe(observer);
  if (flow.momentum_solver) flow.momentum_solver->observe(observer);
  if (flow.scalar_solver) flow.scalar_solver->observe(observer);
}

// As Flow::change_formulas. Collective.
template <int Dim, class Space>
void change_formulas(NavierStokes<Dim, Space>& flow, const Problem& problem) {
  flow.boundary.change_velocities(problem.boundaries);
  for (int d = 0; d < Dim; ++d)
    flow.force[static_cast<std::size_t>(d)] =
        std::make_unique<FormulaField<Dim, Space>>(d, problem.force[d], flow.grid);
  flow.flow_force.reset();
  if (has_flow_force(problem) && !problem.prescribed_velocity)
    flow.flow_force = std::make_unique<FlowForce<Dim, Space>>(problem, flow.grid.layout());
  for (std::size_t k = 0; k < problem.scalars.size(); ++k) {
    ScalarState<Dim, Space>& scalar = flow.fields.scalars[k];
    scalar.source =
        std::make_unique<FormulaField<Dim, Space>>(at_cells, problem.scalars[k].source, flow.grid);
    scalar.boundary.change_values(
        scalar_sides(problem.scalars[k], sides_of_part(problem.boundaries, flow.grid.layout())));
  }
  Field<Dim, Space>& forcing = flow.fields.forcing;
  if (has_forcing(problem) && forcing.layout().size() != flow.grid.layout().size())
    forcing = Field<Dim, Space>(flow.grid.layout());
}

// Of a step, in the order of its solves.
template <int Dim, class Space>
std::vector<std::string> system_names(const NavierStokes<Dim, Space>& flow) {
  std::vector<std::string> names;
  if (flow.reactions) names.push_back(reactions_entry);
  const auto add_scalars = [&] {
    for (const ScalarState<Dim, Space>& scalar : flow.fields.scalars) names.push_back(scalar.name);
  };
  if (flow.scalar_solver && !flow.scalars_follow()) add_scalars();
  for (int d = 0; flow.momentum_solver && d < Dim; ++d)
    if (total_rows(flow.faces[d].view()) > 0) names.push_back(velocity_names[d]);
  if (!flow.velocity_is_prescribed()) names.push_back("pressure");
  if (flow.scalars_follow()) add_scalars();
  return names;
}

// Whether the balance of momentum over a step has the force of its middle (control_volumes.hpp).
inline bool balances_over_steps(const TimeScheme& scheme) {
  return scheme.has_stages() || !scheme.has_implicit_convection();
}

template <int Dim, class Space>
UnitFlow<Dim> unit_flow(const NavierStokes<Dim, Space>& flow) {
  return {flow.grid.view(), flow.bodies.view(), flow.sides(), {}};
}

template <int Dim, class Space>
void set_implicit_friction(NavierStokes<Dim, Space>& flow, double value) {
  flow.bodies.set_implicit_friction(value);
  flow.pressure_system.set_implicit_friction(value);
}

// The levels with their ghosts, phi as the next first guess, the closures of the sides (constant
// ones have been filled once), rates that the next step reads, the clock. Everything else is made
// anew in every step.
template <int Dim, class Space>
void visit_state(NavierStokes<Dim, Space>& flow, StateVisitor& visitor) {
  FlowFields<Dim, Space>& fields = flow.fields;
  visitor.visit("time", fields.time, {.least = 0});
  visitor.visit("step", fields.step, {0, most_counted});
  visitor.visit("last_dt", fields.last_dt, last_step_before(fields.time, fields.step));
  for (int d = 0; d < Dim; ++d) {
    const std::string name = std::string("velocity/") + velocity_names[d];
    visit_field(visitor, name + "/now", fields.velocity[d]);
    visit_field(visitor, name + "/before", fields.previous[d]);
  }
  visit_field(visitor, "pressure",
              fields.pressure_lags ? fields.published_pressure : fields.pressure);
  if (fields.pressure_lags) visit_field(visitor, "driving_pressure", fields.pressure);
  if (fields.has_phi()) {
    visit_field(visitor, "pressure_increment", fields.phi);
  } else {  // zeros, a first guess for a restart with another solver
    visit_zeros(visitor, "pressure_increment", fields.pressure.layout());
  }
  for (std::size_t d = 0; flow.scheme.keeps_rates && d < fields.rates.size(); ++d)
    visit_field(visitor, std::string("velocity/") + velocity_names[d] + "/rate", fields.rates[d]);
  if (flow.sharp) {
    double friction = flow.bodies.implicit_friction();
    visitor.visit("implicit_friction", friction, {.least = 0});
    set_implicit_friction(flow, friction);
  }
  flow.flow_rates.visit_state(visitor, unit_flow(flow), fields.next);
  if (flow.control_volumes.any() && balances_over_steps(flow.scheme))
    flow.control_volumes.visit_state(visitor, flow.scheme.keeps_rates);
  flow.boundary.visit_state(visitor);
  if (flow.pressure_solve)
    flow.pressure_solve->visit_state(visitor, "solvers/pressure");
  else if (!visitor.restores())
    visit_no_state(visitor, "solvers/pressure");
  if (flow.momentum_solver) flow.momentum_solver->visit_state(visitor, "solvers/transport");
  if (flow.scalar_solver) flow.scalar_solver->visit_state(visitor, "solvers/scalars");
  for (ScalarState<Dim, Space>& scalar : fields.scalars) {
    const std::string name = "scalars/" + scalar.name;
    visit_field(visitor, name + "/now", scalar.now);
    visit_field(visitor, name + "/before", scalar.before);
    if (flow.scalar_scheme.keeps_rates) visit_field(visitor, name + "/rate", scalar.rates);
    scalar.boundary.visit_state(visitor, name + "/sides");
  }
}

}  // namespace hodge::sim
