#include "linalg/direct/axis_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "linalg/direct/box_fft.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "linalg/direct/fft_library.hpp"
#include "linalg/solve/solve_bytes.hpp"
#include "linalg/space/space.hpp"
#include "tests/support/direct_systems.hpp"

namespace hodge::linalg {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using tests::axis_with;

constexpr AxisMethod fft = AxisMethod::fft_of_box, products = AxisMethod::products,
                     elimination = AxisMethod::elimination;

// Those of the axes below the last one, which processes cut.
std::vector<AxisMethod> methods_below(const SeparableSystem& system,
                                      std::size_t value_size = sizeof(double)) {
  std::vector<AxisMethod> methods = axis_methods_by_cost(system, value_size, false);
  EXPECT_EQ(methods.back(), elimination);
  methods.pop_back();
  return methods;
}

SeparableSystem box_with(int ends, const std::vector<int>& points) {
  SeparableSystem system;
  for (const int n : points) system.axes.push_back(axis_with(ends, n, false, 0, 0.01 * n));
  return system;
}

TEST(AxisChoice, long_axes_of_equal_cells_take_fft) {
  for (int ends = 0; ends < tests::end_kinds; ++ends)
    for (const auto& points : std::vector<std::vector<int>>{
             {2048, 2048}, {256, 256, 256}, {512, 512, 512}, {4096, 4096}, {2053, 2053}}) {
      EXPECT_THAT(methods_below(box_with(ends, points)), Each(fft));
      EXPECT_THAT(methods_below(box_with(ends, points), sizeof(float)), Each(fft));
    }
  EXPECT_THAT(methods_below(tests::periodic_box({64, 64, 64})), Each(fft));
}

TEST(AxisChoice, a_small_closed_box_takes_fft_where_starting_products_takes_longer) {
  EXPECT_THAT(methods_below(box_with(1, {64, 64, 64})), Each(fft));
  EXPECT_THAT(methods_below(box_with(1, {512, 512})), Each(fft));
}

// Without axis 0 the values of an FFT do not lie side by side.
TEST(AxisChoice, beside_a_stretched_axis_0_all_take_products) {
  for (const bool periodic : {false, true})
    for (const int stretched : {0, 1}) {
      SeparableSystem box =
          periodic ? tests::periodic_box({256, 256, 256}) : box_with(1, {256, 256, 256});
      box.axes[static_cast<std::size_t>(stretched)] = axis_with(1, 256, true, 0, 1);
      std::vector<AxisMethod> expected(2, products);
      if (periodic && stretched == 1) expected[0] = fft;  // closed: both take the same
      EXPECT_EQ(methods_below(box), expected) << periodic << stretched;
    }
}

TEST(AxisChoice, where_products_take_less_they_are_taken) {
  EXPECT_THAT(methods_below(box_with(1, {128, 128, 128})), Each(products));
  // Axis 0 goes along, however short it is.
  EXPECT_THAT(methods_below(box_with(1, {3, 4096})), Each(fft));
  EXPECT_THAT(methods_below(box_with(1, {4, 4099, 64})), Each(fft));
  // A channel.
  SeparableSystem channel = tests::periodic_box({256, 256, 256});
  channel.axes[1] = axis_with(1, 256, true, 0, 1);
  EXPECT_THAT(methods_below(channel), ElementsAre(fft, products));
}

TEST(AxisChoice, alone_a_stretched_axis_1_is_eliminated_in_place_of_the_last_one) {
  for (const bool periodic : {false, true}) {
    SeparableSystem channel =
        periodic ? tests::periodic_box({256, 256, 256}) : box_with(1, {256, 256, 256});
    EXPECT_EQ(eliminated_axis(axis_methods_by_cost(channel, sizeof(double))), 2);
    channel.axes[1] = axis_with(1, 256, true, 0, 1);
    EXPECT_THAT(axis_methods_by_cost(channel, sizeof(double)), ElementsAre(fft, elimination, fft));
    std::swap(channel.axes[0], channel.axes[1]);
    EXPECT_EQ(eliminated_axis(axis_methods_by_cost(channel, sizeof(double))), 2);
  }
}

// Layers of an odd number of values begin between two complex values.
TEST(AxisChoice, layers_that_are_not_aligned_take_products) {
  for (const int n : {6561, 6912}) {
    SeparableSystem system = box_with(0, {7, n, 5});
    for (const int d : {0, 2}) system.axes[d] = axis_with(1, d == 0 ? 7 : 5, true, 0, 1);
    EXPECT_THAT(methods_below(system), ElementsAre(products, n % 2 == 0 ? fft : products));
  }
}

// cuFFT takes transforms of large primes by longer ones.
TEST(AxisChoice, large_primes_count_more) {
  EXPECT_THAT(methods_below(tests::periodic_box({256, 257, 256})), ElementsAre(fft, products));
}

TEST(AxisChoice, without_a_library_all_axes_take_products) {
#if HODGE_HAS_CUDA
  if (!has_cufft()) {
    EXPECT_THAT(choose_axis_methods<Cuda>(box_with(1, {2048, 2048}), sizeof(double)),
                ElementsAre(products, elimination));
  }
#endif
  EXPECT_THAT(choose_axis_methods<Host>(box_with(1, {2048, 2048}), sizeof(float)),
              ElementsAre(products, elimination));
}

// Vectors that are read or written, per entry.
TEST(AxisChoice, bytes_are_those_of_the_passes) {
  const auto vectors = [](const SeparableSystem& system, const std::vector<AxisMethod>& methods) {
    return direct_bytes(system, methods, 2, 8) / (8.0 * static_cast<double>(system.rows()));
  };
  const std::vector<int> square{4096, 4096}, cube{512, 512, 512};
  const std::vector<AxisMethod> two{fft, elimination}, three{fft, fft, elimination};
  EXPECT_DOUBLE_EQ(vectors(box_with(1, square), {products, elimination}), 6);
  EXPECT_DOUBLE_EQ(vectors(box_with(1, cube), {products, products, elimination}), 10);
  EXPECT_DOUBLE_EQ(
      vectors(box_with(1, cube), {AxisMethod::fft_of_lines, AxisMethod::fft_of_lines, elimination}),
      10);
  EXPECT_NEAR(vectors(tests::periodic_box(cube), three), 10, 0.1);
  EXPECT_NEAR(vectors(box_with(1, square), two), 10, 0.1);
  EXPECT_NEAR(vectors(box_with(1, cube), three), 14, 0.1);
  EXPECT_DOUBLE_EQ(vectors(box_with(3, cube), three), 14);  // packed
  EXPECT_NEAR(vectors(tests::periodic_box(cube), {fft, products, elimination}), 10, 0.1);
}

// A solve refines, so the model adds products, residuals and norms to the transforms.
TEST(AxisChoice, bytes_of_a_solve_have_those_of_the_transforms) {
  const SeparableSystem system = box_with(2, {40, 30});
  const auto a = tests::matrix_of(system).in<Host>(Symmetry::symmetric);
  const SolverSettings direct{.method = "direct"};
  a->describe_as(std::make_shared<SeparableSystem>(system));
  SystemSize size = counted_size(*a);
  EXPECT_DOUBLE_EQ(size.direct_bytes, direct_bytes<Host>(system));
  EXPECT_DOUBLE_EQ(size.direct_bytes, 6.0 * 8 * 40 * 30);
  const double bytes = solve_bytes(direct, size, 1);
  size.direct_bytes += 1000;
  EXPECT_DOUBLE_EQ(solve_bytes(direct, size, 1), bytes + 1000);
}

}  // namespace
}  // namespace hodge::linalg
