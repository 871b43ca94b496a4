// `hodge validate --quick` passes, prints what it compares and writes it where asked. These are the
// quickest, and one that takes longer; .ci/run has all others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/program_in_processes.hpp"
#include "tests/support/run_hodge.hpp"

namespace hodge {
namespace {

void expect_to_pass(const std::string& name, const std::string& device) {
  const test::TemporaryDirectory directory;
  const test::ProgramResult result = test::run_hodge(
      {"validate", name, "--quick", "--device", device, "--output", "out"}, directory.path());
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, testing::HasSubstr(name + ": passed ("));
  EXPECT_THAT(test::read_text(directory / ("out/" + name + "/checks.csv")),
              testing::HasSubstr("order 1."));
  EXPECT_GT(test::lines_of(directory / ("out/" + name + "/curves.csv")).size(), 5u);
}

class Validate : public testing::TestWithParam<const char*> {};

TEST_P(Validate, passes_and_writes_what_it_compared) {
  expect_to_pass(GetParam(), "cpu");
}

TEST(ValidateSharpBodies, passes_on_Cuda) {
  HODGE_NEEDS_GPU();
  expect_to_pass("sharp_bodies", "cuda");
}

INSTANTIATE_TEST_SUITE_P(Names, Validate,
                         testing::Values("lid_driven_cavity", "oscillating_flow", "sharp_bodies",
                                         "taylor_green"),
                         [](const auto& name) { return std::string(name.param); });

}  // namespace
}  // namespace hodge
