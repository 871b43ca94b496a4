// Coefficients of the forces on bodies: what they are made with, told at the start of a run, and
// their means and the Strouhal number at its end, from forces.csv.
//
// The means are those over the last whole periods of the lift; where the lift has no frequency
// (base/frequency.hpp), or oscillates by less than 1e-5 of the force, there is no Strouhal number,
// the reason is told, and the values are those of the end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/frequency.hpp"
#include "sim/discrete/bodies/body_frames.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// What each number means, for people and for summary.json.
inline constexpr const char* coefficient_definition = "2 F.direction / (rho U^2 A)";
inline constexpr const char* moment_definition = "2 M.(drag x lift) / (rho U^2 A L)";
inline constexpr const char* strouhal_definition = "f L / U";

struct ForceReference {
  double speed = 0, area = 0, density = 0;
  std::optional<double> length, reynolds;  // none in 3D without forces.length; without viscosity
  std::optional<double> blockage;  // area / area of the box across the drag, where that is an axis
};
std::optional<ForceReference> force_reference(const Settings& settings, const Problem& problem,
                                              const Grid& grid);

// Definitions and reference values, then each body with the point of its moments and its box.
std::string forces_opening(const Settings& settings, const Problem& problem, const Grid& grid,
                           const std::vector<BodyFrame>& bodies);

struct BodyCoefficients {
  std::string body;
  double from = 0, to = 0;  // of the means; the same: the values are those of this time
  std::optional<double> drag, lift, moment, control_drag, control_lift;
  Frequency lift_frequency;
  std::optional<double> strouhal, strouhal_uncertainty;
};

// Of each body whose coefficients the run has written. Errors: IoError, as read_rows.
std::vector<BodyCoefficients> coefficients_of(const Settings& settings, const Grid& grid,
                                              const std::vector<BodyFrame>& bodies, double end);

// Lines; empty without coefficients.
std::string coefficients_text(const std::vector<BodyCoefficients>& all);

}  // namespace hodge::sim
