#include "linalg/preconditioners/multigrid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "linalg/multigrid/coarser_cells.hpp"
#include "linalg/solve/solve.hpp"
#include "linalg/space/traffic.hpp"
#include "tests/support/grid_problem.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests_of_grids::GridProblem;
using tests_of_grids::iterations;
using tests_of_grids::multigrid;

template <class Space>
class MultigridTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(MultigridTest, tests::Spaces, tests::SpaceName);

TYPED_TEST(MultigridTest, poisson_takes_as_many_iterations_on_every_grid) {
  for (const std::vector<int>& extent : std::vector<std::vector<int>>{
           {64, 64}, {256, 256}, {32, 32, 32}, {64, 64, 64}, {50, 37, 29}, {97, 5}})
    for (const bool dirichlet : {false, true}) {
      GridProblem problem(extent);
      problem.dirichlet = dirichlet;
      EXPECT_LE(iterations<TypeParam>(problem, multigrid), 9)
          << extent[0] << " x " << extent[1] << ", dirichlet " << dirichlet;
    }
}

TYPED_TEST(MultigridTest, periodic_axes_of_any_length_are_closed) {
  for (const std::vector<int>& extent :
       std::vector<std::vector<int>>{{32, 32}, {33, 47}, {5, 64}, {3, 40}, {2, 40}, {25, 50, 37}})
    for (const std::array<bool, 3> periodic :
         {std::array<bool, 3>{true, true, true}, std::array<bool, 3>{true, false, true}})
      EXPECT_LE(iterations<TypeParam>(GridProblem(extent, periodic), multigrid), 11)
          << extent[0] << " x " << extent[1];
}

TYPED_TEST(MultigridTest, weakly_coupled_axes_are_coarsened_later) {
  GridProblem problem({64, 64, 16});
  problem.coupling = {1, 1, 0.01};
  EXPECT_LE(iterations<TypeParam>(problem, multigrid), 10);
  problem.coupling = {0.01, 1, 0.01};
  EXPECT_LE(iterations<TypeParam>(problem, multigrid), 10);
}

// Widths of n cells that are thinner at both ends, the thinnest by a factor of cosh^2(strength).
std::function<double(int, int)> thin_at_ends(int n, double strength) {
  return [n, strength](int, int i) {
    return std::pow(std::cosh(strength * (2.0 * i + 1 - n) / n), -2.0);
  };
}

// With all cells coarsened along both axes, the first grid would take more than 30 iterations.
TYPED_TEST(MultigridTest, strongly_stretched_grids_take_few_iterations) {
  for (const char* smoother : {"ssor_sai", "chebyshev"}) {
    PreconditionerSettings settings = multigrid;
    settings.options["smoother"] = smoother;
    for (const bool dirichlet : {false, true}) {
      GridProblem square({96, 96});
      square.dirichlet = dirichlet;
      square.width = thin_at_ends(96, 3);
      EXPECT_LE(iterations<TypeParam>(square, settings), 17) << smoother;
      GridProblem ring({96, 61}, {true, false, false});
      ring.dirichlet = dirichlet;
      ring.width = thin_at_ends(96, 2.5);
      EXPECT_LE(iterations<TypeParam>(ring, settings), 14) << smoother;
    }
    GridProblem wake({154, 110});
    wake.width = [](int d, int i) { return std::cosh((i - (d == 0 ? 50 : 55)) / 18.0); };
    wake.solid = [](int i, int j, int) { return i > 44 && i < 56 && j > 49 && j < 61; };
    settings.options["cycle"] = "w";
    EXPECT_LE(iterations<TypeParam>(wake, settings), 20) << smoother;
    settings.options["cycle"] = "v";
    GridProblem cube({32, 32, 32});
    cube.width = thin_at_ends(32, 2.5);
    EXPECT_LE(iterations<TypeParam>(cube, settings), 21) << smoother;
    cube.solid = [](int i, int j, int k) { return i > 12 && i < 19 && j > 9 && j < 16 && k < 20; };
    EXPECT_LE(iterations<TypeParam>(cube, settings), 23) << smoother;
  }
}

// Cells that are thin at both ends of every axis, and even cells.
TYPED_TEST(MultigridTest, memory_of_grids_is_as_announced) {
  for (const double strength : {0.0, 2.0, 3.0})
    for (const std::vector<int>& extent : {std::vector{192, 160}, std::vector{40, 36, 44}}) {
      GridProblem problem(extent);
      problem.width = [&](int d, int i) {
        return thin_at_ends(extent[static_cast<std::size_t>(d)], strength)(d, i);
      };
      const auto a = problem.in<TypeParam>();
      SystemSize size = a->system_size();
      std::array<std::vector<double>, 3> widths;
      for (std::size_t d = 0; d < extent.size(); ++d)
        for (int i = 0; i < extent[d]; ++i)
          widths[d].push_back(problem.width(static_cast<int>(d), i));
      size.coarser_cells = coarser_cells(problem.shape, widths, MultigridSettings{}.coarsest_cells);
      const auto before = TypeParam::allocated_bytes();
      Multigrid<TypeParam, double> preconditioner({});
      preconditioner.setup(*a);
      const auto held = static_cast<double>(TypeParam::allocated_bytes() - before);
      const auto announced =
          static_cast<double>(Multigrid<TypeParam, double>::memory(MultigridSettings{}, size));
      EXPECT_GE(announced, held) << strength << ", " << extent.size() << "D";
      EXPECT_LE(announced, 1.3 * held) << strength << ", " << extent.size() << "D";
    }
}

