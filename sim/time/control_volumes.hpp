// The force of the fluid on each body by the balance of momentum in a box of cells around it, from
// the discrete equations themselves. Over the control volumes of component d in the box, with all
// weights of the time scheme,
//
//   F_d = sum over the faces of the box (p A - rho (convection - diffusion))
//         + rho sum (V f_d) - rho d/dt sum (V u_d)                                  M L / T^2
//
//      +---+---+---+---+---+     Within the box what leaves a control volume enters its neighbour,
//      |   |...|...|...|   |     or acts on the body. So the result does not depend on the box: two
//      |   |...|###|...|   |     boxes differ by rounding, and by what iterative solves of the
//      |   |...|...|...|   |     transport have left in between (rk3 and ab2 have none).
//      +---+---+---+---+---+     Along d the control volumes reach from the middle of the first
//                                cell to that of the last one.
//
// Every projection adds its part: measure() is called between the solve for phi and the correction,
// when all that the equations are made of is known. A step with stages, and cn_ab2, balance over
// the step, whose force is that of its middle; the force at the end of the step is on the line
// through the last two:
//
//   F^{n+1} = F + w (F - F_old),   w = dt / (dt + dt_old)
//
// Half a cell of fluid beside a blocked face carries its part of f, too, as in flow/forces.hpp.
// Nothing waits for the host. Cost: a pass over the box for each projection.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "linalg/vectors/parallel.hpp"
#include "sim/base/state_visitor.hpp"
#include "sim/discrete/bodies/body_frames.hpp"
#include "sim/discrete/operators/forcing.hpp"
#include "sim/discrete/operators/gradient.hpp"
#include "sim/discrete/operators/side_friction.hpp"
#include "sim/discrete/operators/transport.hpp"

namespace hodge::sim {

// A box of cells, of which this process has those of its part of the whole box.
template <int Dim>
struct ControlBox {
  Index<Dim> lower, extent;      // in cells of the whole box
  Index<Dim> before, cells;      // of this part; of the whole box
  bool periodic[Dim], all[Dim];  // all: of a periodic axis, so that it has no faces there

