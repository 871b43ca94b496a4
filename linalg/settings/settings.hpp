// What a user chooses of a linear solve; plain data, filled by a configuration file or a command
// line.
//
// Stopping rule: ||b - A x||_2 <= max(tolerance * ||b||_2, absolute_tolerance), or max_iterations,
// or max_seconds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linalg/settings/options.hpp"

namespace hodge::linalg {

struct PreconditionerSettings {
  std::string kind = "none";  // a name of preconditioner_table()
  OptionValues options{};     // by name; what is not said has the default of the kind's table
};

struct SolverSettings {
  std::string method = "cg";  // a name of solver_table()
  OptionValues options{};     // of the method and its fallbacks, by name
  PreconditionerSettings preconditioner{};
  double tolerance = 1e-8;              // relative to ||b||_2
  double absolute_tolerance = 0.0;      // in the units of b
  int max_iterations = 1000;            // of every method in the chain
  std::vector<std::string> fallback{};  // methods tried in turn, each from the last good x
  std::optional<double> max_seconds{};  // wall clock, of a solve with all of its methods
  std::string refresh = "every";        // a name of refresh_names(): when M is made anew
};

inline constexpr Range tolerance_range{0, 1, false, true};
inline constexpr Range absolute_tolerance_range = at_least(0);
inline constexpr Range max_iterations_range = at_least(1);
inline constexpr Range max_seconds_range = above(0);

}  // namespace hodge::linalg
