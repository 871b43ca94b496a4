// The fields of a flow and its clock. Ghosts are filled (boundaries/ghosts.hpp). Units are those of
// the case.
#pragma once

#include <utility>
#include <vector>

#include "sim/model/schemes.hpp"
#include "sim/time/scalar_state.hpp"

namespace hodge::sim {

template <int Dim, class Space>
struct FlowFields {
  // `solves_scalars`: convection of scalars is implicit. `has_phi`: the pressure's solver takes and
  // leaves phi as a field.
  FlowFields(const Layout<Dim>& layout, const Problem& problem, const TimeScheme& scheme,
             bool solves_scalars, bool has_phi)
      : pressure_lags(scheme.pressure_lags() && !problem.prescribed_velocity),
        velocity(layout),
        previous(layout),
        convecting(scheme.has_stages() && !solves_scalars ? Layout<Dim>{} : layout),
        next(layout),
        pressure(layout),
        published_pressure(pressure_lags ? layout : Layout<Dim>{}),
        phi(has_phi ? layout : Layout<Dim>{}),
        forcing((has_forcing(problem) || problem.resistances.any()) &&
                        (scheme.has_implicit_convection() || solves_scalars)
                    ? layout
                    : Layout<Dim>{}) {
    for (int d = 0; d < Dim && scheme.has_stages(); ++d) rates.emplace_back(layout);
  }

  // p at `time`.
  const Field<Dim, Space>& pressure_of_level() const {
    return pressure_lags ? published_pressure : pressure;
  }

  // P of the step that is being taken, until complete_new_pressure().
  Field<Dim, Space>& new_pressure() { return pressure_lags ? published_pressure : pressure; }
  bool has_phi() const { return phi.layout().size() == pressure.layout().size(); }

  // The new level becomes the present one.
  void accept_step(double dt) {
    std::swap(previous, velocity);
    std::swap(velocity, next);
    for (ScalarState<Dim, Space>& scalar : scalars) {
      std::swap(scalar.before, scalar.now);
      std::swap(scalar.now, scalar.next);
    }
    time += dt;
    last_dt = dt;
    ++step;
  }

  // After accept_step(): the present level lies where that of before the step lay. Two copies of
  // each field.
  void return_to_place() {
    const auto back = [](Field<Dim, Space>& now, Field<Dim, Space>& before,
                         Field<Dim, Space>& spare) {
      spare.values() = before.values();
      before.values() = now.values();
      std::swap(now, before);
      std::swap(before, spare);
    };
    for (int d = 0; d < Dim; ++d) back(velocity[d], previous[d], next[d]);
    for (ScalarState<Dim, Space>& scalar : scalars) back(scalar.now, scalar.before, scalar.next);
  }

  bool pressure_lags;                  // `pressure` is not that of the end of a step
  VelocityField<Dim, Space> velocity;  // u^n
  VelocityField<Dim, Space> previous;  // u^{n-1}; with stages also scratch in a step
  // u^, then room for right sides; with stages empty but for implicit scalars
  VelocityField<Dim, Space> convecting;
  VelocityField<Dim, Space> next;        // u*, then u^{n+1}
  Field<Dim, Space> pressure;            // that drives a step: see TimeScheme::pressure_at
  Field<Dim, Space> published_pressure;  // p^n where `pressure` lags; else empty
  Field<Dim, Space> phi;                 // pressure increment of the last solve; direct: empty
  Field<Dim, Space> forcing;             // of the component or scalar at hand; else empty
  std::vector<Field<Dim, Space>> rates;  // with stages: of each component
  std::vector<ScalarState<Dim, Space>> scalars;
  double time = 0, last_dt = 0;  // last_dt: 0 before the first step
  long step = 0;
  double start_rate = 0;  // max |du/dt| at t = 0, by a pressure that was solved for; else 0
};

}  // namespace hodge::sim
