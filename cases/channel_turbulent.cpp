// Turbulent flow between two resting plates, the lower and the upper y side, 2 h apart; periodic
// along x and z.
//
//   Re_tau = u_tau h / nu,   u_tau^2 = tau_w / rho
//
//   driving = 0   a constant mean pressure gradient, u_tau^2 / h: Re_tau is exact by definition.
//                 The flow rate settles within about 10 h / u_tau, d U_b / dt being the difference
//                 of the gradient and the friction.
//   driving = 1   the flow rate that belongs to Re_tau = 0.09 (2 U_b h / nu)^0.88 is held, and
//                 Re_tau is a result. The friction settles within about 3 h / u_tau.
//
// The initial state is the mean profile of Reichardt with this flow rate, and streaks and
// streamwise vortices that meander, of `disturbance` u_tau. They break down within 1 to 3 h /
// u_tau. Both have no divergence; with eta = (y - y_middle) / h
//
//   u = U(y) + 2 sum_k a_k (1 - eta^2) sin(beta_k z + phi_k + eta)
//   (v, w) = (d psi/dz, -d psi/dy),   psi = sum_k a_k / beta_k (1 - eta^2)^2 cos(beta_k z + phi_k +
//   0.8 sin(alpha x + theta_k))
//
// Sources: J. Kim, P. Moin & R. D. Moser, J. Fluid Mech. 177, 1987; R. D. Moser, J. Kim &
// N. N. Mansour, Phys. Fluids 11, 1999. Mean profile: H. Reichardt, Z. angew. Math. Mech. 31, 1951.
// Flow rate: S. B. Pope, Turbulent Flows, 2000, Sec. 7.1.5. The smallest box that keeps turbulence,
// about 400 x 100 viscous lengths along x and z: J. Jimenez & P. Moin, J. Fluid Mech. 225, 1991.
#include <algorithm>

#include "cases/registry.hpp"

namespace hodge::cases::channel_turbulent {

// U / u_tau at a distance from the wall in viscous lengths.
double reichardt(double y_plus) {
  constexpr double kappa = 0.41;
  return std::log(1 + kappa * y_plus) / kappa +
         7.8 * (1 - std::exp(-y_plus / 11) - y_plus / 11 * std::exp(-y_plus / 3));
}

// U_b / u_tau.
double bulk_velocity(double re_tau) {
  return std::pow(re_tau / 0.09, 1 / 0.88) / (2 * re_tau);
}

class Start {
 public:
  Start(const Settings& settings, double half_height, double middle)
      : h_(half_height),
        middle_(middle),
        u_tau_(settings.parameters.at("u_tau")),
        re_tau_(settings.parameters.at("re_tau")),
        amplitude_(settings.parameters.at("disturbance") * u_tau_) {
    const auto wave = [&](int d, double length) {
      const sim::AxisSettings& axis = settings.grid.axes[d];
      const double extent = axis.upper - axis.lower;
      return 2 * std::numbers::pi * std::max(1.0, std::round(extent / (length * h_))) / extent;
    };
    alpha_ = wave(0, 3);
    beta_ = wave(2, 1);
    constexpr int intervals = 2000;
    for (int i = 0; i < intervals; ++i) mean_ += reichardt((i + 0.5) / intervals * re_tau_);
    mean_ /= intervals;
  }

  Vector operator()(const Point& x) const {
    const double eta = (x[1] - middle_) / h_, open = 1 - eta * eta;
    Vector u{};
    u[0] = u_tau_ * reichardt(re_tau_ * (1 - std::abs(eta))) * bulk_velocity(re_tau_) / mean_;
    for (const Mode& mode : modes) {
      const double beta = mode.waves * beta_;
      const double meander = 0.8 * std::sin(alpha_ * x[0] + mode.along);
      const double phase = beta * x[2] + mode.across + meander;
      const double shape = open * open, slope = -4 * eta * open / h_;
      const double psi = amplitude_ * mode.share / beta;
      // Walls have different phases: odd and even parts in eta.
      u[0] += 2 * amplitude_ * mode.share * open * std::sin(beta * x[2] + mode.across + eta);
      u[1] -= psi * beta * shape * std::sin(phase);
      u[2] -= psi * slope * std::cos(phase);
    }
    return u;
  }

 private:
  struct Mode {
    double waves, share, across, along;
  };
  static constexpr Mode modes[] = {{1, 1, 0.3, 0}, {2, 0.6, 1.7, 2.1}, {3, 0.4, 4.2, 4.4}};

  double h_, middle_, u_tau_, re_tau_, amplitude_;
  double alpha_ = 0, beta_ = 0, mean_ = 0;
};

Problem make(const Settings& settings) {
  const auto& parameters = settings.parameters;
  const auto& [along, across, span] = settings.grid.axes;
  const double h = 0.5 * (across.upper - across.lower),
               middle = 0.5 * (across.lower + across.upper);
  const double u_tau = parameters.at("u_tau"), re_tau = parameters.at("re_tau");
  Problem problem;
  problem.viscosity = u_tau * h / re_tau;
  for (const int axis : {0, 2}) problem.boundaries.set(axis, SideKind::periodic);
  if (parameters.at("driving") == 0)
    problem.force[0] = u_tau * u_tau / h;
  else
    problem.flow_rate[0] = u_tau * bulk_velocity(re_tau) * 2 * h * (span.upper - span.lower);
  problem.initial_velocity = Start(settings, h, middle);
  return problem;
}

Cases describe() {
  return {{.description = "turbulent flow between two plates",
           .parameters =
               {{"re_tau", 180, 60, 1e5, "u_tau x half the distance of the plates / viscosity"},
                {"u_tau", 1, 1e-9, 1e9, "friction velocity"},
                {"driving", 0, 0, 1,
                 "0: by a pressure gradient, re_tau is exact; 1: by a flow rate, settles sooner"},
                {"disturbance", 3, 0, 10, "of the initial state, over u_tau"}},
           .dimensions = {3},
           .make = make,
           .box = {{0, -1, 0}, {4 * std::numbers::pi, 1, 4 * std::numbers::pi / 3}},
           .starter = {"grid.cells: [32, 48, 32]", "grid.upper: [3.14159265, 1, 1.04719755]",
                       "grid.stretching.y: {kind: tanh, strength: 1.9}", "time.scheme: rk3",
                       "time.end: 20", "time.step.cfl: 0.8", "time.step.max: 0.01",
                       "output.statistics: {start: 6, profile: y}", "output.frames.every: 5"}}};
}

}  // namespace hodge::cases::channel_turbulent
