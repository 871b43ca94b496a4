// Averages over layers of cells and over time, against sums over the cells of every step, and what
// profiles make of them: the budget of a channel, which is the rate of change of its energy.
#include "sim/flow/layer_sums.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>

#include "sim/app/output/profiles.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/sim_objects.hpp"
#include "tests/support/spaces.hpp"
#include "tests/support/state_copy.hpp"

namespace hodge::sim {
namespace {

const std::vector<double> uneven_steps{0.02, 0.03, 0.01, 0.04};

Problem stirred_box(int dim, int axis) {
  Problem problem;
  problem.viscosity = 0.05;
  for (int d = 0; d < dim; ++d)
    if (d != axis) problem.boundaries.set(d, SideKind::periodic);
  problem.force[0] = Expression::parse("sin(6.283185307179586*y) * (1 + 4*t) + y^2");
  problem.force[1] = Expression::parse("cos(6.283185307179586*x) * (1 - 9*t) + 0.3*x");
  if (dim == 3) problem.force[2] = Expression::parse("sin(6.283185307179586*x) * (2 - 7*t)");
  ScalarProblem heat;
  heat.name = "heat";
  heat.diffusivity = 0.1;
  heat.initial = [](Point x) { return x[0] + x[1] * x[1]; };
  problem.scalars.push_back(heat);
  return problem;
}

template <class Space>
Settings layer_settings(int dim, int axis) {
  Settings settings = test::flow_settings_on<Space>(dim, 6, "bdf2");
  settings.grid.axes[0] = test::uneven(19, 0, 1);
  if (dim == 3) settings.grid.axes[2] = test::uneven(5, 0, 1);
  settings.output.fields = {};
  settings.output.statistics = StatisticsSettings{.start = 0, .end = {}, .profile = {}};
  settings.output.statistics->profile = std::string(1, static_cast<char>('x' + axis));
  return settings;
}

// The mean over the fluid of a layer and over time of a product of cell values.
struct CellMeans {
  CellMeans(const Grid& over, int along) : grid(over), axis(along) {}

  void add(const Flow& flow, double weight) {
    std::map<std::string, std::vector<double>> now;
    for (CellArray& array : flow.cell_arrays({"velocity", "pressure", "heat", "solid"}))
      now[array.name] = std::move(array.values);
    levels.push_back(std::move(now));
    weights.push_back(weight);
  }
  // factors: names of components: u, v, w, pressure, heat.
  std::vector<double> of(const std::vector<std::string>& factors) const {
    std::vector<double> sums(static_cast<std::size_t>(grid.cells(axis))), areas = sums;
    for (std::size_t n = 0; n < levels.size(); ++n)
      for (long long i = 0; i < grid.cell_count(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (levels[n].at("solid")[at] != 0) continue;
        double part = weights[n];
        long long rest = i;
        std::size_t layer = 0;
        for (int d = 0; d < grid.dim(); ++d) {
          const auto place = static_cast<std::size_t>(rest % grid.cells(d));
          rest /= grid.cells(d);
          if (d == axis)
            layer = place;
          else
            part *= grid.axis(d).widths[place];
        }
        areas[layer] += part;
        for (const std::string& factor : factors) part *= value(levels[n], factor, at);
        sums[layer] += part;
      }
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] /= areas[j];
    return sums;
  }
  static double value(const std::map<std::string, std::vector<double>>& level,
                      const std::string& name, std::size_t cell) {
    if (name == "u" || name == "v" || name == "w")
      return level.at("velocity")[3 * cell + static_cast<std::size_t>(name[0] - 'u')];
    return level.at(name)[cell];
  }

