// Axes by Fourier transforms of a box, on the Host by a stand-in for the library.
#include "linalg/direct/box_fft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linalg/direct/direct_solver.hpp"
#include "linalg/space/replay.hpp"
#include "tests/support/direct_systems.hpp"
#include "tests/support/plain_fft.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests::axis_with;
using tests::compatible_values;
using tests::end_kinds;

template <class Space>
class BoxFftTest : public tests::SpaceTest<Space> {
 protected:
  void SetUp() override {
    tests::SpaceTest<Space>::SetUp();
    if (!this->IsSkipped() && !tests::has_fft_for_tests<Space>())
      GTEST_SKIP() << "cuFFT was not found";
  }

  // All axes that can be, or those of the bits of `mask`.
  static std::vector<AxisMethod> methods(const SeparableSystem& system, unsigned mask = 7) {
    std::vector<AxisMethod> methods;
    for (std::size_t d = 0; d + 1 < system.axes.size(); ++d)
      methods.push_back((mask >> d & 1U) != 0 && has_wave(system.axes[d]) ? AxisMethod::fft_of_box
                                                                          : AxisMethod::products);
    methods.push_back(AxisMethod::elimination);
    return methods;
  }
  // Axis 1 of three by elimination.
  static std::vector<double> solution_across_axis_1(const SeparableSystem& system,
                                                    const std::vector<double>& b, unsigned mask) {
    std::vector<AxisMethod> by;
    for (unsigned d = 0; d < 3; ++d)
      by.push_back((mask >> d & 1U) != 0 ? AxisMethod::fft_of_box : AxisMethod::products);
    by[1] = AxisMethod::elimination;
    DirectSolver<Space> direct(system, by, tests::fft_for_tests<Space, double>());
    const Vector<Space> right_side{std::span<const double>(b)};
    Vector<Space> x(right_side.size());
    direct.solve(right_side, x);
    return x.to_host();
  }
  template <class T = double>
  static DirectSolver<Space, T> solver(const SeparableSystem& system, unsigned mask = 7) {
    return {system, methods(system, mask), tests::fft_for_tests<Space, T>()};
  }
  static std::vector<double> solution(const SeparableSystem& system, const std::vector<double>& b,
                                      unsigned mask = 7) {
    DirectSolver<Space> direct = solver(system, mask);
    const Vector<Space> right_side{std::span<const double>(b)};
    Vector<Space> x(right_side.size());
    direct.solve(right_side, x);
    return x.to_host();
  }

  static void expect_same_as_cg(const SeparableSystem& system, unsigned mask = 7) {
    const std::vector<double> b = compatible_values(system);
    tests::expect_solution_of_cg<Space>(system, b, solution(system, b, mask), 1e-12);
  }
  static void expect_same_as_products(const SeparableSystem& system, unsigned mask = 7) {
    const std::vector<double> b = compatible_values(system), x = solution(system, b, mask),
                              expected = solution(system, b, 0);
    double worst = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      worst = std::max(worst, std::abs(x[i] - expected[i]));
      size = std::max(size, std::abs(expected[i]));
    }
    EXPECT_LE(worst, 1e-11 * size);
    EXPECT_LT(tests::scaled_residual(tests::matrix_of(system), b, x), 150);
  }
};
TYPED_TEST_SUITE(BoxFftTest, tests::Spaces, tests::SpaceName);

TYPED_TEST(BoxFftTest, agrees_with_cg_and_products_along_one_axis_of_every_length) {
  for (int ends = 0; ends < end_kinds; ++ends)
    for (const int n : {2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 31, 32, 64, 127, 128, 131, 257}) {
      SCOPED_TRACE(::testing::Message() << ends << " " << n);
      const SeparableSystem system{
          {axis_with(ends, n, false, 0, 1), axis_with((ends + n) % end_kinds, 3, false, 0, 0.1)}};
      if (n < 100) this->expect_same_as_cg(system);
      this->expect_same_as_products(system);
    }
}

