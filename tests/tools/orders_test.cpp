#include "tools/hodge/validate/orders.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hodge::tools {
namespace {

TEST(Orders, of_errors_take_the_refinement_into_account) {
  EXPECT_NEAR(order_of_errors(8e-3, 2e-3), 2, 1e-12);
  EXPECT_NEAR(order_of_errors(9e-3, 1e-3, 3), 2, 1e-12);
}

TEST(Orders, of_values_need_no_limit) {
  const auto value = [](int cells) { return 5 + 3.0 / (cells * cells); };
  EXPECT_NEAR(order_of_last({value(8), value(16), value(32)}).value(), 2, 1e-9);
  EXPECT_FALSE(order_of_last({value(8), value(16)}).has_value());
  EXPECT_NEAR(limit_of_last({value(16), value(32)}), 5, 1e-12);
}

TEST(Orders, extrapolation_knows_other_orders) {
  const auto value = [](int cells) { return 5 + 3.0 / cells; };
  EXPECT_NEAR(limit_of_last({value(16), value(32)}, 1), 5, 1e-12);
}

Convergence study() {
  return {.figure = "errors",
          .size_label = "cells",
          .quantities = {{"velocity", 1.9, {9e-2, 3e-2, 1e-2 / 3}}},
          .sizes = {16, 32, 96},
          .runs = {"16", "32", "96"}};
}

TEST(Orders, of_a_study_are_judged_on_the_two_finest_runs) {
  Report report("orders");
  study().write(report);
  ASSERT_EQ(report.rows().size(), 3u);
  EXPECT_FALSE(report.rows()[0].order.has_value());
  EXPECT_NEAR(report.rows()[1].order.value(), std::log2(3.0), 1e-12);
  EXPECT_NEAR(report.rows()[2].order.value(), 2, 1e-12);
  EXPECT_EQ(report.judged(), 1);
  EXPECT_TRUE(report.passed());
}

TEST(Orders, of_a_study_below_the_least_order_fail) {
  Report report("orders");
  Convergence worse = study();
  worse.quantities[0].errors[2] = 1e-2;
  worse.write(report);
  EXPECT_FALSE(report.passed());
}

TEST(Orders, of_several_quantities_share_a_figure_and_its_slope) {
  Report report("orders");
  study().write(report);
  study().write(report);
  ASSERT_EQ(report.figures().size(), 1u);
  EXPECT_EQ(report.figures()[0].curves.size(), 3u);
}

}  // namespace
}  // namespace hodge::tools
