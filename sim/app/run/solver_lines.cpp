#include "sim/app/run/solver_lines.hpp"

#include <fmt/format.h>

#include "sim/app/config/default_solvers.hpp"
#include "sim/compare/solver_text.hpp"
#include "sim/flow/pressure_method.hpp"
#include "sim/flow/transport_method.hpp"
#include "sim/model/schemes.hpp"

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
  const auto add = [&](SystemKind kind, const SystemSettings& configured,
                       const SystemSettings& taken) {
    lines.emplace_back(name_of(kind), scheme.solves_transport()
                                          ? fmt::format("{} ({})", chain_text(taken),
                                                        why_of_transport(configured, taken, scheme))
                                          : fmt::format("none ({} is explicit)", scheme.name));
  };
  if (!problem.prescribed_velocity) {
    lines.emplace_back(name_of(SystemKind::pressure), pressure_method_text(settings, problem));
    add(SystemKind::transport, settings.transport, chosen.transport);
  }
  if (!problem.scalars.empty()) add(SystemKind::scalars, settings.scalars, chosen.scalars);
  if (has_reactions(problem))
    lines.emplace_back("reactions",
                       "newton with batched gauss (a small dense system in each cell)");
  return lines;
}

}  // namespace hodge::sim
