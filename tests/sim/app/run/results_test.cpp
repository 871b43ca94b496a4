// Final values and means of a run, from files by hand.
#include "sim/app/run/results.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

struct Results : testing::Test {
  Results() { settings.output.directory = folder.path().string(); }
  void history(const std::string& rows) const {
    test::write_text(folder / "history.csv",
                     "step,t,dt,cfl,energy,max_divergence,u_iterations,"
                     "u_seconds,heat_error_l2\n" +
                         rows);
  }
  static const QuantityResult* find(const RunResults& results, const std::string& name) {
    for (const QuantityResult& of : results.quantities)
      if (of.name == name) return &of;
    return nullptr;
  }
  test::TemporaryDirectory folder;
  Settings settings;
};

// Steps of different size: 1 at t = 2, 3 at t = 3, 7 at t = 4.5.
constexpr const char* rows =
    "0,0,,,100,0,,,\n1,2,2,0.1,1,0,4,0.1,\n2,3,1,0.1,3,0,4,0.1,0.5\n3,4.5,1.5,0.1,7,0,4,0.1,\n";

TEST_F(Results, are_taken_over_the_second_half_of_the_time) {
  history(
      "0,0,,,100,0,,,\n1,2.25,2,0.1,1,0,4,0.1,\n2,3.25,1,0.1,3,0,4,0.1,0.5\n"
      "3,4.5,1.25,0.1,7,0,4,0.1,\n");
  const RunResults results = results_of(settings, 4.5);
  EXPECT_EQ(results.from, 2.25);
  EXPECT_EQ(results.to, 4.5);
  const QuantityResult* const energy = find(results, "energy");
  ASSERT_NE(energy, nullptr);
  EXPECT_EQ(energy->last, 7);
  const double mean = (0.5 * (1 + 3) * 1 + 0.5 * (3 + 7) * 1.25) / 2.25;
  EXPECT_NEAR(*energy->mean, mean, 1e-14);
  const auto square = [&](double q) { return (q - mean) * (q - mean); };
  const double variance =
      (0.5 * (square(1) + square(3)) + 0.5 * (square(3) + square(7)) * 1.25) / 2.25;
  EXPECT_NEAR(*energy->rms, std::sqrt(variance), 1e-13);
}

TEST_F(Results, are_taken_over_the_window_of_the_statistics) {
  history(rows);
  settings.output.statistics = {.start = 2, .end = 3, .profile = {}};
  const RunResults results = results_of(settings, 4.5);
  EXPECT_EQ(results.from, 2);
  EXPECT_EQ(results.to, 3);
  EXPECT_NEAR(*find(results, "energy")->mean, 2, 1e-14);
  EXPECT_EQ(find(results, "energy")->last, 7);  // the end of the run
}

TEST_F(Results, leave_out_steps_iterations_and_times) {
  history(rows);
  const RunResults results = results_of(settings, 4.5);
  for (const char* name : {"step", "t", "dt", "cfl", "max_divergence", "u_iterations", "u_seconds"})
    EXPECT_EQ(find(results, name), nullptr) << name;
}

TEST_F(Results, skip_empty_cells) {
  history(rows);
  const RunResults results = results_of(settings, 4.5);
  EXPECT_EQ(find(results, "heat_error_l2")->last, 0.5);
  EXPECT_EQ(find(results, "heat_error_l2")->mean, std::nullopt);
}

TEST_F(Results, have_those_of_forces_and_probes_after_those_of_the_history) {
  history(rows);
  test::write_text(folder / "forces.csv", "step,t,disc_drag\n1,3,2\n2,4,4\n");
  test::write_text(folder / "probes.csv", "step,t,wake_u\n2,4,-1\n");
  settings.probes.points = {{"wake", {}}};
  const RunResults results = results_of(settings, 4.5);
  EXPECT_EQ(results.quantities.back().name, "wake_u");
  EXPECT_EQ(results.quantities.back().last, -1);
  EXPECT_EQ(results.quantities.back().mean, std::nullopt);
  EXPECT_NEAR(*find(results, "disc_drag")->mean, 3, 1e-14);
}

TEST_F(Results, of_a_directory_without_files_are_none) {
  const RunResults results = results_of(settings, 4.5);
  EXPECT_TRUE(results.quantities.empty());
  EXPECT_EQ(results.from, std::nullopt);
}

// A directory opens, and every read of it fails.
TEST_F(Results, a_read_that_fails_is_an_error_that_names_the_file) {
  for (const char* name : {"history.csv", "forces.csv"}) {
    std::filesystem::create_directory(folder / name);
    EXPECT_EQ(test::message_of<IoError>([&] { (void)results_of(settings, 4.5); }),
              "cannot read " + (folder / name).string() + ": Is a directory");
    std::filesystem::remove(folder / name);
  }
}

TEST_F(Results, rows_that_no_run_has_written_are_an_error) {
  for (const char* row : {"1,2,3\n", "1,x,2,0.1,1,0,4,0.1,\n", "1,2,2,0.1,1,0,4,0.1,"}) {
    history(std::string("0,0,,,100,0,,,\n") + row);
    EXPECT_EQ(test::message_of<IoError>([&] { (void)results_of(settings, 4.5); }),
              (folder / "history.csv").string() + " is damaged: line 3 is no row of a run");
  }
}

}  // namespace
}  // namespace hodge::sim
