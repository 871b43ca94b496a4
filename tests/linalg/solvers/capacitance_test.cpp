// The capacitance matrix method beside cg, on boxes with solids of all kinds. Over 400 lines: one
// set of boxes serves all cases.
#include "linalg/solvers/capacitance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "linalg/solve/solve.hpp"
#include "tests/support/box_problems.hpp"
#include "tests/support/obstructed_box.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests::block;
using tests::box_of;
using tests::HostMatrix;
using tests::Obstructed;
using tests_of_grids::box_problems;
using tests_of_grids::BoxProblem;

SolverSettings with(const std::string& transforms, double tolerance = 1e-9) {
  SolverSettings settings{.method = "capacitance", .tolerance = tolerance};
  settings.options = {{"transforms", transforms}};
  settings.max_iterations = 300;
  return settings;
}

SolverSettings cg_with_direct(double tolerance = 1e-9) {
  SolverSettings settings{.method = "cg", .preconditioner = {"direct"}, .tolerance = tolerance};
  settings.max_iterations = 300;
  return settings;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
  }
  return most / largest;
}

// Doubles the diagonal of the row of a cell.
void pin(Obstructed& system, int cell) {
  const int row = system.row_of_cell[static_cast<std::size_t>(cell)];
  for (int k = system.host.row_offsets[row]; k < system.host.row_offsets[row + 1]; ++k)
    if (system.host.columns[k] == row) system.host.values[k] *= 2;
}

template <class Space>
class CapacitanceMethod : public tests::SpaceTest<Space> {
 protected:
  struct Solved {
    SolveReport report;
    std::vector<double> x;
  };
  static Solved solve(const CsrMatrix<Space>& a, const std::vector<double>& b,
                      const SolverSettings& settings, NullSpace null_space = NullSpace::none) {
    Vector<Space> x(a.rows());
    LinearSolver<Space> solver(settings, a.rows());
    SolveReport report =
        solver.solve(a, Vector<Space>{std::span<const double>(b)}, x, {.null_space = null_space});
    return {std::move(report), x.to_host()};
  }
  // With the residual that this file computes.
  static SolveReport solved(const Obstructed& system, const SolverSettings& settings,
                            NullSpace null_space = NullSpace::none) {
    const std::vector<double> b = tests::random_values(system.host.rows, 3);
    const Solved found = solve(*system.in<Space>(), b, settings, null_space);
    EXPECT_TRUE(found.report.converged()) << describe(found.report);
    EXPECT_LE(tests::residual_norm(system.host, b, found.x, null_space == NullSpace::constant),
              (1 + 1e-3) * settings.tolerance * tests::norm2(b));
    return found.report;
  }
};
TYPED_TEST_SUITE(CapacitanceMethod, tests::Spaces, tests::SpaceName);

// Balls, steps, solids at all sides, scattered ones, pinned rows; closed, open and periodic sides;
// stretched axes.
TYPED_TEST(CapacitanceMethod, solves_boxes_with_solids_of_all_kinds_as_cg_does) {
  for (const std::vector<int>& extent :
       {std::vector<int>{13, 15}, {37, 23}, {13, 15, 13}, {21, 13, 15}})
    for (const BoxProblem& problem : box_problems(extent))
      for (const char* transforms : {"double", "single", "auto"}) {
        SCOPED_TRACE(problem.name + ", " + std::to_string(extent.size()) + "D, " + transforms);
        const bool singular = problem.grid.system().is_singular() && problem.pinned.empty();
        const NullSpace null_space = singular ? NullSpace::constant : NullSpace::none;
        const auto a = problem.described<TypeParam>();
        std::vector<double> b = tests::random_values(a->rows(), 5);
        const auto wanted = this->solve(*a, b, cg_with_direct(1e-12), null_space);
        const auto found = this->solve(*a, b, with(transforms, 1e-12), null_space);
        EXPECT_TRUE(wanted.report.converged()) << describe(wanted.report);
        EXPECT_TRUE(found.report.converged()) << describe(found.report);
        EXPECT_LE(found.report.true_residual, 1e-12 * found.report.rhs_norm);
        EXPECT_LE(largest_difference(found.x, wanted.x), 1e-9);
      }
}

