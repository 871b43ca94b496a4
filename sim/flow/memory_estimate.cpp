// Bytes that a simulation holds on its device:
//
//   fields       3 velocities, p, 3 a scalar; phi but for direct and a prescribed velocity;
//                without stages: a fourth velocity; with implicit convection: the forcing if there
//                is any; those of the formulas of forces and sources
//                (operators/formula_field.hpp); with stages: a rate a component, two fields more a
//                scalar; cn_ab2, rk3, ab2: the pressure of the level; a mean one a component; an
//                iterate of implicit deferred convection; a potential a flow rate that is held
//                beside solids: 8 B a padded value, rows as fields/layout.hpp aligns them; the
//                scratch of output (cell_arrays.hpp); moments, unpadded (moment_plan.hpp)
//   matrices     12 B a non-zero (column, value), 10 B a row (offset, position of the diagonal,
//                mask of its diagonals), for transport with jacobi 8 B a row (the diagonal);
//                components with the same rows have one in turn; that of the scalars, and of
//                components with its rows, shares the columns of the pressure's; rk3 and ab2
//                have the pressure's alone
//   solids       4 B a padded cell, 4 B a cell or face; for a scalar with conditions at bodies 4 B
//                a padded cell more (and what the cells along surfaces take, which are few), for
//                one that bodies conduct 4 B a cell, and dim + 2 fields
//   vectors      right side and solution of the largest system
//   solvers      linalg::solver_memory; the solutions of their guesses (starting_guess.hpp); stop:
//                divergence: 8 B a cell
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "linalg/multigrid/coarser_cells.hpp"
#include "linalg/multigrid/multigrid_settings.hpp"
#include "linalg/solve/solve.hpp"
#include "sim/discrete/bodies/scalar_media.hpp"
#include "sim/discrete/fields/layout.hpp"
#include "sim/discrete/operators/closures/closures.hpp"
#include "sim/discrete/operators/dynamic_constant.hpp"
#include "sim/discrete/operators/formula_field.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/discrete/reactions/reactions.hpp"
#include "sim/flow/cell_arrays.hpp"
#include "sim/flow/flow.hpp"
#include "sim/flow/layer_sums.hpp"
#include "sim/flow/moment_plan.hpp"
#include "sim/flow/pressure_method.hpp"
#include "sim/flow/systems.hpp"
#include "sim/flow/transport_method.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/diffusion_systems.hpp"
#include "sim/time/resisting_regions.hpp"
#include "sim/time/stability.hpp"
#include "sim/time/starting_guess.hpp"

