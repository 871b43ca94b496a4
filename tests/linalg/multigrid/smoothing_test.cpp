// The smoothers of the levels against the preconditioners that they are, with omega other than 1.
#include <gtest/gtest.h>

#include "linalg/multigrid/grid_level.hpp"
#include "linalg/multigrid/row_level.hpp"
#include "linalg/multigrid/stencil_from_rows.hpp"
#include "linalg/preconditioners/multigrid.hpp"
#include "linalg/preconditioners/ssor_sai.hpp"
#include "tests/support/grid_problem.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests_of_grids::GridProblem;

constexpr double omega = 1.3;

// Symmetric or not, on cells of unequal widths.
GridProblem problem_with(double wind) {
  GridProblem problem({5, 6});
  problem.width = [](int d, int i) { return 1 + 0.3 * i + (d == 1 ? 0.2 * (i % 3) : 0.0); };
  problem.dirichlet = true;
  problem.wind = wind;
  return problem;
}

// (2 - omega) (I - D'^-1 U) D'^-1 (I - L D'^-1) r, or 0.8 omega D^-1 r.
std::vector<double> expected(const CsrMatrix<Host>& a, const std::string& smoother,
                             const std::vector<double>& right_side) {
  const Vector<Host> r{std::span<const double>(right_side)};
  Vector<Host> z(a.rows());
  if (smoother == "ssor_sai") {
    SsorSai<Host, double> preconditioner({.order = 1, .omega = omega});
    preconditioner.setup(a);
    return preconditioner.apply(r, z).to_host();
  }
  std::vector<double> result = right_side;
  const std::vector<double> values = a.values().to_host();
  const std::vector<int> diagonal = a.pattern().diagonal().to_host();
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] *= 0.8 * omega / values[static_cast<std::size_t>(diagonal[i])];
  return result;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted,
                 const std::vector<double>& start) {
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(found[i], wanted[i] + (start.empty() ? 0.0 : start[i]), 1e-13) << i;
}

template <class Level>
void expect_smoothing(Level& level, const std::vector<double>& wanted,
                      const std::vector<double>& right_side) {
  using Array = typename Level::Array;
  std::vector<double> start = tests::random_values(static_cast<int>(wanted.size()), 8),
                      b = right_side, z(wanted.size());
  const auto read = multigrid::reading(Array{b.data()});
  level.smooth(read, multigrid::reading(Array{}), Array{z.data()});
  expect_near(z, wanted, {});
  level.smooth(read, multigrid::reading(Array{start.data()}), Array{z.data()});
  expect_near(z, wanted, start);
}

TEST(Smoothing, of_levels_is_that_of_the_preconditioner_with_omega) {
  for (const double wind : {0.0, 0.7})
    for (const char* smoother : {"ssor_sai", "jacobi"}) {
      SCOPED_TRACE(std::string(smoother) + ", wind " + std::to_string(wind));
      const auto a = problem_with(wind).in<Host>();
      const std::vector<double> r = tests::random_values(a->rows(), 2);
      MultigridSettings settings;
      settings.smoother = smoother;
      settings.omega = omega;
      const std::vector<double> wanted = expected(*a, smoother, r);
      multigrid::GridLevel<2, Host, double> on_grid(
          multigrid::level_shape<2>(a->pattern().grid()->shape), wind == 0.0, settings);
      multigrid::take_rows<2, Host>(a->view(), multigrid::AllColumns{}, on_grid.layers.own,
                                    on_grid.view(), on_grid.t.data());
      expect_smoothing(on_grid, wanted, r);
      multigrid::RowLevel<Host, double> of_rows(nullptr, a.get(), settings);
      of_rows.take_diagonal();
      expect_smoothing(of_rows, wanted, r);
    }
}

