// Iterations of cg with ssor_sai: the known numbers, and how near the chosen omega comes to the
// best.
#include <gtest/gtest.h>

#include "linalg/files/matrix_market.hpp"
#include "linalg/matrices/convert.hpp"
#include "linalg/preconditioners/ssor_sai.hpp"
#include "linalg/solve/solve.hpp"
#include "tests/support/grid_problem.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

template <class Space>
class SsorIterationsTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(SsorIterationsTest, tests::Spaces, tests::SpaceName);

PreconditionerSettings ssor_sai(int order, double omega, const char* form = "factored") {
  return {"ssor_sai", {{"order", order}, {"omega", omega}, {"form", form}}};
}

template <class Space>
SolveReport solve_by_cg(const tests::HostMatrix& host, const PreconditionerSettings& chosen,
                        NullSpace null_space = NullSpace::none) {
  const auto a = host.in<Space>(Symmetry::symmetric);
  const auto b_host = host.multiply(tests::random_values(host.rows));
  const Vector<Space> b{std::span<const double>(b_host)};
  Vector<Space> x(host.rows);
  x.fill(0.0);
  SolverSettings settings;
  settings.preconditioner = chosen;
  settings.max_iterations = 2000;
  SolveOptions options;
  options.null_space = null_space;
  return LinearSolver<Space>(settings, host.rows).solve(*a, b, x, options);
}

// The square of [-1, 2, -1]: a beam, whose entries at distance 2 are positive.
tests::HostMatrix beam(int n) {
  tests::Entries entries;
  const double couplings[] = {6, -4, 1};
  for (int i = 0; i < n; ++i)
    for (int j = std::max(0, i - 2); j <= std::min(n - 1, i + 2); ++j)
      entries[{i, j}] = couplings[std::abs(i - j)];
  entries[{0, 0}] = entries[{n - 1, n - 1}] = 5;
  return tests::from_entries(n, n, entries);
}

struct OmegaSystem {
  tests::HostMatrix matrix;
  NullSpace null_space = NullSpace::none;
  double bound = 1.05;  // times the iterations of the best omega, and 2 more
};

std::vector<OmegaSystem> systems_for_omega() {
  using tests_of_grids::GridProblem;
  GridProblem periodic({48, 48}, {true, true, true}), stretched({32, 32}), solid({40, 24});
  stretched.width = [](int, int i) { return 1.0 + 0.1 * std::abs(i - 16); };
  stretched.dirichlet = solid.dirichlet = true;
  solid.solid = [](int i, int j, int) { return i > 10 && i < 20 && j < 12; };
  return {{tests::poisson({32, 32, 1}, true), NullSpace::constant},
          {tests::poisson({48, 48, 1})},
          {tests::poisson({12, 12, 12}, true), NullSpace::constant},
          {periodic.matrix(), NullSpace::constant},
          {stretched.matrix()},
          {solid.matrix()},
          {beam(60), NullSpace::none, 1.1}};
}

TYPED_TEST(SsorIterationsTest, omega_auto_needs_hardly_more_iterations_than_the_best_omega) {
  for (const OmegaSystem& system : systems_for_omega())
    for (const char* form : {"factored", "truncated"})
      for (const int order : {1, 2}) {
        const auto iterations = [&](const PreconditionerSettings& chosen) {
          const auto report = solve_by_cg<TypeParam>(system.matrix, chosen, system.null_space);
          return report.converged() ? report.iterations : 10000;
        };
        int best = 10000;
        for (int tenths = 5; tenths < 20; ++tenths)
          best = std::min(best, iterations(ssor_sai(order, tenths / 10.0, form)));
        EXPECT_LE(iterations({"ssor_sai", {{"order", order}, {"form", form}}}),
                  system.bound * best + 2)
            << form << order << " of " << system.matrix.rows;
      }
}

// The iterations of one right-hand side jump by up to a tenth, so those of two kinds are added:
// b = A x and b itself random.
TYPED_TEST(SsorIterationsTest, omega_auto_sees_the_jumps_of_small_counts_on_periodic_boxes) {
  using tests_of_grids::GridProblem;
  for (const int length : {32, 80}) {
    const auto host = GridProblem({length, 16}, {true, true, true}).matrix();
    const auto a = host.template in<TypeParam>(Symmetry::symmetric);
    const auto x_of_a = tests::random_values(host.rows);
    const auto iterations = [&](const PreconditionerSettings& chosen) {
      SolverSettings settings;
      settings.preconditioner = chosen;
      SolveOptions options;
      options.null_space = NullSpace::constant;
      int sum = 0;
      for (const auto& values : {host.multiply(x_of_a), tests::random_values(host.rows, 7)}) {
        const Vector<TypeParam> b{std::span<const double>(values)};
        Vector<TypeParam> x(host.rows);
        x.fill(0.0);
        const auto report = LinearSolver<TypeParam>(settings, host.rows).solve(*a, b, x, options);
        sum += report.converged() ? report.iterations : 10000;
      }
      return sum;
    };
    for (const char* form : {"factored", "truncated"})
      for (const int order : {1, 2}) {
        int best = 20000;
        for (int tenths = 5; tenths < 20; ++tenths)
          best = std::min(best, iterations(ssor_sai(order, tenths / 10.0, form)));
        EXPECT_LE(iterations({"ssor_sai", {{"order", order}, {"form", form}}}), 1.05 * best)
            << form << order << " of " << length << " x 16";
      }
  }
}

