// Over 400 lines: the problems of one integrator share their exact solutions.
#include "sim/discrete/reactions/reactions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>

#include "linalg/base/errors.hpp"
#include "sim/discrete/bodies/staircase.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/sim_objects.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::sim {
namespace {

template <class Space>
class ReactionsTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(ReactionsTest, tests::Spaces, tests::SpaceName);

Grid box(std::vector<int> cells) {
  GridSettings settings;
  settings.dim = static_cast<int>(cells.size());
  for (std::size_t d = 0; d < cells.size(); ++d) settings.axes[d].cells = cells[d];
  return Grid(settings);
}

// Scalars with their rates in a box, and their values there.
template <int Dim, class Space>
struct Mixture {
  using Values = std::function<double(const Point&)>;

  Mixture(const Grid& grid_, std::vector<std::string> names_, const std::vector<std::string>& rates,
          const ReactionSettings& settings = {}, const BodyView<Dim>& bodies = {})
      : grid(grid_), layout{}, names(std::move(names_)) {
    for (int d = 0; d < Dim; ++d) layout.cells[d] = grid.cells(d);
    for (const std::string& rate : rates) formulas.push_back(Expression::parse(rate, {{}, names}));
    for (std::size_t i = 0; i < names.size(); ++i) fields.emplace_back(layout);
    reactions =
        std::make_unique<Reactions<Dim, Space>>(grid, layout, formulas, names, bodies, settings);
  }

  void set(int i, const Values& value) {
    fields[i].values().upload(
        sample(grid, layout, at_cells, [&](const MeanBox& cell) { return value(point_of(cell)); }));
  }
  void set(const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      set(static_cast<int>(i), [&](const Point&) { return values[i]; });
  }
  ReactionReport react(double t, double dt) {
    std::vector<FieldView<Dim>> views;
    for (auto& field : fields) views.push_back(field.view());
    return reactions->react(t, dt, views);
  }
  std::vector<double> padded(int i) const { return fields[i].values().to_host(); }
  // Visits the inner cells: index, centre, value.
  void visit(int i, const std::function<void(const Index<Dim>&, const Point&, double)>& f) const {
    const std::vector<double> values = padded(i);
    const auto view = view_of(layout, values.data());
    for_each_on_host(layout.interior(), [&](const Index<Dim>& c) {
      Point x{};
      for (int d = 0; d < Dim; ++d) x[d] = grid.axis(d).centre(c[d]);
      f(c, x, view(c));
    });
  }
  double first(int i) const { return view_of(layout, padded(i).data())(Index<Dim>::filled(0)); }

