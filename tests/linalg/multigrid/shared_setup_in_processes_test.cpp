// The set-up of multigrid on a grid whose layers processes share: what it sends, new values, and
// matrices of which no levels can be made.
#include <gtest/gtest.h>

#include <cmath>

#include "linalg/preconditioners/multigrid.hpp"
#include "linalg/processes/message_count.hpp"
#include "tests/support/shared_multigrid.hpp"

namespace hodge::linalg {
namespace {

using namespace tests_of_layers;

LayerCuts even_cuts(int layers, int processes) {
  LayerCuts cuts;
  for (int p = 0; p <= processes; ++p) cuts.first.push_back(layers * p / processes);
  return cuts;
}

// What `action` sends from this process.
template <class Action>
MessageCount sent_by(const Action& action) {
  MessageCount sent;
  sent -= message_count();
  action();
  sent += message_count();
  return sent;
}

// The bound: half of the values of the process. Most of it are two layers on either side of its
// 65 or 17; of larger grids it is less.
TEST(SharedSetup, sends_layers_beside_the_own_ones_and_a_small_level) {
  for (const auto& extent : {plane, block})
    for (const Problem& each :
         {problem("closed", extent, [](GridProblem& grid) { grid.dirichlet = true; }),
          problem("balls", extent, put_balls), with_wind(extent)}) {
      SCOPED_TRACE(each.name + ", " + std::to_string(extent.size()) + "D");
      const auto whole = each.grid.in<Host>();
      const LayersOfRows rows(each.grid, even_cuts(extent.back(), 2));
      tests::run_in_processes(2, [&](Communicator& processes) {
        const auto a = own_rows_of<double>(*whole, {processes, rows.blocks()}, true,
                                           rows.own_cells(processes.rank()));
        const auto values = static_cast<std::int64_t>(a->values().bytes());
        Multigrid<Host, double> multigrid{MultigridSettings{}};
        EXPECT_LT(sent_by([&] { multigrid.setup(*a); }).all().bytes, values / 2);
        EXPECT_LT(sent_by([&] { multigrid.refresh(*a); }).all().bytes, values / 2);
      });
    }
}

// Neither for the first set-up nor for new values.
TEST(SharedSetup, solves_gather_no_matrix) {
  const Problem balls = problem("balls", block, put_balls);
  const auto whole = balls.grid.in<Host>();
  const LayersOfRows rows(balls.grid, even_cuts(block.back(), 2));
  tests::run_in_processes(2, [&](Communicator& processes) {
    const OwnRows own{processes, rows.blocks()};
    const auto a = own_rows_of<double>(*whole, own, true, rows.own_cells(processes.rank()));
    const auto b = own.vector(tests::random_values(whole->rows(), 7));
    LinearSolver<Host> solver(with("cg"), a->rows());
    for (const Changed changed : {Changed::pattern, Changed::values}) {
      Vector<Host> x(a->rows());
      const MessageCount sent =
          sent_by([&] { EXPECT_TRUE(solver.solve(*a, b, x, {.changed = changed}).converged()); });
      EXPECT_LT(sent[MessageKind::gathers].bytes,
                static_cast<std::int64_t>(a->values().bytes()) / 10);
    }
  });
}

// Values of a symmetric matrix that are those of no separable system.
std::unique_ptr<CsrMatrix<Host>> changed_values(const CsrMatrix<Host>& a, double by) {
  auto changed = std::make_unique<CsrMatrix<Host>>(a.shared_pattern(), a.symmetry());
  const auto factor = [&](int row) { return 1 + by * std::sin(0.01 * row); };
  const CsrView<double> from = a.view();
  std::vector<double> values;
  for (int row = 0; row < from.rows; ++row)
    for (int k = from.row_offsets[row]; k < from.row_offsets[row + 1]; ++k)
      values.push_back(from.values[k] * factor(row) * factor(from.columns[k]));
  changed->values().upload(std::span<const double>(values));
  return changed;
}

// The matrix of a step, and the system that it says that it is; null: none.
struct Step {
  const CsrMatrix<Host>* whole;
  std::shared_ptr<const SeparableSystem> box = nullptr;
};

// One matrix whose values become those of one step after the other.
std::vector<Found> solve_steps(const std::vector<Step>& steps, const LayersOfRows& rows,
                               Communicator& processes) {
  const OwnRows own{processes, rows.blocks()};
  const auto cells = rows.own_cells(processes.rank());
  const auto a = own_rows_of<double>(*steps[0].whole, own, true, cells);
  const auto b = own.vector(tests::random_values(steps[0].whole->rows(), 7));
  LinearSolver<Host> solver(with("cg"), a->rows());
  std::vector<Found> found;
  for (const Step& step : steps) {
    a->values().upload(std::span<const double>(
        own_rows_of<double>(*step.whole, own, true, cells)->values().to_host()));
    a->describe_as(step.box);
    Vector<Host> x(a->rows());
    const SolveReport report = solver.solve(*a, b, x, {.changed = Changed::values});
    found.push_back({own.whole(x), report.history,
                     report.made + describe(report) + std::to_string(report.bad_row)});
  }
  return found;
}

void expect_the_steps_of_one_process(const GridProblem& grid, const std::vector<Step>& steps) {
  const int layers = grid.shape.extent[grid.shape.dim - 1];
  std::vector<Found> of_one;
  for (const int count : tests::numbers_of_processes()) {
    const LayersOfRows rows(grid, count == 1 ? LayerCuts{{0, layers}} : uneven_cuts(layers, count));
    tests::run_in_processes(count, [&](Communicator& processes) {
      const std::vector<Found> found = solve_steps(steps, rows, processes);
      if (count == 1) of_one = found;
      if (!tests::keeps_results(processes)) return;
      for (std::size_t step = 0; step < steps.size(); ++step) {
        SCOPED_TRACE(std::to_string(count) + " processes, step " + std::to_string(step));
        expect_the_same(found[step], of_one[step]);
      }
    });
  }
}

// A box, twice values of none; in 2D the box again, another box, none, and the first box.
TEST(SharedSetup, new_values_have_the_bits_of_one_process) {
  for (const auto& extent : {plane, block}) {
    Problem balls = problem("balls", extent, put_balls);
    const auto first = balls.grid.in<Host>();
    const auto box = std::make_shared<SeparableSystem>(balls.grid.system());
    balls.grid.coupling = {1, 0.3, 2};
    const auto second = balls.grid.in<Host>();
    const auto other = std::make_shared<SeparableSystem>(balls.grid.system());
    const auto third = changed_values(*first, 0.4), fourth = changed_values(*first, -0.2);
    std::vector<Step> steps{{first.get(), box}, {third.get()}, {fourth.get()}};
    if (extent.size() == 2)
      steps = {steps[0], steps[0], {second.get(), other}, steps[1], {first.get(), box}};
    expect_the_steps_of_one_process(balls.grid, steps);
  }
}

// The last row has no diagonal at first, or later on.
TEST(SharedSetup, a_zero_on_the_diagonal_is_told_by_all_processes) {
  const Problem balls = problem("balls", plane, put_balls);
  const auto good = balls.grid.in<Host>(), bad = balls.grid.in<Host>();
  bad->values().data()[bad->pattern().diagonal().to_host().back()] = 0;
  expect_the_steps_of_one_process(balls.grid,
                                  {{bad.get()}, {good.get()}, {bad.get()}, {good.get()}});
}

// Rows of the last process alone couple cells that are no neighbours.
TEST(SharedSetup, entries_beside_the_stencil_are_refused_by_all) {
  const Problem closed = problem("closed", plane, [](GridProblem& grid) { grid.dirichlet = true; });
  const auto stencil = closed.grid.in<Host>();
  const CsrView<double> a = stencil->view();
  tests::Entries entries;
  for (int row = 0; row < a.rows; ++row)
    for (int k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k)
      entries[{row, a.columns[k]}] = a.values[k];
  entries[{a.rows - 1, a.rows - 6}] = entries[{a.rows - 6, a.rows - 1}] = -0.01;
  const tests::HostMatrix more = tests::from_entries(a.rows, a.rows, entries);
  const auto pattern = std::make_shared<CsrPattern<Host>>(more.rows, more.cols,
                                                          std::span<const int>(more.row_offsets),
                                                          std::span<const int>(more.columns));
  pattern->place_on({stencil->pattern().grid()->shape, {}});
  CsrMatrix<Host> whole(pattern, Symmetry::symmetric);
  whole.values().upload(std::span<const double>(more.values));
  const LayersOfRows rows(closed.grid, even_cuts(plane.back(), 2));
  tests::run_in_processes(2, [&](Communicator& processes) {
    const auto own = own_rows_of<double>(whole, {processes, rows.blocks()}, true, {});
    Multigrid<Host, double> multigrid{MultigridSettings{}};
    EXPECT_THROW(multigrid.setup(*own), ConfigError);
  });
}

}  // namespace
}  // namespace hodge::linalg