TYPED_TEST(CapacitanceMethod, takes_no_more_iterations_than_cg_with_direct) {
  for (const std::vector<int>& extent : {std::vector<int>{45, 33}, {21, 17, 15}})
    for (const BoxProblem& problem : box_problems(extent)) {
      SCOPED_TRACE(problem.name + ", " + std::to_string(extent.size()) + "D");
      const bool singular = problem.grid.system().is_singular();
      if (singular && !problem.pinned.empty()) continue;  // there M is another one
      const NullSpace null_space = singular ? NullSpace::constant : NullSpace::none;
      const auto a = problem.described<TypeParam>();
      const std::vector<double> b = tests::random_values(a->rows(), 5);
      const int wanted = this->solve(*a, b, cg_with_direct(), null_space).report.iterations;
      const int found = this->solve(*a, b, with("double"), null_space).report.iterations;
      EXPECT_LE(found, wanted + 1);
    }
}

// Rounding in single precision costs an iteration in each stage at most.
TYPED_TEST(CapacitanceMethod, single_precision_keeps_the_iterations_and_the_residual) {
  for (const int dim : {2, 3})
    for (const bool stretched : {false, true}) {
      const int n = dim == 2 ? 64 : 24;
      const Obstructed system(box_of(dim, n, true, stretched), block(n));
      for (const double tolerance : {1e-3, 1e-6, 1e-9, 1e-12}) {
        SCOPED_TRACE(testing::Message() << dim << "D, " << stretched << ", " << tolerance);
        const int of_double = this->solved(system, with("double", tolerance)).iterations;
        const int of_single = this->solved(system, with("single", tolerance)).iterations;
        EXPECT_LE(of_single, of_double + 1 + of_double / 6);
      }
    }
}

// A ball that cuts cells: an entry between two cells is that of the box times what the ball leaves
// open of the face between them, by 8 x 8 points; less than `least` counts as nothing.
Obstructed cut_ball(int n, double least) {
  const auto is_in_ball = [n](double x, double y, double z) {
    const double centre = 0.471 * n, radius = 0.234 * n;
    return std::pow(x - centre, 2) + std::pow(y - centre, 2) + std::pow(z - centre, 2) <
           std::pow(radius, 2);
  };
  const auto opening = [&](int axis, std::array<int, 3> cell) {  // of the lower face
    int open = 0;
    for (int i = 0; i < 64; ++i) {
      std::array<double, 3> at{0, 0, 0};
      at[static_cast<std::size_t>((axis + 1) % 3)] = (i % 8 + 0.5) / 8;
      at[static_cast<std::size_t>((axis + 2) % 3)] = (i / 8 + 0.5) / 8;
      for (std::size_t d = 0; d < 3; ++d) at[d] += cell[d];
      open += is_in_ball(at[0], at[1], at[2]) ? 0 : 1;
    }
    return open >= 64 * least ? open / 64.0 : 0.0;
  };
  const auto is_closed = [&](int i, int j, int k) {
    double most = 0;
    for (const int d : {0, 1, 2}) {
      most = std::max(most, opening(d, {i, j, k}));
      most = std::max(most, opening(d, {i + (d == 0), j + (d == 1), k + (d == 2)}));
    }
    return most == 0;
  };
  Obstructed system(box_of(3, n, true), is_closed);
  std::vector<int> cells;
  for (int cell = 0; cell < n * n * n; ++cell)
    if (system.row_of_cell[static_cast<std::size_t>(cell)] >= 0) cells.push_back(cell);
  HostMatrix& host = system.host;
  for (int row = 0; row < host.rows; ++row) {
    double closed = 0;
    int diagonal = 0;
    for (int k = host.row_offsets[row]; k < host.row_offsets[row + 1]; ++k) {
      const int mine = cells[static_cast<std::size_t>(row)];
      const int upper = std::max(mine, cells[static_cast<std::size_t>(host.columns[k])]);
      const int apart = 2 * upper - mine - cells[static_cast<std::size_t>(host.columns[k])];
      if (apart == 0) diagonal = k;
      if (apart != 1 && apart != n && apart != n * n) continue;  // periodic sides are far away
      const int axis = apart == 1 ? 0 : apart == n ? 1 : 2;
      const double part = opening(axis, {upper % n, upper / n % n, upper / (n * n)});
      closed += (1 - part) * host.values[k];
      host.values[k] *= part;
    }
    host.values[diagonal] += closed;
  }
  return system;
}

// Where the smallest entry that cells are coupled by is 0.3 or 0.015 of those of the box.
TYPED_TEST(CapacitanceMethod, iterations_do_not_grow_with_the_range_of_entries_beside_bodies) {
  for (const int n : {12, 24})
    for (const double least : {0.3, 0.015}) {
      const Obstructed system = cut_ball(n, least);
      for (const char* transforms : {"double", "single"})
        EXPECT_LE(this->solved(system, with(transforms)).iterations, 12) << n << ", " << least;
    }
  EXPECT_GE(this->solved(cut_ball(24, 0.015), cg_with_direct()).iterations, 40);
}