  Grid grid;
  Layout<Dim> layout;
  std::vector<std::string> names;
  std::vector<Expression> formulas;
  std::vector<Field<Dim, Space>> fields;
  std::unique_ptr<Reactions<Dim, Space>> reactions;
};

const std::vector<std::string> robertson_names{"a", "b", "c"};
const std::vector<std::string> robertson_rates{"-0.04*a + 1e4*b*c", "0.04*a - 1e4*b*c - 3e7*b^2",
                                               "3e7*b^2"};

TYPED_TEST(ReactionsTest, linear_decay_is_exact_to_the_tolerance_in_every_cell) {
  Mixture<3, TypeParam> mixture(box({7, 6, 5}), {"c"}, {"-2*c"});
  const auto start = [](const Point& x) { return 1 + x[0] + 2 * x[1] * x[2]; };
  mixture.set(0, start);
  const ReactionReport report = mixture.react(0, 1.5);
  ASSERT_TRUE(report.ok) << report.failure;
  mixture.visit(0, [&](const Index<3>&, const Point& x, double c) {
    EXPECT_NEAR(c, start(x) * std::exp(-3.0), 1e-7 * c);
  });
}

TYPED_TEST(ReactionsTest, a_very_fast_decay_takes_few_substeps) {
  Mixture<2, TypeParam> mixture(box({4, 4}), {"a", "b"}, {"-1e9*(a - b)", "-b"});
  mixture.set({3, 1});
  const ReactionReport report = mixture.react(0, 0.1);
  ASSERT_TRUE(report.ok) << report.failure;
  EXPECT_NEAR(mixture.first(1), std::exp(-0.1), 1e-8);
  EXPECT_NEAR(mixture.first(0), std::exp(-0.1) * (1 + 1e-9), 1e-8);
  EXPECT_LT(report.substeps, 120);
}

// Values of E. Hairer & G. Wanner, 1996, and of cases/reference/robertson.csv.
TYPED_TEST(ReactionsTest, robertsons_kinetics_to_t_40_and_to_10000_take_few_substeps) {
  struct End {
    double t, a, b, c;
    long most_substeps;
  };
  for (const End& end : {End{40, 0.715827068719, 9.18553476456e-06, 0.284163745746, 110},
                         End{1e4, 0.107300428538, 4.80016697257e-07, 0.892699091446, 190}}) {
    Mixture<2, TypeParam> mixture(box({4, 4}), robertson_names, robertson_rates);
    mixture.set({1, 0, 0});
    const ReactionReport report = mixture.react(0, end.t);
    ASSERT_TRUE(report.ok) << report.failure;
    EXPECT_LE(report.substeps, end.most_substeps);
    EXPECT_LE(report.newton_iterations, 14 * report.substeps);
    EXPECT_NEAR(mixture.first(0), end.a, 3e-8 * end.a);
    EXPECT_NEAR(mixture.first(1), end.b, 3e-8 * end.b);
    EXPECT_NEAR(mixture.first(2), end.c, 3e-8 * end.c);
    EXPECT_NEAR(mixture.first(0) + mixture.first(1) + mixture.first(2), 1, 1e-14);
  }
}

TYPED_TEST(ReactionsTest, sums_that_the_rates_keep_are_kept_to_rounding_over_many_calls) {
  Mixture<2, TypeParam> mixture(box({5, 3}), robertson_names, robertson_rates);
  mixture.set({0.25, 0.5, 0.125});
  for (int call = 0; call < 30; ++call) ASSERT_TRUE(mixture.react(call, 1.0).ok);
  EXPECT_NEAR(mixture.first(0) + mixture.first(1) + mixture.first(2), 0.875, 1e-14);
}

// The Brusselator over t = 1, with substeps of 1/8, 1/16, 1/32.
TYPED_TEST(ReactionsTest, equal_substeps_converge_with_order_4) {
  const std::vector<std::string> rates{"1 + u^2*v - 4*u", "3*u - u^2*v"};
  const auto solve = [&](const ReactionSettings& settings) {
    Mixture<2, TypeParam> mixture(box({4, 4}), {"u", "v"}, rates, settings);
    mixture.set({1.2, 3.1});
    const ReactionReport report = mixture.react(0, 1);
    EXPECT_TRUE(report.ok);
    if (settings.fixed_substeps > 0) {
      EXPECT_EQ(report.substeps, settings.fixed_substeps);
    }
    return mixture.first(0);
  };
  const double exact = solve({.relative = 1e-12, .absolute = 1e-14});
  std::vector<double> errors;
  for (const int substeps : {8, 16, 32})
    errors.push_back(std::abs(solve({.relative = 1e-10, .fixed_substeps = substeps}) - exact));
  EXPECT_GT(std::log2(errors[0] / errors[1]), 3.8);
  EXPECT_GT(std::log2(errors[1] / errors[2]), 3.8);
}

TYPED_TEST(ReactionsTest, a_tighter_tolerance_gives_a_smaller_error) {
  double before = 1;
  for (const double relative : {1e-4, 1e-6, 1e-8, 1e-10}) {
    Mixture<2, TypeParam> mixture(box({4, 4}), {"u", "v"}, {"v", "-u"}, {.relative = relative});
    mixture.set({1, 0});
    ASSERT_TRUE(mixture.react(0, 6).ok);
    const double error = std::abs(mixture.first(0) - std::cos(6.0));
    EXPECT_LT(error, 30 * relative);
    EXPECT_LT(error, before);
    before = error;
  }
}

// dc/dt = x + 2 y t - 3 z t^2 is integrated exactly by a method of order 4.
TYPED_TEST(ReactionsTest, rates_may_depend_on_place_and_time) {
  Mixture<3, TypeParam> mixture(box({4, 5, 6}), {"c"}, {"x + 2*y*t - 3*z*t^2"});
  mixture.set({0.5});
  ASSERT_TRUE(mixture.react(1, 1).ok);
  mixture.visit(0, [&](const Index<3>&, const Point& x, double c) {
    EXPECT_NEAR(c, 0.5 + x[0] + 3 * x[1] - 7 * x[2], 1e-13);
  });
}

TYPED_TEST(ReactionsTest, a_jump_of_a_rate_in_time_is_found) {
  Mixture<2, TypeParam> mixture(box({4, 4}), {"c"}, {"if(t >= 1.1, 5, 0)"});
  mixture.set({1});
  const ReactionReport report = mixture.react(1, 0.5);
  ASSERT_TRUE(report.ok) << report.failure;
  EXPECT_NEAR(mixture.first(0), 1 + 5 * 0.4, 1e-6);
}

// A chain of decays, c_1 -> c_2 -> ... -> c_n at the same rate: c_n of a chain without end is
// Poisson's.
TYPED_TEST(ReactionsTest, one_to_eight_scalars) {
  for (int n = 1; n <= 8; ++n) {
    std::vector<std::string> names, rates;
    for (int i = 0; i < n; ++i) {
      names.push_back("c" + std::to_string(i));
      rates.push_back((i == 0 ? "" : "c" + std::to_string(i - 1) + " ") + "-" + names.back());
    }
    Mixture<2, TypeParam> mixture(box({5, 4}), names, rates);
    mixture.set(0, [](const Point&) { return 1.0; });
    ASSERT_TRUE(mixture.react(0, 2).ok);
    double expected = std::exp(-2.0);
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(mixture.first(i), expected, 1e-7) << i << " of " << n;
      expected *= 2.0 / (i + 1);
    }
  }
}

