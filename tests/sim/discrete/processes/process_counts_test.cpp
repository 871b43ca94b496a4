#include "sim/discrete/processes/process_counts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/key_error.hpp"
#include "tests/support/expect_error.hpp"

namespace hodge::sim {
namespace {

using ::testing::HasSubstr;

Settings box_of(const std::vector<int>& cells) {
  Settings settings;
  settings.grid.dim = static_cast<int>(cells.size());
  for (std::size_t d = 0; d < cells.size(); ++d) settings.grid.axes[d].cells = cells[d];
  return settings;
}

ProcessCounts chosen(const std::vector<int>& cells, int started, bool on_gpus = false) {
  return process_counts_of(box_of(cells), {}, started, on_gpus);
}

ProcessCounts asked(const std::vector<int>& cells, const ProcessCounts& counts, int started,
                    bool on_gpus = false) {
  Settings settings = box_of(cells);
  settings.parallel.processes = counts;
  return process_counts_of(settings, {}, started, on_gpus);
}

std::string refusal(const std::vector<int>& cells, const ProcessCounts& counts, int started,
                    bool on_gpus = false) {
  return test::message_of<KeyError>([&] { (void)asked(cells, counts, started, on_gpus); });
}

TEST(ProcessCounts, are_slabs_where_the_last_axis_can_be_cut_for_all) {
  EXPECT_EQ(chosen({64, 64, 64}, 1), (ProcessCounts{1, 1, 1}));
  EXPECT_EQ(chosen({64, 64, 64}, 21), (ProcessCounts{1, 1, 21}));
  EXPECT_EQ(chosen({1024, 12}, 4), (ProcessCounts{1, 4, 1}));
}

TEST(ProcessCounts, are_blocks_for_more_processes_than_slabs) {
  EXPECT_EQ(chosen({35, 10}, 4), (ProcessCounts{2, 2, 1}));
  EXPECT_EQ(chosen({35, 10}, 5), (ProcessCounts{2, 2, 1}));  // 5 is no product of parts
  EXPECT_EQ(chosen({35, 5}, 2), (ProcessCounts{2, 1, 1}));
  EXPECT_EQ(chosen({35, 10}, 100), (ProcessCounts{3, 3, 1}));
  EXPECT_EQ(chosen({12, 12, 12}, 16), (ProcessCounts{1, 4, 4}));
}

TEST(ProcessCounts, are_slabs_where_blocks_have_work_for_no_more) {
  EXPECT_EQ(chosen({13, 10}, 4), (ProcessCounts{1, 3, 1}));  // x is too short for a cut
  EXPECT_EQ(chosen({35, 10}, 3), (ProcessCounts{1, 3, 1}));
}

TEST(ProcessCounts, are_the_same_for_as_many_processes_as_they_are_for) {
  for (const auto& cells : {std::vector{35, 10}, std::vector{13, 10}, std::vector{40, 12, 9}})
    for (int started = 1; started <= 40; ++started) {
      const ProcessCounts counts = chosen(cells, started);
      EXPECT_EQ(chosen(cells, counts[0] * counts[1] * counts[2]), counts) << started;
    }
}

TEST(ProcessCounts, are_those_that_the_settings_ask_for) {
  EXPECT_EQ(asked({64, 64, 64}, {2, 2, 1}, 4), (ProcessCounts{2, 2, 1}));
  EXPECT_EQ(asked({64, 64, 64}, {4, 1, 2}, 9), (ProcessCounts{4, 1, 2}));
  EXPECT_EQ(asked({64, 12}, {2, 2, 0}, 4), (ProcessCounts{2, 2, 1}));
  EXPECT_EQ(asked({64, 64, 64}, {1, 1, 4}, 4, true), (ProcessCounts{1, 1, 4}));
  EXPECT_EQ(asked({64, 64, 64}, {2, 2, 2}, 1), (ProcessCounts{1, 1, 1}));
}

TEST(ProcessCounts, refuses_more_than_were_started_or_than_an_axis_can_be_cut_for) {
  EXPECT_EQ(refusal({64, 64, 64}, {2, 2, 2}, 4),
            "parallel.processes asks for 8 processes, and 4 were started");
  EXPECT_EQ(refusal({64, 64, 64}, {1 << 20, 1 << 20, 1 << 20}, 4),
            "parallel.processes asks for 2147483647 processes, and 4 were started");
  EXPECT_EQ(refusal({64, 12}, {5, 1, 0}, 5),
            "parallel.processes asks for 5 processes, and the 64 cells along x can be cut into 4 "
            "parts at most");
  EXPECT_EQ(refusal({64, 5, 64}, {2, 2, 1}, 4),
            "parallel.processes asks for 2 processes along y, and the 5 cells along y can be cut "
            "into 1 part at most");
}

// A chunk of sums there has 8 layers of z, and of 64 x 64 cells 2 rows of 64 cells.
TEST(ProcessCounts, cut_at_chunks_of_sums_on_gpus) {
  EXPECT_EQ(chosen({64, 64, 64}, 8, true), (ProcessCounts{1, 1, 8}));
  const ProcessCounts blocks = chosen({64, 64, 64}, 20, true);
  EXPECT_EQ(blocks[0], 1);
  EXPECT_EQ(blocks[1] * blocks[2], 20);
  EXPECT_LE(blocks[2], 8);
  EXPECT_EQ(chosen({16, 2, 6}, 4, true), (ProcessCounts{1, 1, 1}));
  EXPECT_EQ(asked({128, 128, 64}, {2, 2, 2}, 8, true), (ProcessCounts{2, 2, 2}));
  EXPECT_THAT(refusal({64, 64, 64}, {2, 1, 2}, 4, true),
              HasSubstr("64 cells along x can be cut into 1 part at most"));
  EXPECT_THAT(refusal({64, 64, 64}, {1, 1, 9}, 9, true),
              HasSubstr("64 cells along z can be cut into 8 parts at most"));
}

}  // namespace
}  // namespace hodge::sim
