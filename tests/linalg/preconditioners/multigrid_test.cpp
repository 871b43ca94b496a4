#include "linalg/preconditioners/multigrid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "linalg/multigrid/coarser_cells.hpp"
#include "linalg/solve.hpp"
#include "linalg/traffic.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

template <class Space>
class MultigridTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(MultigridTest, tests::Spaces, tests::SpaceName);

// -div(grad u) + wind . grad u (upwind) + shift u on a box of unit cells, some of them solid. With
// `width` the cells of an axis have widths of their own.
struct GridProblem {
  GridShape shape;
  bool dirichlet = false;  // u = 0 in the sides, otherwise no flux
  double wind = 0, shift = 0;
  std::array<double, 3> coupling{1, 1, 1};
  std::function<double(int d, int i)> width = [](int, int) { return 1.0; };
  std::function<bool(int, int, int)> solid = [](int, int, int) { return false; };

  explicit GridProblem(std::vector<int> extent, std::array<bool, 3> periodic = {}) {
    shape.dim = static_cast<int>(extent.size());
    for (std::size_t d = 0; d < extent.size(); ++d) {
      shape.extent[d] = extent[d];
      shape.periodic[d] = periodic[d];
    }
  }

  std::vector<int> numbers() const {
    std::vector<int> numbers;
    int rows = 0;
    for (int k = 0; k < shape.extent[2]; ++k)
      for (int j = 0; j < shape.extent[1]; ++j)
        for (int i = 0; i < shape.extent[0]; ++i) numbers.push_back(solid(i, j, k) ? -1 : rows++);
    return numbers;
  }

  // Of a face of cell p across axis d; between the centres of two cells of axis d.
  double area(int p, int d, const int (&stride)[3]) const {
    double area = 1;
    for (int e = 0; e < shape.dim; ++e)
      if (e != d) area *= width(e, p / stride[e] % shape.extent[e]);
    return area;
  }
  double distance(int d, int i, int j) const {
    const int n = shape.extent[d];
    const bool inside = shape.periodic[d] || (j >= 0 && j < n);
    return inside ? 0.5 * (width(d, i) + width(d, (j + n) % n)) : width(d, i);
  }

  tests::HostMatrix matrix() const {
    const std::vector<int> row = numbers();
    const int stride[3] = {1, shape.extent[0], shape.extent[0] * shape.extent[1]};
    tests::Entries entries;
    int rows = 0;
    for (int p = 0; p < static_cast<int>(row.size()); ++p) {
      if (row[p] < 0) continue;
      ++rows;
      double& diagonal = entries[{row[p], row[p]}];
      diagonal += shift;
      for (int d = 0; d < shape.dim; ++d)
        for (const int step : {-1, 1}) {
          const int i = p / stride[d] % shape.extent[d];
          const int there = i + step;
          const double a =
              coupling[d] * area(p, d, stride) / distance(d, i, there) + (step < 0 ? wind : 0);
          if (!shape.periodic[d] && (there < 0 || there >= shape.extent[d])) {
            diagonal += dirichlet ? 2 * a : 0;
            continue;
          }
          const int q = p + ((there + shape.extent[d]) % shape.extent[d] - i) * stride[d];
          if (row[q] < 0) continue;
          diagonal += a;
          entries[{row[p], row[q]}] -= a;
        }
    }
    return tests::from_entries(rows, rows, entries);
  }

  template <class Space>
  std::unique_ptr<CsrMatrix<Space>> in() const {
    const tests::HostMatrix host = matrix();
    auto pattern = std::make_shared<CsrPattern<Space>>(host.rows, host.cols,
                                                       std::span<const int>(host.row_offsets),
                                                       std::span<const int>(host.columns));
    GridRows<Space> rows{shape, {}};
    for (auto& axis : rows.shape.beyond)
      for (double& beyond : axis) beyond = dirichlet ? -1 : 1;
    const std::vector<int> row = numbers();
    if (host.rows < shape.cells()) rows.row_of_cell = Buffer<int, Space>(std::span<const int>(row));
    pattern->place_on(std::move(rows));
    auto a = std::make_unique<CsrMatrix<Space>>(
        std::move(pattern), wind == 0 ? Symmetry::symmetric : Symmetry::nonsymmetric);
    a->values().upload(std::span<const double>(host.values));
    return a;
  }
};

