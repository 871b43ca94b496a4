// Reactions in a box that processes share: fields, counts and failures of one process, bit for bit.
#include <gtest/gtest.h>

#include "sim/discrete/bodies/staircase.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/discrete/processes/part_of_box.hpp"
#include "sim/discrete/reactions/reactions.hpp"
#include "tests/support/processes_in_threads.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using linalg::Host;
using tests::run_in_processes;

// Two scalars in a box of 20 x 4 x 12 cells, and the chunks that it is integrated in.
struct SharedMixture {
  std::vector<std::string> rates{"-20*c*d + 0.1*z*c", "-20*c*d + y*x"};
  ReactionSettings settings{.relative = 1e-4, .absolute = 1e-6};
  std::vector<std::uint8_t> bodies{};  // of all cells; none: no solids
  std::function<double(const Point&)> start = [](const Point& x) {
    return 1 + x[0] + 2 * x[1] * x[2];
  };
  Grid grid = test::grid_of(
      {test::uneven(20, 0.1, 1.1), test::uneven(4, 0.2, 0.9), test::uneven(12, -0.3, 0.8)});

  std::array<int, 3> cells() const { return {20, 4, 12}; }
};

struct Reacted {
  ReactionReport report;
  std::vector<double> values;  // of all cells, of one scalar after the other
};

Reacted react_on(const SharedMixture& mixture, const Layout<3>& part) {
  const std::vector<std::string> names{"c", "d"};
  std::vector<Expression> rates;
  for (const std::string& rate : mixture.rates)
    rates.push_back(Expression::parse(rate, {{}, names}));
  const Bodies<3, Host> bodies(part, staircase(part, mixture.bodies, test::walls()));
  Reactions<3, Host> reactions(mixture.grid, part, rates, names, bodies.view(), mixture.settings);
  std::vector<Field<3, Host>> fields;
  std::vector<FieldView<3>> views;
  for (int i = 0; i < 2; ++i) {
    fields.emplace_back(part);
    fields.back().values().upload(sample(mixture.grid, part, at_cells, [&](const MeanBox& cell) {
      return mixture.start(point_of(cell)) * (i + 1);
    }));
  }
  for (auto& field : fields) views.push_back(field.view());
  Reacted reacted;
  for (const double t : {0.3, 0.55}) {
    reacted.report = reactions.react(t, 0.25, views);
    if (!reacted.report.ok) break;
  }
  for (const auto& q : views)
    for_each_on_host(part.interior(), [&](const Index<3>& c) { reacted.values.push_back(q(c)); });
  return reacted;
}

void expect_the_same(const ReactionReport& report, const ReactionReport& expected) {
  EXPECT_EQ(report.ok, expected.ok);
  EXPECT_EQ(report.failure, expected.failure);
  EXPECT_EQ(report.bad_key, expected.bad_key);
  EXPECT_EQ(report.substeps, expected.substeps);
  EXPECT_EQ(report.rejected, expected.rejected);
  EXPECT_EQ(report.newton_iterations, expected.newton_iterations);
}

// Returns the report of one process.
ReactionReport expect_the_same_reactions_in_parts(const SharedMixture& mixture) {
  const Layout<3> whole = layout_of<3>(mixture.grid);
  const Reacted expected = react_on(mixture, whole);
  for (const int processes : {2, 3, 4}) {
    const Decomposition slabs(whole.cells[2], processes);
    run_in_processes(processes, [&](linalg::Communicator& own) {
      const linalg::SharingRows sums({.processes = &own});
      const PartOfBox<3> part(own, slabs, whole, false);
      const Reacted reacted = react_on(mixture, part.layout());
      expect_the_same(reacted.report, expected.report);
      const Box<3> box = part.layout().interior();
      std::size_t next = 0, different = 0;
      for (int i = 0; i < 2; ++i)
        for_each_on_host(box, [&](const Index<3>& c) {
          const auto at = static_cast<std::size_t>(
              i * whole.interior().size() + whole.interior().position(part.layout().in_whole(c)));
          different += reacted.values[next++] == expected.values[at] ? 0 : 1;
        });
      EXPECT_EQ(different, 0U) << "process " << own.rank() << " of " << processes;
    });
  }
  return expected.report;
}

TEST(ReactionsInParts, have_the_bits_of_one_process_whatever_chunks_cells_share) {
  for (const int most : {1 << 18, 100, 50}) {
    SCOPED_TRACE(most);
    SharedMixture mixture;
    mixture.settings.cells_at_once = most;
    const ReactionReport report = expect_the_same_reactions_in_parts(mixture);
    EXPECT_TRUE(report.ok) << report.failure;
    EXPECT_GT(report.substeps, 1);
  }
}

TEST(ReactionsInParts, leave_out_cells_at_rest_and_solids_of_whole_parts) {
  SharedMixture mixture;
  mixture.rates = {"-20*c*d", "-20*c*d"};
  mixture.start = [](const Point& x) { return x[2] < 0.1 ? 0 : x[0]; };
  expect_the_same_reactions_in_parts(mixture);
  mixture.bodies.assign(20 * 4 * 12, 0);
  std::fill(mixture.bodies.begin() + 20 * 4 * 5, mixture.bodies.begin() + 20 * 4 * 9, 1);
  expect_the_same_reactions_in_parts(mixture);
}

TEST(ReactionsInParts, fail_with_the_place_that_one_process_names_and_change_nothing) {
  SharedMixture mixture;
  mixture.rates[0] = "sqrt(0.5 - z) - c";  // in the last layers alone
  for (const int most : {1 << 18, 300, 50}) {
    SCOPED_TRACE(most);
    mixture.settings.cells_at_once = most;
    const ReactionReport report = expect_the_same_reactions_in_parts(mixture);
    EXPECT_FALSE(report.ok);
    EXPECT_NE(report.failure.find("the reaction rate of c"), std::string::npos) << report.failure;
    EXPECT_EQ(report.bad_key, "scalars.c.reaction");
  }
}

TEST(ReactionsInParts, of_several_chunks_that_fail_name_the_first) {
  SharedMixture mixture;
  mixture.rates[0] = "sqrt((z - 0.1)*(0.5 - z)) - c";  // fails at both ends
  mixture.settings.cells_at_once = 100;
  const ReactionReport report = expect_the_same_reactions_in_parts(mixture);
  EXPECT_NE(report.failure.find("z = -0.2"), std::string::npos) << report.failure;
}

TEST(ReactionsInParts, need_too_many_substeps_together) {
  SharedMixture mixture;
  mixture.settings.most_substeps = 3;
  const ReactionReport report = expect_the_same_reactions_in_parts(mixture);
  EXPECT_NE(report.failure.find("more than 3 substeps"), std::string::npos) << report.failure;
}

}  // namespace
}  // namespace hodge::sim
