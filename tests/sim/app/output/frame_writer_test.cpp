#include "sim/app/output/frame_writer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <set>
#include <thread>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/read_frame.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;

GridSettings small_box() {
  GridSettings settings;
  settings.dim = 2;
  settings.axes[0] = {.cells = 16};
  settings.axes[1] = {.cells = 16};
  return settings;
}

Frame frame_number(int i) {
  return frame_of(i, 0.1 * i, {{"pressure", 1, std::vector<double>(256, static_cast<double>(i))}},
                  "single");
}

struct RunFolder : test::TemporaryDirectory {
  RunFolder() { fs::create_directory(path() / "frames"); }
};

TEST(FrameWriter, writes_every_frame_in_order_under_its_number) {
  const RunFolder folder;
  constexpr int count = 60;
  {
    FrameWriter writer(folder.path(), "cavity", Grid(small_box()));
    for (int i = 0; i < count; ++i) writer.submit(frame_number(i));
    writer.finish();
    const auto last = writer.last_landed();
    ASSERT_TRUE(last);
    EXPECT_EQ(last->step, count - 1);
    EXPECT_EQ(last->path, folder / "frames/cavity_000059.vti");
    EXPECT_EQ(writer.collection(), folder / "cavity.pvd");
  }
  const auto frames = test::read_collection(folder / "cavity.pvd");
  ASSERT_EQ(frames.size(), static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const auto& [time, file] = frames[static_cast<std::size_t>(i)];
    EXPECT_EQ(time, 0.1 * i);
    const auto data = test::read_image(folder / file);
    EXPECT_EQ(test::time_value(data), 0.1 * i);
    EXPECT_EQ(data->GetCellData()->GetArray("pressure")->GetTuple1(255), i);
  }
}

TEST(FrameWriter, the_collection_lists_only_whole_frames_at_every_moment) {
  const RunFolder folder;
  std::atomic<bool> done{false};
  std::size_t most = 0;
  std::thread reader([&] {
    while (!done) {
      if (!fs::exists(folder / "cavity.pvd")) continue;
      const auto frames = test::read_collection(folder / "cavity.pvd");
      ASSERT_GE(frames.size(), std::max<std::size_t>(most, 1));
      most = frames.size();
      const auto data = test::read_image(folder / frames.back().second);
      ASSERT_NE(data->GetCellData()->GetArray("pressure"), nullptr);
    }
  });
  {
    FrameWriter writer(folder.path(), "cavity", Grid(small_box()));
    for (int i = 0; i < 40; ++i) writer.submit(frame_number(i));
  }
  done = true;
  reader.join();
}

TEST(FrameWriter, its_end_waits_for_frames_that_nobody_waited_for) {
  const RunFolder folder;
  {
    FrameWriter writer(folder.path(), "cavity", Grid(small_box()));
    for (int i = 0; i < 3; ++i) writer.submit(frame_number(i));
  }
  EXPECT_EQ(test::read_collection(folder / "cavity.pvd").size(), 3U);
}

TEST(FrameWriter, an_error_surfaces_in_finish_until_the_frame_is_there) {
  const RunFolder folder;
  FrameWriter writer(folder.path(), "cavity", Grid(small_box()));
  writer.submit(frame_number(0));
  writer.finish();
  fs::remove_all(folder / "frames");
  writer.submit(frame_number(1));
  EXPECT_EQ(test::message_of<IoError>([&] { writer.finish(); }),
            "cannot open " + (folder / "frames/cavity_000001.vti").string() +
                ": No such file or directory");
  EXPECT_THROW(writer.finish(), IoError);
  EXPECT_THROW(writer.try_again(), IoError);
  EXPECT_EQ(writer.last_landed()->step, 0);
  fs::create_directory(folder / "frames");
  writer.try_again();
  EXPECT_EQ(writer.last_landed()->step, 1);
}

