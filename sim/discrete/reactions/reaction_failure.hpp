// What a report says of reactions that could not be integrated.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/point.hpp"
#include "sim/discrete/reactions/formulas.hpp"
#include "sim/model/reaction_settings.hpp"

namespace hodge::sim {

// The cell in which it failed, at the start of the substep.
struct FailedCell {
  Point centre{};
  std::vector<double> values{};  // of all scalars
  double t = 0;
  double substep = 0;  // that was tried
  double error = 0;  // its error in units of the tolerance, `reaction_failed` where there was none;
                     // 0 where there were too many substeps
};

struct ReactionFailure {
  std::string text;
  std::string bad_key{};  // of the rate that is not finite
};

ReactionFailure reaction_failure(const FailedCell& cell, int dim, const ReactionFormulas& formulas,
                                 std::span<const std::string> names,
                                 const ReactionSettings& settings);

// Errors: ConfigError for settings out of range.
void check_reaction_settings(const ReactionSettings& settings);

}  // namespace hodge::sim
