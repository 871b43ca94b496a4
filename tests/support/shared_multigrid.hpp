// Systems for multigrid whose layers processes share, and the bits of their solves.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/shared_grids.hpp"

namespace hodge::linalg::tests_of_layers {

using tests::OwnRows;
using tests_of_grids::GridProblem;
using tests_of_grids::LayersOfRows;
using tests_of_grids::own_rows_of;
using tests_of_grids::uneven_cuts;

// Two levels are large enough to be shared: in 2D 17 680 and 4 420 cells.
inline const std::vector<int> plane{136, 130}, block{33, 32, 34};

struct Problem {
  std::string name;
  GridProblem grid;
  bool says_which_box = true;  // describe_as
};

inline Problem problem(const std::string& name, const std::vector<int>& extent,
                       const std::function<void(GridProblem&)>& change,
                       std::array<bool, 3> periodic = {}) {
  GridProblem grid(extent, periodic);
  grid.coupling = {1, 0.7, 1.3};
  change(grid);
  return {name, std::move(grid)};
}

inline bool in_ball(int i, int j, int k, int at, int radius) {
  return (i - 15) * (i - 15) + (j - at) * (j - at) + (k - at) * (k - at) < radius * radius;
}

// Around layers 9 and 17 of the last axis, across cuts.
inline void put_balls(GridProblem& grid) {
  const bool flat = grid.shape.dim == 2;
  grid.open[0][1] = true;
  grid.solid = [=](int i, int j, int k) {
    return in_ball(i, flat ? 9 : j, flat ? j : k, 9, 6) || in_ball(i, j, flat ? j : k, 17, 7);
  };
}

inline Problem with_wind(const std::vector<int>& extent) {
  Problem wind = problem("wind", extent, [](GridProblem& grid) {
    put_balls(grid);
    grid.wind = 0.02;
    grid.shift = 0.01;
  });
  wind.says_which_box = false;
  return wind;
}

struct Found {
  std::vector<double> x, history;
  std::string made;
};

inline Found solve(const Problem& problem, const CsrMatrix<Host>& whole, const LayersOfRows& rows,
                   Communicator& processes, const SolverSettings& settings) {
  const OwnRows own{processes, rows.blocks()};
  const auto a = own_rows_of<double>(whole, own, true, rows.own_cells(processes.rank()));
  if (problem.says_which_box)
    a->describe_as(std::make_shared<SeparableSystem>(problem.grid.system()));
  const auto b = own.vector(tests::random_values(whole.rows(), 7));
  Vector<Host> x(a->rows());
  const NullSpace null_space = problem.grid.is_singular() ? NullSpace::constant : NullSpace::none;
  const SolveReport report =
      LinearSolver<Host>(settings, a->rows()).solve(*a, b, x, {.null_space = null_space});
  EXPECT_TRUE(report.converged()) << describe(report);
  return {own.whole(x), report.history, report.made};
}

inline void expect_the_same(const Found& found, const Found& of_one) {
  EXPECT_EQ(found.made, of_one.made);
  ASSERT_EQ(found.history.size(), of_one.history.size());
  for (std::size_t i = 0; i < found.history.size(); ++i)
    ASSERT_EQ(found.history[i], of_one.history[i]) << "residual " << i;
  ASSERT_EQ(found.x.size(), of_one.x.size());
  for (std::size_t i = 0; i < found.x.size(); ++i) ASSERT_EQ(found.x[i], of_one.x[i]) << "x " << i;
}

inline SolverSettings with(const std::string& method, OptionValues options = {}) {
  SolverSettings settings;
  settings.method = method;
  settings.tolerance = 1e-3;  // a few iterations
  settings.preconditioner = {"multigrid", std::move(options)};
  return settings;
}

}  // namespace hodge::linalg::tests_of_layers