template <class Space>
int iterations(const GridProblem& problem, const PreconditionerSettings& settings,
               const std::string& method = "cg") {
  const auto a = problem.in<Space>();
  SolverSettings solver;
  solver.method = method;
  solver.preconditioner = settings;
  solver.max_iterations = 200;
  const std::vector<double> right_side = tests::random_values(a->rows(), 7);
  const Vector<Space> b{std::span<const double>(right_side)};
  Vector<Space> x(a->rows());
  const bool singular = !problem.dirichlet && problem.shift == 0;
  const SolveReport report =
      LinearSolver<Space>(solver, a->rows())
          .solve(*a, b, x, {.null_space = singular ? NullSpace::constant : NullSpace::none});
  EXPECT_TRUE(report.converged()) << describe(report);
  return report.converged() ? report.iterations : 1000;
}

PreconditionerSettings of_kind(const char* kind) {
  PreconditionerSettings settings;
  settings.kind = kind;
  return settings;
}

const PreconditionerSettings multigrid = of_kind("multigrid");

TYPED_TEST(MultigridTest, poisson_takes_as_many_iterations_on_every_grid) {
  for (const std::vector<int>& extent : std::vector<std::vector<int>>{
           {64, 64}, {256, 256}, {32, 32, 32}, {64, 64, 64}, {50, 37, 29}, {97, 5}})
    for (const bool dirichlet : {false, true}) {
      GridProblem problem(extent);
      problem.dirichlet = dirichlet;
      const bool odd = extent[1] % 2 == 1;  // the last cell along an axis stays alone
      EXPECT_LE(iterations<TypeParam>(problem, multigrid), odd ? 11 : 9)
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

// Cells of n that are thinner at both ends, the thinnest by cosh^2 of the strength.
std::function<double(int, int)> thin_at_ends(int n, double strength) {
  return [n, strength](int, int i) {
    return std::pow(std::cosh(strength * (2.0 * i + 1 - n) / n), -2.0);
  };
}

// Coarsened along both axes everywhere, the first takes more than 30 iterations.
TYPED_TEST(MultigridTest, strongly_stretched_grids_take_few_iterations) {
  for (const char* smoother : {"ssor_sai", "chebyshev"}) {
    PreconditionerSettings settings = multigrid;
    settings.smoother = smoother;
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
    settings.cycle = "w";
    EXPECT_LE(iterations<TypeParam>(wake, settings), 20) << smoother;
    settings.cycle = "v";
    GridProblem cube({32, 32, 32});
    cube.width = thin_at_ends(32, 2.5);
    EXPECT_LE(iterations<TypeParam>(cube, settings), 21) << smoother;
    cube.solid = [](int i, int j, int k) { return i > 12 && i < 19 && j > 9 && j < 16 && k < 20; };
    EXPECT_LE(iterations<TypeParam>(cube, settings), 23) << smoother;
  }
}

// Thin at both ends of every axis, and even.
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
      size.coarser_cells = coarser_cells(problem.shape, widths, multigrid.coarsest_cells);
      const auto before = TypeParam::allocated_bytes();
      Multigrid<TypeParam, double> preconditioner(multigrid);
      preconditioner.setup(*a);
      const auto held = static_cast<double>(TypeParam::allocated_bytes() - before);
      const auto announced =
          static_cast<double>(Multigrid<TypeParam, double>::memory(multigrid, size));
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

TYPED_TEST(MultigridTest, every_smoother_cycle_and_precision_converges) {
  for (const char* smoother : {"ssor_sai", "jacobi", "chebyshev"})
    for (const char* cycle : {"v", "w", "f"})
      for (const int smoothings : {1, 2}) {
        PreconditionerSettings settings = multigrid;
        settings.smoother = smoother;
        settings.cycle = cycle;
        settings.smoothings = smoothings;
        const GridProblem problem({40, 40, 40});
        const char* method = settings.cycle == "f" ? "bicgstab" : "cg";
        const int single = iterations<TypeParam>(problem, settings, method);
        settings.precision = "double";
        const int twice = iterations<TypeParam>(problem, settings, method);
        EXPECT_LE(single, 13) << smoother << ", " << cycle;
        EXPECT_LE(single, twice + 1) << smoother << ", " << cycle;
      }
}

TYPED_TEST(MultigridTest, nonsymmetric_systems_are_solved_by_every_method) {
  GridProblem problem({48, 48});
  problem.wind = 0.3;
  problem.shift = 0.2;
  for (const char* method : {"bicg", "bicgstab", "gmres"})
    EXPECT_LE(iterations<TypeParam>(problem, multigrid, method), 20) << method;
}

// (M^-1 r, s), (r, M^-T s) and (r, M^-1 s) of two random vectors.
template <class Space>
std::array<double, 3> products_of_cycle(const PreconditionerSettings& settings,
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

// M^-T = M^-1 where A is symmetric, but of the f cycle; on the grid and by aggregates.
TYPED_TEST(MultigridTest, the_transposed_cycle_is_the_transpose) {
  for (const bool on_grid : {true, false})
    for (const double wind : {0.0, 0.4})
      for (const char* cycle : {"v", "w", "f"}) {
        GridProblem problem({23, 18});
        problem.wind = wind;
        problem.shift = 0.1;
        const Symmetry symmetry = wind == 0 ? Symmetry::symmetric : Symmetry::nonsymmetric;
        const auto a =
            on_grid ? problem.in<TypeParam>() : problem.matrix().template in<TypeParam>(symmetry);
        PreconditionerSettings settings = multigrid;
        settings.precision = "double";
        settings.cycle = cycle;
        settings.coarsest_cells = 4;
        const auto [direct, back, swapped] = products_of_cycle(settings, *a);
        const std::string what = std::string(cycle) + (on_grid ? ", grid" : ", aggregates") +
                                 ", wind " + std::to_string(wind);
        EXPECT_NEAR(direct, back, 1e-11 * std::abs(direct)) << what;
        if (wind != 0) continue;
        if (settings.cycle == "f") {
          EXPECT_GT(std::abs(swapped - direct), 1e-9 * std::abs(direct)) << what;
        } else {
          EXPECT_NEAR(swapped, direct, 1e-11 * std::abs(direct)) << what;
        }
      }
}

// Between v and w, with as many levels as there can be; all for one method.
TYPED_TEST(MultigridTest, an_f_cycle_needs_no_more_iterations_than_a_v_cycle) {
  PreconditionerSettings settings = multigrid;
  settings.coarsest_cells = 4;
  for (const std::vector<int>& extent : {std::vector{96, 80}, std::vector{24, 20, 28}}) {
    std::map<std::string, int> count;
    for (const char* cycle : {"v", "w", "f"}) {
      settings.cycle = cycle;
      GridProblem problem(extent);
      problem.dirichlet = true;
      count[cycle] = iterations<TypeParam>(problem, settings, "gmres");
    }
    EXPECT_LE(count["f"], count["v"]);
    EXPECT_GE(count["f"], count["w"]);
  }
}

TYPED_TEST(MultigridTest, an_f_cycle_is_refused_for_methods_that_ask_for_symmetry) {
  SolverSettings settings;
  settings.preconditioner = multigrid;
  settings.preconditioner.cycle = "f";
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

TYPED_TEST(MultigridTest, new_values_are_taken_without_allocation) {
  for (const bool on_grid : {true, false}) {
    const GridProblem problem({40, 30});
    const auto a = on_grid ? problem.in<TypeParam>()
                           : problem.matrix().template in<TypeParam>(Symmetry::symmetric);
    Multigrid<TypeParam, double> preconditioner(multigrid);
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
  Multigrid<TypeParam, double> by_rows(multigrid), on_grid(multigrid);
  by_rows.setup(*plain);
  on_grid.setup(*problem.in<TypeParam>());
  EXPECT_NE(by_rows.settings_text().find("rows 400"), std::string::npos);
  EXPECT_NE(on_grid.settings_text().find("grids 20 x 20, 10 x 10, 5 x 5"), std::string::npos);
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
  Multigrid<TypeParam, double> elsewhere(multigrid);
  elsewhere.setup(misplaced);
  EXPECT_NE(elsewhere.settings_text().find("rows 400"), std::string::npos);
}

TEST(MultigridSettings, out_of_range_are_refused) {
  const auto refused = [](auto change) {
    SolverSettings settings;
    settings.preconditioner = multigrid;
    change(settings.preconditioner);
    EXPECT_THROW(check(settings), ConfigError);
  };
  refused([](PreconditionerSettings& p) { p.cycle = "x"; });
  refused([](PreconditionerSettings& p) { p.smoother = "sor"; });
  refused([](PreconditionerSettings& p) { p.precision = "half"; });
  refused([](PreconditionerSettings& p) { p.smoothings = 0; });
  refused([](PreconditionerSettings& p) { p.coarsest_cells = 513; });
}

}  // namespace
}  // namespace hodge::linalg