  Grid grid;
  int axis;
  std::vector<std::map<std::string, std::vector<double>>> levels;
  std::vector<double> weights;
};

void expect_near(const std::vector<double>& measured, const std::vector<double>& expected,
                 double tolerance, const std::string& what) {
  ASSERT_EQ(measured.size(), expected.size());
  for (std::size_t j = 0; j < expected.size(); ++j)
    EXPECT_NEAR(measured[j], expected[j], tolerance) << what << ", layer " << j;
}

template <class Space>
class LayerSumsOn : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(LayerSumsOn, tests::Spaces, tests::SpaceName);

TYPED_TEST(LayerSumsOn, are_those_of_the_cells_of_every_step) {
  for (const int dim : {2, 3})
    for (int axis = 0; axis < dim; ++axis)
      for (const bool has_body : {false, true}) {
        Problem problem = stirred_box(dim, axis);
        if (has_body)
          problem.solids.push_back(
              {.name = {}, .region = {BoxShape{{0.3, 0.2, 0.2}, {0.6, 0.5, 0.7}}}});
        const Settings settings = layer_settings<TypeParam>(dim, axis);
        const auto flow = make_flow(settings, problem);
        CellMeans cells(flow->grid(), axis);
        for (std::size_t n = 0; n <= uneven_steps.size(); ++n) {
          const double before = n > 0 ? uneven_steps[n - 1] : 0;
          const double after = n < uneven_steps.size() ? uneven_steps[n] : 0;
          cells.add(*flow, 0.5 * (before + after));
          if (after > 0) {
            ASSERT_TRUE(flow->advance(after).ok);
          }
        }
        const std::optional<LayerSums> sums = flow->layer_sums();
        ASSERT_TRUE(sums);
        EXPECT_EQ(sums->plan.has_exchange, !has_body);
        const Profiles profiles = profiles_of(*sums, flow->grid(), {problem.viscosity, 1});
        const std::string run = fmt::format("{}D along {}{}", dim, axis, has_body ? ", body" : "");
        expect_near(profiles["pressure_mean"].values, cells.of({"pressure"}), 1e-12, run + " p");
        expect_near(profiles["heat_mean"].values, cells.of({"heat"}), 1e-12, run + " heat");
        const auto m = [&](const char* name) { return cells.of({name}); };
        std::vector<double> flux = cells.of({"u", "heat"}), third = cells.of({"u", "u", "v"});
        const std::vector<double> uu = cells.of({"u", "u"}), uv = cells.of({"u", "v"});
        for (std::size_t j = 0; j < flux.size(); ++j) {
          const double u = m("u")[j], v = m("v")[j];
          flux[j] -= u * m("heat")[j];
          third[j] += -2 * u * uv[j] - v * uu[j] + 2 * u * u * v;
        }
        expect_near(profiles["u_heat_covariance"].values, flux, 1e-12, run + " flux");
        expect_near(profiles["u_u_v_moment"].values, third, 1e-12, run + " third");
        if (has_body) expect_near(profiles["u_mean"].values, m("u"), 1e-12, run + " u");
      }
}

TYPED_TEST(LayerSumsOn, go_on_bit_for_bit_from_a_state) {
  const Settings settings = layer_settings<TypeParam>(3, 1);
  const Problem problem = stirred_box(3, 1);
  const auto straight = make_flow(settings, problem);
  const auto take = [](Flow& flow, int steps) {
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(flow.advance(i % 2 == 0 ? 0.002 : 0.003).ok);
  };
  take(*straight, 25);
  test::StateCopy state;
  straight->visit_state(state);
  state.restoring = true;
  const auto restarted = make_flow(settings, problem);
  restarted->visit_state(state);
  for (Flow* flow : {straight.get(), restarted.get()}) take(*flow, 20);
  const LayerSums a = straight->layer_sums().value(), b = restarted->layer_sums().value();
  ASSERT_EQ(a.batches.size(), b.batches.size());
  EXPECT_GT(a.batches.size(), 2U);
  for (std::size_t i = 0; i < a.batches.size(); ++i) {
    EXPECT_EQ(a.batches[i].weight, b.batches[i].weight);
    EXPECT_EQ(a.batches[i].sums, b.batches[i].sums);
  }
}

TEST(LayerSums, join_batches_two_by_two_and_lose_no_time) {
  Settings settings = layer_settings<linalg::Host>(2, 1);
  settings.grid.axes[0] = {.cells = 4};
  settings.time.scheme = "rk3";
  Problem problem = stirred_box(2, 1);
  problem.scalars.clear();
  const auto flow = make_flow(settings, problem);
  for (int i = 0; i < 700; ++i) ASSERT_TRUE(flow->advance(1e-3).ok);
  const LayerSums sums = flow->layer_sums().value();
  EXPECT_GE(sums.batches.size(), 32U);
  EXPECT_LE(sums.batches.size(), 64U);
  double time = 0;
  for (const LayerBatch& batch : sums.batches) {
    time += batch.weight;
    const auto part = static_cast<std::size_t>(sums.plan.exchange() + CellSums<2>::fluid);
    EXPECT_NEAR(batch.sums[part * static_cast<std::size_t>(sums.plan.layers)], batch.weight, 1e-12);
  }
  EXPECT_NEAR(time, 0.7, 1e-12);
  // Of 8 steps at first, of 16 since there were 64 of them.
  EXPECT_NEAR(sums.batches[0].weight, 0.016, 1e-3);
  EXPECT_NEAR(sums.batches[sums.batches.size() - 2].weight, 0.016, 1e-3);
}

TEST(LayerSums, without_a_budget_say_why) {
  Settings settings = layer_settings<linalg::Host>(2, 1);
  Problem problem = stirred_box(2, 1);
  const Grid grid(settings.grid);
  EXPECT_TRUE(layer_plan(settings, problem, grid)->has_exchange);
  problem.varying_viscosity = Expression::parse("0.1");
  EXPECT_EQ(layer_plan(settings, problem, grid)->without_exchange, "the viscosity varies");
  problem.varying_viscosity.reset();
  problem.boundaries.sides[1][1].velocity[0] = Expression::parse("sin(t)");
  EXPECT_FALSE(layer_plan(settings, problem, grid)->has_exchange);
  settings.output.statistics.reset();
  EXPECT_FALSE(layer_plan(settings, problem, grid));
}

// The energy of the fluctuations about U in a layer, of the plane means at one time.
struct PlaneEnergy {
  std::vector<double> of_layers;