TYPED_TEST(CapacitanceMethod, iterations_do_not_grow_with_the_grid) {
  std::vector<int> iterations;
  for (const int n : {16, 32, 64, 128})
    iterations.push_back(
        this->solved(Obstructed(box_of(2, n, true), block(n)), with("double")).iterations);
  EXPECT_LE(iterations.back(), iterations.front() + 4);
  EXPECT_LE(iterations.back(), 16);
}

TYPED_TEST(CapacitanceMethod, solves_beside_two_bodies_and_through_a_thin_gap) {
  const int n = 32;
  const auto with_gap = [&](int gap) {
    return Obstructed(box_of(2, n, true), [=](int i, int j, int) {
      return i >= 8 && i < 24 && j >= 4 && j < 28 && (j < 16 - gap / 2 || j >= 16 + (gap + 1) / 2);
    });
  };
  const int wide = this->solved(with_gap(8), with("double")).iterations;
  for (const char* transforms : {"double", "single"}) {
    const int thin = this->solved(with_gap(1), with(transforms)).iterations;
    EXPECT_GE(thin, wide);
    EXPECT_LE(thin, 60);
  }
}

TYPED_TEST(CapacitanceMethod, takes_one_iteration_where_no_point_is_missing) {
  for (const bool open : {false, true})
    for (const char* transforms : {"double", "single"}) {
      const Obstructed system(box_of(3, 9, open, true), [](int, int, int) { return false; });
      EXPECT_EQ(this->solved(system, with(transforms), open ? NullSpace::none : NullSpace::constant)
                    .iterations,
                1);
    }
}

// Two closed regions, of which both are pinned, or one; the box itself has no level. A row is
// pinned beside a solid, and one amid the fluid.
TYPED_TEST(CapacitanceMethod, solves_pinned_regions_of_a_closed_box) {
  const int n = 24;
  for (const char* transforms : {"double", "single"})
    for (const auto& [first, second] : {std::pair{10, 12}, std::pair{5 * n + 3, 9 * n + 20}}) {
      Obstructed system(box_of(2, n, false), [](int i, int, int) { return i == 11; });
      pin(system, first);
      pin(system, second);
      EXPECT_LE(this->solved(system, with(transforms)).iterations, 40);
    }
}

// One closed region and a pinned one in an open box; where the first has no solid beside it, too.
TYPED_TEST(CapacitanceMethod, solves_pinned_rows_of_an_open_box) {
  Obstructed system(box_of(2, 24, true), [](int i, int, int) { return i == 11; });
  pin(system, 12);
  EXPECT_LE(this->solved(system, with("double")).iterations, 60);
  Obstructed open(box_of(3, 8, true), [](int, int, int) { return false; });
  pin(open, 77);
  EXPECT_LE(this->solved(open, with("double")).iterations, 4);
}

// Of a closed box, that a row leaks says that the sum over its right side may be anything.
TYPED_TEST(CapacitanceMethod, solves_a_closed_box_with_one_pinned_row) {
  Obstructed system(box_of(2, 20, false, true), block(20));
  pin(system, 3);
  for (const char* transforms : {"double", "single"})
    EXPECT_LE(this->solved(system, with(transforms)).iterations, 30);
}

TYPED_TEST(CapacitanceMethod, improves_a_guess) {
  const Obstructed system(box_of(2, 32, true), block(32));
  const auto a = system.in<TypeParam>();
  const std::vector<double> solution = tests::random_values(system.host.rows, 8),
                            b = system.host.multiply(solution);
  std::vector<double> guess = solution;
  const std::vector<double> error = tests::random_values(system.host.rows, 9);
  for (std::size_t i = 0; i < guess.size(); ++i) guess[i] += 1e-5 * error[i];
  for (const char* transforms : {"double", "single"}) {
    LinearSolver<TypeParam> solver(with(transforms, 1e-10), system.host.rows);
    const Vector<TypeParam> right{std::span<const double>(b)};
    Vector<TypeParam> near{std::span<const double>(guess)}, from_zero(system.host.rows);
    const SolveReport less = solver.solve(*a, right, near),
                      more = solver.solve(*a, right, from_zero);
    EXPECT_TRUE(less.converged()) << describe(less);
    EXPECT_LT(less.iterations, more.iterations - 3);
    EXPECT_LE(largest_difference(near.to_host(), solution), 1e-8);
    // The solution itself costs nothing.
    Vector<TypeParam> exact{std::span<const double>(solution)};
    EXPECT_EQ(solver.solve(*a, right, exact).iterations, 0);
    EXPECT_EQ(exact.to_host(), solution);
  }
}

