// A flow without physics for tests of the run loop: its clock goes on, its fields follow from the
// clock, and it fails when told to.
//
// velocity = (time, step, 0) and pressure = time + cell number on a uniform unit box; every solve
// takes 7 iterations. Samplers give time + 100 column + x.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "sim/discrete/operators/output_fields.hpp"
#include "sim/flow/flow.hpp"

namespace hodge::test {

inline sim::GridSettings small_grid_settings() {
  sim::GridSettings grid;
  grid.dim = 2;
  grid.axes[0] = {.cells = 4};
  grid.axes[1] = {.cells = 3};
  return grid;
}

struct FakeBehaviour {
  double cfl_rate = 10;        // 1/T
  long stalls_at_step = -1;    // the CFL rate is 1e300 from this step on
  long lost_at_step = -1;      // the fields turn NaN in this step
  long explodes_at_step = -1;  // |u| is 1e9 from this step on
  long solve_fails_at_step = -1;
  long leaks_at_step = -1;     // max |div u| is 1024 after this step; 1e-6 is promised in all
  long fallback_at_step = -1;  // of the pressure, by gmres
  long fast_from_step = -1;    // the CFL rate is ten times as large from this step on
  long scalar_explodes_at_step = -1;  // max |c| of the only scalar is 1e9 from this step on
  long steady_from_step = std::numeric_limits<long>::max();
  std::function<void(long step)> during_step = [](long) {};
};

class FakeFlow : public sim::Flow {
 public:
  explicit FakeFlow(FakeBehaviour behaviour = {}, sim::GridSettings grid = small_grid_settings())
      : behaviour_(std::move(behaviour)), grid_(grid) {}

  sim::StepReport advance(double dt) override {
    behaviour_.during_step(step_ + 1);
    sim::StepReport report;
    report.dt = dt;
    report.promised_divergence = 1e-6;
    if (step_ + 1 == behaviour_.solve_fails_at_step) {
      report.ok = false;
      report.failure = "pressure: cg reached 1000 iterations";
      return report;
    }
    ++step_;
    time_ += dt;
    times.push_back(time_);
    for (const std::string& system : systems()) {
      report.solves.push_back({.system = system, .iterations = 7, .seconds = 0.001, .report = {}});
    }
    if (step_ == behaviour_.fallback_at_step)
      report.solves.back().report.attempts = {
          {"cg", linalg::SolveStatus::breakdown, linalg::Breakdown::indefinite_operator, 3, 0},
          {"gmres", linalg::SolveStatus::converged, linalg::Breakdown::none, 4, 0}};
    return report;
  }

  double time() const override { return time_; }
  long step() const override { return step_; }
  void set_time(double t) override {
    largest_snap = std::max(largest_snap, std::abs(t - time_));
    time_ = t;
  }

  sim::Diagnostics diagnostics() const override {
    const bool explodes = behaviour_.explodes_at_step >= 0 && step_ >= behaviour_.explodes_at_step;
    const bool stalls = behaviour_.stalls_at_step >= 0 && step_ >= behaviour_.stalls_at_step;
    const bool fast = behaviour_.fast_from_step >= 0 && step_ >= behaviour_.fast_from_step;
    const bool scalar_explodes =
        behaviour_.scalar_explodes_at_step >= 0 && step_ >= behaviour_.scalar_explodes_at_step;
    const bool rests = step_ >= behaviour_.steady_from_step;
    return {.cfl_rate = stalls ? 1e300 : (fast ? 10 : 1) * behaviour_.cfl_rate,
            .kinetic_energy = 0.5,
            .max_divergence = step_ == behaviour_.leaks_at_step ? 1024.0 : 1e-12,
            .max_speed = explodes ? 1e9 : 1.0,
            .rate_of_change = rests ? 0.0 : 1.0,
            .finite = !lost(),
            .velocity_rate = rests ? 0.0 : 0.125,
            .scalar_rates = std::vector<double>(scalars, rests ? 0.0 : 0.375),
            .scalar_sizes = {scalar_explodes ? 1e9 : 1.0}};
  }
  std::vector<std::string> systems() const override { return {"u", "v", "pressure"}; }