  PlaneEnergy(const Flow& flow, const std::vector<double>& mean) {
    const Grid& grid = flow.grid();
    const int n = grid.cells(1);
    of_layers.resize(static_cast<std::size_t>(n));
    for (const FieldInMemory& field : flow.fields_in_memory()) {
      const int d = field.name == "velocity_x" ? 0 : field.name == "velocity_y" ? 1 : 2;
      if (!field.name.starts_with("velocity")) continue;
      for (int j = 0; j < n; ++j)
        for (const int face : {j, d == 1 ? j + 1 : j}) {
          double sum = 0;
          for (int k = 0; k < grid.cells(2); ++k)
            for (int i = 0; i < grid.cells(0); ++i) {
              const double u = field.values[i * field.strides[0] + face * field.strides[1] +
                                            k * field.strides[2]] -
                               (d == 0 ? mean[static_cast<std::size_t>(j)] : 0);
              sum += u * u;
            }
          of_layers[static_cast<std::size_t>(j)] += 0.25 * sum / (grid.cells(0) * grid.cells(2));
        }
    }
  }
};

// Driven by a constant force, the only work of fluctuations is what the five terms have.
TEST(LayerSums, have_a_budget_that_is_the_rate_of_change_of_the_energy) {
  Settings settings = test::flow_settings(3, 8);
  settings.pressure.method = "direct";
  settings.time.scheme = "rk3";
  settings.grid.axes[0] = {.cells = 12, .lower = 0, .upper = 2};
  settings.grid.axes[1] = test::uneven(16, -1, 1);
  settings.grid.axes[2] = {.cells = 10, .lower = 0, .upper = 1};
  settings.output.fields = {};
  settings.output.statistics = StatisticsSettings{.start = 0, .end = {}, .profile = "y"};
  Problem problem;
  problem.viscosity = 0.01;
  for (const int axis : {0, 2}) problem.boundaries.set(axis, SideKind::periodic);
  problem.force[0] = 0.5;
  problem.initial_velocity = [](Point x) -> std::array<double, 3> {
    const double open = 1 - x[1] * x[1], k = 2 * std::numbers::pi;
    return {5 * open + open * std::sin(k * x[2] + x[1]),
            -open * open * std::sin(k * x[2] + std::sin(0.5 * k * x[0])),
            2 / std::numbers::pi * open * x[1] * std::cos(k * x[2] + std::sin(0.5 * k * x[0])) +
                open * std::cos(0.5 * k * x[0])};
  };
  const auto flow = make_flow(settings, problem);
  const auto copy = make_flow(settings, problem);
  constexpr int steps = 400;
  constexpr double dt = 1e-3;
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(flow->advance(dt).ok);
  const Profiles profiles =
      profiles_of(flow->layer_sums().value(), flow->grid(), {problem.viscosity, 1});
  const std::vector<double>& mean = profiles["u_mean"].values;
  const PlaneEnergy before(*copy, mean), after(*flow, mean);
  double largest = 0, rate = 0;
  for (std::size_t j = 0; j < mean.size(); ++j) {
    const double expected = (after.of_layers[j] - before.of_layers[j]) / (steps * dt);
    EXPECT_NEAR(profiles["k_residual"].values[j], expected, 2e-4) << j;
    largest = std::max(largest, std::abs(profiles["k_production"].values[j]));
    rate = std::max(rate, std::abs(expected));
  }
  EXPECT_GT(largest, 0.1);  // the terms are much larger than the tolerance
  EXPECT_GT(rate, 0.02);
  ASSERT_TRUE(profiles.wall);
}

TEST(LayerSums, of_a_parabola_have_its_friction) {
  Settings settings = test::flow_settings(2, 8);
  settings.grid.axes[1] = test::uniform(12, 2);
  settings.output.fields = {};
  settings.output.statistics = StatisticsSettings{.start = 0, .end = {}, .profile = "y"};
  Problem problem;
  problem.viscosity = 0.5;
  problem.boundaries.set(0, SideKind::periodic);
  problem.force[0] = 1;  // u = y (2 - y): u_tau = 1, bulk 2/3, centre 1
  problem.initial_velocity = [](Point x) -> std::array<double, 3> {
    return {x[1] * (2 - x[1]), 0, 0};
  };
  const auto flow = make_flow(settings, problem);
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(flow->advance(0.1).ok);
  const Fluid fluid{problem.viscosity, 1};
  const Profiles profiles = profiles_of(flow->layer_sums().value(), flow->grid(), fluid);
  ASSERT_TRUE(profiles.wall);
  EXPECT_NEAR(profiles.wall->u_tau, 1, 1e-6);
  EXPECT_NEAR(profiles.wall->bulk, 2.0 / 3, 0.01);
  EXPECT_NEAR(profiles.wall->centre, 1, 0.02);
  const std::string text = wall_text(profiles);
  EXPECT_NE(text.find("Re_tau 2"), std::string::npos) << text;
  EXPECT_NE(text.find("not turbulent: the largest Reynolds stress is"), std::string::npos) << text;
}

}  // namespace
}  // namespace hodge::sim