// Right sides whose squares single precision cannot store, and matrices in other units.
TYPED_TEST(CapacitanceMethod, solves_systems_in_any_units) {
  for (const double length : {1e-3, 1.0, 1e3}) {
    SeparableSystem box = box_of(3, 12, true);
    for (SeparableAxis& axis : box.axes) {
      for (double& weight : axis.weights) weight *= length;
      for (double& coupling : axis.couplings) coupling /= length;
    }
    const Obstructed system(box, block(12));
    const auto a = system.in<TypeParam>();
    for (const double unit : {1e-50, 1e-20, 1e50}) {
      SCOPED_TRACE(testing::Message() << length << ", " << unit);
      std::vector<double> b = tests::random_values(system.host.rows, 3);
      for (double& value : b) value *= unit;
      const auto found = this->solve(*a, b, with("single", 1e-10));
      EXPECT_TRUE(found.report.converged()) << describe(found.report);
      EXPECT_LE(found.report.iterations, 20);
    }
  }
}

// shift W + factor sum_d T_d, of which solids take the couplings alone.
TYPED_TEST(CapacitanceMethod, solves_steps_of_diffusion) {
  SeparableSystem box = box_of(2, 20, false, true);
  box.shift = 3;
  box.factor = 0.25;
  const Obstructed system(box, block(20));
  EXPECT_LE(this->solved(system, with("double")).iterations, 20);
}

// Rows that are coupled to rows far away differ from the box, too.
TYPED_TEST(CapacitanceMethod, solves_with_couplings_that_the_box_does_not_have) {
  Obstructed system(box_of(2, 16, true), block(16));
  tests::Entries entries;
  for (int i = 0; i < system.host.rows; ++i)
    for (int k = system.host.row_offsets[i]; k < system.host.row_offsets[i + 1]; ++k)
      entries[{i, system.host.columns[k]}] = system.host.values[k];
  const int one = 20, other = 170;
  for (const int i : {one, other}) {
    entries[{i, i}] += 2;
    entries[{i, one + other - i}] -= 2;
  }
  system.host = tests::from_entries(system.host.rows, system.host.rows, entries);
  EXPECT_LE(this->solved(system, with("double")).iterations, 20);
}

TYPED_TEST(CapacitanceMethod, takes_new_values_in_the_same_pattern) {
  Obstructed system(box_of(2, 24, true), block(24));
  const auto a = system.in<TypeParam>();
  const std::vector<double> b = tests::random_values(system.host.rows, 3);
  const Vector<TypeParam> right{std::span<const double>(b)};
  LinearSolver<TypeParam> solver(with("double"), system.host.rows);
  Vector<TypeParam> x(system.host.rows);
  const auto check = [&](Changed changed) {
    a->values().upload(system.host.values);
    x.fill(0.0);
    const SolveReport report = solver.solve(*a, right, x, {.changed = changed});
    EXPECT_TRUE(report.converged()) << describe(report);
    EXPECT_LE(tests::residual_norm(system.host, b, x.to_host()), 1.001e-9 * tests::norm2(b));
    EXPECT_LE(report.iterations, 25);
  };
  check(Changed::pattern);
  pin(system, 40);  // another row than those beside the solid
  check(Changed::values);
  pin(system, 5 * 24 + 9);  // one beside it
  check(Changed::values);
  // Another box.
  SeparableSystem wider = system.box;
  for (double& coupling : wider.axes[0].couplings) coupling *= 0.5;
  system = Obstructed(wider, block(24));
  a->place_in(std::make_shared<const SeparableSystem>(wider));
  check(Changed::values);
}

