// Values brought from grid to grid: the same bits on the same edges, conserved sums and fluxes,
// bounds, second order.
#include "sim/discrete/grid/transfer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <random>

namespace hodge::sim {
namespace {

std::optional<Bounds> bounds_if(bool bounded) {
  return bounded ? std::optional(Bounds{}) : std::nullopt;
}

std::vector<double> edges(int cells, double lower, double upper, double power = 1) {
  std::vector<double> result;
  for (int i = 0; i <= cells; ++i)
    result.push_back(lower + (upper - lower) * std::pow(1.0 * i / cells, power));
  result.back() = upper;
  return result;
}

std::vector<double> random_values(std::size_t count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> between(-1, 1);
  std::vector<double> values(count);
  for (double& value : values) value = between(random);
  return values;
}

double integral(const std::vector<double>& values, const GridEdges& edges) {
  const std::size_t n = edges[0].size() - 1;
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    sum += values[i] * (edges[0][i % n + 1] - edges[0][i % n]) *
           (edges[1][i / n + 1] - edges[1][i / n]);
  return sum;
}

TEST(Transfer, gives_the_same_bits_on_the_same_grid) {
  const GridEdges grid{edges(7, 0, 1.3, 1.7), edges(5, -1, 2), edges(4, 0, 1)};
  for (const int location : {-1, 0, 1, 2})
    for (const bool bounded : {false, true}) {
      std::size_t count = 7 * 5 * 4;
      if (location >= 0) count = count / (grid[location].size() - 1) * grid[location].size();
      const std::vector<double> values = random_values(count);
      EXPECT_EQ(transferred(values, grid, grid, {location, false, bounds_if(bounded)}), values)
          << location;
    }
}

TEST(Transfer, keeps_integrals_over_the_box_and_over_old_cells) {
  const GridEdges coarse{edges(9, 0, 2, 1.3), edges(6, 0, 1), {}};
  const GridEdges fine{edges(27, 0, 2, 1.3), edges(17, 0, 1, 0.8), {}};
  const std::vector<double> values = random_values(9 * 6);
  for (const bool bounded : {false, true}) {
    const Transfer how{.bounds = bounds_if(bounded)};
    EXPECT_NEAR(integral(transferred(values, coarse, fine, how), fine), integral(values, coarse),
                1e-14);
    const std::vector<double> many = random_values(27 * 17);
    EXPECT_NEAR(integral(transferred(many, fine, coarse, how), coarse), integral(many, fine),
                1e-14);
  }
  GridEdges halved;
  for (int e = 0; e < 2; ++e)
    for (std::size_t i = 0; i < coarse[e].size(); ++i) {
      if (i > 0) halved[e].push_back(0.5 * (coarse[e][i - 1] + coarse[e][i]));
      halved[e].push_back(coarse[e][i]);
    }
  const std::vector<double> quarters = transferred(values, coarse, halved, {});
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 9; ++i) {
      double mean = 0;
      for (const int k : {0, 1, 18, 19}) mean += 0.25 * quarters[2 * i + 18 * 2 * j + k];
      EXPECT_NEAR(mean, values[i + 9 * j], 1e-14);
    }
}

TEST(Transfer, keeps_the_flux_through_every_old_plane_of_faces) {
  const GridEdges coarse{edges(4, 0, 1), edges(6, 0, 1, 1.5), {}};
  const GridEdges fine{edges(12, 0, 1), edges(13, 0, 1), {}};
  const std::vector<double> u = random_values(5 * 6);
  const std::vector<double> result = transferred(u, coarse, fine, {.location = 0});
  ASSERT_EQ(result.size(), 13u * 13u);
  for (int i = 0; i < 5; ++i) {
    double before = 0, after = 0;
    for (int j = 0; j < 6; ++j) before += u[i + 5 * j] * (coarse[1][j + 1] - coarse[1][j]);
    for (int j = 0; j < 13; ++j) after += result[3 * i + 13 * j] * (fine[1][j + 1] - fine[1][j]);
    EXPECT_NEAR(after, before, 1e-14) << i;
  }
}

TEST(Transfer, stays_between_the_old_values_where_it_is_bounded) {
  const GridEdges coarse{edges(10, 0, 1, 2.5), edges(10, 0, 1), {}};
  const GridEdges fine{edges(37, 0, 1), edges(41, 0, 1, 1.4), {}};
  std::vector<double> steps(100);
  for (int i = 0; i < 100; ++i) steps[i] = (i % 10 < 4) != (i / 10 < 6);
  const auto least_and_most = [&](bool bounded) {
    const std::vector<double> result =
        transferred(steps, coarse, fine, {.bounds = bounds_if(bounded)});
    const auto [least, most] = std::minmax_element(result.begin(), result.end());
    return std::pair(*least, *most);
  };
  EXPECT_GE(least_and_most(true).first, 0);
  EXPECT_LE(least_and_most(true).second, 1 + 1e-15);
  EXPECT_LT(least_and_most(false).first, -0.01);
}

// The largest error of means of cos(3x) sin(2y), or of its values at faces along x.
double error_from(int cells, const Transfer& how) {
  const auto mean_sin = [](double a, double b) {
    return (std::cos(2 * a) - std::cos(2 * b)) / (2 * (b - a));
  };
  const auto mean_cos = [](double a, double b) {
    return (std::sin(3 * b) - std::sin(3 * a)) / (3 * (b - a));
  };
  const auto exact = [&](const GridEdges& grid, bool at_faces) {
    std::vector<double> values;
    const std::size_t n = grid[0].size() - 1;
    for (std::size_t j = 0; j + 1 < grid[1].size(); ++j)
      for (std::size_t i = 0; i < n + (at_faces ? 1 : 0); ++i)
        values.push_back(
            mean_sin(grid[1][j], grid[1][j + 1]) *
            (at_faces ? std::cos(3 * grid[0][i]) : mean_cos(grid[0][i], grid[0][i + 1])));
    return values;
  };
  const GridEdges coarse{edges(cells, 0, 1), edges(cells, 0, 1, 1.2), {}};
  const GridEdges fine{edges(3 * cells / 2, 0.1, 0.9), edges(2 * cells, 0.1, 0.9), {}};
  const bool at_faces = how.location == 0;
  const std::vector<double> result =
      transferred(exact(coarse, at_faces && !how.from_centres), coarse, fine, how);
  const std::vector<double> expected = exact(fine, at_faces);
  double error = 0;
  for (std::size_t i = 0; i < result.size(); ++i)
    error = std::max(error, std::abs(result[i] - expected[i]));
  return error;
}

TEST(Transfer, is_of_second_order) {
  for (const Transfer& how :
       {Transfer{}, Transfer{.location = 0}, Transfer{.location = 0, .from_centres = true}}) {
    const double coarse = error_from(40, how), fine = error_from(80, how);
    EXPECT_LT(fine, 1e-3);
    EXPECT_GT(std::log2(coarse / fine), 1.8) << how.location;
  }
}

TEST(Transfer, values_at_points_of_any_distance_are_linear_between_them) {
  const std::vector<double> points{0.1, 0.2, 0.5, 0.9}, old_edges{0, 0.15, 0.35, 0.7, 1.3};
  const GridEdges from{old_edges, {0, 1, 2}, {}}, to{edges(7, 0, 1.2), edges(2, 0, 2), {}};
  std::vector<double> values;
  for (const double y : {0.5, 1.5})
    for (const double x : points) values.push_back(3 * x - 2 * y);
  for (const int location : {-1, 1}) {
    const std::vector<double> brought =
        transferred(values, from, to, {location, true, {}, {points, {}, {}}});
    for (int i = 0; i < 7; ++i)
      EXPECT_NEAR(brought[7 + i], 3 * 1.2 * (i + 0.5) / 7 - (location == 1 ? 2 : 3), 1e-14) << i;
  }
  const std::vector<double> bounded =
      transferred({0, 1, 0, 2, 0, 1, 0, 2}, from, to, {-1, true, Bounds{}, {points, {}, {}}});
  EXPECT_GE(*std::ranges::min_element(bounded), 0);
  EXPECT_LE(*std::ranges::max_element(bounded), 2);
}

// The two values at each end are equal: there nothing is linear that could go on beyond the range.
TEST(Transfer, stays_between_values_at_points_anywhere_in_their_cells_where_it_is_bounded) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> share(0.02, 0.98), width(0.1, 1), value(-1, 1);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> old_edges{0}, points, values;
    for (int i = 0; i < 8; ++i) {
      old_edges.push_back(old_edges.back() + width(random));
      points.push_back(std::lerp(old_edges[i], old_edges[i + 1], share(random)));
      values.push_back(i == 1 || i == 7 ? values.back() : value(random));
    }
    if (trial % 2 == 0) std::ranges::sort(values);
    values[1] = values[0];
    values[7] = values[6];
    const GridEdges from{old_edges, {0, 1}, {}}, to{edges(97, 0, old_edges.back()), {0, 1}, {}};
    const auto [least, most] = std::ranges::minmax(values);
    for (const bool wraps : {false, true}) {
      const std::vector<double> brought = transferred(
          values, from, to, {-1, true, Bounds{}, {points, {}, {}}, {wraps, false, false}});
      EXPECT_GE(std::ranges::min(brought), least - 1e-14) << trial << wraps;
      EXPECT_LE(std::ranges::max(brought), most + 1e-14) << trial << wraps;
    }
  }
}

