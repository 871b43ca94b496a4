// Ghosts of a velocity that processes share in blocks: those of the whole box, in corners and in
// the sides, too.
#include <gtest/gtest.h>

#include "sim/discrete/boundaries/ghosts.hpp"
#include "tests/support/processes_in_threads.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge {
namespace {

using sim::Index;
using test::Host;

double random_value(int d, const Index<3>& c) {
  return std::sin(1.0 + d + 7.0 * c[0] + 31.0 * c[1] + 101.0 * c[2]);
}

// The velocity at faces `first` + c of the box.
sim::VelocityField<3, Host> velocity_of(const sim::Grid& grid, const sim::Boundaries& boundaries,
                                        const sim::Layout<3>& layout) {
  const sim::DeviceGrid<3, Host> metrics(grid, boundaries, layout);
  sim::VelocityBoundary<3, Host> boundary(boundaries, metrics, sim::BodyView<3>{}, 0.0);
  boundary.refresh(boundary.step(0, 0, sim::backward_euler_weights(1), {}), nullptr, nullptr);
  sim::VelocityField<3, Host> velocity(layout);
  for (int d = 0; d < 3; ++d) {
    const auto u = velocity[d].view();
    sim::for_each_on_host(layout.interior(), [&](const Index<3>& c) {
      u(c) = random_value(
          d, {{c[0] + layout.before[0], c[1] + layout.before[1], c[2] + layout.before[2]}});
    });
  }
  sim::fill_velocity_ghosts(velocity, boundary.closures());
  return velocity;
}

void expect_ghosts_of_the_whole_box(const sim::Boundaries& boundaries,
                                    const sim::ProcessCounts& counts) {
  const std::array<int, 3> cells{36, 9, 8};
  const sim::Grid grid =
      test::grid_of({test::uniform(36, 2), test::uniform(9, 1), test::uniform(8, 1)});
  const auto whole = velocity_of(grid, boundaries, sim::layout_of<3>(grid));
  const sim::Decomposition parts(3, cells, counts);
  tests::run_in_processes(parts.size(), [&](linalg::Communicator& own) {
    sim::Layout<3> layout = sim::layout_of<3>(grid);
    for (int d = 0; d < 3; ++d) {
      layout.before[d] = parts.first(own.rank(), d);
      layout.behind[d] = cells[d] - parts.last(own.rank(), d);
      layout.cells[d] = parts.last(own.rank(), d) - parts.first(own.rank(), d);
    }
    sim::HaloExchange<3> halo(
        own, parts, layout,
        {boundaries.periodic(0), boundaries.periodic(1), boundaries.periodic(2)});
    layout.halo = &halo;
    const auto velocity = velocity_of(grid, boundaries, layout);
    for (int d = 0; d < 3; ++d)
      sim::for_each_on_host(layout.padded(), [&](const Index<3>& c) {
        Index<3> in_box = c;
        for (int e = 0; e < 3; ++e) in_box[e] += layout.before[e];
        EXPECT_EQ(velocity.view()[d](c), whole.view()[d](in_box))
            << "u_" << d << " at " << in_box[0] << ' ' << in_box[1] << ' ' << in_box[2];
      });
  });
}

sim::Boundaries with_inflow(sim::Boundaries boundaries, int axis) {
  for (sim::Side& side : boundaries.sides[axis]) {
    side.kind = sim::SideKind::inflow;
    side.velocity = {sim::Expression::parse("0.3 + x*y"), sim::Expression::parse("1 + x - z"),
                     sim::Expression::parse("2 - x + y")};
  }
  return boundaries;
}

// The velocities of the inflow differ at both ends of the axes that go round.
TEST(GhostsInBlocks, are_those_of_the_whole_box) {
  for (const sim::ProcessCounts& counts :
       {sim::ProcessCounts{2, 1, 1}, sim::ProcessCounts{1, 2, 2}, sim::ProcessCounts{2, 2, 2}}) {
    expect_ghosts_of_the_whole_box(test::walls(), counts);
    expect_ghosts_of_the_whole_box(with_inflow(test::walls(), 1), counts);
    expect_ghosts_of_the_whole_box(with_inflow(test::with_periodic({0, 1}), 2), counts);
    expect_ghosts_of_the_whole_box(with_inflow(test::with_periodic({0, 2}), 1), counts);
  }
}

}  // namespace
}  // namespace hodge
