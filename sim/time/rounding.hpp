// What rounding of the present fields leaves in the right sides of the systems of a step. A
// residual below that cannot be told from 0, so it ends iterations, whatever the units of the
// problem. With eps = 2^-52, norms over all control volumes V, s = sum_e 4 / h_e^2, and the longest
// axis L:
//
//   component d   eps |V (sum_e |u_e| (m a0 / dt + nu s) + 2 |P'| / (rho L))|
//   scalar c      eps |V |c| (a0 / dt + D s)|,   without D s where it has to keep its bounds
//   pressure      eps |m sum_d A_d (|u_d-| + |u_d+|) + V |P'| dt / (rho a0 L^2)|, over rho a0 / dt
//
// P' is P less its mean over the fluid: a level that all pressures share drives nothing. Rounding
// of P is a noise from cell to cell, of P / h in a gradient and P / h^2 in a divergence, but a
// right side of that norm may be smooth, and then drives a flow that is not noise. So L stands
// where h would: what is left moves the pressure by no more than its own rounding. Where a flow is
// steady at 1 bar, iterations therefore work on this noise.
//
// m = 1024: a projection may leave 2e-13 of the outflows, a fifth of what the test of the balance
// of mass allows (missed_divergence), and so moves a steady velocity by as much in every step. What
// one leaves the next ones take out, so nothing adds up.
//
// These are the ||A|| ||x|| of a normwise backward error (J. L. Rigal & J. Gaches, J. ACM 14, 1967;
// N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, Sec. 7.1), where x is not the
// increment that is solved for but the field that it is added to. All components count in each: the
// projection spreads the rounding of one over the others.
//
// Cost: one pass over velocity, two over the pressure and one over each scalar per step, where a
// system is solved by iterations. The host does not wait for them before the first of these solves.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "linalg/space/marks.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/grid/metrics.hpp"

namespace hodge::sim {

inline constexpr double roundings_of_velocity = 1024;  // m

// Of a step: what values are multiplied with in its equations.
struct StepRates {
  double a0_per_dt;        // 1/T
  double diffusivity;      // nu or D, L^2/T
  double inverse_density;  // 0: the pressure has no part in the equations
};

// sum_e 4 / h_e^2: the largest eigenvalue of the discrete Laplacian on equal cells.
template <int Dim>
HODGE_HD double stiffness(const GridView<Dim>& grid, const Index<Dim>& c) {
  double sum = 0.0;
  for (int d = 0; d < Dim; ++d) {
    const double inverse = grid.inverse_width(d, c[d]);
    sum += 4.0 * inverse * inverse;
  }
  return sum;
}

// p less its mean, 0 in solids.
template <int Dim>
struct MeasuredPressure {
  ConstFieldView<Dim> p;
  BodyView<Dim> bodies;
  const double* integral;  // of p over the fluid, and the volume of that; where kernels read

  HODGE_HD double beside_mean(const Index<Dim>& c) const {
    return bodies.excludes(at_cells, c) ? 0.0 : std::fabs(p(c) - integral[0] / integral[1]);
  }
};

template <int Dim, class Space>
void integrate_pressure(const GridView<Dim>& grid, const MeasuredPressure<Dim>& pressure,
                        double* integral) {
  linalg::reduce<Space>(
      Box<Dim>{Index<Dim>::filled(0), grid.cells}, linalg::Sums<2>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[2]) {
        value[1] = pressure.bodies.fluid(c) * grid.cell_volume(c);
        value[0] = value[1] * pressure.p(c);
      },
      integral);
}

