#include "sim/base/text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace hodge::sim {
namespace {

TEST(Text, edit_distance_counts_insertions_deletions_substitutions_and_swaps) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("cg", ""), 2);
  EXPECT_EQ(edit_distance("", "cg"), 2);
  EXPECT_EQ(edit_distance("tolerance", "tolerance"), 0);
  EXPECT_EQ(edit_distance("tolerence", "tolerance"), 1);
  EXPECT_EQ(edit_distance("tolerane", "tolerance"), 1);
  EXPECT_EQ(edit_distance("tolerancee", "tolerance"), 1);
  EXPECT_EQ(edit_distance("toleracne", "tolerance"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("ab", std::string(100'000, 'c')), 100'000);
}

TEST(Text, edit_distance_takes_no_notice_of_case) {
  EXPECT_EQ(edit_distance("CG", "cg"), 0);
}

TEST(Text, nearest_name_is_the_least_distant_one) {
  const std::vector<std::string> names{"cg", "bicgstab", "gmres"};
  EXPECT_EQ(nearest_name("gmers", names), "gmres");
  EXPECT_EQ(nearest_name("bicgstb", names), "bicgstab");
  EXPECT_EQ(nearest_name("BiCGStab", names), "bicgstab");
}

TEST(Text, nearest_name_knows_a_name_inside_a_longer_word) {
  EXPECT_EQ(nearest_name("tol", std::vector<std::string>{"method", "tolerance"}), "tolerance");
}

TEST(Text, nearest_name_is_empty_where_nothing_is_near) {
  const std::vector<std::string> names{"cg", "bicgstab", "gmres"};
  EXPECT_EQ(nearest_name("multigrid", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name(std::string(100000, 'g'), names), "");
  EXPECT_EQ(nearest_name("cg", {}), "");
}

TEST(Text, quote_makes_one_line_of_anything) {
  EXPECT_EQ(quote("abc"), "'abc'");
  EXPECT_EQ(quote("a\nb\tc\rd\x01"), "'a\\nb\\tc\\rd\\x01'");
  EXPECT_EQ(quote(std::string(70, 'x')), "'" + std::string(60, 'x') + "...'");
}

TEST(Text, quote_does_not_cut_a_character_of_several_bytes) {
  const std::string text = std::string(59, 'x') + "\xc3\xa9" + std::string(20, 'y');
  EXPECT_EQ(quote(text), "'" + std::string(59, 'x') + "...'");
}

TEST(Text, numbers_read_back_to_the_same_double) {
  for (const double value : {0.1, 1.0 / 3.0, 1e-300, 5e-324, 123456789.123456789, -2.5e17,
                             std::numeric_limits<double>::max(), M_PI}) {
    EXPECT_EQ(std::strtod(number_text(value).c_str(), nullptr), value);
  }
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1000), "1000");
}

}  // namespace
}  // namespace hodge::sim
