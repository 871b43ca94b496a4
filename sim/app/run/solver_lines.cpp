#include "sim/app/run/solver_lines.hpp"

#include <fmt/format.h>

#include "sim/app/config/default_solvers.hpp"
#include "sim/compare/solver_text.hpp"
#include "sim/flow/pressure_method.hpp"
#include "sim/flow/transport_method.hpp"
#include "sim/time/stability.hpp"

namespace hodge::sim {
namespace {

// A file that names the default has the default.
std::string why_of_transport(const SystemSettings& configured, const SystemSettings& chosen,
                             const TimeScheme& scheme) {
  const bool symmetric = scheme.has_symmetric_transport();
  std::string why = "configured";
  if (chain_text(configured) == chain_text(default_transport_solver(symmetric)))
    why = symmetric ? "default: symmetric, as only diffusion is implicit"
                    : "default: nonsymmetric by implicit convection";
  if (configured.preconditioner.kind != chosen.preconditioner.kind)
    why += fmt::format("; all diagonals are equal, so that {} would change nothing",
                       configured.preconditioner.kind);
  return why;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> solver_lines(const Settings& settings,
                                                              const Problem& problem) {
  std::vector<std::pair<std::string, std::string>> lines;
  const TimeScheme& scheme = find_time_scheme(settings.time.scheme);
  const Settings chosen = with_chosen_methods(settings, problem);
  const auto add = [&](SystemKind kind, const TimeScheme& of, const std::string& taken,
                       const std::string& why) {
    lines.emplace_back(name_of(kind), of.solves_transport()
                                          ? fmt::format("{} ({})", taken, why)
                                          : fmt::format("none ({} is explicit)", of.name));
  };
  if (!problem.prescribed_velocity) {
    lines.emplace_back(name_of(SystemKind::pressure), pressure_method_text(settings, problem));
    add(SystemKind::transport, scheme, chain_text(chosen.transport),
        why_of_transport(settings.transport, chosen.transport, scheme));
  }
  const TimeScheme& of_scalars = scheme_of_scalars(settings, problem);
  if (!problem.scalars.empty())
    add(SystemKind::scalars, of_scalars, chain_text(chosen.scalars),
        &of_scalars == &scheme ? why_of_transport(settings.scalars, chosen.scalars, scheme)
                               : fmt::format("{} beside sharp solids", of_scalars.name));
  if (has_reactions(problem))
    lines.emplace_back("reactions",
                       "newton with batched gauss (a small dense system in each cell)");
  return lines;
}

}  // namespace hodge::sim
