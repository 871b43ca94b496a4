// Formulas as sums of products of functions of time and of place.
#include "sim/base/formulas/separation.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hodge::sim {
namespace {

TEST(Separation, of_a_formula_has_its_values) {
  for (const std::string text :
       {"y*min(t, 1)", "(y > 0.3 && z < 0.5 ? 1 : 0)*sin(t)", "6*y*(1 - y)*(1 + 0.5*sin(2*t))",
        "t < 1 ? y : 2*z*t", "y > 0.3 ? t : 1 - t*z", "-(x + t)*(y - t)", "(y + t)/(1 + t)",
        "(t*y + 1)/(2 + z)", "noise(3)*t"}) {
    const Expression f = Expression::parse(text);
    const std::vector<SeparatedTerm> terms = separated(f);
    ASSERT_FALSE(terms.empty()) << text;
    EXPECT_LE(terms.size(), most_separated_terms) << text;
    for (const double t : {0.0, 0.4, 1.5})
      for (const double y : {0.1, 0.7}) {
        const Point x{0.2, y, 0.3};
        double sum = 0;
        for (const SeparatedTerm& term : terms) {
          EXPECT_FALSE(term.of_place.depends_on_time()) << text;
          for (int d = 0; d < 3; ++d) EXPECT_FALSE(term.of_time.depends_on(d)) << text;
          EXPECT_FALSE(term.of_time.has_noise()) << text;
          sum += term.of_time({}, t) * term.of_place(x, 0);
        }
        EXPECT_NEAR(sum, f(x, t), 1e-14) << text;
      }
  }
}

TEST(Separation, there_is_none_of_what_moves) {
  for (const std::string text :
       {"y > t ? 1 : 0", "sin(x - t)", "exp(t*y)", "min(t, y)", "(y + t)*(y - t)*(z + t)"})
    EXPECT_TRUE(separated(Expression::parse(text)).empty()) << text;
}

TEST(Separation, is_not_needed_without_time) {
  EXPECT_TRUE(separated(Expression::parse("x*y")).empty());
}

}  // namespace
}  // namespace hodge::sim
