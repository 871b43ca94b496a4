#include "sim/app/output/history.hpp"

#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
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
  row.values = {{"dt", 1.0 / 3}, {"cfl", 0.8}, {"max_divergence", 1e-13}};
  row.solves = {{"u", 3, 0.001}, {"v", 4, 0.002}, {"pressure", 41, 0.0125}};
  row.step_seconds = 0.02;
  return row;
}

TEST(History, has_a_header_and_a_row_a_step) {
  const test::TemporaryDirectory directory;
  HistoryWriter history(RowFile(directory / "history.csv"));
  history.append(row_of_step(1));
  history.append(row_of_step(2));
  EXPECT_EQ(lines_of(directory / "history.csv"),
            (std::vector<std::string>{
                "step,t,dt,cfl,max_divergence,u_iterations,u_seconds,v_iterations,"
                "v_seconds,pressure_iterations,pressure_seconds,step_seconds",
                "1,0.3333333333333333,0.3333333333333333,0.8,1e-13,3,0.001,4,0.002,41,0.0125,"
                "0.02",
                "2,0.6666666666666666,0.3333333333333333,0.8,1e-13,3,0.001,4,0.002,41,0.0125,"
                "0.02"}));
}

TEST(History, every_row_is_on_disk_as_soon_as_it_is_appended) {
  const test::TemporaryDirectory directory;
  HistoryWriter history(RowFile(directory / "history.csv"));
  for (long step = 1; step <= 5; ++step) {
    history.append(row_of_step(step));
    EXPECT_EQ(lines_of(directory / "history.csv").size(), static_cast<std::size_t>(step) + 1);
  }
}

TEST(History, has_the_values_of_a_row_in_their_order_before_the_solves) {
  const test::TemporaryDirectory directory;
  HistoryWriter history(RowFile(directory / "history.csv"));
  HistoryRow row = row_of_step(1);
  row.values.push_back({"heat_integral", -2});
  row.values.push_back({"velocity_error_l2", 1e-5});
  history.append(row);
  const auto lines = lines_of(directory / "history.csv");
  EXPECT_NE(lines[0].find(",max_divergence,heat_integral,velocity_error_l2,u_iterations"),
            std::string::npos);
  EXPECT_NE(lines[1].find(",1e-13,-2,1e-05,3,"), std::string::npos);
}

TEST(History, leaves_the_cell_of_a_value_empty_that_a_row_does_not_have) {
  const test::TemporaryDirectory directory;
  HistoryWriter history(RowFile(directory / "history.csv"));
  HistoryRow row = row_of_step(1);
  row.values[1].value.reset();
  history.append(row);
  EXPECT_NE(lines_of(directory / "history.csv")[1].find(",0.3333333333333333,,1e-13,3,"),
            std::string::npos);
}

TEST(History, the_row_of_the_start_has_the_columns_of_the_steps_after_it) {
  const test::TemporaryDirectory directory;
  HistoryWriter history(RowFile(directory / "history.csv"));
  HistoryRow start;
  start.values = {{"dt"}, {"cfl"}, {"max_divergence", 1e-13}};
  start.solves = {{"u"}, {"v"}, {"pressure"}};
  history.append(start);
  history.append(row_of_step(1));
  EXPECT_EQ(lines_of(directory / "history.csv"),
            (std::vector<std::string>{
                "step,t,dt,cfl,max_divergence,u_iterations,u_seconds,v_iterations,v_seconds,"
                "pressure_iterations,pressure_seconds,step_seconds",
                "0,0,,,1e-13,,,,,,,",
                "1,0.3333333333333333,0.3333333333333333,0.8,1e-13,3,0.001,4,0.002,41,0.0125,"
                "0.02"}));
}

TEST(History, sums_a_system_that_is_solved_at_every_stage_of_a_step) {
  const test::TemporaryDirectory directory;
  HistoryWriter history(RowFile(directory / "history.csv"));
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
  HistoryWriter history(RowFile(directory / "history.csv"));
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
  HistoryWriter history(RowFile("/dev/full"));
  EXPECT_THROW(history.append(row_of_step(1)), IoError);
}

}  // namespace
}  // namespace hodge::sim