TEST(FrameWriter, an_error_surfaces_in_the_next_submit_or_check) {
  const RunFolder folder;
  FrameWriter writer(folder.path(), "cavity", Grid(small_box()));
  fs::remove_all(folder / "frames");
  EXPECT_THROW(
      {
        for (int i = 0; i < 10; ++i) writer.submit(frame_number(i));
      },
      IoError);
  EXPECT_THROW(writer.check(), IoError);
}

TEST(FrameWriter, writes_a_frame_that_failed_and_those_behind_it_in_their_order) {
  const RunFolder folder;
  FrameWriter writer(folder.path(), "cavity", Grid(small_box()));
  fs::remove_all(folder / "frames");
  writer.submit(frame_number(0));
  EXPECT_THROW(writer.finish(), IoError);
  EXPECT_THROW(writer.submit(frame_number(1)), IoError);
  fs::create_directory(folder / "frames");
  writer.try_again();
  writer.submit(frame_number(1));
  writer.finish();
  const auto frames = test::read_collection(folder / "cavity.pvd");
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[0].second, "frames/cavity_000000.vti");
  EXPECT_EQ(frames[1].second, "frames/cavity_000001.vti");
}

TEST(FrameWriter, misses_a_frame_that_was_removed) {
  const RunFolder folder;
  FrameWriter writer(folder.path(), "cavity", Grid(small_box()));
  for (int i = 0; i < 2; ++i) writer.submit(frame_number(i));
  writer.finish();
  EXPECT_NO_THROW(writer.check_files());
  fs::remove(folder / "frames/cavity_000000.vti");
  EXPECT_EQ(test::message_of<IoError>([&] { writer.check_files(); }),
            (folder / "frames/cavity_000000.vti").string() + " was removed while the run went on");
}

TEST(FrameWriter, an_error_that_nobody_asked_for_does_not_leave_its_end) {
  const RunFolder folder;
  fs::remove_all(folder / "frames");
  FrameWriter writer(folder.path(), "cavity", Grid(small_box()));
  writer.submit(frame_number(0));
}

TEST(FrameWriter, says_which_frames_have_landed_once_they_are_listed) {
  const RunFolder folder;
  std::vector<long> steps;
  {
    FrameWriter writer(
        folder.path(), "cavity", Grid(small_box()), {.note = [&](const FrameWriter::Landed& frame) {
          EXPECT_TRUE(fs::exists(frame.path));
          steps.push_back(frame.step);
          EXPECT_EQ(test::read_collection(folder / "cavity.pvd").size(), steps.size());
        }});
    for (int i = 0; i < 3; ++i) writer.submit(frame_number(i));
  }
  EXPECT_EQ(steps, (std::vector<long>{0, 1, 2}));
}

// The first frame takes until the test lets it land.
TEST(FrameWriter, gives_out_a_bounded_number_of_frames_and_their_memory_again) {
  const RunFolder folder;
  std::promise<void> landing;
  std::shared_future<void> may_land = landing.get_future().share();
  FrameWriter writer(folder.path(), "cavity", Grid(small_box()),
                     {.note = [may_land](const LandedFrame&) { may_land.wait(); }});
  std::set<const char*> memory;
  const auto submit_next = [&](int i) {
    Frame frame = writer.blank();
    if (frame.arrays.empty()) frame = frame_number(i);
    memory.insert(frame.arrays[0].bytes().data());
    writer.submit(std::move(frame));
  };
  for (std::size_t i = 0; i < FrameWriter::most_frames; ++i) submit_next(static_cast<int>(i));
  EXPECT_EQ(memory.size(), FrameWriter::most_frames);
  std::atomic<bool> lands{false};
  std::thread disk([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    lands = true;
    landing.set_value();
  });
  submit_next(3);
  EXPECT_TRUE(lands);
  writer.finish();
  submit_next(4);
  EXPECT_EQ(memory.size(), FrameWriter::most_frames);
  disk.join();
}

TEST(FrameWriter, knows_no_last_frame_before_the_first) {
  const RunFolder folder;
  const FrameWriter writer(folder.path(), "cavity", Grid(small_box()));
  EXPECT_FALSE(writer.last_landed());
}

}  // namespace
}  // namespace hodge::sim