// From cells, faces, cell centres and points; to coarser, finer and stretched grids, up to the
// sides.
TEST(Transfer, keeps_linear_fields_up_to_the_sides) {
  const auto field = [](double x, double y, double z) { return 0.3 + 2 * x - 5 * y + 0.7 * z; };
  const GridEdges from{edges(6, 0, 1, 1.4), edges(5, -1, 2, 0.8), edges(4, 0, 1)};
  const auto middle = [](const std::vector<double>& of, std::size_t i) {
    return 0.5 * (of[i] + of[i + 1]);
  };
  std::vector<double> cells;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 5; ++j)
      for (int i = 0; i < 6; ++i)
        cells.push_back(field(middle(from[0], i), middle(from[1], j), middle(from[2], k)));
  for (const int n : {3, 6, 13}) {
    const GridEdges to{edges(n, 0, 1), edges(n + 2, -1, 2, 1.3), edges(n + 1, 0, 1, 0.9)};
    for (const int location : {-1, 0, 1, 2})
      for (const bool bounded : {false, true}) {
        const std::vector<double> brought =
            transferred(cells, from, to, {location, true, bounds_if(bounded)});
        std::size_t next = 0;
        std::array<std::size_t, 3> count;
        for (int e = 0; e < 3; ++e) count[e] = to[e].size() - (e == location ? 0 : 1);
        for (std::size_t k = 0; k < count[2]; ++k)
          for (std::size_t j = 0; j < count[1]; ++j)
            for (std::size_t i = 0; i < count[0]; ++i) {
              const double x = location == 0 ? to[0][i] : middle(to[0], i);
              const double y = location == 1 ? to[1][j] : middle(to[1], j);
              const double z = location == 2 ? to[2][k] : middle(to[2], k);
              ASSERT_NEAR(brought[next++], field(x, y, z), 1e-13) << location << bounded;
            }
      }
  }
}