// dc_i/dt = c_{i+1} - c_i on a ring: a wave that turns and decays.
TYPED_TEST(ReactionsTest, thirty_two_scalars_and_no_more) {
  constexpr double angle = 2 * std::numbers::pi / 32, t = 2;
  std::vector<std::string> names, rates;
  for (int i = 0; i < 32; ++i) {
    names.push_back("c" + std::to_string(i));
    rates.push_back("c" + std::to_string((i + 1) % 32) + " - " + names.back());
  }
  Mixture<2, TypeParam> mixture(box({4, 4}), names, rates);
  for (int i = 0; i < 32; ++i) mixture.set(i, [i](const Point&) { return std::cos(angle * i); });
  ASSERT_TRUE(mixture.react(0, t).ok);
  for (int i = 0; i < 32; ++i)
    EXPECT_NEAR(mixture.first(i),
                std::exp((std::cos(angle) - 1) * t) * std::cos(angle * i + std::sin(angle) * t),
                1e-7);

  names.push_back("d");
  rates.push_back("d");
  EXPECT_EQ(test::message_of<ConfigError>([&] {
              Mixture<2, TypeParam>(box({4, 4}), names, rates);
            }),
            "reactions: 33 scalars, expected at most 32");
}

TYPED_TEST(ReactionsTest, a_scalar_without_a_rate_is_a_catalyst_and_stays_to_the_bit) {
  Mixture<2, TypeParam> mixture(box({4, 4}), {"catalyst", "c"}, {"0", "-catalyst*c"});
  mixture.set(0, [](const Point& x) { return x[0]; });
  mixture.set(1, [](const Point&) { return 1.0; });
  const auto before = mixture.padded(0);
  ASSERT_TRUE(mixture.react(0, 1).ok);
  EXPECT_EQ(mixture.padded(0), before);
  mixture.visit(
      1, [](const Index<2>&, const Point& x, double c) { EXPECT_NEAR(c, std::exp(-x[0]), 1e-8); });
}

