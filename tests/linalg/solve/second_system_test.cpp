// What a solver keeps from one system to the next: each system of a sequence is solved as by a
// solver made for it, by every method with every preconditioner.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linalg/solve/solve.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/obstructed_box.hpp"
#include "tests/support/solver_variants.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests::block;
using tests::box_of;
using tests::HostMatrix;
using tests::Obstructed;
using tests::Variant;

template <class Space>
using Matrix = std::shared_ptr<CsrMatrix<Space>>;

// A matrix with its right side, guess and options; `values` are written when its turn comes.
template <class Space>
struct SystemInTurn {
  std::string name;
  Matrix<Space> a;
  std::vector<double> values, b;
  SolveOptions options{};
  double limit = 0;  // of a maximum rule; 0: none
  std::shared_ptr<const SeparableSystem> box{};
};

struct SolvedSystem {
  SolveReport report;
  std::vector<double> x;
};

template <class Space>
SolvedSystem solved(LinearSolver<Space>& solver, const SystemInTurn<Space>& system) {
  const Vector<Space> b{std::span<const double>(system.b)};
  Vector<Space> x(b.size()), weights(b.size());
  x.fill(0.5);
  weights.fill(2.0);
  const MaximumRule<Space> rule{&weights, 2.0, system.limit};
  SolvedSystem result;
  result.report = solver.solve(*system.a, b, x, system.options, system.limit > 0 ? &rule : nullptr);
  result.x = x.to_host();
  return result;
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  const auto equal = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return std::ranges::equal(a, b, equal);
}

// refresh() keeps what setup() chose by the values of a first matrix: then a few more iterations.
bool has_chosen(const Variant& variant, const SolveOptions& options) {
  const PreconditionerSettings& kind = variant.settings.preconditioner;
  return options.changed != Changed::pattern &&
         find_preconditioner(kind.kind).chooses(kind.options);
}

template <class Space>
void expect_each_as_by_a_new_solver(const Variant& variant,
                                    const std::vector<SystemInTurn<Space>>& systems, int numbers) {
  int most = 0;
  for (const auto& system : systems) most = std::max(most, system.a->rows());
  LinearSolver<Space> kept(variant.settings, most, numbers);
  for (const SystemInTurn<Space>& system : systems) {
    SCOPED_TRACE(variant.name + ": " + system.name);
    system.a->values().upload(std::span<const double>(system.values));
    if (system.box) {
      system.a->place_in(system.box);
      system.a->describe_as(system.box);
    }
    LinearSolver<Space> made_anew(variant.settings, most, numbers);
    const auto [report, x] = solved(kept, system);
    const auto [expected, x_expected] = solved(made_anew, system);
    EXPECT_EQ(report.status, expected.status) << describe(report) << describe(expected);
    EXPECT_EQ(report.breakdown, expected.breakdown);
    EXPECT_TRUE(same({report.target}, {expected.target}));
    if (has_chosen(variant, system.options)) {
      EXPECT_LE(report.iterations, 3 + 3 * expected.iterations / 2) << describe(expected);
      continue;
    }
    EXPECT_TRUE(same(x, x_expected)) << describe(report) << describe(expected);
    EXPECT_EQ(report.iterations, expected.iterations);
    EXPECT_TRUE(same(report.history, expected.history));
  }
}

// Of several patterns and sizes; values change within a pattern, and a few systems fail.
template <class Space>
std::vector<SystemInTurn<Space>> systems_in_turn(bool symmetric) {
  const Symmetry symmetry = symmetric ? Symmetry::symmetric : Symmetry::nonsymmetric;
  const auto host = [&](std::array<int, 3> n, double wind, double shift) {
    tests::Stencil s;
    for (int d = 0; d < 3; ++d) {
      s.lower[d] = -1.0 - 0.2 * d - (symmetric ? 0.0 : wind);
      s.upper[d] = -1.0 - 0.2 * d;
    }
    s.shift = shift;
    return tests::stencil_matrix(n, s);
  };
  const auto alone = [&](const HostMatrix& m) { return Matrix<Space>(m.in<Space>(symmetry)); };
  std::vector<SystemInTurn<Space>> all;
  const auto add = [&](const char* name, const Matrix<Space>& a, const HostMatrix& m,
                       const SolveOptions& options, double limit = 0) {
    all.push_back({name, a, m.values,
                   tests::random_values(m.rows, static_cast<unsigned>(all.size()) + 1), options,
                   limit});
  };
  const HostMatrix first = host({9, 8, 1}, 0.2, 0), other = host({9, 8, 1}, 3, 2);
  const Matrix<Space> a = alone(first);
  const SolveOptions values{.changed = Changed::values}, nothing{.changed = Changed::nothing};
  add("first, loosely", a, first, {.absolute_tolerance = 1e-2});
  add("other values", a, other, values);
  add("a maximum rule", a, other, nothing, 1e-5);
  add("nothing but b", a, other, nothing);
  HostMatrix tiny = first;
  for (double& value : tiny.values) value = std::scalbn(value, -300);
  add("tiny values", a, tiny, values);
  HostMatrix no_diagonal = first;
  no_diagonal.values[0] = 0;
  add("no diagonal", a, no_diagonal, values);
  add("after a failure", a, first, values);
  add("not a number", a, first, nothing);
  all.back().b[3] = std::nan("");
  add("a large right side", a, first, nothing);
  for (double& value : all.back().b) value = std::scalbn(value, 400);
  add("after a large right side", a, first, nothing);
  const HostMatrix across = host({8, 9, 1}, 1, 0), small = host({4, 3, 1}, 1, 0),
                   large = host({5, 6, 4}, 0.5, 0);
  add("another pattern of the same size", alone(across), across, {});
  add("fewer rows", alone(small), small, {});
  add("more rows", alone(large), large, {});
  const HostMatrix closed = tests::poisson({9, 8, 1}, true);
  add("a singular one", alone(closed), closed, {.null_space = NullSpace::constant});
  add("the first pattern again", a, other, {});
  return all;
}