namespace hodge::sim {
namespace {

constexpr std::size_t value = sizeof(double);
constexpr std::size_t index = sizeof(int);
constexpr std::size_t diagonal_mask = 2;  // linalg/matrices/diagonals.hpp

std::size_t mean_components(const std::vector<std::string>& fields, const Grid& grid) {
  std::size_t components = 0;
  for (const std::string& name : fields)
    if (averaged_field(name))
      components += static_cast<std::size_t>(computed_components_of(name, grid.dim()));
  return components;
}

// Beside solids a flow rate is held with a potential flow.
std::size_t flow_potentials(const Problem& problem) {
  if (problem.solids.empty()) return 0;
  return static_cast<std::size_t>(std::count_if(problem.flow_rate.begin(), problem.flow_rate.end(),
                                                [](const auto& rate) { return rate.has_value(); }));
}

// Of moments, and of fields that bodies make.
std::size_t moment_bytes(const std::vector<std::string>& fields, const Grid& grid) {
  const auto of_bodies = std::ranges::count(fields, SignedDistanceOutput::row.name) +
                         std::ranges::count(fields, OpenFractionOutput::row.name);
  return value * (moment_plan(fields).arrays(grid.dim()) + static_cast<std::size_t>(of_bodies)) *
         static_cast<std::size_t>(grid.cell_count());
}

// Of forces and sources.
std::size_t formula_fields(const Problem& problem, int dim) {
  const auto fields_of = FormulaField<2, linalg::Host>::fields_of;
  std::size_t count = 0;
  for (int d = 0; d < dim; ++d) count += fields_of(problem.force[static_cast<std::size_t>(d)]);
  if (has_flow_force(problem)) count += static_cast<std::size_t>(dim);
  for (const ScalarProblem& scalar : problem.scalars) count += fields_of(scalar.source);
  return count;
}

// Scalars for which bodies have conditions, and those that bodies conduct; beside sharp bodies all
// have cells of their own.
std::size_t scalars_at_bodies(const Problem& problem) {
  if (has_sharp_solids(problem.solids)) return problem.scalars.size();
  return static_cast<std::size_t>(std::ranges::count_if(
      problem.scalars, [&](const auto& scalar) { return meets_bodies(scalar, problem.solids); }));
}
std::size_t scalars_in_bodies(const Problem& problem) {
  if (has_sharp_solids(problem.solids)) return problem.scalars.size();
  return static_cast<std::size_t>(std::ranges::count_if(
      problem.scalars, [&](const auto& scalar) { return has_media(scalar, problem.solids); }));
}

// Of the sides: the offset, the slope and the mean of the formula of each value beyond.
std::size_t side_values(const Problem& problem, const Grid& grid) {
  const auto components = static_cast<std::size_t>(grid.dim());
  const std::size_t fields =
      (problem.prescribed_velocity ? 0 : components) + problem.scalars.size();
  std::size_t values = 0;
  for (int axis = 0; axis < grid.dim(); ++axis) {
    if (problem.boundaries.periodic(axis)) continue;
    std::size_t layer = 1;
    for (int e = 0; e < grid.dim(); ++e)
      if (e != axis) layer *= static_cast<std::size_t>(grid.axis(e).cells() + 2 * ghost_width);
    values += 2 * 3 * layer * fields;
  }
  return values;
}

// As Resistance (time/resistance.hpp) has them.
std::size_t resistance_fields(const Problem& problem, std::size_t dim) {
  const Resistances& of = problem.resistances;
  const std::size_t given = relaxes_velocity(of), porous = !of.porous.empty();
  std::size_t fields = 0;
  if (given + porous > 0) fields += dim * (2 + has_quadratic(of) + given + porous);
  for (const ScalarProblem& scalar : problem.scalars) fields += relaxes(of, scalar.name) ? 3 : 0;
  return fields;
}

// As VaryingCoefficients and the scalars (time/varying_coefficients.hpp) have them.
std::size_t varying_fields(const Problem& problem, std::size_t dim) {
  if (!diffusion_varies(problem)) return 0;
  const bool viscosity = !problem.prescribed_velocity && viscosity_varies(problem);
  const auto scalars = static_cast<std::size_t>(std::ranges::count_if(
      problem.scalars,
      [&](const ScalarProblem& scalar) { return diffusivity_varies(problem, scalar); }));
  const std::size_t edges = dim == 2 ? 1 : 3;
  const bool filters = problem.turbulence && is_dynamic(problem.turbulence->model);
  return 1 + (problem.turbulence ? 1 : 0) + (filters ? filtered_count + 2 : 0) +
         (viscosity ? edges + (scalars > 0 ? 1 : 0) : 0) + dim * scalars;
}

// `others`: means, an iterate, potentials.
std::size_t field_bytes(const Settings& settings, const Problem& problem, const Grid& grid,
                        std::size_t others) {
  const TimeScheme& scheme = find_time_scheme(settings.time.scheme);
  const std::size_t phi =
      problem.prescribed_velocity || settings.pressure.method == "direct" ? 0 : 1;
  const std::size_t padded = padded_values(settings, grid);
  const auto dim = static_cast<std::size_t>(grid.dim()), scalars = problem.scalars.size();
  const bool drives = has_forcing(problem) || problem.resistances.any();
  const TimeScheme& of_scalars = scheme_of_scalars(settings, problem);
  const bool solves_scalars = scalars > 0 && of_scalars.has_implicit_convection();
  const std::size_t forcing =
      drives && (scheme.has_implicit_convection() || solves_scalars) ? 1 : 0;
  // With stages rates and no fourth velocity, but for scalars that are solved for.
  const std::size_t velocities = scheme.has_stages() && solves_scalars ? 5 : 4;
  const std::size_t pressures = scheme.pressure_lags() && !problem.prescribed_velocity ? 2 : 1;
  const std::size_t fields = velocities * dim + pressures + phi + forcing +
                             (of_scalars.has_stages() ? 5 : 3) * scalars +
                             formula_fields(problem, grid.dim()) + resistance_fields(problem, dim) +
                             varying_fields(problem, dim) + others;
  const auto cells = static_cast<std::size_t>(grid.cell_count());
  const std::size_t solids = problem.solids.empty() ? 0 : index * (padded + (dim + 1) * cells);
  const std::size_t own =
      index * (scalars_at_bodies(problem) * padded + scalars_in_bodies(problem) * cells);
  const bool cuts = has_sharp_solids(problem.solids) && scalars > 0;
  // What sharp bodies conduct: an owner and a share of each cell; r of sides.
  const std::size_t conducted =
      cuts ? static_cast<std::size_t>(std::ranges::count_if(
                 problem.scalars,
                 [&](const auto& scalar) { return has_media(scalar, problem.solids); }))
           : 0;
  const std::size_t media = (dim + 2) * scalars_in_bodies(problem) +
                            (cuts ? dim + 3 * scalars : 0) + (dim + 2) * conducted;
  return value * ((fields + media) * padded + side_values(problem, grid) + scratch_values(grid)) +
         solids + own;
}

std::size_t matrix_bytes(const FlowSystem& system, bool shares_pattern) {
  const auto nonzeros = static_cast<std::size_t>(system.nonzeros);
  const auto rows = static_cast<std::size_t>(system.rows);
  const std::size_t pattern = nonzeros * index + rows * (2 * index + diagonal_mask);
  return nonzeros * value + (shares_pattern ? 0 : pattern);
}

// A matrix of transport keeps its diagonal apart for jacobi.
std::size_t matrix_bytes(const FlowSystem& system, bool shares_pattern,
                         const SystemSettings& solver) {
  const bool keeps = linalg::find_preconditioner(solver.preconditioner.kind).by_elements;
  return matrix_bytes(system, shares_pattern) +
         (keeps ? value * static_cast<std::size_t>(system.rows) : 0);
}

linalg::SystemSize for_solver(const FlowSystem& system, const Grid& grid, bool symmetric) {
  return {.rows = static_cast<std::size_t>(system.rows),
          .nonzeros = static_cast<std::size_t>(system.nonzeros),
          .symmetric = symmetric,
          .dim = grid.dim(),
          .on_grid = true,
          .few_diagonals = true};
}

std::size_t guess_bytes(const SystemSettings& solver, Projection projection, std::size_t rows) {
  return guess_memory({{guess_kind(solver.guess)}, projection, solver.guess_vectors}, rows);
}

// Of a transport solver with `count` sequences of this size.
std::size_t transport_bytes(const SystemSettings& solver, const linalg::SystemSize& size,
                            std::size_t count, linalg::Choices choices) {
  return linalg::solver_memory(solver, size, static_cast<int>(count), choices) +
         count * guess_bytes(solver, Projection::residual, size.rows);
}

// Of the pressure's system on a grid that may be stretched. `transforms`: bytes of the direct
// solver of the box.
linalg::SystemSize for_pressure(const FlowSystem& cells, const Grid& grid, const Problem& problem,
                                const SystemSettings& solver, std::size_t transforms) {
  const Boundaries& boundaries = problem.boundaries;
  linalg::GridShape shape;
  shape.dim = grid.dim();
  std::array<std::vector<double>, 3> widths;
  for (int d = 0; d < grid.dim(); ++d) {
    shape.extent[d] = grid.cells(d);
    shape.periodic[d] = boundaries.periodic(d);
    widths[d] = grid.axis(d).widths;
  }
  linalg::SystemSize size = for_solver(cells, grid, true);
  size.box = problem.solids.empty() ? linalg::BoxForm::all_cells : linalg::BoxForm::some_cells;
  if (solver.preconditioner.kind == "multigrid")
    size.coarser_cells = linalg::coarser_cells(
        shape, widths,
        linalg::settings_from<linalg::MultigridSettings>(solver.preconditioner.options)
            .coarsest_cells);
  size.box_points = size.rows;
  size.transforms = transforms;
  return size;
}

std::size_t pressure_bytes(const SystemSettings& solver, const linalg::SystemSize& size) {
  return linalg::solver_memory(solver, size) + guess_bytes(solver, Projection::energy, size.rows) +
         (solver.stops_by_divergence() ? value * size.rows : 0);
}

const FlowSystem& largest_of_faces(const std::vector<FlowSystem>& systems) {
  return *std::max_element(
      systems.begin(), systems.end() - 1,
      [](const FlowSystem& a, const FlowSystem& b) { return a.rows < b.rows; });
}

std::string solver_name(const char* system, const SystemSettings& solver) {
  if (!linalg::uses_preconditioner(solver))
    return fmt::format("the {} solver ({})", system, solver.method);
  return fmt::format("the {} solver ({}, {})", system, solver.method, solver.preconditioner.kind);
}

// The systems of the velocity components and the scalars.
void add_transport(const Settings& settings, const Problem& problem, const Grid& grid,
                   const std::vector<FlowSystem>& systems, std::vector<MemoryPart>& parts) {
  const FlowSystem& cells = systems.back();
  const TimeScheme& scheme = find_time_scheme(settings.time.scheme);
  const TimeScheme& of_scalars = scheme_of_scalars(settings, problem);
  if (scheme.solves_transport() && !problem.prescribed_velocity) {
    const bool direct = settings.transport.method == "direct";
    // Components with the same rows have one matrix in turn, of the pressure's pattern where those
    // are its rows too. Solids keep them apart.
    std::size_t matrices = 0;
    const bool apart = !problem.solids.empty();
    const bool shares = has_transport_matrices(settings, problem);
    for (std::size_t d = 0; d + 1 < systems.size(); ++d)
      if ((apart || systems[d].like == d) && (!direct || settings.compare))
        matrices +=
            matrix_bytes(systems[d], shares && !apart && cells.like == d, settings.transport);
    const FlowSystem& faces = largest_of_faces(systems);
    if (matrices > 0) parts.push_back({"the velocity matrices", matrices});
    if (direct)
      parts.push_back({"the transport solver (direct)",
                       direct_transport_bytes(SystemKind::transport, settings, problem)});
    else
      parts.push_back({solver_name("transport", settings.transport),
                       transport_bytes(settings.transport,
                                       for_solver(faces, grid, scheme.has_symmetric_transport()),
                                       systems.size() - 1, velocity_choices(problem, grid))});
  }
  if (problem.scalars.empty() || !of_scalars.solves_transport()) return;
  const bool direct = settings.scalars.method == "direct";
  const std::size_t own = scalars_in_bodies(problem);  // with matrices of their own rows
  if (!direct || settings.compare)
    parts.push_back(
        {own > 0 ? "the scalar matrices" : "the scalar matrix",
         (own < problem.scalars.size() ? matrix_bytes(cells, true, settings.scalars) : 0) +
             own * matrix_bytes(cells, false, settings.scalars)});
  if (direct)
    parts.push_back({"the scalars solver (direct)",
                     direct_transport_bytes(SystemKind::scalars, settings, problem)});
  else
    parts.push_back({solver_name("scalars", settings.scalars),
                     transport_bytes(settings.scalars,
                                     for_solver(cells, grid, of_scalars.has_symmetric_transport()),
                                     problem.scalars.size(), linalg::Choices::kept)});
}

// A matrix is built where something reads it; transport may take its pattern.
void add_pressure(const Settings& settings, const Problem& problem, const Grid& grid,
                  const std::vector<FlowSystem>& systems, std::vector<MemoryPart>& parts) {
  const FlowSystem& cells = systems.back();
  const SystemSettings& solver = settings.pressure;
  const std::size_t values = value * static_cast<std::size_t>(cells.nonzeros);
  const bool lends_pattern = has_transport_matrices(settings, problem) &&
                             (!problem.scalars.empty() ||
                              (!problem.prescribed_velocity && cells.like + 1 < systems.size()));
  const std::size_t cells_of_rows =
      problem.solids.empty() ? 0 : index * static_cast<std::size_t>(cells.rows);
  if (builds_pressure_matrix(settings, problem))
    parts.push_back({"the pressure matrix", matrix_bytes(cells, false) + cells_of_rows});
  else if (lends_pattern)
    parts.push_back({"the pattern of the pressure matrix", matrix_bytes(cells, false) - values});
  if (problem.prescribed_velocity) return;
  if (solver.method != "direct") {
    parts.push_back(
        {solver_name("pressure", solver),
         pressure_bytes(solver, for_pressure(cells, grid, problem, solver,
                                             direct_pressure_bytes(settings, problem)))});
    return;
  }
  const std::size_t weights =
      solver.stops_by_divergence() ? value * static_cast<std::size_t>(cells.rows) : 0;
  parts.push_back(
      {"the pressure solver (direct)", direct_pressure_bytes(settings, problem) + weights});
}

std::vector<MemoryPart> memory_parts_of_chosen(const Settings& settings, const Problem& problem) {
  const Grid grid(settings.grid);
  const std::vector<FlowSystem> systems = system_sizes(problem.boundaries, grid);
  const auto longest =
      static_cast<std::size_t>(std::max(systems.back().rows, largest_of_faces(systems).rows));
  const bool iterates = has_deferred(settings, problem);
  const bool limits = !problem.scalars.empty() && limits_scalars(settings, problem);
  const std::size_t others = mean_components(settings.output.fields, grid) + (iterates ? 1 : 0) +
                             (limits ? static_cast<std::size_t>(grid.dim()) + 3 : 0) +
                             flow_potentials(problem);
  std::vector<MemoryPart> parts{{"the fields", field_bytes(settings, problem, grid, others) +
                                                   2 * value * longest +
                                                   moment_bytes(settings.output.fields, grid)}};
  if (const auto layers = layer_plan(settings, problem, grid))
    parts.push_back({"the profiles", value * layer_values(*layers, grid)});
  add_pressure(settings, problem, grid, systems, parts);
  if (has_reactions(problem))
    parts.push_back({"the reactions", reaction_memory(grid, reaction_rates(problem),
                                                      padded_values(settings, grid))});
  add_transport(settings, problem, grid, systems, parts);
  return parts;
}

}  // namespace

std::vector<MemoryPart> memory_parts(const Settings& settings, const Problem& problem) {
  return memory_parts_of_chosen(with_chosen_methods(settings, problem), problem);
}

std::size_t memory_estimate(const Settings& settings, const Problem& problem) {
  std::size_t bytes = 0;
  for (const MemoryPart& part : memory_parts(settings, problem)) bytes += part.bytes;
  return bytes;
}

double memory_of_part(const Settings& settings, const Problem& problem,
                      const Decomposition& slabs) {
  return slabs.largest_share() * static_cast<double>(memory_estimate(settings, problem));
}

}  // namespace hodge::sim