// A pin that comes with new values makes a closed box regular.
TYPED_TEST(CapacitanceMethod, takes_a_pin_that_comes_later) {
  Obstructed system(box_of(2, 16, false), block(16));
  const auto a = system.in<TypeParam>();
  const std::vector<double> b = tests::random_values(system.host.rows, 3);
  const Vector<TypeParam> right{std::span<const double>(b)};
  LinearSolver<TypeParam> solver(with("double"), system.host.rows);
  Vector<TypeParam> x(system.host.rows);
  EXPECT_TRUE(solver.solve(*a, right, x, {.null_space = NullSpace::constant}).converged());
  pin(system, 3 * 16 + 5);  // beside the solid: its row differs already
  a->values().upload(system.host.values);
  const SolveReport report = solver.solve(*a, right, x, {.changed = Changed::values});
  EXPECT_TRUE(report.converged()) << describe(report);
  EXPECT_LE(tests::residual_norm(system.host, b, x.to_host()), 1.001e-9 * tests::norm2(b));
}

TYPED_TEST(CapacitanceMethod, repeats_bit_for_bit_and_allocates_nothing_the_second_time) {
  const Obstructed system(box_of(3, 12, true), block(12));
  const auto a = system.in<TypeParam>();
  const Vector<TypeParam> b{std::span<const double>(tests::random_values(system.host.rows, 3))};
  for (const char* transforms : {"double", "single"}) {
    LinearSolver<TypeParam> solver(with(transforms), system.host.rows);
    Vector<TypeParam> x(system.host.rows);
    (void)solver.solve(*a, b, x);
    const std::vector<double> first = x.to_host();
    const auto before = TypeParam::allocated_bytes();
    for (const Changed changed : {Changed::values, Changed::nothing, Changed::nothing}) {
      x.fill(0.0);
      (void)solver.solve(*a, b, x, {.changed = changed});
      EXPECT_EQ(TypeParam::allocated_bytes(), before);
      EXPECT_EQ(x.to_host(), first);
    }
  }
}

// Between two solves with other vectors: recordings hold addresses.
TYPED_TEST(CapacitanceMethod, serves_vectors_in_turn) {
  const Obstructed system(box_of(2, 24, true), block(24));
  const auto a = system.in<TypeParam>();
  const std::vector<double> b = tests::random_values(system.host.rows, 3);
  const Vector<TypeParam> right{std::span<const double>(b)};
  LinearSolver<TypeParam> solver(with("single"), system.host.rows);
  Vector<TypeParam> x(system.host.rows), y(system.host.rows);
  for (int i = 0; i < 4; ++i)
    for (Vector<TypeParam>* v : {&x, &y}) {
      v->fill(0.0);
      EXPECT_TRUE(solver.solve(*a, right, *v, {.changed = Changed::nothing}).converged());
      EXPECT_LE(tests::residual_norm(system.host, b, v->to_host()), 1.001e-9 * tests::norm2(b));
    }
}

TYPED_TEST(CapacitanceMethod, reports_too_few_iterations_with_the_last_iterate) {
  const Obstructed system(box_of(2, 32, true), block(32));
  const auto a = system.in<TypeParam>();
  const std::vector<double> b = tests::random_values(system.host.rows, 3);
  for (const char* transforms : {"double", "single"})
    for (const int most : {1, 2, 5, 7}) {
      SolverSettings settings = with(transforms, 1e-12);
      settings.max_iterations = most;
      const auto found = this->solve(*a, b, settings);
      EXPECT_EQ(found.report.status, SolveStatus::max_iterations);
      EXPECT_EQ(found.report.iterations, most);
      ASSERT_EQ(found.report.history.size(), static_cast<std::size_t>(most) + 1);
      const double left = tests::residual_norm(system.host, b, found.x);
      EXPECT_NEAR(found.report.true_residual, left, 1e-9 * tests::norm2(b));
      EXPECT_NEAR(found.report.history.back(), left, 1e-2 * left);
    }
}

// Weights from 1 to 1000.
TYPED_TEST(CapacitanceMethod, stops_where_the_largest_weighted_entry_is_small) {
  const Obstructed system(box_of(2, 32, false), block(32));
  const auto a = system.in<TypeParam>();
  std::vector<double> b = tests::random_values(system.host.rows, 3), w(b.size());
  const double m = tests::mean(b);
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] -= m;
    w[i] = std::pow(1000.0, static_cast<double>(i) / static_cast<double>(b.size()));
  }
  const Vector<TypeParam> right{std::span<const double>(b)}, weights{std::span<const double>(w)};
  for (const char* transforms : {"double", "single"})
    for (const double limit : {1e-2, 1e-5}) {
      Vector<TypeParam> x(system.host.rows);
      const MaximumRule<TypeParam> rule{&weights, 1.0, limit};
      const SolveReport report =
          LinearSolver<TypeParam>(with(transforms, 0.0), system.host.rows)
              .solve(*a, right, x, {.null_space = NullSpace::constant}, &rule);
      EXPECT_TRUE(report.converged()) << describe(report);
      const std::vector<double> ax = system.host.multiply(x.to_host());
      double largest = 0;
      for (std::size_t i = 0; i < b.size(); ++i)
        largest = std::max(largest, w[i] * std::abs(b[i] - ax[i]));
      EXPECT_LE(largest, limit * 1.0001);
      EXPECT_GT(largest, 1e-2 * limit);
      EXPECT_EQ(report.attempts.back().restarts, 0);
    }
}

