#include "tools/hodge/validate/report.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/base/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

Row measured(double value, double published, Bound bound) {
  return {.quantity = "drag", .measured = value, .published = published, .bound = bound};
}

TEST(Report, passes_only_if_every_judged_row_does) {
  Report report("drag");
  EXPECT_FALSE(report.passed()) << "nothing was judged";
  report.add(measured(1.01, 1, relative(0.02)));
  report.add({.quantity = "told only", .measured = 7});
  EXPECT_TRUE(report.passed());
  report.add(measured(1.03, 1, relative(0.02)));
  EXPECT_FALSE(report.passed());
  EXPECT_EQ(report.judged(), 2);
  EXPECT_EQ(report.failed(), 1);
}

TEST(Report, bounds_judge_what_they_say) {
  EXPECT_TRUE(measured(-2.02, -2, relative(0.02)).passed());
  EXPECT_FALSE(measured(-1.9, -2, relative(0.02)).passed());
  EXPECT_TRUE(measured(-2.02, -2, absolute(0.03)).passed());
  EXPECT_FALSE(measured(2, -2, absolute(0.03)).passed());
  EXPECT_TRUE(measured(0.001, 0, absolute(0.01)).passed());
  EXPECT_FALSE((Row{.measured = 1.01, .bound = at_most(1)}.passed()));
  EXPECT_TRUE((Row{.measured = 1.01, .bound = at_least(1)}.passed()));
}

TEST(Report, a_least_order_asks_for_an_order) {
  EXPECT_TRUE((Row{.measured = 1, .order = 1.95, .least_order = 1.9}.passed()));
  EXPECT_FALSE((Row{.measured = 1, .order = 1.85, .least_order = 1.9}.passed()));
  EXPECT_FALSE((Row{.measured = 1, .least_order = 1.9}.passed()));
}

TEST(Report, what_is_not_a_number_does_not_pass) {
  const double nothing = std::nan("");
  EXPECT_FALSE(measured(nothing, 1, relative(1)).passed());
  EXPECT_FALSE(measured(1, nothing, absolute(1)).passed());
  EXPECT_FALSE((Row{.measured = nothing}.passed()));
  EXPECT_FALSE((Row{.measured = 1, .bound = relative(1)}.passed())) << "no published value";
  EXPECT_FALSE((Row{.measured = 1, .order = nothing, .least_order = 1}.passed()));
}

TEST(Report, writes_its_table_every_comparison_and_the_curves) {
  const test::TemporaryDirectory directory;
  Report report("drag");
  report.compare({.quantity = "u on x = 0.5",
                  .run = "Re 100",
                  .measured = 0.5,
                  .published = 0.375,
                  .source = "somebody, 1982",
                  .position = 0.25});
  report.add({.quantity = "largest",
              .run = "Re 100",
              .measured = 1.5,
              .published = 1.25,
              .bound = relative(0.25),
              .source = "somebody, 1982",
              .order = 2.5,
              .least_order = 1.5});
  report.figure("profile", "y", "u")
      .curves.push_back({"measured", Curve::Kind::measured, {{0, 2}, {1, 3}}});
  report.write(directory / "deep/er");
  EXPECT_EQ(test::read_text(directory / "deep/er/comparisons.csv"),
            "run,quantity,position,measured,reference,difference,source\n"
            "Re 100,u on x = 0.5,0.25,0.5,0.375,0.125,\"somebody, 1982\"\n");
  EXPECT_EQ(test::read_text(directory / "deep/er/checks.csv"),
            "quantity,run,measured,published,error,order,bound,passed,source\n"
            "largest,Re 100,1.5,1.25,+20 %,2.5,\"25 %, order 1.5\",ok,\"somebody, 1982\"\n");
  EXPECT_EQ(test::read_text(directory / "deep/er/curves.csv"),
            "figure,x_label,y_label,scale,curve,kind,x,y\n"
            "profile,y,u,linear,measured,measured,0,2\n"
            "profile,y,u,linear,measured,measured,1,3\n");
}

TEST(Report, a_directory_that_cannot_be_made_is_an_io_error) {
  EXPECT_THROW(Report("drag").write("/dev/null/here"), IoError);
}

}  // namespace
}  // namespace hodge::tools
