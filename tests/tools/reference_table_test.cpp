#include "tools/hodge/validate/profile.hpp"

#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"

namespace hodge::tools {
namespace {

bool has_point_at(const Profile& points, double position) {
  return value_at(points, position).has_value();
}

TEST(ReferenceTable, reads_a_column_against_the_first_one) {
  const auto points = read_reference("ghia1982_u_x0.5.csv", "u_Re1000");
  ASSERT_EQ(points.size(), 17u);
  EXPECT_EQ(points.front().position, 0);
  EXPECT_EQ(points[4].position, 0.1016);
  EXPECT_EQ(points[4].value, -0.2973);
  EXPECT_EQ(points.back().value, 1);
}

TEST(ReferenceTable, leaves_out_what_is_marked_suspect_in_that_column_only) {
  EXPECT_FALSE(has_point_at(read_reference("ghia1982_v_y0.5.csv", "v_Re400"), 0.9063));
  EXPECT_TRUE(has_point_at(read_reference("ghia1982_v_y0.5.csv", "v_Re1000"), 0.9063));
  EXPECT_FALSE(has_point_at(read_reference("ghia1982_u_x0.5.csv", "u_Re3200"), 0.4531));
}

TEST(ReferenceTable, gives_one_value_by_its_key) {
  EXPECT_EQ(reference_value("cavity_extrema.csv", "u_min", 1000), -0.3885698);
  EXPECT_THROW((void)reference_value("cavity_extrema.csv", "u_min", 7), ConfigError);
}

TEST(ReferenceTable, names_what_is_missing) {
  EXPECT_NE(
      test::message_of<IoError>([] { (void)read_reference("none.csv", "a"); }).find("none.csv"),
      std::string::npos);
  EXPECT_NE(test::message_of<ConfigError>([] {
              (void)read_reference("ghia1982_u_x0.5.csv", "u_Re7");
            }).find("no column u_Re7"),
            std::string::npos);
}

}  // namespace
}  // namespace hodge::tools
