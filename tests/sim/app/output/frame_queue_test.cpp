#include "sim/app/output/frame_queue.hpp"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

#include "linalg/base/errors.hpp"

namespace hodge::sim {
namespace {

// The others are in the queue before the first one fails.
TEST(FrameQueue, a_frame_that_failed_keeps_its_place_before_those_that_wait) {
  std::promise<void> all_are_there;
  std::vector<std::string> tried;
  FrameQueue queue([&](const std::filesystem::path& path, const Frame&) {
    if (tried.empty()) all_are_there.get_future().wait();
    tried.push_back(path.string());
    if (tried.size() <= 2) throw IoError("no room");
  });
  for (const char* name : {"0", "1", "2"}) queue.submit(name, Frame{});
  all_are_there.set_value();
  EXPECT_THROW(queue.finish(), IoError);
  EXPECT_THROW(queue.try_again(), IoError);
  EXPECT_EQ(queue.written(), 0);
  queue.try_again();
  EXPECT_EQ(tried, (std::vector<std::string>{"0", "0", "0", "1", "2"}));
  EXPECT_EQ(queue.written(), 3);
}

}  // namespace
}  // namespace hodge::sim
