// The section `compare` of a configuration: at which steps which solvers are tried on the systems
// that the run solves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/system_settings.hpp"

namespace hodge::sim {

struct Settings;

inline constexpr double default_give_up = 3;

struct CompareSettings {
  std::vector<int> steps;           // these; where empty every `every` steps from `from` to `to`
  std::optional<long> every, from;  // 10 and 1 where absent
  std::optional<long> to;           // absent: to the end of the run
  // What is tried beside the configured solver. Stopping rules are those of the configured one.
  std::vector<SystemSettings> pressure, transport, scalars;
  bool by_default = false;            // those lists are the default ones: who can serve is tried
  std::optional<double> max_seconds;  // of one solve
  // A solver is given up that takes so many times as long as the fastest; absent: none is.
  std::optional<double> give_up = default_give_up;
  bool histories = false;  // compare_history.csv
  bool guesses = false;    // starting guesses and kept preconditioners, too

  bool at_step(long step) const;
};

// What an entry does not say: the configured limits, the method's own form. The preconditioner is
// made for each solve, whatever a sequence of solves keeps.
SystemSettings compared_entry(const SystemSettings& configured);

// Entries that a file without lists gets for a system of about so many unknowns, those that are
// likely to be fast first: direct, capacitance and cg for symmetric ones; bicgstab, bicg and gmres
// with several restarts for all; gauss for few unknowns. The iterative ones without a
// preconditioner, with the diagonal, with ssor_sai of both orders, and with neumann; cg with
// several relaxation factors, with both forms of ssor_sai, with multigrid, and with direct.
std::vector<SystemSettings> default_candidates(const SystemSettings& configured, bool symmetric,
                                               long unknowns);

// Those of all kinds of systems.
void add_default_candidates(const Settings& settings, bool symmetric_transport,
                            CompareSettings& compare);

// `entry` with the stopping rule of `configured`.
SystemSettings with_stopping_rule_of(const SystemSettings& configured, SystemSettings entry);

}  // namespace hodge::sim
