#include "sim/app/run/run_plan.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "sim/app/config/settings_yaml.hpp"
#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {
namespace {

Settings box(int nx, int ny) {
  Settings settings = default_settings();
  settings.device = "cpu";
  settings.grid.dim = 2;
  settings.grid.axes[0].cells = nx;
  settings.grid.axes[1].cells = ny;
  settings.time.end = 1;
  return settings;
}

TEST(RunPlan, counts_the_frames_that_a_run_writes) {
  Settings settings = box(4, 3);
  EXPECT_EQ(run_plan(settings, {}).frames, 2);
  settings.output.frame_every = 0.25;
  EXPECT_EQ(run_plan(settings, {}).frames, 5);
  settings.output.frame_every = 0.3;
  EXPECT_EQ(run_plan(settings, {}).frames, 5);
  settings.output.frame_every = 2;
  EXPECT_EQ(run_plan(settings, {}).frames, 2);
}

TEST(RunPlan, knows_the_steps_where_their_size_is_fixed) {
  Settings settings = box(4, 3);
  settings.time.step.cfl = 1;
  EXPECT_FALSE(run_plan(settings, {}).steps);
  settings.time.step = {};
  settings.time.step.size = 0.3;
  EXPECT_EQ(run_plan(settings, {}).steps, 4);
  settings.time.max_steps = 3;
  EXPECT_EQ(run_plan(settings, {}).steps, 3);
}

TEST(RunPlan, a_frame_holds_three_components_of_a_velocity_and_one_of_a_scalar) {
  Settings settings = box(4, 3);
  settings.output.fields = {"velocity", "pressure"};
  EXPECT_EQ(run_plan(settings, {}).frame_bytes, 12 * 4 * 4);
  EXPECT_EQ(run_plan(settings, {}).host_bytes, 3 * 12 * 4 * 4);
  settings.output.precision = "double";
  EXPECT_EQ(run_plan(settings, {}).frame_bytes, 12 * 4 * 8);
  settings.output.encoding = "inline";
  EXPECT_EQ(run_plan(settings, {}).frame_bytes, 12 * 4 * 8 / 3 * 4);
  EXPECT_EQ(run_plan(settings, {}).host_bytes, 3 * 12 * 4 * 8);
}

// 20 layers for 3 processes, 2 of them on this machine.
TEST(RunPlan, of_several_processes_each_needs_its_part) {
  Settings settings = box(40, 20);
  settings.output.fields = {"velocity", "pressure"};
  const RunPlan alone = run_plan(settings, {});
  EXPECT_EQ(alone.processes, 1);
  const linalg::Launch launch{3, 0, "a launcher", 2};
  const RunPlan shared = run_plan(settings, {}, launch);
  EXPECT_EQ(shared.processes, 3);
  EXPECT_EQ(shared.most_layers, 7);
  EXPECT_DOUBLE_EQ(shared.device_bytes, alone.device_bytes * 7 / 20);
  EXPECT_LT(shared.available_bytes, 0.6 * alone.available_bytes);
  EXPECT_EQ(shared.frame_bytes, alone.frame_bytes);
  EXPECT_EQ(shared.host_bytes, alone.host_bytes);  // of process 0
  settings.output.pieces = "always";
  EXPECT_DOUBLE_EQ(run_plan(settings, {}, launch).host_bytes, alone.host_bytes * 7 / 20);
}

TEST(RunPlan, more_processes_than_slabs_have_no_part) {
  const RunPlan plan = run_plan(box(40, 20), {}, {30, 0, "a launcher", 30});
  EXPECT_EQ(plan.processes, 6);
  EXPECT_EQ(plan.most_layers, 4);
}

TEST(RunPlan, fields_to_begin_with_are_on_the_host_on_both_grids) {
  auto state = std::make_shared<StoredState>();
  for (int d = 0; d < 2; ++d) state->velocity[d].resize(20);
  state->pressure.resize(20);
  state->scalars.emplace_back("dye", std::vector<double>(20));
  Problem problem;
  const double without = run_plan(box(4, 3), problem).host_bytes;
  problem.stored_state = state;
  // u, v, p on (4 + 6) x (3 + 6) points
  EXPECT_EQ(run_plan(box(4, 3), problem).source_bytes, (4 * 20 + 3 * 90) * 8);
  EXPECT_EQ(run_plan(box(4, 3), problem).host_bytes, without + (4 * 20 + 3 * 90) * 8);
}

TEST(RunPlan, a_checkpoint_holds_two_steps_of_the_padded_fields) {
  Settings settings = box(4, 3);
  EXPECT_EQ(run_plan(settings, {}).checkpoints, 2);
  // u, v, at two steps, the pressure and its increment on (4 + 6) x (3 + 6) points
  EXPECT_EQ(run_plan(settings, {}).checkpoint_bytes, 6 * 90 * 8);
  Problem problem;
  problem.scalars.resize(1);
  EXPECT_EQ(run_plan(settings, problem).checkpoint_bytes, 8 * 90 * 8);
  settings.transport.preconditioner.kind = "jacobi";
  settings.transport.refresh = "never";  // the values that it was made of stay
  const RunPlan keeps = run_plan(settings, {});
  EXPECT_EQ(keeps.checkpoint_bytes,
            (6 * 90 + keeps.systems[0].nonzeros + keeps.systems[1].nonzeros) * 8);
  settings.output.checkpoint.enabled = false;
  EXPECT_EQ(run_plan(settings, {}).checkpoints, 0);
}

// By hand: of 4 x 3 cells the body takes cell (1, 1).
//
//   . . . .      11 cells; of the 3 x 3 inner faces across x two touch the body, of the 4 x 2
//   . # . .      across y two.
//   . . . .
TEST(RunPlan, solids_take_rows_and_entries_out) {
  Problem problem;
  problem.solids.push_back({"body", BoxShape{{0.25, 1.0 / 3}, {0.5, 2.0 / 3}}});
  const Settings settings = box(4, 3);
  const std::vector<FlowSystem> systems = fluid_system_sizes(problem, Grid(settings.grid));
  ASSERT_EQ(systems.size(), 3u);
  EXPECT_EQ(systems[0].rows, 7);
  EXPECT_EQ(systems[1].rows, 6);
  EXPECT_EQ(systems[2].rows, 11);
  // Neighbours: 17 pairs of cells in the box, 4 of them with the body.
  EXPECT_EQ(systems[2].nonzeros, 11 + 2 * 13);
  // u, faces 1 to 3 a row: rows 0 and 2 are whole (2 pairs each), row 1 keeps face 3, which has a
  // pair up and one down.
  EXPECT_EQ(systems[0].nonzeros, 7 + 2 * 6);
  // v: cells 0, 2 and 3 of both inner faces: a pair along x a row, 3 along y.
  EXPECT_EQ(systems[1].nonzeros, 6 + 2 * 5);
}

// Of a box that is periodic along x and z alone: u and w have the same rows, v and the pressure
// their own.
TEST(RunPlan, systems_with_the_same_rows_are_found) {
  Problem problem;
  Settings settings = box(4, 3);
  settings.grid.dim = 3;
  settings.grid.axes[2] = settings.grid.axes[0];
  const auto like = [&] {
    std::vector<std::size_t> all;
    for (const FlowSystem& system : system_sizes(problem.boundaries, Grid(settings.grid)))
      all.push_back(system.like);
    return all;
  };
  EXPECT_EQ(like(), (std::vector<std::size_t>{0, 1, 2, 3}));
  for (const std::size_t axis : {0u, 2u})
    for (Side& side : problem.boundaries.sides[axis]) side.kind = SideKind::periodic;
  EXPECT_EQ(like(), (std::vector<std::size_t>{0, 1, 0, 3}));
  for (Side& side : problem.boundaries.sides[1]) side.kind = SideKind::periodic;
  EXPECT_EQ(like(), (std::vector<std::size_t>{0, 0, 0, 0}));
}

TEST(RunPlan, without_solids_both_counts_are_the_same) {
  Problem problem;
  for (Side& side : problem.boundaries.sides[0]) side.kind = SideKind::periodic;
  const Settings settings = box(5, 4);
  const Grid grid(settings.grid);
  const std::vector<FlowSystem> all = system_sizes(problem.boundaries, grid);
  problem.solids.push_back({"", BoxShape{{0, 0}, {0.2, 0.25}}});
  const std::vector<FlowSystem> less = fluid_system_sizes(problem, grid);
  for (std::size_t k = 0; k < all.size(); ++k) EXPECT_LT(less[k].nonzeros, all[k].nonzeros);
  problem.solids.clear();
  const std::vector<FlowSystem> same = fluid_system_sizes(problem, grid);
  for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(same[k].nonzeros, all[k].nonzeros);
}

TEST(RunPlan, a_face_in_an_open_side_is_in_the_fluid_where_its_cell_is) {
  Problem problem;
  for (Side& side : problem.boundaries.sides[0]) side.kind = SideKind::outflow;
  const Grid grid(box(5, 4).grid);
  const std::vector<FlowSystem> all = system_sizes(problem.boundaries, grid);
  EXPECT_EQ(all[0].rows, 24u);
  const auto rows_beside = [&](const BoxShape& solid) {
    problem.solids = {{"", solid}};
    std::vector<std::size_t> rows;
    for (const FlowSystem& system : fluid_system_sizes(problem, grid)) rows.push_back(system.rows);
    return rows;
  };
  const std::vector<std::size_t> one_cell_less{22, 14, 19};
  EXPECT_EQ(rows_beside({{0, 0}, {0.2, 0.25}}), one_cell_less);    // at x_lower
  EXPECT_EQ(rows_beside({{0.8, 0.75}, {1, 1}}), one_cell_less);    // at x_upper
  EXPECT_EQ(rows_beside({{0.4, 0}, {0.6, 0.25}}), one_cell_less);  // between
}

}  // namespace
}  // namespace hodge::sim
