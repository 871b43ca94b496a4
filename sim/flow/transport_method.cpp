#include "sim/flow/transport_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "linalg/direct/direct_solver.hpp"
#include "linalg/solve/registry.hpp"
#include "sim/base/key_error.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/discrete/operators/side_values.hpp"
#include "sim/flow/pressure_method.hpp"
#include "sim/time/diffusion_systems.hpp"
#include "sim/time/stability.hpp"

namespace hodge::sim {
namespace {

const TimeScheme& scheme_of(SystemKind kind, const Settings& settings, const Problem& problem) {
  return kind == SystemKind::scalars ? scheme_of_scalars(settings, problem)
                                     : find_time_scheme(settings.time.scheme);
}

// Where scalars have another scheme than the velocity, which has a file choose, or leaves it, a
// method for symmetric matrices.
void replace_symmetric_methods(SystemSettings& solver) {
  const auto needs_symmetric = [](const std::string& method) {
    return linalg::find_solver(method).needs_symmetric;
  };
  std::erase_if(solver.fallback, needs_symmetric);
  if (!needs_symmetric(solver.method)) return;
  solver.method = "bicgstab";
  if (solver.fallback.empty()) solver.fallback = {"gmres"};
}

void check_method(SystemKind kind, const SystemSettings& solver, const Settings& settings,
                  const Problem& problem) {
  const TimeScheme& scheme = scheme_of(kind, settings, problem);
  const bool named = solver.method == "direct";
  const bool falls_back =
      std::find(solver.fallback.begin(), solver.fallback.end(), "direct") != solver.fallback.end();
  if (!(named || falls_back) || !solves_systems_of(kind, scheme, problem)) return;
  const std::string why = against_separable_diffusion(kind, scheme, problem, settings.grid.dim);
  if (why.empty()) return;
  const std::string key =
      fmt::format("solvers.{}.{}", name_of(kind), named ? "method" : "fallback");
  throw KeyError(key, fmt::format("{} is direct, which needs a separable system, and {}, expected "
                                  "{} with the preconditioner jacobi",
                                  key, why, scheme.has_symmetric_transport() ? "cg" : "bicgstab"));
}

}  // namespace

void check_transport_methods(const Settings& settings, const Problem& problem) {
  check_method(SystemKind::transport, settings.transport, settings, problem);
  check_method(SystemKind::scalars, settings.scalars, settings, problem);
}

bool has_constant_diagonals(SystemKind kind, const Settings& settings, const Problem& problem) {
  bool periodic = true;
  for (int d = 0; d < settings.grid.dim; ++d) periodic = periodic && problem.boundaries.periodic(d);
  if (!periodic || !problem.solids.empty() || problem.resistances.any() ||
      diffusion_varies(problem) || !Grid(settings.grid).uniform())
    return false;
  if (!scheme_of(kind, settings, problem).has_implicit_convection()) return true;
  const std::string& convection =
      kind == SystemKind::scalars ? settings.convection_of_scalars() : settings.convection_scheme;
  return !problem.prescribed_velocity &&
         find_convection_scheme(convection).upwind_fraction() == 0.0;
}

Settings with_chosen_methods(const Settings& settings, const Problem& problem) {
  Settings chosen = with_pressure_method(settings, problem);
  const auto leave_out = [&](SystemKind kind, SystemSettings& solver) {
    if (solver.preconditioner.kind == "jacobi" && has_constant_diagonals(kind, settings, problem))
      solver.preconditioner = {"none"};
  };
  leave_out(SystemKind::transport, chosen.transport);
  leave_out(SystemKind::scalars, chosen.scalars);
  if (!scheme_of_scalars(settings, problem).has_symmetric_transport() &&
      find_time_scheme(settings.time.scheme).has_symmetric_transport())
    replace_symmetric_methods(chosen.scalars);
  return chosen;
}

std::size_t direct_transport_bytes(SystemKind kind, const Settings& settings,
                                   const Problem& problem) {
  const auto systems =
      diffusion_systems(kind, scheme_of(kind, settings, problem), problem, Grid(settings.grid));
  std::size_t bytes = 0;
  for (auto system = systems.begin(); system != systems.end(); ++system) {
    const auto alike = [&](const auto& other) { return other.axes == system->axes; };
    if (!system->axes.empty() && std::find_if(systems.begin(), system, alike) == system)
      bytes += memory_of_direct(*system, settings.device);
  }
  return bytes;
}

}  // namespace hodge::sim
