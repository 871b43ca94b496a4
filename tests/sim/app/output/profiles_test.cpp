// profiles.csv by hand.
#include "sim/app/output/profiles.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace hodge::sim {
namespace {

// Two columns, two rows.
Grid small_grid() {
  GridSettings settings;
  settings.dim = 2;
  settings.axes[0] = {.cells = 2, .upper = 4, .stretching = "uniform"};
  settings.axes[1] = {.cells = 2, .upper = 2};
  return Grid(settings);
}

std::vector<std::vector<std::string>> table_of(const std::string& text) {
  std::vector<std::vector<std::string>> table;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    table.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) table.back().push_back(cell);
  }
  return table;
}

TEST(Profiles, have_means_and_covariances_about_the_mean_of_a_layer) {
  const std::vector<CellArray> arrays{
      {"mean_velocity", 3, {1, 5, 0, 3, 7, 0, /**/ 2, 2, 0, 2, 2, 0}},
      {"reynolds_stress", 6, {4,      1, 0, 2, 0, 0, 6, 3, 0, -2, 0, 0,
                              /**/ 1, 1, 0, 1, 0, 0, 1, 1, 0, 1,  0, 0}},
      {"mean_heat", 1, {10, 20, /**/ 0, 0}},
      {"rms_heat", 1, {3, 5, /**/ 2, 2}},
      {"flux_heat", 3, {1, 2, 0, 3, 4, 0, /**/ 0, 1, 0, 0, 3, 0}},
  };
  const auto table = table_of(profiles_text(small_grid(), 1, arrays));
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table[0], (std::vector<std::string>{"y", "u_mean", "v_mean", "u_rms", "v_rms",
                                                "u_v_covariance", "heat_mean", "heat_rms",
                                                "u_heat_covariance", "v_heat_covariance"}));
  // Lower layer: u is 1 and 3 about 2, v 5 and 7 about 6, heat 10 and 20 about 15.
  const std::vector<double> expected{
      0.5, 2, 6, std::sqrt(5 + 1), std::sqrt(2 + 1), 0 + 1, 15, std::sqrt(17 + 25), 2 + 5, 3 + 5};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(std::stod(table[1][i]), expected[i], 1e-13) << table[0][i];
  EXPECT_EQ(table[2],
            (std::vector<std::string>{"1.5", "2", "2", "1", "1", "1", "0", "2", "0", "2"}));
}

TEST(Profiles, weigh_cells_by_their_area_and_leave_solids_out) {
  GridSettings settings;
  settings.dim = 2;
  settings.axes[0] = {.cells = 8, .lower = 0, .upper = 1, .stretching = "tanh", .strength = 2};
  settings.axes[1] = {.cells = 2};
  const Grid grid(settings);
  CellArray mean{"mean_heat", 1, {}}, solid{"solid", 1, {}};
  double sum = 0, area = 0;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 8; ++i) {
      mean.values.push_back(i * i);
      solid.values.push_back(j == 1 && i < 3 ? 1 : 0);
      if (j == 1 && i >= 3) sum += grid.axis(0).widths[i] * i * i;
      if (j == 1 && i >= 3) area += grid.axis(0).widths[i];
    }
  const auto table = table_of(profiles_text(grid, 1, {mean, solid}));
  EXPECT_NEAR(std::stod(table[2][1]), sum / area, 1e-12);
}

TEST(Profiles, are_made_of_statistics_and_bodies) {
  EXPECT_EQ(fields_of_profiles({"velocity", "mean_velocity", "speed", "flux_heat"}, true),
            (std::vector<std::string>{"mean_velocity", "flux_heat", "solid"}));
}

}  // namespace
}  // namespace hodge::sim
