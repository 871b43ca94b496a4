// `hodge validate --quick` passes, prints what it compares and writes it where asked. These are the
// quickest; .ci/run has all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/run_hodge.hpp"

namespace hodge {
namespace {

class Validate : public testing::TestWithParam<const char*> {};

TEST_P(Validate, passes_and_writes_what_it_compared) {
  const test::TemporaryDirectory directory;
  const std::string name = GetParam();
  const test::ProgramResult result = test::run_hodge(
      {"validate", name, "--quick", "--device", "cpu", "--output", "out"}, directory.path());
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, testing::HasSubstr(name + ": passed ("));
  EXPECT_THAT(test::read_text(directory / ("out/" + name + "/checks.csv")),
              testing::HasSubstr("order 1."));
  EXPECT_GT(test::lines_of(directory / ("out/" + name + "/curves.csv")).size(), 5u);
}

INSTANTIATE_TEST_SUITE_P(Names, Validate,
                         testing::Values("lid_driven_cavity", "oscillating_flow", "taylor_green"),
                         [](const auto& name) { return std::string(name.param); });

}  // namespace
}  // namespace hodge
