#include "sim/app/output/region_frames.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sim/flow/flow.hpp"
#include "tests/support/advance_flow.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/read_frame.hpp"
#include "tests/support/state_copy.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;

OutputSettings output_with_regions(std::vector<OutputRegion> regions) {
  OutputSettings output;
  output.fields = {"velocity", "pressure"};
  output.precision = "double";
  output.regions = std::move(regions);
  return output;
}

struct RegionFolder : test::TemporaryDirectory {
  RegionFolder() { fs::create_directory(path() / "frames"); }
};

std::unique_ptr<Flow> stirred(int dim, const std::string& stretching) {
  Settings settings = test::flow_settings(dim, 6);
  settings.grid.axes[0].cells = 8;
  settings.grid.axes[1].stretching = stretching;
  settings.grid.axes[1].strength = 1;
  Problem problem;
  problem.viscosity = 0.1;
  problem.boundaries.sides[1][1].velocity = {1, 0, 0};
  return make_flow(settings, problem);
}

// Of a region of i from 2 to 5, j from 1 to 3, and in space k = 4.
TEST(RegionFrames, have_the_values_of_the_whole_frame_in_their_cells) {
  for (const auto& [dim, stretching] : {std::pair{2, "uniform"}, {3, "uniform"}, {2, "tanh"}}) {
    SCOPED_TRACE(std::to_string(dim) + stretching);
    const RegionFolder folder;
    const auto flow = stirred(dim, stretching);
    const Grid& grid = flow->grid();
    const Point lower{grid.edges(0)[2], grid.edges(1)[1], dim == 3 ? 0.7 : 0},
        upper{grid.edges(0)[5], grid.edges(1)[3], dim == 3 ? 0.7 : 0};
    RegionFrames frames(folder.path(), grid, output_with_regions({{"wake", lower, upper, 1}}), {});
    test::advance_flow(*flow, 2, 0.01, "stirred");
    frames.write_end(*flow);
    frames.finish();
    const auto listed = test::read_collection(folder / "wake.pvd");
    ASSERT_EQ(listed.size(), 1u);
    EXPECT_EQ(listed[0].first, flow->time());
    const auto data = test::read_data(folder / listed[0].second);
    const int layers = dim == 3 ? 1 : 0;
    ASSERT_EQ(data->GetNumberOfCells(), 6);
    double bounds[6];
    data->GetBounds(bounds);
    for (int d = 0; d < 2; ++d) {
      EXPECT_NEAR(bounds[2 * d], lower[d], 1e-15);
      EXPECT_NEAR(bounds[2 * d + 1], upper[d], 1e-15);
    }
    const auto arrays = flow->cell_arrays({"velocity", "pressure"});
    for (const CellArray& array : arrays)
      for (int j = 1; j < 3; ++j)
        for (int i = 2; i < 5; ++i)
          for (int c = 0; c < array.components; ++c) {
            const int cell = i + grid.cells(0) * (j + grid.cells(1) * 4 * layers);
            EXPECT_EQ(data->GetCellData()
                          ->GetArray(array.name.c_str())
                          ->GetComponent(i - 2 + 3 * (j - 1), c),
                      array.values[static_cast<std::size_t>(array.components * cell + c)]);
          }
  }
}

std::vector<int> steps_in(const fs::path& collection) {
  std::vector<int> steps;
  for (const auto& [time, file] : test::read_collection(collection))
    steps.push_back(static_cast<int>(std::lround(time / 0.01)));
  return steps;
}

TEST(RegionFrames, come_at_each_multiple_of_their_interval_and_once_at_the_end) {
  const RegionFolder folder;
  const auto flow = stirred(2, "uniform");
  const std::vector<OutputRegion> regions{{"often", {0, 0}, {1, 0}, 0.02},
                                          {"rarely", {0, 0}, {0.5, 1}, 0.035}};
  RegionFrames frames(folder.path(), flow->grid(), output_with_regions(regions), {});
  frames.write_due(*flow);
  for (int k = 0; k < 9; ++k) {
    test::advance_flow(*flow, 1, 0.01, "stirred");
    frames.write_due(*flow);
  }
  frames.write_end(*flow);
  frames.write_end(*flow);
  frames.finish();
  EXPECT_EQ(steps_in(folder / "often.pvd"), (std::vector{0, 2, 4, 6, 8, 9}));
  EXPECT_EQ(steps_in(folder / "rarely.pvd"), (std::vector{0, 7, 9}));
}

// The run has written a frame after the state that it goes back to; one region begins, another ends
// and is wanted again later.
TEST(RegionFrames, of_a_run_that_goes_on_are_neither_doubled_nor_lost) {
  const RegionFolder folder;
  const OutputRegion wake{"wake", {0, 0}, {1, 0.5}, 0.02}, other{"other", {0, 0}, {1, 0.5}, 0.01};
  test::StateCopy state;
  const auto run_to = [&](int step, std::vector<OutputRegion> regions) {
    const auto flow = stirred(2, "uniform");
    RegionFrames frames(folder.path(), flow->grid(), output_with_regions(std::move(regions)), {});
    if (!state.restoring) frames.write_due(*flow);
    const int first = state.restoring ? 2 : 0;
    if (first > 0) test::advance_flow(*flow, first, 0.01, "stirred");
    if (first > 0) {
      frames.continue_from(flow->step());
      frames.continue_regions({"wake"});
      frames.visit_state(state, flow->step(), flow->time());
      frames.go_back();
      frames.write_due(*flow);  // there already
    }
    for (int k = first; k < step; ++k) {
      test::advance_flow(*flow, 1, 0.01, "stirred");
      frames.write_due(*flow);
      if (first > 0 || k != 1) continue;
      frames.finish();
      frames.visit_state(state, flow->step(), flow->time());
    }
    frames.finish();
    return std::pair{steps_in(folder / "wake.pvd"), fs::exists(folder / "other.pvd")
                                                        ? steps_in(folder / "other.pvd")
                                                        : std::vector<int>{}};
  };
  using Steps = std::vector<int>;
  EXPECT_EQ(run_to(5, {wake}), (std::pair{Steps{0, 2, 4}, Steps{}}));
  state.restoring = true;
  EXPECT_EQ(run_to(3, {wake, other}), (std::pair{Steps{0, 2}, Steps{3}}));
  EXPECT_EQ(run_to(4, {other}), (std::pair{Steps{0, 2}, Steps{3, 4}}));
  EXPECT_EQ(run_to(4, {wake}), (std::pair{Steps{0, 2, 4}, Steps{3, 4}}));
}

}  // namespace
}  // namespace hodge::sim