TYPED_TEST(BoxFftTest, agrees_with_cg_on_every_pair_of_ends) {
  for (const auto& [n, m] : std::vector<std::array<int, 2>>{{13, 8}, {8, 13}, {6, 10}, {7, 5}})
    for (int first = 0; first < end_kinds; ++first)
      for (int second = 0; second < end_kinds; ++second) {
        SCOPED_TRACE(::testing::Message() << n << "x" << m << " " << first << " " << second);
        this->expect_same_as_cg(
            {{axis_with(first, n, false, 0, 1.3), axis_with(second, m, false, 0, 0.7)}});
      }
}

TYPED_TEST(BoxFftTest, agrees_with_products_on_every_combination_of_ends_in_3d) {
  for (int ends = 0; ends < end_kinds * end_kinds * end_kinds; ++ends)
    for (const auto& n : std::vector<std::array<int, 3>>{{5, 4, 6}, {6, 7, 4}, {4, 6, 3}}) {
      SCOPED_TRACE(::testing::Message() << ends << " " << n[0]);
      this->expect_same_as_products(
          {{axis_with(ends % 5, n[0], false, 0, 1), axis_with(ends / 5 % 5, n[1], false, 0, 0.8),
            axis_with(ends / 25, n[2], false, 0, 1.7)}});
    }
}

TYPED_TEST(BoxFftTest, agrees_with_products_where_axis_1_is_eliminated) {
  for (int ends = 0; ends < end_kinds * end_kinds * end_kinds; ++ends)
    for (const unsigned mask : {0U, 1U, 4U, 5U})
      for (const bool stretched : {false, true}) {
        SCOPED_TRACE(::testing::Message() << ends << " " << mask << " " << stretched);
        const int n = 5 + ends % 4;
        const SeparableSystem system{{axis_with(ends % 5, n, false, 0, 1),
                                      axis_with(ends / 5 % 5, 9, stretched, 0, 0.8),
                                      axis_with(ends / 25, 11 - n, false, 0, 1.7)}};
        const std::vector<double> b = compatible_values(system),
                                  x = this->solution_across_axis_1(system, b, mask),
                                  expected = this->solution(system, b, 0);
        double worst = 0, size = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
          worst = std::max(worst, std::abs(x[i] - expected[i]));
          size = std::max(size, std::abs(expected[i]));
        }
        EXPECT_LE(worst, 1e-11 * size);
      }
}

// The others by products: one of each side, stretched or not.
TYPED_TEST(BoxFftTest, agrees_with_products_where_some_axes_are_transformed) {
  for (unsigned mask = 1; mask < 4; ++mask)
    for (int ends = 0; ends < end_kinds; ++ends)
      for (const bool stretched : {false, true}) {
        SCOPED_TRACE(::testing::Message() << mask << " " << ends << " " << stretched);
        SeparableSystem system;
        for (int d = 0; d < 3; ++d) {
          const bool by_fft = (mask >> d & 1U) != 0;
          system.axes.push_back(axis_with(by_fft ? (ends + d) % end_kinds : 1, 5 + d,
                                          stretched && !by_fft, 0, 1 + 0.2 * d));
        }
        this->expect_same_as_products(system, mask);
      }
}

TYPED_TEST(BoxFftTest, serves_few_cells_primes_and_long_axes) {
  for (int ends = 0; ends < end_kinds; ++ends)
    for (const auto& [n, m] : std::vector<std::array<int, 2>>{
             {3, 257}, {257, 3}, {2053, 7}, {7, 2053}, {2048, 4}, {4, 2048}}) {
      SCOPED_TRACE(::testing::Message() << ends << " " << n << "x" << m);
      const SeparableSystem system{
          {axis_with(ends, n, false, 0, 0.01 * n), axis_with(2, m, false, 0, 0.01 * m)}};
      const std::vector<double> b = compatible_values(system), x = TestFixture::solution(system, b);
      EXPECT_LT(tests::scaled_residual(tests::matrix_of(system), b, x), 150);
    }
}

TYPED_TEST(BoxFftTest, leaves_the_constant_out_and_the_right_side_unchanged) {
  const SeparableSystem system{
      {axis_with(1, 9, false, 0, 1), axis_with(0, 6, false, 0, 1), axis_with(1, 4, false, 0, 2)}};
  const std::vector<double> b = tests::random_values(9 * 6 * 4, 5),
                            x = TestFixture::solution(system, b),
                            ax = tests::matrix_of(system).multiply(x);
  EXPECT_NEAR(tests::mean(x), 0, 1e-14);
  for (std::size_t p = 0; p < b.size(); ++p) EXPECT_NEAR(b[p] - ax[p], tests::mean(b), 1e-12);
}

