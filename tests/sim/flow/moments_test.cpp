// Second moments over time as output arrays, against sums over what every step had.
#include "sim/flow/moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "sim/flow/flow.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

Problem shaken_box(int dim) {
  Problem problem;
  problem.viscosity = 0.1;
  problem.force[0] = Expression::parse("sin(3*y) * (1 + 4*t)");
  problem.force[1] = Expression::parse("cos(5*x) * (1 - 9*t)");
  if (dim == 3) problem.force[2] = Expression::parse("sin(4*x) * (2 - 7*t)");
  ScalarProblem scalar;
  scalar.name = "heat";
  scalar.diffusivity = 0.1;
  scalar.initial = [](Point x) { return x[1]; };
  scalar.source = Expression::parse("(1 + x) * cos(40*t)");
  problem.scalars.push_back(scalar);
  return problem;
}

const std::vector<std::string> statistics{"rms_velocity", "rms_heat", "rms_pressure",
                                          "reynolds_stress", "flux_heat"};
const std::vector<double> steps{0.02, 0.03, 0.01, 0.04, 0.02, 0.03};

// Values of a cell at one level: velocity, heat, pressure.
using Level = std::map<std::string, std::vector<double>>;

Level level_of(const Flow& flow) {
  Level level;
  for (const CellArray& array : flow.cell_arrays({"velocity", "heat", "pressure"}))
    level[array.name] = array.values;
  return level;
}

// One component of a field in a cell, over the levels of a window.
struct Series {
  std::vector<double> values, weights;
  double mean() const {
    double sum = 0, total = 0;
    for (std::size_t n = 0; n < values.size(); ++n) {
      sum += weights[n] * values[n];
      total += weights[n];
    }
    return sum / total;
  }
};

double covariance(const Series& a, const Series& b) {
  double sum = 0, total = 0;
  for (std::size_t n = 0; n < a.values.size(); ++n) {
    sum += a.weights[n] * (a.values[n] - a.mean()) * (b.values[n] - b.mean());
    total += a.weights[n];
  }
  return sum / total;
}

// A flow with its levels; `first` to `last` are those in the window of the statistics.
struct RecordedFlow {
  RecordedFlow(int dim, const std::optional<StatisticsSettings>& window, bool looks_at_every_step) {
    Settings settings = test::flow_settings(dim, dim == 2 ? 6 : 4);
    settings.output.fields = statistics;
    settings.output.statistics = window;
    flow = make_flow(settings, shaken_box(dim));
    levels.push_back(level_of(*flow));
    times.push_back(0);
    for (const double dt : steps) {
      EXPECT_TRUE(flow->advance(dt).ok);
      levels.push_back(level_of(*flow));
      times.push_back(flow->time());
      if (looks_at_every_step) (void)flow->cell_arrays(statistics);
    }
  }
  Series series(const std::string& field, std::size_t i, std::size_t first,
                std::size_t last) const {
    Series series;
    for (std::size_t n = first; n <= last; ++n) {
      const double before = n > first ? times[n] - times[n - 1] : 0;
      const double after = n < last ? times[n + 1] - times[n] : 0;
      series.values.push_back(levels[n].at(field)[i]);
      series.weights.push_back(0.5 * (before + after));
    }
    return series;
  }
  void expect_statistics(std::size_t first, std::size_t last) const;

  std::unique_ptr<Flow> flow;
  std::vector<Level> levels;
  std::vector<double> times;
};

void RecordedFlow::expect_statistics(std::size_t first, std::size_t last) const {
  const std::vector<CellArray> arrays = flow->cell_arrays(statistics);
  const std::size_t cells = levels[0].at("heat").size();
  const int rows[] = {0, 1, 2, 0, 1, 0}, columns[] = {0, 1, 2, 1, 2, 2};
  double largest = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    const auto u = [&](int d) { return series("velocity", 3 * i + d, first, last); };
    const Series heat = series("heat", i, first, last);
    for (int d = 0; d < 3; ++d) {
      EXPECT_NEAR(arrays[0].values[3 * i + d], std::sqrt(covariance(u(d), u(d))), 1e-13);
      EXPECT_NEAR(arrays[4].values[3 * i + d], covariance(u(d), heat), 1e-14);
      largest = std::max(largest, std::abs(arrays[4].values[3 * i + d]));
    }
    EXPECT_NEAR(arrays[1].values[i], std::sqrt(covariance(heat, heat)), 1e-13);
    const Series pressure = series("pressure", i, first, last);
    EXPECT_NEAR(arrays[2].values[i], std::sqrt(covariance(pressure, pressure)), 1e-13);
    for (int k = 0; k < 6; ++k)
      EXPECT_NEAR(arrays[3].values[6 * i + k], covariance(u(rows[k]), u(columns[k])), 1e-14);
  }
  EXPECT_GT(largest, 1e-8);
  EXPECT_EQ(arrays[3].components, 6);
  EXPECT_EQ(arrays[4].components, 3);
}

TEST(Moments, are_those_of_all_steps) {
  RecordedFlow(2, {}, false).expect_statistics(0, steps.size());
  RecordedFlow(3, {}, false).expect_statistics(0, steps.size());
}

TEST(Moments, are_not_changed_by_being_looked_at) {
  RecordedFlow(2, {}, true).expect_statistics(0, steps.size());
}