template <class Space>
class SecondSystem : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(SecondSystem, tests::Spaces, tests::SpaceName);

TYPED_TEST(SecondSystem, is_solved_as_by_a_new_solver) {
  for (const Variant& variant : tests::all_variants())
    for (const bool symmetric : {false, true})
      if (symmetric || !variant.needs_symmetric)
        expect_each_as_by_a_new_solver(variant, systems_in_turn<TypeParam>(symmetric), 1);
}

// Solved in turn, with one number or two: neither changes, but the other one comes in between.
TYPED_TEST(SecondSystem, that_alternates_with_a_first_is_solved_as_by_a_new_solver) {
  const HostMatrix first = tests::poisson({8, 7, 1});
  HostMatrix second = first;
  for (std::size_t k = 0; k < second.values.size(); ++k)
    second.values[k] *= second.values[k] > 0 ? 2.5 : 1.0;
  const Matrix<TypeParam> a(first.in<TypeParam>(Symmetry::symmetric));
  const Matrix<TypeParam> c =
      std::make_shared<CsrMatrix<TypeParam>>(a->shared_pattern(), Symmetry::symmetric);
  std::vector<SystemInTurn<TypeParam>> all;
  for (int turn = 0; turn < 3; ++turn)
    for (const bool is_first : {true, false}) {
      const SolveOptions options{.changed = turn == 0 ? Changed::pattern : Changed::nothing,
                                 .system = is_first ? 0 : 1};
      all.push_back({std::to_string(turn), is_first ? a : c,
                     is_first ? first.values : second.values, tests::random_values(first.rows, 3),
                     options});
    }
  for (const Variant& variant : tests::all_variants())
    expect_each_as_by_a_new_solver(variant, all, 2);
}

// Other values of the box (its shift), other axes, and another size.
TYPED_TEST(SecondSystem, of_a_box_is_solved_as_by_a_new_solver) {
  for (const bool solid : {false, true}) {
    std::vector<SystemInTurn<TypeParam>> all;
    Matrix<TypeParam> a;
    const auto add = [&](const char* name, int n, double shift, double coupling, bool is_new) {
      SeparableSystem box = box_of(2, n, true, true);
      box.shift = shift;
      for (double& k : box.axes[0].couplings) k *= coupling;
      const Obstructed system(
          box, solid ? block(n) : [](int, int, int) { return false; });
      if (is_new) a = system.in<TypeParam>();
      all.push_back({name,
                     a,
                     system.host.values,
                     tests::random_values(system.host.rows, static_cast<unsigned>(all.size()) + 1),
                     {.changed = is_new ? Changed::pattern : Changed::values},
                     0,
                     std::make_shared<const SeparableSystem>(box)});
    };
    add("first", 12, 5, 1, true);
    add("another shift", 12, 800, 1, false);
    add("other couplings", 12, 800, 0.3, false);
    add("another pattern", 12, 2, 1, true);
    add("fewer rows", 8, 7, 1, true);
    add("more rows", 16, 0, 1, true);
    for (const Variant& variant : tests::all_variants_of_boxes())
      if (!solid || !find_solver(variant.settings.method).needs_separable)
        expect_each_as_by_a_new_solver(variant, all, 1);
  }
}

// The fallback of a chain is not set up where the first method needs no help.
TYPED_TEST(SecondSystem, of_a_fallback_is_solved_as_by_a_new_solver) {
  for (Variant variant : tests::all_variants()) {
    if (variant.direct) continue;
    variant.settings.fallback = {"gauss"};
    variant.settings.max_iterations = 2;
    auto systems = systems_in_turn<TypeParam>(true);
    for (std::size_t i = 0; i < systems.size(); i += 3) systems[i].options.absolute_tolerance = 1e9;
    expect_each_as_by_a_new_solver(variant, systems, 1);
  }
}

}  // namespace
}  // namespace hodge::linalg