  std::vector<sim::CellArray> cell_arrays(const std::vector<std::string>&) const override {
    const double u = lost() ? std::numeric_limits<double>::quiet_NaN() : time_;
    sim::CellArray velocity{"velocity", 3, {}};
    sim::CellArray pressure{"pressure", 1, {}};
    for (long cell = 0; cell < grid_.cell_count(); ++cell) {
      velocity.values.insert(velocity.values.end(), {u, static_cast<double>(step_), 0.0});
      pressure.values.push_back(time_ + static_cast<double>(cell));
    }
    return {velocity, pressure, {"c", 1, pressure.values}};
  }

  void fill_range(sim::Frame& frame, const sim::CellRange& cells,
                  const std::vector<std::string>& names,
                  const std::string& precision) const override {
    std::vector<sim::CellArray> arrays = cell_arrays(names);
    for (sim::CellArray& array : arrays) {
      const auto in_2d = static_cast<std::size_t>(grid_.cells(0));
      std::vector<double> part;
      for (int j = cells.lower[1]; j < cells.upper[1]; ++j)
        for (int i = cells.lower[0]; i < cells.upper[0]; ++i)
          for (int c = 0; c < array.components; ++c)
            part.push_back(array.values[array.components * (i + in_2d * j) + c]);
      array.values = std::move(part);
    }
    frame = sim::frame_of(step_, time_, arrays, precision);
  }

  std::optional<sim::ErrorNorms> error_norms() const override { return errors; }
  std::vector<sim::BodyForce> forces() const override {
    return {{.body = "ball", .pressure = {time_, 0, 0}, .viscous = {0, 1, 0}}};
  }
  std::vector<sim::Quantity> quantities() const override {
    std::vector<sim::Quantity> values;
    for (const std::string& name : quantity_names) values.push_back({name, 10 * time_});
    return values;
  }
  std::unique_ptr<sim::PointSampler> make_sampler(
      const std::vector<sim::Point>& points,
      const std::vector<std::string>& fields) const override {
    return std::make_unique<FakeSampler>(*this, points, sim::field_columns(fields, grid_.dim()));
  }
  void visit_state(sim::StateVisitor& visitor) override {
    visitor.visit("time", time_);
    visitor.visit("step", step_);
  }
  const sim::Grid& grid() const override { return grid_; }
  std::string device_name() const override { return "a fake device"; }

  std::vector<double> times;  // after every step, before set_time
  double largest_snap = 0;    // that set_time had to correct
  std::optional<sim::ErrorNorms> errors;
  std::vector<std::string> quantity_names;  // each has the value 10 times the time
  mutable long samples = 0;                 // that were asked for
  std::size_t scalars = 0;                  // that diagnostics have rates of

 private:
  bool lost() const { return behaviour_.lost_at_step >= 0 && step_ >= behaviour_.lost_at_step; }

  struct FakeSampler : sim::PointSampler {
    FakeSampler(const FakeFlow& of_flow, std::vector<sim::Point> at_points,
                std::vector<std::string> names)
        : flow(of_flow), at(std::move(at_points)), names_(std::move(names)) {}
    const std::vector<std::string>& columns() const override { return names_; }
    std::size_t points() const override { return at.size(); }
    void sample(std::span<double> values) const override {
      ++flow.samples;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto column = static_cast<double>(i / at.size());
        values[i] = flow.time_ + 100 * column + at[i % at.size()][0];
      }
    }
    const FakeFlow& flow;
    std::vector<sim::Point> at;
    std::vector<std::string> names_;
  };

  FakeBehaviour behaviour_;
  sim::Grid grid_;
  double time_ = 0;
  long step_ = 0;
};

}  // namespace hodge::test