// One step of y = D^-1 r / theta, and the second of the Chebyshev recurrence for eigenvalues in
// [0.5, 2]: p(lambda) = (1 - T_2((theta - lambda) / delta) / T_2(theta / delta)) / lambda.
TEST(Smoothing, by_chebyshev_is_the_polynomial_of_second_order) {
  const auto a = problem_with(0.0).in<Host>();
  const std::vector<double> r = tests::random_values(a->rows(), 2);
  const std::vector<double> values = a->values().to_host();
  const std::vector<int> diagonal = a->pattern().diagonal().to_host();
  const auto scaled = [&](std::vector<double> v) {
    for (std::size_t i = 0; i < v.size(); ++i)
      v[i] /= values[static_cast<std::size_t>(diagonal[i])];
    return v;
  };
  const double theta = 1.25, delta = 0.75, t2 = 2 * theta * theta / (delta * delta) - 1;
  // (1 - T_2((theta - x) / delta) / t2) / x = (4 theta - 2 x) / (delta^2 t2)
  const std::vector<double> y = scaled(r);
  const Vector<Host> y_vector{std::span<const double>(y)};
  Vector<Host> product(a->rows());
  multiply(*a, y_vector, product);
  const std::vector<double> dy = scaled(product.to_host());
  std::vector<double> wanted(y.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    wanted[i] = (4 * theta * y[i] - 2 * dy[i]) / (delta * delta * t2);
  MultigridSettings settings;
  settings.smoother = "chebyshev";
  multigrid::GridLevel<2, Host, double> on_grid(
      multigrid::level_shape<2>(a->pattern().grid()->shape), true, settings);
  multigrid::take_rows<2, Host>(a->view(), multigrid::AllColumns{}, on_grid.layers.own,
                                on_grid.view(), on_grid.t.data());
  expect_smoothing(on_grid, wanted, r);
  multigrid::RowLevel<Host, double> of_rows(nullptr, a.get(), settings);
  of_rows.take_diagonal();
  expect_smoothing(of_rows, wanted, r);
}

template <class Space>
class SmoothingTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(SmoothingTest, tests::Spaces, tests::SpaceName);

template <class Space>
std::vector<double> cycle_of(const GridProblem& problem, const MultigridSettings& settings) {
  const auto a = problem.in<Space>();
  Multigrid<Space, double> cycle(settings);
  cycle.setup(*a);
  const std::vector<double> right_side = tests::random_values(a->rows(), 4);
  const Vector<Space> r{std::span<const double>(right_side)};
  Vector<Space> z(a->rows());
  return cycle.apply(r, z).to_host();
}

TYPED_TEST(SmoothingTest, cycles_with_omega_are_those_of_the_host) {
  for (const char* smoother : {"ssor_sai", "jacobi", "chebyshev"})
    for (const double wind : {0.0, 0.4}) {
      GridProblem problem({23, 18});
      problem.wind = wind;
      problem.shift = 0.1;
      MultigridSettings settings{.smoother = smoother, .precision = "double", .coarsest_cells = 8};
      if (std::string(smoother) != "chebyshev") settings.omega = omega;
      const std::vector<double> host = cycle_of<Host>(problem, settings);
      const std::vector<double> here = cycle_of<TypeParam>(problem, settings);
      for (std::size_t i = 0; i < host.size(); ++i)
        ASSERT_NEAR(here[i], host[i], 1e-11) << smoother << ", wind " << wind;
    }
}

// A relaxation factor near the best of SSOR takes no more iterations than 1.
TYPED_TEST(SmoothingTest, the_factor_changes_the_iterations_little) {
  GridProblem problem({40, 36});
  problem.dirichlet = true;
  PreconditionerSettings settings = tests_of_grids::multigrid;
  const int plain = tests_of_grids::iterations<TypeParam>(problem, settings);
  for (const double factor : {0.8, 1.2}) {
    settings.options["omega"] = factor;
    EXPECT_LE(tests_of_grids::iterations<TypeParam>(problem, settings), plain + 3) << factor;
  }
}

}  // namespace
}  // namespace hodge::linalg