TYPED_TEST(ReactionsTest, solid_cells_and_ghosts_stay_to_the_bit) {
  const Layout<2> layout{{{6, 5}}};
  std::vector<std::uint8_t> cells(6 * 5);
  cells[6 * 3 + 2] = 1;
  cells[6 * 0 + 5] = 2;
  const Bodies<2, TypeParam> bodies(layout, staircase(layout, cells, test::walls()));
  // A NaN in a solid is nobody's concern.
  Mixture<2, TypeParam> mixture(box({6, 5}), {"c"}, {"-c"}, {}, bodies.view());
  std::vector<double> values(layout.size(), 4.0);
  view_of(layout, values.data())({{2, 3}}) = std::nan("");
  mixture.fields[0].values().upload(values);
  const ReactionReport report = mixture.react(0, 1);
  ASSERT_TRUE(report.ok) << report.failure;
  const std::vector<double> after = mixture.padded(0);
  const auto c = view_of(layout, after.data());
  EXPECT_TRUE(std::isnan(c({{2, 3}})));
  EXPECT_EQ(c({{5, 0}}), 4.0);
  EXPECT_EQ(c({{-1, 0}}), 4.0);
  EXPECT_EQ(c({{6, 5}}), 4.0);
  EXPECT_NEAR(c({{2, 2}}), 4 * std::exp(-1.0), 1e-7);
}

TYPED_TEST(ReactionsTest, chunks_of_cells_give_the_same_values_within_the_tolerance) {
  std::vector<double> whole, parts;
  for (auto [values, cells] : {std::pair{&whole, 1000}, std::pair{&parts, 7}}) {
    Mixture<2, TypeParam> mixture(box({9, 8}), {"u", "v"}, {"1 + u^2*v - 4*u", "3*u - u^2*v"},
                                  {.cells_at_once = cells});
    mixture.set(0, [](const Point& x) { return 1 + x[0]; });
    mixture.set(1, [](const Point& x) { return 3 + x[1]; });
    ASSERT_TRUE(mixture.react(0, 0.5).ok);
    mixture.visit(0, [to = values](const Index<2>&, const Point&, double u) { to->push_back(u); });
  }
  ASSERT_EQ(whole.size(), parts.size());
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(whole[i], parts[i], 1e-7);
}

TYPED_TEST(ReactionsTest, the_same_call_gives_the_same_bits) {
  std::vector<std::vector<double>> results;
  for (int run = 0; run < 2; ++run) {
    Mixture<2, TypeParam> mixture(box({9, 8}), robertson_names, robertson_rates);
    mixture.set(0, [](const Point& x) { return 1 + x[0]; });
    if (run == 1) {  // what came before leaves no trace
      const auto start = mixture.padded(0);
      ASSERT_TRUE(mixture.react(0, 100).ok);
      mixture.fields[0].values().upload(start);
      mixture.set(1, [](const Point&) { return 0.0; });
      mixture.set(2, [](const Point&) { return 0.0; });
    }
    ASSERT_TRUE(mixture.react(0, 2).ok);
    results.push_back(mixture.padded(1));
  }
  EXPECT_EQ(results[0], results[1]);
}

TYPED_TEST(ReactionsTest, no_reaction_at_all_changes_nothing) {
  Mixture<2, TypeParam> mixture(box({4, 4}), {"a", "b"}, {"0", "0"});
  mixture.set({1, 2});
  const ReactionReport report = mixture.react(0, 1);
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.substeps, 0);
  EXPECT_EQ(mixture.first(1), 2);
}

// A front: a burns where there is b, and at both of its ends nothing happens.
struct Front {
  std::vector<std::string> names{"a", "b"}, rates{"-1e3*a*b", "1e3*a*b - 10*b*(1 - b)*a"};
  static double b(const Point& x) { return x[0] < 0.3 ? 1 : x[0] < 0.5 ? 1e-3 : 0; }
  static double a(const Point& x) { return x[0] < 0.3 ? 0 : 1; }
};

