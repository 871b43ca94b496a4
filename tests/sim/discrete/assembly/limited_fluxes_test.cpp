// A step of upwind convection with a correction of a higher scheme, along a periodic axis.
#include "sim/discrete/assembly/limited_fluxes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using linalg::Host;

constexpr int cells_of_line = 24;

struct CarriedLine {
  // now(x) in the cells; `courant`: of the step.
  CarriedLine(const std::function<double(double)>& initial, double courant_number)
      : courant(courant_number) {
    const FieldView<2> q = now.view();
    for_each_on_host(layout.padded(), [&](const Index<2>& c) {
      velocity[0].view()(c) = 1.0;
      const int cell = (c[0] + cells_of_line) % cells_of_line;
      q(c) = initial((cell + 0.5) / cells_of_line);
    });
    complete_step();
  }
  RangeSources<2> sources(bool knows_result = true) {
    RangeSources<2> of{domain.sides, std::as_const(now).view(), {}, {}, {}, {}};
    const ConstVelocityView<2> u = std::as_const(velocity).view();
    const double dt = courant / cells_of_line;
    of.amounts = {{}, {{u, of.level, 0.25 * dt}, {u, of.level, 0.75 * dt}}, of.level};
    if (knows_result) of.result = std::as_const(result).view();
    return of;
  }
  // The upwind level with all of the amounts.
  void complete_step() {
    compute_amounts(on, sources().amounts, scratch.amounts);
    const ConstFieldView<2> amounts = std::as_const(scratch.amounts).view()[0], q = now.view();
    for_each_on_host(layout.interior(), [&](const Index<2>& c) {
      const double low = q(c) - courant * (q(c) - q(c.shifted(0, -1)));
      result.view()(c) = low + (amounts(c) - amounts(c.shifted(0, 1))) *
                                   on.grid.inverse_control_volume(at_cells, c);
    });
  }
  void limit(bool knows_result = true) {
    add_limited_amounts(on, cells, sources(knows_result), result, scratch, result);
  }
  std::vector<double> values() const {
    std::vector<double> all;
    const ConstFieldView<2> q = result.view();
    for_each_on_host(layout.interior(), [&](const Index<2>& c) { all.push_back(q(c)); });
    return all;
  }

  double courant;
  test::Domain<2> domain{
      test::grid_of({test::uniform(cells_of_line, 1), test::uniform(3, 3.0 / cells_of_line)}),
      test::with_periodic({0, 1})};
  Layout<2> layout = domain.metrics.layout();
  TransportOperator<2> on{domain.metrics.view(), domain.sides, {}, at_cells, 0.0,
                          Convection::quick};
  Unknowns<2> cells{layout.interior(), {true, true}};
  Field<2, Host> now{layout}, result{layout};
  VelocityField<2, Host> velocity{layout};
  LimitScratch<2, Host> scratch{layout};
};

double total_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// Where the sums of what comes in and of what goes out would leave the range, their difference does
// not.
TEST(LimitedFluxes, a_result_within_the_range_is_left_as_it_is_but_for_rounding) {
  for (const double shift : {3.0, 0.0, -3.0}) {
    CarriedLine line([&](double x) { return shift + std::sin(2 * M_PI * x); }, 0.4);
    line.result.values() = line.now.values();
    const std::vector<double> now = line.values();
    line.limit(false);
    EXPECT_NE(line.values(), now);
    for (const bool is_beyond : {false, true})
      for (const double sign : {-1.0, 1.0}) {
        line.result.values() = line.now.values();
        const Index<2> extreme{{sign > 0 ? cells_of_line / 4 : 3 * cells_of_line / 4, 1}};
        line.result.view()(extreme) += sign * (is_beyond ? 1e-12 : 2e-15);
        const std::vector<double> whole = line.values();
        line.limit();
        EXPECT_EQ(line.values() == whole, !is_beyond) << shift << ", " << sign;
      }
  }
}

TEST(LimitedFluxes, one_value_beyond_the_range_limits_all_and_keeps_the_total) {
  CarriedLine line([](double x) { return x > 0.3 && x < 0.6 ? 1.0 : 0.0; }, 0.4);
  const std::vector<double> whole = line.values();
  EXPECT_GT(*std::ranges::max_element(whole), 1.01);
  line.limit(false);
  const std::vector<double> limited = line.values();
  line.complete_step();
  line.limit();
  EXPECT_EQ(line.values(), limited);
  EXPECT_NE(limited, whole);
  EXPECT_GE(*std::ranges::min_element(limited), -1e-15);
  EXPECT_LE(*std::ranges::max_element(limited), 1 + 1e-15);
  EXPECT_NEAR(total_of(limited), total_of(whole), 1e-13);
}

}  // namespace
}  // namespace hodge::sim
