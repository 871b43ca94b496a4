#include "sim/flow/missed_divergence.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hodge::sim {
namespace {

constexpr double divergence_margin = 10;
constexpr double divergence_round_off = 1e-12;

}  // namespace

std::optional<std::string> missed_divergence(const StepReport& report, const Diagnostics& now) {
  if (!report.promised_divergence) return std::nullopt;
  const double promised =
      std::max(*report.promised_divergence, divergence_round_off * now.cfl_rate);
  if (now.max_divergence == 0 || now.max_divergence < divergence_margin * promised)
    return std::nullopt;
  return fmt::format(
      "mass is not conserved: max |div u| is {:.3g} after the projection, whose tolerance promises "
      "{:.3g}",
      now.max_divergence, promised);
}

}  // namespace hodge::sim
