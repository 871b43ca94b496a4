#include "tools/hodge/validate/orders.hpp"

#include <gtest/gtest.h>

namespace hodge::tools {
namespace {

sim::ErrorNorms errors_of_cells(double h) {
  return {.velocity_l2 = h * h,
          .velocity_max = 2 * h * h,
          .pressure_l2 = h,
          .pressure_max = h,
          .scalars = {{"heat", 3 * h * h, 4 * h * h}}};
}

Report report_of(const std::vector<Converging>& quantities) {
  Convergence study{"errors", "cells", quantities};
  for (const int cells : {8, 16}) study.add(cells, "run", errors_of(errors_of_cells(1.0 / cells)));
  Report report("study");
  study.write(report);
  return report;
}

std::vector<Converging> with_heat(std::vector<Converging> quantities, double least_order) {
  for (const Converging& quantity : scalar_errors("heat", least_order))
    quantities.push_back(quantity);
  return quantities;
}

TEST(ErrorStudy, has_rows_for_velocity_pressure_and_every_scalar) {
  const Report report = report_of(with_heat(flow_errors(0, 0, 0), 0));
  EXPECT_EQ(report.rows().size(), 12u);
  EXPECT_EQ(report.rows()[11].quantity, "heat, error, largest");
  EXPECT_EQ(report.rows()[11].measured, 4.0 / 256);
  EXPECT_EQ(report.judged(), 0);
  EXPECT_EQ(report_of(velocity_errors(0)).rows().size(), 4u) << "what comes after is left out";
}

TEST(ErrorStudy, judges_each_quantity_by_its_own_order) {
  const Report report = report_of(with_heat(flow_errors(1.9, 1.9, 0.9), 1.9));
  EXPECT_EQ(report.judged(), 6);
  EXPECT_EQ(report.failed(), 1) << "the pressure is of first order";
}

}  // namespace
}  // namespace hodge::tools
