#include "sim/base/durations.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace hodge::sim {
namespace {

TEST(Quantities, durations_change_their_unit_with_their_size) {
  EXPECT_EQ(duration_text(0.4159), "0.42 s");
  EXPECT_EQ(duration_text(9.999), "10.0 s");
  EXPECT_EQ(duration_text(59.96), "1 min 00 s");
  EXPECT_EQ(duration_text(245.4), "4 min 05 s");
  EXPECT_EQ(duration_text(3 * 3600 + 7 * 60 + 59), "3 h 07 min");
}

TEST(Quantities, short_durations_look_like_a_clock) {
  EXPECT_EQ(short_duration_text(0.4), "0:00");
  EXPECT_EQ(short_duration_text(83), "1:23");
  EXPECT_EQ(short_duration_text(3 * 3600 + 7 * 60 + 12), "3:07:12");
}

TEST(Quantities, an_absurd_duration_is_cut_off) {
  EXPECT_EQ(duration_text(1e300), "277777 h 46 min");
  EXPECT_EQ(short_duration_text(std::numeric_limits<double>::infinity()), "277777:46:40");
  EXPECT_EQ(short_duration_text(-5), "0:00");
}

TEST(Quantities, bytes_have_three_digits_and_a_unit) {
  EXPECT_EQ(bytes_text(812), "812 B");
  EXPECT_EQ(bytes_text(12345), "12.3 kB");
  EXPECT_EQ(bytes_text(1.536e9), "1.54 GB");
  EXPECT_EQ(bytes_text(999600), "1 MB");
}

TEST(Quantities, counts_are_grouped_by_thousands) {
  EXPECT_EQ(count_text(7), "7");
  EXPECT_EQ(count_text(100), "100");
  EXPECT_EQ(count_text(1000), "1 000");
  EXPECT_EQ(count_text(2097152), "2 097 152");
  EXPECT_EQ(count_text(-100), "-100");
  EXPECT_EQ(count_text(-123456), "-123 456");
}

}  // namespace
}  // namespace hodge::sim
