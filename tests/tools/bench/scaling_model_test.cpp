// The model of scaling against numbers by hand.
#include "tools/hodge/bench/scaling_model.hpp"

#include <gtest/gtest.h>

#include "tools/hodge/bench/link_costs.hpp"

namespace hodge::tools::bench {
namespace {

using linalg::MessageKind;

template <class T>
T& of(ByKind<T>& values, MessageKind kind) {
  return values[static_cast<std::size_t>(kind)];
}

// 10 s of work for 100 cells of each of 4 processes, and 2 s for the start. No messages yet.
MeasuredStep work_alone() {
  return {.processes = 4, .cells = 100, .start_seconds = 2, .cell_seconds = 10};
}

Links one_machine() {
  return {.machine = {}, .network = {}, .processes_of_machine = 1 << 20};
}

TEST(ScalingModel, work_is_its_start_and_that_of_the_cells) {
  EXPECT_DOUBLE_EQ(predict_step(work_alone(), one_machine(), 1, 100).total(), 12);
  EXPECT_DOUBLE_EQ(predict_step(work_alone(), one_machine(), 16, 50).total(), 7);
  EXPECT_DOUBLE_EQ(weak_efficiency(work_alone(), one_machine(), 512, 100), 1);
  // 4 x 100 cells: 42 s by one process, 2 + 40/8 s by eight.
  EXPECT_DOUBLE_EQ(strong_efficiency(work_alone(), one_machine(), 8, 400), 42.0 / (8 * 7));
}

TEST(ScalingModel, layers_of_neighbours_cost_the_same_for_any_number_of_processes) {
  MeasuredStep measured = work_alone();
  of(measured.messages, MessageKind::neighbours) = {5, 1000};
  Links links = one_machine();
  of(links.machine, MessageKind::neighbours) = {0.1, 500};
  EXPECT_DOUBLE_EQ(predict_step(measured, links, 1, 100).sum_of_messages(), 0);
  for (const int processes : {2, 8, 512})
    EXPECT_DOUBLE_EQ(predict_step(measured, links, processes, 10).sum_of_messages(),
                     5 * 0.1 + 1000.0 / 500);
}

TEST(ScalingModel, values_at_cuts_take_a_round_for_every_fourfold_of_processes) {
  MeasuredStep measured = work_alone();
  of(measured.messages, MessageKind::line_ends) = {2, 900};
  Links links = one_machine();
  of(links.machine, MessageKind::line_ends) = {0.01, 100};
  // 8 processes: two rounds in place of one, 900 x (7/8) / (3/4) = 1050 bytes, however many cells.
  EXPECT_DOUBLE_EQ(predict_step(measured, links, 8, 50).sum_of_messages(), 2 * 2 * 0.01 + 10.5);
  EXPECT_DOUBLE_EQ(predict_step(measured, links, 64, 50).sum_of_messages(), 2 * 3 * 0.01 + 11.8125);
}

TEST(ScalingModel, a_gather_brings_the_values_of_all_others) {
  MeasuredStep measured = work_alone();
  of(measured.messages, MessageKind::gathers) = {1, 300};
  Links links = one_machine();
  of(links.machine, MessageKind::gathers) = {0.01, 100};
  EXPECT_DOUBLE_EQ(predict_step(measured, links, 8, 50).sum_of_messages(), 7 * 0.01 + 7 * 1.5);
}

TEST(ScalingModel, sums_take_the_levels_of_a_tree) {
  EXPECT_EQ(levels_of_tree(1), 0);
  EXPECT_EQ(levels_of_tree(2), 1);
  EXPECT_EQ(levels_of_tree(5), 3);
  EXPECT_EQ(levels_of_tree(512), 9);
  MeasuredStep measured = work_alone();
  of(measured.messages, MessageKind::reductions) = {10, 1e9};
  Links links = one_machine();
  of(links.machine, MessageKind::reductions) = {0.5};
  EXPECT_DOUBLE_EQ(predict_step(measured, links, 512, 100).sum_of_messages(), 10 * 0.5 * 9);
}

TEST(ScalingModel, more_processes_than_a_machine_has_use_the_network) {
  MeasuredStep measured = work_alone();
  of(measured.messages, MessageKind::reductions) = {1, 8};
  Links links = one_machine();
  links.processes_of_machine = 8;
  of(links.machine, MessageKind::reductions) = {1};
  of(links.network, MessageKind::reductions) = {7};
  EXPECT_DOUBLE_EQ(predict_step(measured, links, 8, 100).sum_of_messages(), 3);
  EXPECT_DOUBLE_EQ(predict_step(measured, links, 16, 100).sum_of_messages(), 28);
}

TEST(ScalingModel, the_limit_is_the_first_power_of_two_below_one_half) {
  const auto efficiency = [](int processes) { return 5.0 / processes; };
  EXPECT_EQ(half_efficiency(1 << 10, efficiency), 16);
  EXPECT_EQ(half_efficiency(8, efficiency), std::nullopt);
}

TEST(ScalingModel, stated_links_are_those_that_they_name) {
  LinkCosts machine = stated_machine();
  EXPECT_NEAR(of(machine, MessageKind::neighbours).seconds(1, 2 * 256 * 256 * 8), 12e-6, 0.5e-6);
  EXPECT_NEAR(of(machine, MessageKind::reductions).latency * levels_of_tree(8), 5.7e-6, 1e-12);
}

}  // namespace
}  // namespace hodge::tools::bench