// At a wall a peak, a front and a decay of a quarter per cell; values at the sides are known, too.
TEST(Transfer, leaves_the_range_of_the_old_values_only_where_they_are_linear) {
  const GridEdges from{edges(6, 0, 1), {0, 1}, {}}, to{edges(30, 0, 1), {0, 1}, {}};
  const auto largest = [&](const std::vector<double>& values, const Bounds& bounds) {
    return std::ranges::max(transferred(values, from, to, {.bounds = bounds}));
  };
  for (const std::vector<double>& values : {std::vector<double>{1, 0.4, 0, 0, 0, 0},
                                            {1, 1, 0, 0, 0, 0},
                                            {0, 0, 0, 0.2, 0.8, 1},
                                            {1, 0.75, 0.5625, 0.421875, 0.31640625, 0.2373046875}})
    EXPECT_LE(largest(values, {}), 1 + 1e-14);
  EXPECT_NEAR(largest({1, 0.9, 0.8, 0.7, 0.6, 0.5}, {}), 1.04, 1e-13);
  EXPECT_NEAR(largest({0.8, 0.4, 0.3, 0.2, 0.1, 0}, {0, 1}), 0.96, 1e-13);
}

TEST(Transfer, goes_on_at_the_other_end_of_a_periodic_axis) {
  const double pi = std::numbers::pi;
  const GridEdges from{edges(24, 0, 1), {0, 1}, {}}, to{edges(96, 0, 1), {0, 1}, {}};
  std::vector<double> values;
  for (int i = 0; i < 24; ++i) values.push_back(std::sin(2 * pi * (i + 0.5) / 24));
  const std::vector<double> brought =
      transferred(values, from, to, {.bounds = Bounds{}, .wraps = {true, false, false}});
  for (const int i : {0, 1, 2, 93, 94, 95})
    EXPECT_NEAR(brought[i], std::sin(2 * pi * (i + 0.5) / 96), 0.002) << i;
}

TEST(Transfer, makes_a_plane_state_the_same_at_every_z) {
  const GridEdges plane{edges(2, 0, 1), edges(2, 0, 1), {}};
  const GridEdges space{edges(2, 0, 1), edges(2, 0, 1), edges(3, 0, 5)};
  EXPECT_EQ(transferred({1, 2, 3, 4}, plane, space, {}),
            (std::vector<double>{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}));
}

TEST(Transfer, continues_values_into_solids_layer_by_layer) {
  const GridEdges grid{edges(4, 0, 1), edges(3, 0, 1), {}};
  std::vector<double> values{1, 9, 9, 9, 3, 9, 9, 9, 5, 9, 9, 9};
  const std::vector<double> solid{0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1};
  extend_into_solids(values, solid, grid);
  EXPECT_EQ(values, (std::vector<double>{1, 1, 1, 1, 3, 3, 3, 3, 5, 5, 5, 5}));
  std::vector<double> all_solid{7, 8};
  extend_into_solids(all_solid, std::vector<double>{1, 1}, {edges(2, 0, 1), edges(1, 0, 1), {}});
  EXPECT_EQ(all_solid, (std::vector<double>{7, 8}));
}

}  // namespace
}  // namespace hodge::sim
