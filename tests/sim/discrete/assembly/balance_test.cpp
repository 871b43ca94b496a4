#include "sim/discrete/assembly/balance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sim/discrete/assembly/pattern.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge {
namespace {

using test::Host;

struct System {
  test::Domain<2> domain{test::grid_of({test::uniform(6, 1.0), test::uniform(5, 1.0)}),
                         test::walls()};
  sim::Unknowns<2> unknowns =
      sim::unknowns_at(sim::at_cells, domain.metrics.layout(), domain.sides);
  linalg::CsrMatrix<Host> a{sim::build_pattern<2, Host>(unknowns)};
  linalg::Vector<Host> b{a.rows()}, x{a.rows()}, r{a.rows()};

  explicit System(double diagonal) {
    std::vector<double> values(static_cast<std::size_t>(a.pattern().nonzeros()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i));
    for (const int position : a.pattern().diagonal().to_host())
      values[static_cast<std::size_t>(position)] += diagonal;
    a.values().upload(values);
    std::vector<double> numbers(static_cast<std::size_t>(a.rows()));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = std::cos(3.0 * static_cast<double>(i));
    b.upload(numbers);
    x.fill(0.1);
    linalg::residual(a, x, b, r);
  }
  double sum_of_residual() {
    linalg::residual(a, x, b, r);
    const std::vector<double> values = r.to_host();
    return std::accumulate(values.begin(), values.end(), 0.0);
  }
};

TEST(Balance, makes_the_sum_of_the_residual_zero_by_a_constant) {
  System system(5.0);
  ASSERT_GT(std::abs(system.sum_of_residual()), 1.0);
  sim::balance(system.unknowns, system.a, system.r, system.x);
  EXPECT_LT(std::abs(system.sum_of_residual()), 1e-12);
  for (const double x : system.x.to_host()) EXPECT_EQ(x, system.x.to_host()[0]);
}

TEST(Balance, changes_nothing_where_the_sum_of_the_matrix_is_not_positive) {
  System system(-5.0);
  sim::balance(system.unknowns, system.a, system.r, system.x);
  for (const double x : system.x.to_host()) EXPECT_EQ(x, 0.1);
}

}  // namespace
}  // namespace hodge