TYPED_TEST(CapacitanceMethod, in_float) {
  for (const bool open : {false, true}) {
    const Obstructed system(box_of(2, 16, open, true), block(16));
    const auto a = system.in<TypeParam, float>();
    const auto b = tests::random_values(system.host.rows, 3);
    const std::vector<float> rounded(b.begin(), b.end());
    Vector<TypeParam, float> x(system.host.rows);
    const SolveReport report =
        LinearSolver<TypeParam, float>(with("auto", 1e-4), system.host.rows)
            .solve(*a, Vector<TypeParam, float>{std::span<const float>(rounded)}, x,
                   {.null_space = open ? NullSpace::none : NullSpace::constant});
    EXPECT_TRUE(report.converged()) << describe(report);
    EXPECT_LE(report.iterations, 12);
  }
}

TYPED_TEST(CapacitanceMethod, refuses_a_matrix_that_names_no_box_that_fits) {
  const HostMatrix host = tests::poisson({8, 8, 1});
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  const std::vector<double> b = tests::random_values(host.rows);
  for (const int points : {0, 7}) {
    if (points > 0) a->place_in(std::make_shared<const SeparableSystem>(box_of(2, points, true)));
    const auto found = this->solve(*a, b, with("auto"));
    EXPECT_EQ(found.report.status, SolveStatus::breakdown);
    EXPECT_EQ(found.report.breakdown, Breakdown::no_box);
    EXPECT_NE(describe(found.report).find("names the box"), std::string::npos);
    EXPECT_EQ(found.x, std::vector<double>(b.size(), 0.0));
  }
  SolverSettings with_fallback = with("auto");
  with_fallback.fallback = {"cg"};
  const SolveReport report = this->solve(*a, b, with_fallback).report;
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.method, "cg");
}

TYPED_TEST(CapacitanceMethod, refuses_what_is_not_symmetric_or_no_number) {
  Obstructed system(box_of(2, 12, true), block(12));
  std::vector<double> b = tests::random_values(system.host.rows);
  b[17] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(this->solve(*system.in<TypeParam>(), b, with("auto")).report.breakdown,
            Breakdown::not_finite);
  b[17] = 1;
  for (const int entry : {3, 200}) {
    system.host.values[entry] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(this->solve(*system.in<TypeParam>(), b, with("auto")).report.status,
              SolveStatus::breakdown);
  }
}

// -A is negative definite: every row differs from the box.
TYPED_TEST(CapacitanceMethod, names_an_indefinite_operator) {
  Obstructed system(box_of(2, 12, true), block(12));
  for (double& value : system.host.values) value = -value;
  const auto found =
      this->solve(*system.in<TypeParam>(), tests::random_values(system.host.rows), with("double"));
  EXPECT_EQ(found.report.breakdown, Breakdown::indefinite_operator) << describe(found.report);
}

// The model knows the rows beside solids by the entries that are missing, and of transforms a
// bound.
TYPED_TEST(CapacitanceMethod, memory_is_at_most_what_is_announced) {
  const Obstructed system(box_of(3, 32, true), block(32));
  for (const char* transforms : {"double", "single"}) {
    const auto a = system.in<TypeParam>();
    const Vector<TypeParam> b{std::span<const double>(tests::random_values(system.host.rows, 3))};
    Vector<TypeParam> x(system.host.rows);
    const auto before = TypeParam::allocated_bytes();
    LinearSolver<TypeParam> solver(with(transforms), system.host.rows);
    (void)solver.solve(*a, b, x);
    const auto held = static_cast<double>(TypeParam::allocated_bytes() - before);
    SystemSize size = a->system_size();
    size.transforms = direct_memory<TypeParam>(system.box);
    const auto announced = static_cast<double>(solver_memory(with(transforms), size));
    EXPECT_LE(held, announced);
    EXPECT_GE(held, 0.5 * announced);
  }
}

}  // namespace
}  // namespace hodge::linalg
