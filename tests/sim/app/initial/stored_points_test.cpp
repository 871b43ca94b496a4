// Points of a CSV file as a state: by hand, and what is said of files that are no grid of points.
#include "sim/app/initial/stored_points.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class StoredPoints : public ::testing::Test {
 protected:
  StoredState read(const std::string& text) const {
    test::write_text(folder_ / "a.csv", text);
    return read_stored_points(folder_ / "a.csv", scalars_);
  }
  // Without the folder.
  std::string refusal(const std::string& text) const {
    const std::string message = test::message_of<ConfigError>([&] { (void)read(text); });
    const std::size_t name = message.find("a.csv:");
    return name == std::string::npos ? message : message.substr(name);
  }

  test::TemporaryDirectory folder_;
  const std::vector<std::string> scalars_{"dye", "heat"};
};

TEST_F(StoredPoints, rows_of_any_order_become_a_grid) {
  const StoredState state = read(
      "# from another program\n"
      "v, x, \"heat\", y, u\n"
      "6, 3, 0.6, 1, 60\n1, 0, 0.1, 0, 10\n3, 3, 0.3, 0, 30\n\n"
      "5, 1, 0.5, 1, 50\n4, 0, 0.4, 1, 40\n2, 1.0000000001, 0.2, 0, 20\n");
  EXPECT_EQ(state.dim, 2);
  EXPECT_THAT(state.points[0], ElementsAre(0, 1, 3));
  EXPECT_THAT(state.points[1], ElementsAre(0, 1));
  EXPECT_THAT(state.edges[0], ElementsAre(-1, 0.5, 2, 5));
  EXPECT_THAT(state.edges[1], ElementsAre(-1, 0.5, 2));
  EXPECT_THAT(state.velocity[0], ElementsAre(10, 20, 30, 40, 50, 60));
  EXPECT_THAT(state.velocity[1], ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(state.pressure, IsEmpty());
  EXPECT_FALSE(state.velocity_is_at_faces);
  ASSERT_NE(state.scalar("heat"), nullptr);
  EXPECT_THAT(*state.scalar("heat"), ElementsAre(0.1, 0.2, 0.3, 0.4, 0.5, 0.6));
  EXPECT_EQ(state.scalar("dye"), nullptr);
}

TEST_F(StoredPoints, spreadsheets_of_paraview_are_read_in_space_and_plane) {
  const std::string names =
      "\"velocity:0\",\"velocity:1\",\"velocity:2\",pressure,\"Points:0\",\"Points:1\",\"Points:"
      "2\"\n";
  std::string text = names;
  for (int k = 0; k < 8; ++k)
    text += fmt::format("{},0,{},-1,{},{},{}\n", k, 10 * k, k % 2, k / 2 % 2, k / 4);
  const StoredState space = read(text);
  EXPECT_EQ(space.dim, 3);
  EXPECT_THAT(space.velocity[2], ElementsAre(0, 10, 20, 30, 40, 50, 60, 70));
  EXPECT_EQ(space.pressure.size(), 8);
  const StoredState plane =
      read(names + "1,1,0,0,0,0,5\n2,1,0,0,1,0,5\n3,1,0,0,0,1,5\n4,1,0,0,1,1,5\n");
  EXPECT_EQ(plane.dim, 2);
  EXPECT_THAT(plane.velocity[0], ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(plane.edges[2], IsEmpty());
}

TEST_F(StoredPoints, what_is_no_grid_of_points_is_refused_with_its_line) {
  EXPECT_EQ(refusal("x,y,dye\n0,0,1\n1,0,1\n0,1,1\n"),
            "a.csv:4: the 3 points are no full grid: they have 2 values of x and 2 values of y, "
            "expected a row for each of their 4 combinations; (1, 1) is missing");
  EXPECT_THAT(refusal("x,y,dye\n0,0,1\n1,2,1\n3,4,1\n5,6,1\n"),
              HasSubstr("a.csv:5: the 4 points are no full grid"));
  EXPECT_EQ(refusal("x,y,dye\n0,0,1\n1,0,1\n0,1,1\n1,1,1\n\n0,0,2\n"),
            "a.csv:7: the point (0, 0) is in line 2 already, expected each point once");
  EXPECT_EQ(refusal("x,y,dye\n0,0,1\n0,1,1\n"),
            "a.csv:3: all points have x = 0, expected at least 2 different values");
}

TEST_F(StoredPoints, wrong_columns_and_values_are_refused_with_their_line) {
  EXPECT_EQ(refusal("# a\nx,y,dey\n"),
            "a.csv:2: unknown column 'dey', did you mean 'dye'? known columns: x, y, z, u, v, w, "
            "pressure, dye, heat");
  EXPECT_EQ(refusal("x,u,v\n"),
            "a.csv:1: there is no column y, expected the coordinates x, y and in space z");
  EXPECT_EQ(refusal("x,y,z,u,v\n"),
            "a.csv:1: there is no column w, expected all components of the velocity");
  EXPECT_EQ(refusal("x,y,u,velocity_x\n"),
            "a.csv:1: there are two columns 'velocity_x', expected one");
  EXPECT_EQ(refusal("x,y,dye,dye\n"), "a.csv:1: there are two columns 'dye', expected one");
  EXPECT_EQ(refusal("x,y,dye\n0,0,1\n1,nan,1\n"),
            "a.csv:3: 'nan' is no finite number, expected one");
  EXPECT_EQ(refusal("x,y,dye\n0,0,1\n1e101,0,1\n"),
            "a.csv:3: 1e101 is too large to compute with, expected at most 1e+100");
  EXPECT_EQ(refusal("x,y,dye\n0,0,1\n1e-101,0,1\n0,1,1\n1e-101,1,1\n"),
            "a.csv:5: the points go from 0 to 1e-101 along x, expected at least 1e-100 between "
            "them");
  EXPECT_EQ(refusal("x,y,dye\n0,0\n"),
            "a.csv:2: the row has 2 cells, expected 3 as in the first line");
  EXPECT_THAT(refusal("0,0,1\n1,0,1\n"), HasSubstr("a.csv:1: unknown column '0', "));
  EXPECT_THAT(refusal(""), HasSubstr("the file has no lines, expected names of columns"));
  EXPECT_THAT(refusal("x,y,dye\n"),
              HasSubstr("the file has no rows, expected a row for every point"));
}

}  // namespace
}  // namespace hodge::sim
