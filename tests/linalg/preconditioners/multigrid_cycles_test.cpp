// Kinds of multigrid cycles.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "linalg/base/errors.hpp"
#include "linalg/matrices/transpose.hpp"
#include "linalg/preconditioners/multigrid.hpp"
#include "tests/support/grid_problem.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests_of_grids::GridProblem;
using tests_of_grids::iterations;
using tests_of_grids::multigrid;

template <class Space>
class MultigridCycleTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(MultigridCycleTest, tests::Spaces, tests::SpaceName);

TYPED_TEST(MultigridCycleTest, every_smoother_cycle_and_precision_converges) {
  for (const char* smoother : {"ssor_sai", "jacobi", "chebyshev"})
    for (const char* cycle : {"v", "w", "f"})
      for (const int smoothings : {1, 2}) {
        PreconditionerSettings settings = multigrid;
        settings.options["smoother"] = smoother;
        settings.options["cycle"] = cycle;
        settings.options["smoothings"] = smoothings;
        const GridProblem problem({40, 40, 40});
        const char* method = std::string(cycle) == "f" ? "bicgstab" : "cg";
        const int single = iterations<TypeParam>(problem, settings, method);
        settings.options["precision"] = "double";
        const int twice = iterations<TypeParam>(problem, settings, method);
        EXPECT_LE(single, 13) << smoother << ", " << cycle;
        EXPECT_LE(single, twice + 1) << smoother << ", " << cycle;
      }
}

// (M^-1 r, s), (r, M^-T s) and (r, M^-1 s) of two random vectors.
template <class Space>
std::array<double, 3> products_of_cycle(const MultigridSettings& settings,
                                        const CsrMatrix<Space, double>& a) {
  TransposedCsr<Space, double> transposed;
  transposed.setup(a);
  transposed.refresh(a);
  Multigrid<Space, double> preconditioner(settings);
  preconditioner.setup(a);
  preconditioner.use_transpose(transposed.matrix());
  const std::vector<double> left = tests::random_values(a.rows(), 1),
                            right = tests::random_values(a.rows(), 2);
  const Vector<Space> r{std::span<const double>(left)}, s{std::span<const double>(right)};
  Vector<Space> z(a.rows()), y(a.rows()), w(a.rows());
  preconditioner.apply(r, z);
  preconditioner.apply_transposed(s, y);
  preconditioner.apply(s, w);
  return {dot(z, s).to_host(), dot(r, y).to_host(), dot(r, w).to_host()};
}

// M^-T = M^-1 if A is symmetric, except for the f cycle; on the grid and by aggregates.
TYPED_TEST(MultigridCycleTest, the_transposed_cycle_is_the_transpose) {
  for (const bool on_grid : {true, false})
    for (const double wind : {0.0, 0.4})
      for (const char* cycle : {"v", "w", "f"}) {
        GridProblem problem({23, 18});
        problem.wind = wind;
        problem.shift = 0.1;
        const Symmetry symmetry = wind == 0 ? Symmetry::symmetric : Symmetry::nonsymmetric;
        const auto a =
            on_grid ? problem.in<TypeParam>() : problem.matrix().template in<TypeParam>(symmetry);
        MultigridSettings settings;
        settings.precision = "double";
        settings.cycle = cycle;
        settings.coarsest_cells = 4;
        const auto [direct, back, swapped] = products_of_cycle(settings, *a);
        const std::string what = std::string(cycle) + (on_grid ? ", grid" : ", aggregates") +
                                 ", wind " + std::to_string(wind);
        EXPECT_NEAR(direct, back, 1e-11 * std::abs(direct)) << what;
        if (wind != 0) continue;
        if (std::string(cycle) == "f") {
          EXPECT_GT(std::abs(swapped - direct), 1e-9 * std::abs(direct)) << what;
        } else {
          EXPECT_NEAR(swapped, direct, 1e-11 * std::abs(direct)) << what;
        }
      }
}

// The iterations of f lie between those of v and w, with as many levels as possible and one method.
TYPED_TEST(MultigridCycleTest, an_f_cycle_needs_no_more_iterations_than_a_v_cycle) {
  PreconditionerSettings settings = multigrid;
  settings.options["coarsest_cells"] = 4;
  for (const std::vector<int>& extent : {std::vector{96, 80}, std::vector{24, 20, 28}}) {
    std::map<std::string, int> count;
    for (const char* cycle : {"v", "w", "f"}) {
      settings.options["cycle"] = cycle;
      GridProblem problem(extent);
      problem.dirichlet = true;
      count[cycle] = iterations<TypeParam>(problem, settings, "gmres");
    }
    EXPECT_LE(count["f"], count["v"]);
    EXPECT_GE(count["f"], count["w"]);
  }
}

// Where the cell at an open side stays alone, on the finest grid or on a coarser one, its coupling
// to the side is as strong on the coarser grid: too weak a coupling makes a w cycle indefinite.
TYPED_TEST(MultigridCycleTest, odd_numbers_of_cells_between_open_sides_cost_no_iterations) {
  for (const char* cycle : {"v", "w"}) {
    PreconditionerSettings settings = multigrid;
    settings.options["cycle"] = cycle;
    for (const std::vector<int>& extent :
         {std::vector{48, 16}, std::vector{49, 16}, std::vector{50, 36}, std::vector{25, 18, 11}}) {
      GridProblem problem(extent);
      problem.open[0][0] = problem.open[0][1] = true;
      EXPECT_LE(iterations<TypeParam>(problem, settings), 9)
          << cycle << ", " << extent[0] << " x " << extent[1];
    }
  }
}

TYPED_TEST(MultigridCycleTest, an_f_cycle_is_refused_for_methods_that_ask_for_symmetry) {
  SolverSettings settings;
  settings.preconditioner = multigrid;
  settings.preconditioner.options["cycle"] = "f";
  for (const char* method : {"bicg", "bicgstab", "gmres"}) {
    settings.method = method;
    EXPECT_NO_THROW(check(settings)) << method;
  }
  settings.fallback = {"cg"};
  EXPECT_THROW(check(settings), ConfigError);
  settings.fallback.clear();
  settings.method = "cg";
  EXPECT_THROW(check(settings), ConfigError);
}

}  // namespace
}  // namespace hodge::linalg
