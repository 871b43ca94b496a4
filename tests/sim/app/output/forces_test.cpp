#include "sim/app/output/forces.hpp"

#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "sim/base/row_file.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/failing_file_system.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using test::lines_of;

const ForceScales two_dimensions{.dim = 2, .density = 1, .coefficients = std::nullopt};
const BodyForce ball{.body = "ball",
                     .pressure = {1, 2, 3},
                     .viscous = {0.1, 0.5, 0},
                     .pressure_moment = {0, 0, 0.25},
                     .viscous_moment = {0, 5, 4}};

TEST(ForcesFile, has_a_header_and_a_row_a_step) {
  const test::TemporaryDirectory directory;
  RowFile file(directory / "forces.csv");
  const BodyForce wing{
      .body = "wing", .pressure = {-1, 0, 0}, .control = std::array<double, 3>{8, 9, 0}};
  file.append(forces_row(1, 0.1, {ball, wing}, two_dimensions));
  file.append(forces_row(2, 1.0 / 3, {ball, wing}, two_dimensions));
  EXPECT_EQ(lines_of(directory / "forces.csv"),
            (std::vector<std::string>{
                "step,t,ball_pressure_x,ball_pressure_y,ball_viscous_x,ball_viscous_y,"
                "ball_pressure_moment_z,ball_viscous_moment_z,wing_pressure_x,wing_pressure_y,"
                "wing_viscous_x,wing_viscous_y,wing_pressure_moment_z,wing_viscous_moment_z,"
                "wing_control_x,wing_control_y",
                "1,0.1,1,2,0.1,0.5,0.25,4,-1,0,0,0,0,0,8,9",
                "2,0.3333333333333333,1,2,0.1,0.5,0.25,4,-1,0,0,0,0,0,8,9"}));
}

TEST(ForcesFile, has_coefficients_where_their_scales_are_known) {
  const test::TemporaryDirectory directory;
  const ForceSettings scales{
      .speed = 2, .area = 0.5, .length = 5, .drag = {3, 0, 0}, .lift = {0, 0, -1}};
  RowFile file(directory / "forces.csv");
  file.append(forces_row(7, 1, {ball}, {.dim = 3, .density = 4, .coefficients = scales}));
  EXPECT_EQ(lines_of(directory / "forces.csv"),
            (std::vector<std::string>{
                "step,t,ball_pressure_x,ball_pressure_y,ball_pressure_z,ball_viscous_x,"
                "ball_viscous_y,ball_viscous_z,ball_drag,ball_lift,ball_pressure_moment_x,"
                "ball_pressure_moment_y,ball_pressure_moment_z,ball_viscous_moment_x,"
                "ball_viscous_moment_y,ball_viscous_moment_z,ball_moment",
                "7,1,1,2,3,0.1,0.5,0,0.275,-0.75,0,0,0.25,0,5,4,0.25"}));
}

TEST(ForcesFile, ends_with_a_whole_row_where_the_disk_is_full) {
  const test::TemporaryDirectory directory;
  RowFile file(directory / "forces.csv");
  file.append(forces_row(1, 0.5, {ball}, two_dimensions));
  const auto before = lines_of(directory / "forces.csv");
  const test::FileSizeLimit limit(std::filesystem::file_size(directory / "forces.csv") + 5);
  EXPECT_EQ(
      test::message_of<IoError>([&] { file.append(forces_row(2, 1, {ball}, two_dimensions)); }),
      "cannot write " + (directory / "forces.csv").string() + ": File too large");
  EXPECT_EQ(lines_of(directory / "forces.csv"), before);
}

}  // namespace
}  // namespace hodge::sim
