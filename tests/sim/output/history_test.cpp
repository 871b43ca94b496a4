#include "sim/output/history.hpp"

#include <gtest/gtest.h>

#include "linalg/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/failing_file_system.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using test::lines_of;

HistoryRow row_of_step(long step) {
  HistoryRow row;
  row.step = step;
  row.time = static_cast<double>(step) / 3;
  row.dt = 1.0 / 3;
  row.cfl = 0.8;
  row.kinetic_energy = 0.25;
  row.max_divergence = 1e-13;
  row.solves = {{"u", 3, 0.001}, {"v", 4, 0.002}, {"pressure", 41, 0.0125}};
  row.step_seconds = 0.02;
  return row;
}

TEST(History, has_a_header_and_a_row_a_step) {
  const test::TemporaryDirectory directory;
  HistoryWriter history(directory / "history.csv", {});
  history.append(row_of_step(1));
  history.append(row_of_step(2));
  EXPECT_EQ(lines_of(directory / "history.csv"),
            (std::vector<std::string>{
                "step,t,dt,cfl,kinetic_energy,max_divergence,u_iterations,u_seconds,v_iterations,"
                "v_seconds,pressure_iterations,pressure_seconds,step_seconds",
                "1,0.3333333333333333,0.3333333333333333,0.8,0.25,1e-13,3,0.001,4,0.002,41,0.0125,"
                "0.02",
                "2,0.6666666666666666,0.3333333333333333,0.8,0.25,1e-13,3,0.001,4,0.002,41,0.0125,"
                "0.02"}));
}

TEST(History, every_row_is_on_disk_as_soon_as_it_is_appended) {
  const test::TemporaryDirectory directory;
  HistoryWriter history(directory / "history.csv", {});
  for (long step = 1; step <= 5; ++step) {
    history.append(row_of_step(step));
    EXPECT_EQ(lines_of(directory / "history.csv").size(), static_cast<std::size_t>(step) + 1);
  }
}

TEST(History, has_error_columns_where_the_case_has_an_exact_solution) {
  const test::TemporaryDirectory directory;
  HistoryWriter history(directory / "history.csv", {"velocity"});
  HistoryRow row = row_of_step(1);
  row.errors = {{1e-5, 2e-5}};
  history.append(row);
  history.append(row_of_step(2));
  const auto lines = lines_of(directory / "history.csv");
  EXPECT_NE(lines[0].find(",max_divergence,velocity_error_l2,velocity_error_max,u_iter"),
            std::string::npos);
  EXPECT_NE(lines[1].find(",1e-13,1e-05,2e-05,3,"), std::string::npos);
  EXPECT_NE(lines[2].find(",1e-13,,,3,"), std::string::npos);
}

TEST(History, has_the_quantities_of_the_flow_before_the_solves) {
  const test::TemporaryDirectory directory;
  HistoryWriter history(directory / "history.csv", {"velocity", "heat"});
  HistoryRow row = row_of_step(1);
  row.errors = {{1, 2}, {3, 4}};
  row.quantities = {{"enstrophy", 0.1}, {"heat_integral", -2}};
  history.append(row);
  const auto lines = lines_of(directory / "history.csv");
  EXPECT_NE(lines[0].find(",velocity_error_max,heat_error_l2,heat_error_max,enstrophy,"
                          "heat_integral,u_iterations"),
            std::string::npos);
  EXPECT_NE(lines[1].find(",1e-13,1,2,3,4,0.1,-2,3,"), std::string::npos);
}

TEST(History, sums_a_system_that_is_solved_at_every_stage_of_a_step) {
  const test::TemporaryDirectory directory;
  HistoryWriter history(directory / "history.csv", {});
  HistoryRow row = row_of_step(1);
  row.solves = {{"pressure", 10, 0.25}, {"pressure", 20, 0.5}};
  history.append(row);
  const auto lines = lines_of(directory / "history.csv");
  EXPECT_NE(lines[0].find(",max_divergence,pressure_iterations,pressure_seconds,step_seconds"),
            std::string::npos);
  EXPECT_NE(lines[1].find(",30,0.75,"), std::string::npos);
}

TEST(History, a_full_disk_is_an_error_and_its_row_comes_once_there_is_room) {
  const test::TemporaryDirectory directory;
  HistoryWriter history(directory / "history.csv", {});
  history.append(row_of_step(1));
  const auto whole = std::filesystem::file_size(directory / "history.csv");
  {
    const test::FileSizeLimit limit(whole + 10);
    EXPECT_EQ(test::message_of<IoError>([&] { history.append(row_of_step(2)); }),
              "cannot write " + (directory / "history.csv").string() + ": File too large");
  }
  EXPECT_EQ(std::filesystem::file_size(directory / "history.csv"), whole);
  history.append(row_of_step(3));
  EXPECT_EQ(lines_of(directory / "history.csv").size(), 4U);
}

TEST(History, a_device_without_room_is_an_error) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  HistoryWriter history(RowFile("/dev/full"), {});
  EXPECT_THROW(history.append(row_of_step(1)), IoError);
}

}  // namespace
}  // namespace hodge::sim
