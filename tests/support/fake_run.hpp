// A run of the fake flow in a fresh folder, and what it leaves there.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "sim/app/run/run.hpp"
#include "tests/support/fake_flow.hpp"
#include "tests/support/read_frame.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::test {

inline sim::StepSettings step_with_cfl(double cfl) {
  sim::StepSettings step;
  step.cfl = cfl;
  return step;
}

// A run of the fake flow in a fresh folder: 20 steps of 0.05 to t = 1, a frame every 0.25.
struct FakeRun {
  FakeRun() {
    settings.case_name = "fake";
    settings.grid = small_grid_settings();
    settings.time.end = 1;
    settings.time.step.size = 0.05;
    settings.output.frame_every = 0.25;
    settings.output.directory = (folder / "run").string();
  }

  sim::RunResult run(FakeFlow& flow) {
    constexpr int no_console = -1;
    return sim::run(flow, settings, problem,
                    {.overwrite = overwrite, .version = "test", .console = no_console});
  }
  std::filesystem::path file(const std::string& name) const { return folder / "run" / name; }

  void wait_for_frames(std::size_t count) const {
    const std::filesystem::path collection = file("fake.pvd");
    while (!std::filesystem::exists(collection) || read_collection(collection).size() < count) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  // Of the collection; every frame is read and must have the same time.
  std::vector<double> frame_times() const {
    std::vector<double> times;
    for (const auto& [time, path] : read_collection(file("fake.pvd"))) {
      EXPECT_EQ(time_value(read_image(file(path))), time);
      times.push_back(time);
    }
    return times;
  }

  TemporaryDirectory folder;
  sim::Settings settings;
  sim::Problem problem;
  bool overwrite = false;
};

}  // namespace hodge::test