  // Of a cell, from the lower face of the box on; on a periodic axis 0 .. n - 1.
  HODGE_HD Index<Dim> position(const Index<Dim>& c) const {
    Index<Dim> at = c;
    for (int e = 0; e < Dim; ++e) {
      at[e] = c[e] + before[e] - lower[e];
      if (periodic[e] && (at[e] < 0 || at[e] >= cells[e]))
        at[e] += at[e] < 0 ? cells[e] : -cells[e];
    }
    return at;
  }
  HODGE_HD int first(int d, int e) const { return e == d && !all[e] ? 1 : 0; }
  HODGE_HD bool is_first(int d, int e, const Index<Dim>& at) const {
    return !all[e] && at[e] == first(d, e);
  }
  HODGE_HD bool is_last(int e, const Index<Dim>& at) const {
    return !all[e] && at[e] == extent[e] - 1;
  }
  // Whether the control volume of component d at the lower face of the cell there is within.
  HODGE_HD bool has(int d, const Index<Dim>& at) const {
    bool inside = true;
    for (int e = 0; e < Dim; ++e) inside = inside && at[e] >= first(d, e) && at[e] < extent[e];
    return inside;
  }
  // Whether a side of it lies on a face of the box.
  HODGE_HD bool is_outermost(int d, const Index<Dim>& at) const {
    bool outermost = false;
    for (int e = 0; e < Dim; ++e) outermost = outermost || is_first(d, e, at) || is_last(e, at);
    return outermost;
  }
};

// A velocity that is carried, with what carries it, and its weights.
template <int Dim>
struct CarriedLevel {
  ConstVelocityView<Dim> velocity, carried;
  double convection = 0, diffusion = 0, transposed = 0;
};

// What a projection belongs to. Weights of levels, in 1/T: of the rate of change.
template <int Dim>
struct MomentumBalance {
  TransportOperator<Dim> transport;  // its location is that of no component in particular
  CarriedLevel<Dim> level[3];
  Forcing<Dim> forcing[Dim];
  ConstVelocityView<Dim> uncorrected, old[2];  // u*, and the levels before
  double rate[3];                              // of the new level and these two
  ConstFieldView<Dim> pressure, phi;
  double inverse_factor = 1;          // u = u* - inverse_factor m grad phi
  ConstVelocityView<Dim> mobility{};  // m in porous bodies; null: 1
  double pressure_weight = 1;         // of its gradient
  double density = 1;
};

// What passes the side below c along e, in that direction, of component on.location; over rho.
template <int Dim>
HODGE_HD double momentum_flux(const MomentumBalance<Dim>& of, const TransportOperator<Dim>& on,
                              int e, const Index<Dim>& c) {
  double flux = 0.0;
  for (const CarriedLevel<Dim>& level : of.level) {
    const ConstFieldView<Dim> q = level.carried[on.location];
    if (level.convection != 0.0)
      flux += level.convection * convected_flux(on, level.velocity, q, false, e, c);
    if (level.diffusion != 0.0)
      flux -=
          level.diffusion * on.diffusivity * conductance(on, e, c) * (q(c) - q(c.shifted(e, -1)));
    if (level.transposed != 0.0)
      flux -= level.transposed * on.diffusivity * transposed_flux(on, level.velocity, e, c);
  }
  return flux;
}

// What the friction of sides adds (side_friction.hpp), where the box reaches one.
template <int Dim>
HODGE_HD double friction_of_sides(const MomentumBalance<Dim>& of, const TransportOperator<Dim>& on,
                                  int e, const Index<Dim>& c) {
  double sum = 0.0;
  if (side_factor(on.grid, on.sides, on.bodies, on.location, e, c) == 1.0) return sum;
  for (const CarriedLevel<Dim>& level : of.level)
    if (level.diffusion != 0.0)
      sum += level.diffusion * added_side_friction(on, level.carried[on.location], e, c);
  return sum;
}

// The open part of the side below or above c along e of a control volume: sharp bodies cut it where
// the box reaches a side of the domain that they touch.
template <int Dim>
HODGE_HD double open_part(const BodyView<Dim>& bodies, int d, int e, int side,
                          const Index<Dim>& c) {
  if (!bodies.cuts_faces) return 1.0;
  if (e == d) return bodies.open(d, c.shifted(d, side == 0 ? -1 : 1));
  const Index<Dim> at = c.shifted(e, side);
  return 0.5 * (bodies.open(e, at) + bodies.open(e, at.shifted(d, -1)));
}

// Through the sides of the control volume of component d at c that lie on faces of the box: by
// transport, over rho, and by pressure.
template <int Dim>
HODGE_HD void add_faces_of(const MomentumBalance<Dim>& of, const ControlBox<Dim>& box, int d,
                           const Index<Dim>& c, const Index<Dim>& at, double& brought,
                           double& left) {
  TransportOperator<Dim> on = of.transport;
  on.location = d;
  for (int e = 0; e < Dim; ++e) {
    const bool first = box.is_first(d, e, at), last = box.is_last(e, at);
    const double lower = first ? open_part(on.bodies, d, e, 0, c) : 0.0;
    const double upper = last ? open_part(on.bodies, d, e, 1, c) : 0.0;
    if (first) brought += lower * momentum_flux(of, on, e, c);
    if (last) brought -= upper * momentum_flux(of, on, e, c.shifted(e, 1));
    const bool is_sharp = on.bodies.cuts_faces && on.bodies.at(c).row[d] >= 0;
    if ((first || last) && e != d && !is_sharp) brought += friction_of_sides(of, on, e, c);
    if (e != d) continue;
    const double area = of.pressure_weight * on.grid.face_area(d, c);
    const Index<Dim> below = c.shifted(d, -1);
    if (first) left += lower * area * (of.pressure(below) + of.phi(below));
    if (last) left -= upper * area * (of.pressure(c) + of.phi(c));
  }
}

// Component d of the control volume at c: what `driven` and transport bring, over rho, and what
// pressure and the change of momentum leave. Most of them touch no face of the box.
template <int Dim>
HODGE_HD void add_balance_of(const MomentumBalance<Dim>& of, const ControlBox<Dim>& box, int d,
                             const Index<Dim>& c, const Index<Dim>& at, double& brought,
                             double& left) {
  if (!box.has(d, at)) return;
  const TransportOperator<Dim>& on = of.transport;
  brought += driven_momentum(on.grid, on.bodies, of.forcing[d], d, c);
  if (on.bodies.excludes(d, c)) return;
  if (box.is_outermost(d, at)) add_faces_of(of, box, d, c, at, brought, left);
  double moved = of.inverse_factor * on.bodies.mobility(d, c);
  if (of.mobility.component[d].origin != nullptr) moved *= of.mobility[d](c);
  const double u = of.uncorrected[d](c) - moved * gradient(on.grid, of.phi, d, c);
  const double rate = of.rate[0] * u + of.rate[1] * of.old[0][d](c) + of.rate[2] * of.old[1][d](c);
  left -= of.density * fluid_beside(on.grid, on.bodies, d, c) * rate;
}

// Of what is brought, times rho.
struct StageWeights {
  double now, before;
  bool begins_step;
};

// force += rho (gamma brought + zeta brought before) + left, and what is brought is kept. `sums`:
// of each box along each axis what is brought, then what is left.
template <int Dim, class Space>
void add_stage(const StageWeights& of, int values, const double* sums, const double* brought_before,
               double* brought, double* force) {
  linalg::for_each<Space>(values, [=] HODGE_LAMBDA(int i) {
    const double now = sums[i / Dim * 2 * Dim + i % Dim];
    const double left = sums[i / Dim * 2 * Dim + Dim + i % Dim];
    const double before = of.begins_step ? brought_before[i] : brought[i];
    force[i] = (of.begins_step ? 0.0 : force[i]) + (of.now * now + of.before * before + left);
    brought[i] = now;
  });
}

template <int Dim, class Space>
class ControlVolumes {
 public:
  ControlVolumes(const std::vector<BodyFrame>& frames, const Grid& grid,
                 const Boundaries& boundaries, const Layout<Dim>& part)
      : part_(part) {
    for (const BodyFrame& frame : frames)
      if (frame.box) boxes_.push_back(control_box(*frame.box, grid, boundaries));
    const int count = values();
    sums_ = linalg::Buffer<double, Space>(2 * static_cast<std::size_t>(count));
    for (linalg::Vector<Space>* of : {&force_, &last_, &rates_, &new_rates_, &published_}) {
      *of = linalg::Vector<Space>(count);
      of->fill(0.0);
    }
  }