TYPED_TEST(ReactionsTest, cells_at_rest_do_not_change_the_others_or_themselves_by_a_bit) {
  const Front front;
  // The front alone, then in the middle of cells at rest.
  const auto run = [&](int cells, const std::function<double(const Point&)>& place) {
    Mixture<2, TypeParam> mixture(box({cells, 20}), front.names, front.rates);
    mixture.set(0, [&](const Point& x) { return Front::a({place(x), x[1], 0}); });
    mixture.set(1, [&](const Point& x) { return Front::b({place(x), x[1], 0}); });
    const ReactionReport report = mixture.react(0, 0.01);
    EXPECT_TRUE(report.ok) << report.failure;
    EXPECT_GT(report.newton_iterations, 0);
    std::vector<std::vector<double>> moving(2), resting(2);
    for (int i = 0; i < 2; ++i)
      mixture.visit(i, [&](const Index<2>&, const Point& x, double c) {
        const double at = place(x);
        (at >= 0.3 && at < 0.5 ? moving : resting)[i].push_back(c);
        if (at < 0.3) {
          EXPECT_EQ(c, i);
        }
        if (at >= 0.5) {
          EXPECT_EQ(c, 1 - i);
        }
      });
    return moving;
  };
  const auto among_others = run(30, [](const Point& x) { return x[0]; });
  const auto alone = run(6, [](const Point& x) { return 0.3 + 0.2 * x[0]; });
  for (int i = 0; i < 2; ++i) EXPECT_EQ(among_others[i], alone[i]);
}

TYPED_TEST(ReactionsTest, nothing_is_iterated_where_all_cells_are_at_rest) {
  const Front front;
  Mixture<2, TypeParam> mixture(box({40, 40}), front.names, front.rates);
  mixture.set({1, 0});
  const ReactionReport report = mixture.react(0, 1);
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.newton_iterations, 0);
  EXPECT_EQ(report.substeps, 0);
  EXPECT_EQ(mixture.first(0), 1);
  EXPECT_EQ(mixture.first(1), 0);
}

// 1e-200 grows by a factor of e^5: however small a state is, it is not at rest.
TYPED_TEST(ReactionsTest, a_small_state_may_grow) {
  Mixture<2, TypeParam> mixture(box({4, 4}), {"c"}, {"5*c*(1 - c)"});
  mixture.set({1e-200});
  ASSERT_TRUE(mixture.react(0, 1).ok);
  EXPECT_NEAR(mixture.first(0) / 1e-200, std::exp(5.0), 1e-3);
}

// A state that is at rest now may be driven later.
TYPED_TEST(ReactionsTest, rates_with_time_in_them_are_never_taken_for_rest) {
  Mixture<2, TypeParam> mixture(box({4, 4}), {"c"}, {"t - 1"});
  mixture.set({2});
  ASSERT_TRUE(mixture.react(1, 1).ok);
  EXPECT_NEAR(mixture.first(0), 2.5, 1e-9);
}

// dc/dt = c^2 from c = 2 has no solution beyond t = 1/2.
TYPED_TEST(ReactionsTest, a_blow_up_is_a_failure_that_names_the_cell_and_leaves_the_fields) {
  Mixture<2, TypeParam> mixture(box({4, 8}), {"c", "d"}, {"c^2", "-d"}, {.cells_at_once = 8});
  mixture.set(0, [](const Point& x) { return x[0] > 0.7 && x[1] > 0.9 ? 2.0 : 0.1; });
  mixture.set(1, [](const Point&) { return 1.0; });
  const auto c = mixture.padded(0), d = mixture.padded(1);
  const ReactionReport report = mixture.react(0, 1);
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(mixture.padded(0), c);
  EXPECT_EQ(mixture.padded(1), d);
  EXPECT_THAT(report.failure, testing::StartsWith("reactions: "));
  EXPECT_THAT(report.failure, testing::HasSubstr("at t = 0.5"));
  EXPECT_THAT(report.failure,
              testing::HasSubstr(" in the cell at x = 0.875, y = 0.9375, where c = "));
}

TYPED_TEST(ReactionsTest, a_rate_that_is_no_number_is_a_failure_that_names_it) {
  Mixture<2, TypeParam> mixture(box({4, 4}), {"a", "b"}, {"-a", "sqrt(a - 0.5)"});
  mixture.set({1, 0});
  const auto a = mixture.padded(0);
  const ReactionReport report = mixture.react(0, 2);
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(mixture.padded(0), a);
  mixture.set({0.25, 3});
  EXPECT_THAT(mixture.react(0, 2).failure,
              testing::MatchesRegex("reactions: the reaction rate of b is -?nan, at t = 0 in the "
                                    "cell at x = .*, y = .*, where a = 0.25, b = 3"));
}

