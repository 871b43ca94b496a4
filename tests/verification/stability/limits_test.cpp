// Von Neumann analysis and measured limits, and that the table of the program
// does not exceed them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/time/stability.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/verification/stability/stability.hpp"

namespace hodge::stability {
namespace {

TEST(VonNeumann, finds_the_known_limits) {
  EXPECT_NEAR(largest_stable_cfl({"rk3", "central"}), std::sqrt(3.0), 0.01);
  EXPECT_NEAR(largest_stable_cfl({"rk3", "upwind"}), 1.2564, 0.01);
  EXPECT_NEAR(largest_stable_cfl({"cn_ab2", "upwind"}), 0.5, 0.01);
  EXPECT_EQ(largest_stable_cfl({"cn_ab2", "central"}), 0);
  EXPECT_NEAR(largest_stable_cfl({"ab2", "upwind"}), 0.5, 0.01);
  EXPECT_EQ(largest_stable_cfl({"ab2", "central"}), 0);
  EXPECT_TRUE(std::isinf(largest_stable_cfl({"bdf2", "quick"})));
}

TEST(VonNeumann, diffusion_helps_cn_ab2_with_central_convection) {
  WaveStep step{"cn_ab2", "central"};
  step.cell_peclet = 10;
  EXPECT_NEAR(largest_stable_cfl(step), 0.698, 0.01);
}

TEST(VonNeumann, the_deferred_iteration_of_quick_and_weno5_contracts) {
  EXPECT_NEAR(contraction({"bdf2", "quick", 1}), 0.318, 0.01);
  EXPECT_NEAR(contraction({"bdf2", "weno5", 1}), 0.405, 0.01);
  EXPECT_LT(contraction({"bdf2", "weno5", 1e6}), 0.75);
  EXPECT_TRUE(std::isnan(contraction({"bdf2", "central", 1})));
}

TEST(VonNeumann, allows_what_the_table_says_on_a_line_and_on_a_plane) {
  for (const sim::StablePair& pair : sim::stability_table()) {
    if (!has_symbol(pair.convection) || pair.needs_diffusion) continue;
    for (const int dim : {1, 2}) {
      WaveStep step{pair.time, pair.convection};
      step.dim = dim;
      EXPECT_GE(largest_stable_cfl(step), 0.999 * pair.largest_cfl)
          << pair.time << ", " << pair.convection << ", " << dim;
    }
  }
}

// On lines and planes, of any direction of the stream, for cells of any shape.
TEST(VonNeumann, allows_the_step_that_diffusion_gives_cn_ab2_with_central_convection) {
  for (const double peclet : {1.0, 3.0, 10.0, 100.0, 3000.0})
    for (const int dim : {1, 2}) {
      WaveStep step{"cn_ab2", "central"};
      step.dim = dim;
      step.cell_peclet = peclet;
      step.cfl = std::cbrt(4 / (peclet + 6));
      EXPECT_LE(amplification(step), 1 + 1e-9) << peclet << ", " << dim;
    }
}

// With explicit diffusion the sum of both shares counts too; upwind reaches it.
TEST(VonNeumann, allows_the_steps_of_ab2_with_diffusion) {
  for (const sim::StablePair& pair : sim::stability_table()) {
    if (pair.time != std::string("ab2") || !has_symbol(pair.convection)) continue;
    for (const double peclet : {0.1, 1.0, 2.0, 3.0, 10.0, 30.0, 100.0, 3000.0})
      for (const int dim : {1, 2}) {
        WaveStep step{pair.time, pair.convection};
        step.dim = dim;
        step.cell_peclet = peclet;
        step.cfl = 1 / (1 / pair.largest_cfl + 4 / peclet);
        if (pair.needs_diffusion) step.cfl = std::min(step.cfl, std::cbrt(4 / (peclet + 6)));
        EXPECT_LE(amplification(step), 1 + 1e-9)
            << pair.convection << ", " << peclet << ", " << dim;
      }
  }
}

TEST(MeasuredCfl, agrees_with_analysis_on_short_lines) {
  const StabilityRules rules{.cells = 16, .steps = 120, .largest = 4};
  EXPECT_NEAR(measured_stable_cfl({"rk3", "upwind"}, rules), 1.26, 0.06);
  EXPECT_NEAR(measured_stable_cfl({"cn_ab2", "upwind"}, rules), 0.5, 0.03);
  EXPECT_TRUE(std::isinf(measured_stable_cfl({"bdf2", "quick"}, rules)));
}

TEST(MeasuredCfl, every_limit_of_the_table_is_stable_for_scalars_and_velocity) {
  const StabilityRules rules{.cells = 12, .steps = 100};
  for (const sim::StablePair& pair : sim::stability_table())
    for (const Carried carried : {Carried::scalar, Carried::velocity}) {
      StabilityCase what{pair.time, pair.convection, carried, true};
      const bool with_explicit_diffusion = pair.time == std::string("ab2") && pair.needs_diffusion;
      if (pair.needs_diffusion) what.cell_peclet = with_explicit_diffusion ? 10 : 1;
      const double largest = std::isinf(pair.largest_cfl) ? 3 : pair.largest_cfl;
      const double cfl = with_explicit_diffusion ? 1 / (1 / largest + 2 * 4.0 / 10) : largest;
      EXPECT_LE(noise_growth(what, cfl, rules), 2) << pair.time << ", " << pair.convection;
    }
}

std::vector<sim::StablePair> table() {
  return {sim::stability_table().begin(), sim::stability_table().end()};
}

TEST(StabilityTable, its_limits_are_those_that_its_program_finds) {
  const std::string source = test::read_text(tests::source_dir() / "sim/time/stability.cpp");
  EXPECT_EQ(with_pairs(source, found_pairs(sim::stability_table(), nullptr)), source);
}

TEST(StabilityTable, limits_that_are_not_stable_or_far_from_that_are_filled_anew) {
  std::vector<sim::StablePair> pairs = table();
  const auto of = [&](const char* time, const char* convection) -> sim::StablePair& {
    return *std::ranges::find_if(pairs, [&](const sim::StablePair& pair) {
      return pair.time == std::string(time) && pair.convection == std::string(convection);
    });
  };
  of("rk3", "central").largest_cfl = 17;
  of("rk3", "quick").largest_cfl = 0.8;
  of("cn_ab2", "central").needs_diffusion = false;
  of("bdf2", "weno5").largest_cfl = 2;
  pairs = found_pairs(pairs, nullptr);
  EXPECT_EQ(of("rk3", "central").largest_cfl, 1.7);
  EXPECT_EQ(of("rk3", "quick").largest_cfl, 1.8);
  EXPECT_TRUE(of("cn_ab2", "central").needs_diffusion);
  EXPECT_TRUE(std::isinf(of("bdf2", "weno5").largest_cfl));
  const std::string changed = with_pairs("a\nconstexpr StablePair pairs[] = {\n?\n};\nb\n", pairs);
  EXPECT_THAT(changed, testing::StartsWith("a\nconstexpr"));
  EXPECT_THAT(changed, testing::HasSubstr("    {\"rk3\", \"upwind\", 0.8, 1.25, false, 1.0},\n"));
  EXPECT_THAT(changed, testing::EndsWith("};\nb\n"));
}

}  // namespace
}  // namespace hodge::stability
