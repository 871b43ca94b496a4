// profiles.csv: statistics along one axis, averaged over layers of cells across it and over time,
// of the sums that a flow takes (flow/layer_sums.hpp), and what they say about a turbulent flow
// between plates.
//
// Fluctuations are those about the mean over time and layer; the budget of their kinetic energy per
// unit mass k = <u'_d u'_d> / 2,
//
//   dk/dt = 0 = production + dissipation + turbulent_transport + viscous_diffusion
//             + pressure_transport - residual
//
//   production           -<u'v'> dU/dy              turbulent_transport   -d<v' u'_d u'_d>/dy / 2
//   dissipation          -nu <grad u':grad u'>      viscous_diffusion     nu d2k/dy2
//   pressure_transport   -d<v'p'>/dy / rho          residual              the sum of these five
//
// is that of the discrete equations: each term is made of the products that central convection,
// diffusion and the pressure gradient have at the points of u, v and w, and brought from faces to
// cells by halves. So the residual is what time averages leave, the error of steps in time, and
// what other convection schemes than central dissipate. Forces that vary add to it.
//
// Errors are those of a mean over so much time: the spread of the results without each of 16 parts
// of it in turn (jackknife), which is that of the batch means where a result is a mean.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/layer_sums.hpp"

namespace hodge::sim {

struct Fluid {
  double viscosity = 0, density = 1;
};

struct ProfileColumn {
  std::string name;
  std::vector<double> values{};  // of each layer
  // In units of the wall: value / (u_tau^velocities * nu^viscosities * rho^densities).
  struct Unit {
    int velocities = 0, viscosities = 0, densities = 0;
    bool operator==(const Unit&) const = default;
  };
  std::optional<Unit> unit{};    // none: a scalar's
  std::vector<double> errors{};  // empty: too few parts of time
};

// The flow beside one or two walls across the axis.
struct WallFlow {
  double friction = 0;    // mean over the walls of abs(tau_w) / rho
  double u_tau = 0;       // (abs(tau_w) / rho)^(1/2)
  double height = 0;      // from a wall to the middle, or to the other side
  double bulk = 0;        // mean velocity along the friction, relative to the walls
  double centre = 0;      // at `height`
  double stress = 0;      // the largest abs(<u'v'>)
  double production = 0;  // the largest
  double residual = 0;    // the largest abs(residual)
  double duration = 0;    // of the averages
  bool moves = false;     // two walls with different velocities: neither bulk nor centre
};

// A mean with its error; none where there are too few parts of time.
struct WithError {
  double value = 0;
  std::optional<double> error{};
};

// All that are compared with published channels: name, as Re_tau, Ub+, Uc+, Cf.
struct WallResult {
  std::string name;
  WithError of;
};

struct Profiles {
  std::vector<double> positions{};  // of the layers
  std::vector<ProfileColumn> columns{};
  std::optional<WallFlow> wall{};  // none without walls, or where the exchange is not known
  std::vector<WallResult> results{};
  std::vector<double> wall_distances{};  // of the layers, from the nearest wall

  const ProfileColumn& operator[](const std::string& name) const;  // ConfigError: there is none
};

Profiles profiles_of(const LayerSums& sums, const Grid& grid, const Fluid& fluid);

// The text of the file: a row per layer; position, columns, their errors, and with a wall y_plus
// and the columns in its units.
std::string profiles_text(const Profiles& profiles, int axis, const Fluid& fluid);

// Lines for the end of a run: the results, and what speaks against them.
std::string wall_text(const Profiles& profiles);

struct WallSummary {
  std::vector<WallResult> results{};
  std::string text{};  // empty: no walls
};

}  // namespace hodge::sim