TEST(Moments, are_those_of_the_steps_within_the_window) {
  RecordedFlow(2, StatisticsSettings{0.05, {}, {}}, false).expect_statistics(2, steps.size());
  RecordedFlow(2, StatisticsSettings{0.05, 0.12, {}}, true).expect_statistics(2, 5);
  RecordedFlow(2, StatisticsSettings{0.04, 0.11, {}}, false).expect_statistics(2, 4);
}

TEST(Moments, are_zero_before_their_time) {
  const RecordedFlow recorded(2, StatisticsSettings{1, {}, {}}, true);
  for (const CellArray& array : recorded.flow->cell_arrays(statistics))
    for (const double value : array.values) EXPECT_EQ(value, 0);
}

void fill(Field<2, test::Host>& field, double value) {
  field.values().upload(std::vector<double>(field.layout().size(), value));
}

// u = 1e6 + a signal of size 1e-3: sums of squares would keep no digit of the variance.
TEST(Moments, of_small_fluctuations_of_a_large_mean_keep_their_digits) {
  const test::Domain<2> domain{test::grid_of({test::uniform(2, 1), test::uniform(2, 1)}),
                               test::walls()};
  Moments<2, test::Host> moments(domain.metrics.layout(), {"reynolds_stress", "flux_heat"});
  VelocityField<2, test::Host> velocity(domain.metrics.layout());
  Field<2, test::Host> heat(domain.metrics.layout());
  double w = 0, uv = 0, uh = 0;
  for (int n = 0; n < 1000; ++n) {
    const double signal = std::ldexp(n % 8 - 3.5, -10), dt = 1 + n % 3;
    fill(velocity[0], 1e6 + signal);
    fill(velocity[1], -1e6 - 2 * signal);
    fill(heat, 3e6 + 4 * signal);
    const PresentFields<2> fields{
        domain.metrics.view(), std::as_const(velocity).view(), std::as_const(heat).view(), {}};
    moments.add(dt, fields, [&](const std::string&) { return std::as_const(heat).view(); });
    w += dt;
    uv -= 2 * dt * signal * signal;
    uh += 4 * dt * signal * signal;
  }
  // The mean of the signal over 24 steps is not quite 0, and the last period is not whole.
  const MomentArrays stress = moments.arrays_of(*find_statistic("reynolds_stress"));
  const MomentArrays flux = moments.arrays_of(*find_statistic("flux_heat"));
  EXPECT_NEAR(stress.factor * stress.of[3][0], uv / w, 1e-3 * std::abs(uv / w));
  EXPECT_NEAR(flux.factor * flux.of[0][0], uh / w, 1e-3 * uh / w);
  EXPECT_EQ(stress.of[2], nullptr);
}

TEST(Moments, from_which_all_weight_is_taken_again_begin_anew) {
  const test::Domain<2> domain{test::grid_of({test::uniform(2, 1), test::uniform(2, 1)}),
                               test::walls()};
  Moments<2, test::Host> moments(domain.metrics.layout(), {"rms_velocity"});
  VelocityField<2, test::Host> velocity(domain.metrics.layout());
  Field<2, test::Host> none(domain.metrics.layout());
  const auto add = [&](double weight, double u) {
    fill(velocity[0], u);
    moments.add(
        weight,
        {domain.metrics.view(), std::as_const(velocity).view(), std::as_const(none).view(), {}},
        [&](const std::string&) { return std::as_const(none).view(); });
  };
  add(0.5, 3);
  add(-0.5, 3);
  add(1, 5);
  add(1, 7);
  const MomentArrays rms = moments.arrays_of(*find_statistic("rms_velocity"));
  EXPECT_TRUE(rms.is_root);
  EXPECT_DOUBLE_EQ(rms.factor * rms.of[0][0], 1);
}

TEST(Moments, along_an_axis_need_others_that_are_periodic) {
  Settings settings = test::flow_settings(2, 6);
  settings.output.statistics = {.start = 0, .end = {}, .profile = "y"};
  const auto message = [&] {
    return test::message_of<ConfigError>([&] { (void)make_flow(settings, shaken_box(2)); });
  };
  EXPECT_EQ(message(), "output.statistics.profile is y: it averages over x, which is not periodic");
  settings.output.statistics->profile = "z";
  EXPECT_EQ(message(),
            "output.statistics.profile is z, and the grid has two axes, expected x or y");
}

TEST(Moments, count_in_the_memory_that_a_run_needs) {
  Settings settings = test::flow_settings(3, 20);
  settings.output.fields = {"velocity"};
  const std::size_t without = memory_estimate(settings, shaken_box(3));
  const auto more = [&](const std::vector<std::string>& fields) {
    settings.output.fields = fields;
    return (memory_estimate(settings, shaken_box(3)) - without) / (8 * 20 * 20 * 20);
  };
  EXPECT_EQ(more({"reynolds_stress"}), 3 + 6U);
  EXPECT_EQ(more({"reynolds_stress", "rms_velocity"}), 3 + 6U);
  EXPECT_EQ(more({"flux_heat"}), 3 + 1 + 3U);
  EXPECT_EQ(more({"rms_heat", "rms_pressure"}), 4U);
}

}  // namespace
}  // namespace hodge::sim