// squares[d]: of component d; squares[Dim]: of the pressure. Of the faces the lower one of each
// cell is taken, with the cell's volume.
template <int Dim, class Space>
void measure_velocity_rounding(const GridView<Dim>& grid, double length,
                               const ConstVelocityView<Dim>& u,
                               const MeasuredPressure<Dim>& pressure, const StepRates& rates,
                               double* squares) {
  constexpr int count = Dim + 1;
  const double per_length = 1.0 / length;
  linalg::reduce<Space>(
      Box<Dim>{Index<Dim>::filled(0), grid.cells}, linalg::Sums<count>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[count]) {
        const double volume = grid.cell_volume(c), s = stiffness(grid, c);
        const double here = pressure.beside_mean(c) * rates.inverse_density;
        double speed = 0.0, outflow = 0.0;
        for (int d = 0; d < Dim; ++d) {
          const double lower = std::fabs(u[d](c)), upper = std::fabs(u[d](c.shifted(d, 1)));
          speed += lower;
          outflow += (lower + upper) * grid.inverse_width(d, c[d]);
        }
        const double term =
            volume * (speed * (roundings_of_velocity * rates.a0_per_dt + rates.diffusivity * s) +
                      2.0 * here * per_length);
        for (int d = 0; d < Dim; ++d) value[d] = term * term;
        const double sum = volume * (roundings_of_velocity * outflow +
                                     here * per_length * per_length / rates.a0_per_dt);
        value[Dim] = sum * sum;
      },
      squares);
}

template <int Dim, class Space>
void measure_scalar_rounding(const GridView<Dim>& grid, const ConstFieldView<Dim>& q,
                             const StepRates& rates, double* square) {
  linalg::reduce<Space>(
      Box<Dim>{Index<Dim>::filled(0), grid.cells}, linalg::Sums<1>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        const double term = grid.cell_volume(c) * std::fabs(q(c)) *
                            (rates.a0_per_dt + rates.diffusivity * stiffness(grid, c));
        value[0] = term * term;
      },
      square);
}

// The norms of a step. Those that have not been measured are 0.
template <int Dim, class Space>
class Rounding {
 public:
  explicit Rounding(std::size_t scalars)
      : squares_(Dim + 1 + scalars + 2), integral_(squares_.data() + Dim + 1 + scalars) {
    for (std::size_t k = 0; k < Dim + 1 + scalars; ++k) {
      on_host_.push_back(std::make_unique<linalg::Shared<double, Space>>());
      *on_host_.back()->get() = 0.0;
    }
  }

  void measure_velocity(const DeviceGrid<Dim, Space>& grid, const BodyView<Dim>& bodies,
                        const ConstVelocityView<Dim>& u, const ConstFieldView<Dim>& p,
                        const StepRates& rates) {
    double length = 0.0;
    for (int d = 0; d < Dim; ++d) length = std::max(length, grid.length(d));
    const MeasuredPressure<Dim> pressure{p, bodies, integral_};
    integrate_pressure<Dim, Space>(grid.view(), pressure, integral_);
    measure_velocity_rounding<Dim, Space>(grid.view(), length, u, pressure, rates, squares_.data());
    bring(0, Dim + 1);
  }
  void measure_scalar(std::size_t scalar, const GridView<Dim>& grid, const ConstFieldView<Dim>& q,
                      const StepRates& rates) {
    measure_scalar_rounding<Dim, Space>(grid, q, rates, squares_.data() + Dim + 1 + scalar);
    bring(Dim + 1 + scalar, 1);
  }

  // Norms of right sides; that of the pressure over rho a0 / dt.
  double of_component(int d) { return norm(static_cast<std::size_t>(d)); }
  double of_pressure() { return norm(Dim); }
  double of_scalar(std::size_t scalar) { return norm(Dim + 1 + scalar); }

 private:
  void bring(std::size_t first, std::size_t count) {
    for (std::size_t k = first; k < first + count; ++k)
      linalg::Marks<Space>::bring(squares_.data() + k, on_host_[k]->get());
    mark_ = linalg::Marks<Space>::set();
  }
  double norm(std::size_t number) {
    if (mark_ >= 0) linalg::Marks<Space>::wait(mark_);
    mark_ = -1;
    const double squares = *on_host_[number]->get();
    return std::isfinite(squares) ? std::numeric_limits<double>::epsilon() * std::sqrt(squares)
                                  : 0.0;
  }

  linalg::Buffer<double, Space> squares_;  // behind them what MeasuredPressure reads
  double* integral_;
  std::vector<std::unique_ptr<linalg::Shared<double, Space>>> on_host_;
  int mark_ = -1;  // behind which they are on the host; -1: they are
};

}  // namespace hodge::sim