TYPED_TEST(BoxFftTest, repeats_bit_for_bit_allocates_nothing_and_is_recorded) {
  using Space = TypeParam;
  for (const int ends : {0, 1, 3}) {
    const SeparableSystem system{{axis_with(ends, 12, false, 0, 1), axis_with(2, 10, false, 0, 1),
                                  axis_with(1, 7, true, 0, 1)}};
    DirectSolver<Space> direct = TestFixture::solver(system);
    const Vector<Space> b{std::span<const double>(compatible_values(system))};
    Vector<Space> x(b.size()), expected(b.size());
    direct.solve(b, expected);
    const auto before = Space::allocated_bytes();
    Replay<Space> replay;
    for (int run = 0; run < 3; ++run) {
      x.fill(0.0);
      replay.run(ReplayKey(1), [&] { direct.solve(b, x); });
      EXPECT_EQ(x.to_host(), expected.to_host()) << run;
    }
    EXPECT_EQ(Space::allocated_bytes(), before);
    EXPECT_EQ(b.to_host(), compatible_values(system));
  }
}

// A step of diffusion.
TYPED_TEST(BoxFftTest, agrees_with_products_with_a_shift_and_a_factor) {
  using Space = TypeParam;
  const auto expect_same = [](const SeparableSystem& system) {
    const Vector<Space> b{
        std::span<const double>(tests::random_values(static_cast<int>(system.rows()), 4))};
    std::array<std::vector<double>, 2> x;
    for (const unsigned by_fft : {0U, 1U}) {
      DirectSolver<Space> direct = TestFixture::solver(system, 7 * by_fft);
      direct.set_shift(30, 0.7);
      Vector<Space> solution(b.size());
      direct.solve(b, solution);
      x[by_fft] = solution.to_host();
    }
    for (std::size_t i = 0; i < x[0].size(); ++i) EXPECT_NEAR(x[0][i], x[1][i], 1e-12);
  };
  for (int ends = 0; ends < end_kinds; ++ends)
    for (const int between : {1, ends}) {
      SCOPED_TRACE(testing::Message() << ends << " " << between);
      expect_same({{axis_with(ends, 12, false, 0, 1), axis_with(between, 9, false, 0, 1),
                    axis_with(ends, 5, false, 0, 1)}});
    }
}

TYPED_TEST(BoxFftTest, solves_in_float) {
  using Space = TypeParam;
  for (const int ends : {0, 1, 2, 3, 4})
    for (const int n : {12, 13}) {
      const SeparableSystem system{
          {axis_with(ends, n, false, 0, 1), axis_with(2, 10, false, 0, 1)}};
      const std::vector<double> exact = tests::random_values(static_cast<int>(system.rows()), 3);
      const std::vector<double> b = tests::matrix_of(system).multiply(exact);
      const std::vector<float> rounded(b.begin(), b.end());
      DirectSolver<Space, float> direct = this->template solver<float>(system);
      const Vector<Space, float> right_side{std::span<const float>(rounded)};
      Vector<Space, float> x(right_side.size());
      direct.solve(right_side, x);
      const std::vector<float> result = x.to_host();
      for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(result[i], exact[i], 1e-3);
    }
}

// Of the library's work area only the order of magnitude is known; on the Host there is none.
TEST(BoxFft, memory_is_that_of_the_spectrum_the_tables_and_the_work_area) {
  for (int ends = 0; ends < end_kinds; ++ends) {
    const SeparableSystem system{{axis_with(ends, 32, false, 0, 1), axis_with(1, 6, false, 0, 1),
                                  axis_with(1, 5, false, 0, 1)}};
    const std::vector<bool> two{true, true, false};
    const auto before = Host::allocated_bytes();
    const BoxFft<Host, double> box(system, two, 2, {{0.0}, {0.0}},
                                   tests::fft_for_tests<Host, double>(), 5);
    const std::size_t spectrum = 16 * box_spectrum(system, two, 5).size();
    EXPECT_EQ(Host::allocated_bytes() - before + spectrum, box_fft_memory(system, two, 8)) << ends;
  }
}

}  // namespace
}  // namespace hodge::linalg