  ControlVolumes() = default;
  bool any() const { return !boxes_.empty(); }

  // A stage, or a whole implicit step: gamma of what is brought now, zeta of what was before.
  void measure(const MomentumBalance<Dim>& of, double gamma, double zeta, bool begins_step) {
    for (std::size_t k = 0; k < boxes_.size(); ++k) {
      const ControlBox<Dim> box = boxes_[k];
      linalg::reduce<Space>(
          part_of(box), linalg::Sums<2 * Dim>(),
          [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[2 * Dim]) {
            for (double& v : value) v = 0.0;
            const Index<Dim> at = box.position(c);
            for (int d = 0; d < Dim; ++d)
              add_balance_of(of, box, d, c, at, value[d], value[Dim + d]);
          },
          sums_.data() + 2 * Dim * k);
    }
    is_whole_ = zeta == 0.0 || !begins_step || is_known_ != 0;
    add_stage<Dim, Space>({of.density * gamma, of.density * zeta, begins_step}, values(),
                          sums_.data(), rates_.data(), new_rates_.data(), force_.data());
  }

  // The step is accepted. `to_end`: from its force to that of its end, w.
  void accept(double to_end) {
    const double ahead = is_known_ != 0 ? to_end : 0.0;
    is_known_ = 1;
    const double* force = force_.data();
    double *last = last_.data(), *published = published_.data();
    linalg::for_each<Space>(values(), [=] HODGE_LAMBDA(int i) {
      published[i] = force[i] + ahead * (force[i] - last[i]);
      last[i] = force[i];
    });
    std::swap(rates_, new_rates_);
  }

  // Dim values for each body with a box, at the end of the last step; none where the checkpoint
  // that the run goes on from has not what ab2 reads.
  std::vector<double> to_host() const {
    if (!is_whole_) return {};
    std::vector<double> host(static_cast<std::size_t>(published_.size()));
    published_.download(host);
    return host;
  }

  // What the next step reads. keeps_rates: of ab2.
  void visit_state(StateVisitor& visitor, bool keeps_rates) {
    visitor.visit("control_volumes/are_known", is_known_, {0, 1});
    visit_values(visitor, "control_volumes/force", last_);
    if (keeps_rates) visit_values(visitor, "control_volumes/brought", rates_);
  }

 private:
  int values() const { return Dim * static_cast<int>(boxes_.size()); }

  ControlBox<Dim> control_box(const CellRange& range, const Grid& grid,
                              const Boundaries& boundaries) const {
    ControlBox<Dim> box{};
    box.before = part_.before;
    for (int d = 0; d < Dim; ++d) {
      const auto e = static_cast<std::size_t>(d);
      box.lower[d] = range.lower[e];
      box.extent[d] = range.upper[e] - range.lower[e];
      box.cells[d] = grid.cells(d);
      box.periodic[d] = boundaries.periodic(d);
      box.all[d] = box.periodic[d] && box.extent[d] == box.cells[d];
    }
    return box;
  }

  // The least box of this part's cells that has those of the control box; across the seam of a
  // periodic axis all cells of the axis.
  Box<Dim> part_of(const ControlBox<Dim>& box) const {
    Box<Dim> cells{};
    for (int d = 0; d < Dim; ++d) {
      const bool wraps = box.lower[d] < 0 || box.lower[d] + box.extent[d] > box.cells[d];
      cells.lower[d] = wraps ? 0 : box.lower[d] - box.before[d];
      cells.upper[d] = wraps ? part_.cells[d] : cells.lower[d] + box.extent[d];
    }
    const Box<Dim> common = common_points(cells, part_.interior());
    return common.size() > 0 ? common : Box<Dim>{};
  }

  Layout<Dim> part_;
  std::vector<ControlBox<Dim>> boxes_;
  linalg::Buffer<double, Space> sums_;       // of each box: brought along each axis, then left
  linalg::Vector<Space> force_, last_;       // of the step at hand, and of the one before
  linalg::Vector<Space> rates_, new_rates_;  // what was brought: before the step, in its last stage
  linalg::Vector<Space> published_;
  long is_known_ = 0;     // whether a step before has left its force and what was brought
  bool is_whole_ = true;  // the last force
};

}  // namespace hodge::sim
