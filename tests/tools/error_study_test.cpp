#include "tools/hodge/validate/orders.hpp"

#include <gtest/gtest.h>

namespace hodge::tools {
namespace {

sim::ErrorNorms errors_of(double h) {
  return {.velocity_l2 = h * h,
          .velocity_max = 2 * h * h,
          .pressure_l2 = h,
          .pressure_max = h,
          .scalars = {{"heat", 3 * h * h, 4 * h * h}}};
}

Report report_of(const ErrorStudy::Plan& plan) {
  ErrorStudy study(plan);
  for (const int cells : {8, 16}) study.add(cells, "run", errors_of(1.0 / cells));
  Report report("study");
  study.write(report);
  return report;
}

TEST(ErrorStudy, has_rows_for_velocity_pressure_and_every_scalar) {
  const Report report = report_of({.figure = "errors"});
  EXPECT_EQ(report.rows().size(), 12u);
  EXPECT_EQ(report.judged(), 0);
  EXPECT_EQ(report_of({.figure = "errors", .pressure = false}).rows().size(), 8u);
}

TEST(ErrorStudy, judges_each_quantity_by_its_own_order) {
  const Report report = report_of({.figure = "errors",
                                   .velocity_order = 1.9,
                                   .largest_order = 1.9,
                                   .pressure_order = 1.9,
                                   .scalar_order = 1.9,
                                   .largest_pressure_order = 0.9});
  EXPECT_EQ(report.judged(), 6);
  EXPECT_EQ(report.failed(), 1) << "the pressure is of first order";
}

}  // namespace
}  // namespace hodge::tools