// Most slices across the first axis have no coupling at all.
TYPED_TEST(MultigridTest, stretched_grids_are_coarsened_within_solids_too) {
  GridProblem channel({128, 48});
  channel.width = [](int d, int i) { return d == 0 ? 1.0 : std::pow(1.08, i); };
  channel.solid = [](int i, int, int) { return i > 30; };
  channel.dirichlet = true;
  EXPECT_LE(iterations<TypeParam>(channel, multigrid), 14);
}

TYPED_TEST(MultigridTest, cells_without_an_unknown_cost_few_iterations) {
  GridProblem ball({64, 48});
  ball.solid = [](int i, int j, int) { return (i - 20) * (i - 20) + (j - 24) * (j - 24) < 81; };
  EXPECT_LE(iterations<TypeParam>(ball, multigrid), 12);
  GridProblem plates({40, 40, 20});
  plates.dirichlet = true;
  plates.solid = [](int i, int j, int) { return i == 13 && j > 4 && j < 33; };
  EXPECT_LE(iterations<TypeParam>(plates, multigrid), 14);
}

TYPED_TEST(MultigridTest, nonsymmetric_systems_are_solved_by_every_method) {
  GridProblem problem({48, 48});
  problem.wind = 0.3;
  problem.shift = 0.2;
  for (const char* method : {"bicg", "bicgstab", "gmres"})
    EXPECT_LE(iterations<TypeParam>(problem, multigrid, method), 20) << method;
}

TYPED_TEST(MultigridTest, new_values_are_taken_without_allocation) {
  for (const bool on_grid : {true, false}) {
    const GridProblem problem({40, 30});
    const auto a = on_grid ? problem.in<TypeParam>()
                           : problem.matrix().template in<TypeParam>(Symmetry::symmetric);
    Multigrid<TypeParam, double> preconditioner({});
    preconditioner.setup(*a);
    const std::vector<double> values = tests::random_values(a->rows(), 3);
    const Vector<TypeParam> r{std::span<const double>(values)};
    Vector<TypeParam> first(a->rows()), second(a->rows());
    preconditioner.apply(r, first);
    std::vector<double> entries = a->values().to_host();
    for (double& entry : entries) entry *= 4;
    a->values().upload(std::span<const double>(entries));
    const auto before = traffic<TypeParam>().allocations;
    preconditioner.refresh(*a);
    preconditioner.apply(r, second);
    EXPECT_EQ(traffic<TypeParam>().allocations, before) << "grid " << on_grid;
    second = 4.0 * second - first;
    EXPECT_LE(norm(second).to_host(), 1e-5 * norm(first).to_host()) << "grid " << on_grid;
  }
}

TYPED_TEST(MultigridTest, entries_beside_the_stencil_lead_to_aggregates) {
  const GridProblem problem({20, 20});
  tests::HostMatrix host = problem.matrix();
  const auto plain = host.template in<TypeParam>(Symmetry::symmetric);
  Multigrid<TypeParam, double> by_rows({}), on_grid({});
  by_rows.setup(*plain);
  on_grid.setup(*problem.in<TypeParam>());
  EXPECT_NE(by_rows.made_text().find("rows 400"), std::string::npos);
  EXPECT_NE(on_grid.made_text().find("grids 20 x 20, 10 x 10, 5 x 5"), std::string::npos);
  auto pattern = std::make_shared<CsrPattern<TypeParam>>(host.rows, host.cols,
                                                         std::span<const int>(host.row_offsets),
                                                         std::span<const int>(host.columns));
  GridRows<TypeParam> other;
  other.shape.dim = 2;
  other.shape.extent[0] = 40;
  other.shape.extent[1] = 10;
  pattern->place_on(std::move(other));
  CsrMatrix<TypeParam> misplaced(pattern, Symmetry::symmetric);
  misplaced.values().upload(std::span<const double>(host.values));
  Multigrid<TypeParam, double> elsewhere({});
  elsewhere.setup(misplaced);
  EXPECT_NE(elsewhere.made_text().find("rows 400"), std::string::npos);
}

TEST(MultigridSettings, out_of_range_are_refused) {
  const auto refused = [](auto change) {
    SolverSettings settings;
    settings.preconditioner = multigrid;
    change(settings.preconditioner);
    EXPECT_THROW(check(settings), ConfigError);
  };
  refused([](PreconditionerSettings& p) { p.options["cycle"] = "x"; });
  refused([](PreconditionerSettings& p) { p.options["smoother"] = "sor"; });
  refused([](PreconditionerSettings& p) { p.options["precision"] = "half"; });
  refused([](PreconditionerSettings& p) { p.options["smoothings"] = 0; });
  refused([](PreconditionerSettings& p) { p.options["coarsest_cells"] = 513; });
}

}  // namespace
}  // namespace hodge::linalg
