#include "tools/hodge/validate/report.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

TEST(Report, passes_only_if_every_check_does) {
  Report report;
  EXPECT_TRUE(report.passed());
  report.check({"error", 0.5, Check::Kind::at_most, 1});
  report.check({"order", 2, Check::Kind::at_least, 1.8});
  EXPECT_TRUE(report.passed());
  report.check({"order", 1.7, Check::Kind::at_least, 1.8});
  EXPECT_FALSE(report.passed());
}

TEST(Report, what_is_not_a_number_does_not_pass) {
  EXPECT_FALSE((Check{"error", std::nan(""), Check::Kind::at_most, 1}.passed()));
  EXPECT_FALSE((Check{"order", std::nan(""), Check::Kind::at_least, 1}.passed()));
}

TEST(Report, writes_every_comparison_and_check) {
  const test::TemporaryDirectory directory;
  Report report;
  report.compare({"Re 100", "u on x = 0.5", 0.25, 0.5, 0.375, "somebody, 1982"});
  report.check({"largest", 0.125, Check::Kind::at_most, 0.25});
  report.write(directory / "deep/er");
  EXPECT_EQ(test::read_text(directory / "deep/er/comparisons.csv"),
            "run,quantity,position,measured,reference,difference,source\n"
            "\"Re 100\",\"u on x = 0.5\",0.25,0.5,0.375,0.125,\"somebody, 1982\"\n");
  EXPECT_EQ(test::read_text(directory / "deep/er/checks.csv"),
            "check,value,kind,bound,passed\n\"largest\",0.125,at most,0.25,yes\n");
}

TEST(Report, a_directory_that_cannot_be_made_is_an_io_error) {
  EXPECT_THROW(Report().write("/dev/null/here"), IoError);
}

}  // namespace
}  // namespace hodge::tools
