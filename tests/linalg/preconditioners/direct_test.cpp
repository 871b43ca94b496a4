// The direct solver of a box as a preconditioner of what solids leave of it.
#include "linalg/preconditioners/direct.hpp"

#include <gtest/gtest.h>

#include "linalg/solve/solve.hpp"
#include "tests/support/obstructed_box.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests::block;
using tests::box_of;
using tests::HostMatrix;
using tests::Obstructed;

template <class Space>
class DirectOfABox : public tests::SpaceTest<Space> {
 protected:
  static SolveReport solved(const Obstructed& system, const SolverSettings& settings,
                            NullSpace null_space = NullSpace::none) {
    const auto a = system.in<Space>();
    const auto b = tests::random_values(system.host.rows, 3);
    Vector<Space> x(system.host.rows);
    LinearSolver<Space> solver(settings, system.host.rows);
    const SolveReport report =
        solver.solve(*a, Vector<Space>{std::span<const double>(b)}, x, {.null_space = null_space});
    EXPECT_TRUE(report.converged()) << describe(report);
    const double residual =
        tests::residual_norm(system.host, b, x.to_host(), null_space == NullSpace::constant);
    EXPECT_LE(residual, (1 + 1e-3) * settings.tolerance * tests::norm2(b));
    return report;
  }
  static SolverSettings with(const std::string& method) {
    SolverSettings settings{.method = method, .preconditioner = {"direct"}, .tolerance = 1e-9};
    settings.max_iterations = 200;
    return settings;
  }
};
TYPED_TEST_SUITE(DirectOfABox, tests::Spaces, tests::SpaceName);

TYPED_TEST(DirectOfABox, serves_every_method_beside_solids) {
  for (const SolverEntry& method : solver_table()) {
    if (method.direct) continue;
    for (const int dim : {2, 3})
      for (const bool open : {false, true})
        for (const bool stretched : {false, true}) {
          SCOPED_TRACE(testing::Message()
                       << method.name << ", " << dim << "D, " << open << ", " << stretched);
          const Obstructed system(box_of(dim, dim == 2 ? 20 : 10, open, stretched),
                                  block(dim == 2 ? 20 : 10));
          const SolveReport report = this->solved(system, this->with(method.name),
                                                  open ? NullSpace::none : NullSpace::constant);
          EXPECT_LE(report.iterations, 40);
        }
  }
}

TYPED_TEST(DirectOfABox, iterations_do_not_grow_with_the_grid) {
  std::vector<int> iterations;
  for (const int n : {16, 32, 64, 128})
    iterations.push_back(
        this->solved(Obstructed(box_of(2, n, true), block(n)), this->with("cg")).iterations);
  EXPECT_LE(iterations.back(), iterations.front() + 4);
  EXPECT_LE(iterations.back(), 16);
}

// Two regions, of which one has no open side: its first diagonal entry is doubled, as that of a
// pinned region.
TYPED_TEST(DirectOfABox, serves_regions_that_a_wall_cuts_off) {
  Obstructed system(box_of(2, 24, true), [](int i, int, int) { return i == 11; });
  const int first = system.row_of_cell[12];
  for (int k = system.host.row_offsets[first]; k < system.host.row_offsets[first + 1]; ++k)
    if (system.host.columns[k] == first) system.host.values[k] *= 2;
  EXPECT_LE(this->solved(system, this->with("cg")).iterations, 60);
}

TYPED_TEST(DirectOfABox, is_exact_where_no_point_is_missing) {
  const Obstructed system(box_of(3, 9, true, true), [](int, int, int) { return false; });
  EXPECT_LE(this->solved(system, this->with("cg")).iterations, 2);
}

// (x, M^-1 y) = (y, M^-1 x), (x, M^-1 x) > 0, of a singular box too.
TYPED_TEST(DirectOfABox, is_symmetric_and_positive_definite) {
  for (const bool open : {false, true}) {
    const Obstructed system(box_of(2, 12, open, true), block(12));
    const auto a = system.in<TypeParam>();
    DirectOfBox<TypeParam, double> m{NoSettings{}};
    m.setup(*a);
    EXPECT_EQ(m.failure().reason, Breakdown::none);
    const int rows = system.host.rows;
    for (unsigned seed = 0; seed < 5; ++seed) {
      const Vector<TypeParam> x{std::span<const double>(tests::random_values(rows, seed))},
          y{std::span<const double>(tests::random_values(rows, 100 + seed))};
      Vector<TypeParam> mx(rows), my(rows);
      m.apply(x, mx);
      m.apply(y, my);
      const double xy = dot(x, my).to_host(), yx = dot(y, mx).to_host(), xx = dot(x, mx).to_host();
      EXPECT_NEAR(xy, yx, 1e-12 * norm(x).to_host() * norm(my).to_host());
      EXPECT_GT(xx, 0);
    }
    // A constant is no vector of the null space either, because solids are not 0 but missing.
    Vector<TypeParam> one(rows), m_one(rows);
    one.fill(1.0);
    m.apply(one, m_one);
    EXPECT_GT(dot(one, m_one).to_host(), 0);
  }
}

TYPED_TEST(DirectOfABox, in_float) {
  const Obstructed system(box_of(2, 16, true), block(16));
  const auto a = system.in<TypeParam, float>();
  const auto b = tests::random_values(system.host.rows, 3);
  const std::vector<float> rounded(b.begin(), b.end());
  Vector<TypeParam, float> x(system.host.rows);
  SolverSettings settings = this->with("cg");
  settings.tolerance = 1e-4;
  const SolveReport report =
      LinearSolver<TypeParam, float>(settings, system.host.rows)
          .solve(*a, Vector<TypeParam, float>{std::span<const float>(rounded)}, x);
  EXPECT_TRUE(report.converged()) << describe(report);
}

TYPED_TEST(DirectOfABox, a_matrix_that_names_no_box_is_a_breakdown_and_no_crash) {
  const HostMatrix host = tests::poisson({8, 8, 1});
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  Vector<TypeParam> b(host.rows), x(host.rows);
  b.fill(1.0);
  LinearSolver<TypeParam> solver(this->with("cg"), host.rows);
  for (int i = 0; i < 2; ++i) {
    const SolveReport report = solver.solve(*a, b, x);
    EXPECT_EQ(report.breakdown, Breakdown::no_box);
    EXPECT_NE(describe(report).find("names the box"), std::string::npos) << describe(report);
  }
}

// A continued run makes M of the values that it keeps, and of the box that the matrix names.
TYPED_TEST(DirectOfABox, is_made_again_of_kept_values) {
  const Obstructed system(box_of(2, 12, true), block(12));
  const auto a = system.in<TypeParam>();
  const Vector<TypeParam> b{std::span<const double>(tests::random_values(system.host.rows, 3))};
  SolverSettings settings = this->with("cg");
  settings.refresh = "never";
  LinearSolver<TypeParam> first(settings, system.host.rows), second(settings, system.host.rows);
  Vector<TypeParam> x(system.host.rows), y(system.host.rows);
  EXPECT_TRUE(first.solve(*a, b, x).converged());
  second.for_each_state([&](const std::string& name, auto& value, auto...) {
    first.for_each_state([&](const std::string& other, auto& from, auto...) {
      if constexpr (std::is_same_v<decltype(value), decltype(from)>) {
        if (other != name) return;
        if constexpr (requires { value.resize(1); }) value.resize(from.size());
        value = from;
      }
    });
  });
  EXPECT_TRUE(second.solve(*a, b, y).converged());
  EXPECT_EQ(x.to_host(), y.to_host());
}

}  // namespace
}  // namespace hodge::linalg