// Stiffness matrices with positive couplings; b = A (1, 1, ...).
TYPED_TEST(SsorIterationsTest, omega_auto_finds_the_omega_of_real_matrices) {
  for (const char* name : {"bcsstk01.mtx", "nos4.mtx"}) {
    const auto file = read_matrix_market(tests::source_dir() / "tests/data/matrices" / name);
    const auto host = to_csr(file.matrix);
    const auto a = copy_to<TypeParam, double>(*host);
    Vector<TypeParam> ones(a->rows()), b(a->rows()), x(a->rows());
    ones.fill(1.0);
    multiply(*a, ones, b);
    const auto iterations = [&](const PreconditionerSettings& chosen) {
      SolverSettings settings;
      settings.preconditioner = chosen;
      x.fill(0.0);
      const auto report = LinearSolver<TypeParam>(settings, a->rows()).solve(*a, b, x);
      return report.converged() ? report.iterations : 10000;
    };
    for (const char* form : {"factored", "truncated"})
      for (const int order : {1, 2}) {
        int best = 10000;
        for (int tenths = 5; tenths < 20; ++tenths)
          best = std::min(best, iterations(ssor_sai(order, tenths / 10.0, form)));
        EXPECT_LE(iterations({"ssor_sai", {{"order", order}, {"form", form}}}), 1.05 * best)
            << form << order << " of " << name;
      }
  }
}

TYPED_TEST(SsorIterationsTest, omega_auto_keeps_the_truncated_form_definite) {
  for (const auto& host : {beam(200), tests::poisson({48, 48, 1}), tests::poisson({9, 8, 7})})
    for (const int order : {1, 2})
      for (const double alpha : {0.5, 1.0}) {
        const PreconditionerSettings chosen{
            "ssor_sai", {{"order", order}, {"form", "truncated"}, {"alpha", alpha}}};
        EXPECT_NE(solve_by_cg<TypeParam>(host, chosen).breakdown,
                  Breakdown::indefinite_preconditioner);
      }
  const auto fixed =
      solve_by_cg<TypeParam>(tests::poisson({48, 48, 1}), ssor_sai(2, 1.8, "truncated"));
  EXPECT_EQ(fixed.breakdown, Breakdown::indefinite_preconditioner);
}

TYPED_TEST(SsorIterationsTest,
           omega_auto_is_one_where_the_matrix_is_not_symmetric_positive_definite) {
  using Rows = std::vector<std::vector<double>>;
  const Rows nonsymmetric = {{4, -1, 0}, {-2, 5, 1}, {0, -1, 6}};
  const Rows indefinite = {{1, 2, 0}, {2, 1, 0}, {0, 0, 1}};
  const Rows negative = {{-4, 1, 0}, {1, -4, 1}, {0, 1, -4}};
  for (const Rows& a : {nonsymmetric, indefinite, negative}) {
    SsorSai<TypeParam, double> preconditioner{SsorSaiSettings{}};
    preconditioner.setup(*tests::from_dense(a).in<TypeParam>());
    EXPECT_EQ(preconditioner.made_text(), "chosen omega 1");
  }
}

TYPED_TEST(SsorIterationsTest, the_report_has_the_chosen_omega_which_a_refresh_keeps) {
  const auto report = solve_by_cg<TypeParam>(beam(40), {"ssor_sai", {{"order", 2}}});
  EXPECT_NE(report.preconditioner_settings.find("order 2, omega auto, chosen omega "),
            std::string::npos)
      << report.preconditioner_settings;
  const auto a = beam(40).template in<TypeParam>(Symmetry::symmetric);
  SsorSai<TypeParam, double> preconditioner({.order = 2, .form = "truncated"});
  preconditioner.setup(*a);
  const std::string chosen = preconditioner.made_text();
  const auto before = TypeParam::allocated_bytes();
  a->values().upload(beam(40).values);
  preconditioner.refresh(*a);
  EXPECT_EQ(TypeParam::allocated_bytes(), before);
  EXPECT_EQ(preconditioner.made_text(), chosen);
}

// Iterations of cg to 1e-8 on all-Neumann Poisson systems with a random right-hand side of zero
// mean, by an independent implementation; another random right-hand side may change them by 5 %.
struct Count {
  std::array<int, 3> cells;
  PreconditionerSettings preconditioner;
  int iterations;
};

TYPED_TEST(SsorIterationsTest, cg_takes_the_known_numbers_of_iterations) {
  const std::array<int, 3> square = {256, 256, 1}, cube = {48, 48, 48};
  const Count counts[] = {
      {square, {"none"}, 1001},
      {square, ssor_sai(1, 1.0), 531},
      {square, ssor_sai(2, 0.8), 487},
      {square, ssor_sai(2, 1.1), 408},
      {square, ssor_sai(2, 1.8), 382},
      {cube, {"none"}, 274},
      {cube, ssor_sai(1, 1.0), 159},
      {cube, ssor_sai(2, 1.8), 103},
      {square, ssor_sai(1, 1.0, "truncated"), 523},
      {square, ssor_sai(2, 0.8, "truncated"), 531},
      {cube, ssor_sai(1, 1.0, "truncated"), 141},
  };
  for (const Count& count : counts) {
    const auto host = tests::poisson(count.cells, true);
    const auto a = host.in<TypeParam>(Symmetry::symmetric);
    const auto values = tests::random_values(host.rows);
    const Vector<TypeParam> b{std::span<const double>(values)};
    Vector<TypeParam> x(host.rows);
    SolverSettings settings;
    settings.preconditioner = count.preconditioner;
    settings.max_iterations = 2000;
    SolveOptions options;
    options.null_space = NullSpace::constant;
    const auto report = LinearSolver<TypeParam>(settings, host.rows).solve(*a, b, x, options);
    EXPECT_TRUE(report.converged());
    EXPECT_NEAR(report.iterations, count.iterations, 0.05 * count.iterations) << describe(report);
  }
}

}  // namespace
}  // namespace hodge::linalg