TYPED_TEST(ReactionsTest, a_value_that_is_no_number_is_a_failure) {
  Mixture<2, TypeParam> mixture(box({4, 4}), {"c"}, {"-c"});
  mixture.set(0, [](const Point& x) { return x[0] < 0.2 && x[1] < 0.2 ? std::nan("") : 1; });
  const ReactionReport report = mixture.react(0, 1);
  EXPECT_FALSE(report.ok);
  EXPECT_THAT(report.failure, testing::HasSubstr("x = 0.125, y = 0.125"));
}

TYPED_TEST(ReactionsTest, a_failure_leaves_no_trace_in_the_next_call) {
  Mixture<2, TypeParam> mixture(box({4, 4}), {"c"}, {"sqrt(c) - c"});
  mixture.set({-1});
  EXPECT_FALSE(mixture.react(0, 1).ok);
  mixture.set({0.25});
  const ReactionReport report = mixture.react(0, 1);
  EXPECT_TRUE(report.ok) << report.failure;
}

TYPED_TEST(ReactionsTest, too_many_substeps_are_a_failure) {
  Mixture<2, TypeParam> mixture(box({4, 4}), {"u", "v"}, {"v", "-u"}, {.most_substeps = 20});
  mixture.set({1, 0});
  const ReactionReport report = mixture.react(0, 1000);
  EXPECT_FALSE(report.ok);
  EXPECT_THAT(report.failure, testing::HasSubstr("more than 20 substeps are needed"));
  EXPECT_EQ(mixture.first(0), 1);
}

TYPED_TEST(ReactionsTest, settings_out_of_range_are_refused) {
  const auto message = [](const ReactionSettings& settings) {
    return test::message_of<ConfigError>([&] {
      Mixture<2, TypeParam>(box({4, 4}), {"c"}, {"-c"}, settings);
    });
  };
  EXPECT_EQ(message({.relative = 1e-15}),
            "reactions: the relative tolerance is 1e-15, expected a number from 1e-12 to below 1");
  EXPECT_EQ(message({.absolute = 0}),
            "reactions: the absolute tolerance is 0, expected a number above 0");
}

TYPED_TEST(ReactionsTest, allocates_what_it_says_and_nothing_when_it_reacts) {
  for (const int cells_at_once : {1 << 18, 50}) {
    const auto before = TypeParam::allocated_bytes();
    const Grid grid = box({12, 10});
    Mixture<2, TypeParam> mixture(grid, robertson_names, robertson_rates,
                                  {.cells_at_once = cells_at_once});
    std::size_t fields = 0;
    for (auto& field : mixture.fields) fields += field.layout().size() * sizeof(double);
    const auto made = TypeParam::allocated_bytes() - before - fields;
    EXPECT_EQ(made, reaction_memory(grid, mixture.formulas, mixture.fields[0].layout().size(),
                                    {.cells_at_once = cells_at_once}));
    mixture.set({1, 0, 0});
    ASSERT_TRUE(mixture.react(0, 1).ok);
    EXPECT_EQ(TypeParam::allocated_bytes() - before - fields, made);
  }
}

#if HODGE_HAS_CUDA
TEST(Reactions, cuda_gives_what_the_host_gives) {
  if (!tests::space_is_usable<linalg::Cuda>()) GTEST_SKIP() << "no usable NVIDIA GPU";
  std::vector<std::vector<double>> results;
  const auto run = [&](auto& mixture) {
    for (int i = 0; i < 3; ++i)
      mixture.set(i, [i](const Point& x) { return i == 0 ? 1 + x[0] : i * 1e-3 * x[1]; });
    ASSERT_TRUE(mixture.react(0, 5).ok);
    for (int i = 0; i < 3; ++i) results.push_back(mixture.padded(i));
  };
  Mixture<2, linalg::Host> host(box({37, 33}), robertson_names, robertson_rates);
  Mixture<2, linalg::Cuda> cuda(box({37, 33}), robertson_names, robertson_rates);
  run(host);
  run(cuda);
  for (int i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < results[i].size(); ++k)
      EXPECT_NEAR(results[i][k], results[3 + i][k], 1e-10 * results[i][k] + 1e-15);
}
#endif

}  // namespace
}  // namespace hodge::sim
