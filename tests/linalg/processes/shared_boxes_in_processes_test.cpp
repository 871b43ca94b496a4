// Matrices that say which box they are, with rows that processes share: products and solves have
// the bits of one process.
#include <gtest/gtest.h>

#include "tests/support/box_problems.hpp"
#include "tests/support/shared_grids.hpp"

namespace hodge::linalg {
namespace {

using tests::OwnRows;
using tests_of_grids::box_problems;
using tests_of_grids::BoxProblem;
using tests_of_grids::GridProblem;

// Lines shorter and longer than the cells that the Host computes at once.
const std::vector<std::vector<int>> extents{{13, 15}, {77, 13}, {13, 15, 13}, {69, 13, 15}};

// The cells of this process among those of a box of which some have no row: those of its rows, and
// those without a row before and, of the last process, behind them.
std::vector<int> own_rows_of_cells(const OwnRows& own, const std::vector<int>& rows) {
  const int rank = own.processes.rank();
  const auto begin_of = [&](int process) {
    if (process == 0) return rows.begin();
    return std::find(rows.begin(), rows.end(), static_cast<int>(own.blocks.first(process)));
  };
  std::vector<int> cells(begin_of(rank), begin_of(rank + 1));
  for (int& row : cells)
    if (row >= 0) row -= static_cast<int>(own.blocks.first(rank));
  return cells;
}

// The own rows of a problem, on its grid or, if all cells have rows, on none.
template <class T = double>
std::unique_ptr<CsrMatrix<Host, T>> own_matrix(const OwnRows& own, const BoxProblem& problem,
                                               bool on_grid) {
  auto matrix = tests_of_grids::own_rows_of<T>(*problem.by_entries<Host>(), own, on_grid,
                                               own_rows_of_cells(own, problem.grid.numbers()));
  matrix->describe_as(std::make_shared<SeparableSystem>(problem.grid.system()));
  return matrix;
}

// A way to share the rows of a problem.
struct Share {
  const char* name;
  bool on_grid;
  std::function<RowBlocks(int processes)> blocks;
};

// Blocks of whole lines or layers of `line` rows; of three processes or more one has none.
RowBlocks blocks_of(int line, int rows, int axis_0, int processes) {
  std::vector<std::int64_t> first{0};
  const std::int64_t lines = rows / line;
  for (int p = 1; p < processes; ++p)
    first.push_back(p == 2 ? first.back() : (lines * p * p / (processes * processes) + 1) * line);
  first.push_back(rows);
  return RowBlocks(std::move(first), axis_0);
}

// Where cells have no row, and where the grid is unknown, processes begin anywhere in a layer.
std::vector<Share> shares(const BoxProblem& problem, int rows) {
  const auto pieces = [rows](int count) { return tests::uneven_blocks(rows, count); };
  if (rows < problem.grid.shape.cells()) return {{"pieces", true, pieces}};
  const int line = problem.grid.shape.extent[0];
  const int layer = problem.grid.shape.dim == 2 ? line : line * problem.grid.shape.extent[1];
  const auto by = [=](int cells) {
    return [=](int count) { return blocks_of(cells, rows, line, count); };
  };
  return {{"pieces", false, pieces}, {"lines", true, by(line)}, {"layers", true, by(layer)}};
}

// program(matrix, own rows) gives the same numbers on any number of processes.
template <class T = double>
void expect_the_same(
    const BoxProblem& problem,
    const std::function<std::vector<double>(const CsrMatrix<Host, T>&, const OwnRows&)>& program) {
  const int rows = problem.by_entries<Host>()->rows();
  for (const Share& share : shares(problem, rows)) {
    SCOPED_TRACE(share.name);
    std::vector<double> of_one;
    for (const int count : tests::numbers_of_processes()) {
      const RowBlocks blocks = share.blocks(count);
      tests::run_in_processes(count, [&](Communicator& processes) {
        const OwnRows own{processes, blocks};
        const auto a = own_matrix<T>(own, problem, share.on_grid);
        EXPECT_EQ(a->kernel(), "arrays of " + std::to_string(problem.grid.shape.dim) + " axes");
        const std::vector<double> found = program(*a, own);
        if (count == 1) of_one = found;
        if (!tests::keeps_results(processes)) return;
        ASSERT_EQ(found.size(), of_one.size());
        for (std::size_t i = 0; i < found.size(); ++i)
          ASSERT_EQ(found[i], of_one[i]) << count << " processes, value " << i;
      });
    }
  }
}

// name, extents
void for_each_problem(const std::function<void(const BoxProblem&)>& test) {
  for (const std::vector<int>& extent : extents)
    for (const BoxProblem& problem : box_problems(extent)) {
      SCOPED_TRACE(problem.name + ", " + std::to_string(extent[0]) + ", " +
                   std::to_string(extent.size()) + "D");
      test(problem);
    }
}

TEST(SharedBoxes, products_by_arrays_have_the_bits_of_one_process) {
  for_each_problem([](const BoxProblem& problem) {
    expect_the_same<double>(problem, [](const CsrMatrix<Host>& a, const OwnRows& own) {
      const SharingRows sums(a.shared_rows());
      const auto rows = static_cast<int>(own.blocks.rows());
      const auto x = own.vector(tests::random_values(rows, 3));
      const auto w = own.vector(tests::random_values(rows, 4));
      Vector<Host> y(a.rows());
      a.spmv(-0.7, x, 1.3, w, y);
      std::vector<double> found = own.whole(y);
      const auto take = [&](const auto& dots) {
        for (const auto& dot : dots) found.push_back(dot.to_host());
        for (const double value : own.whole(y)) found.push_back(value);
      };
      take(a.apply_and_dots(x, w, y));
      double dots[3];
      a.residual_dots(x, w, y, {.wy = dots, .ww = dots + 1, .yy = dots + 2});
      found.insert(found.end(), dots, dots + 3);
      for (const double value : own.whole(y)) found.push_back(value);
      return found;
    });
  });
}

TEST(SharedBoxes, products_in_float_have_the_bits_of_one_process) {
  for (const BoxProblem& problem : box_problems({69, 13, 15})) {
    SCOPED_TRACE(problem.name);
    expect_the_same<float>(problem, [](const CsrMatrix<Host, float>& a, const OwnRows& own) {
      const auto values = tests::random_values(static_cast<int>(own.blocks.rows()), 3);
      Vector<Host, float> y(a.rows());
      multiply(a, own.vector(std::vector<float>(values.begin(), values.end())), y);
      const auto found = own.whole(y);
      return std::vector<double>(found.begin(), found.end());
    });
  }
}

TEST(SharedBoxes, rings_of_two_and_of_one_layer_are_closed) {
  for (const std::vector<int>& extent :
       std::vector<std::vector<int>>{{2, 24}, {24, 2}, {48, 1}, {16, 2, 3}, {8, 4, 2}}) {
    SCOPED_TRACE(std::to_string(extent[0]) + ", " + std::to_string(extent.size()) + "D");
    const BoxProblem problem{"rings", GridProblem(extent, {true, true, true}), {}};
    expect_the_same<double>(problem, [](const CsrMatrix<Host>& a, const OwnRows& own) {
      Vector<Host> y(a.rows());
      multiply(a, own.vector(tests::random_values(static_cast<int>(own.blocks.rows()), 3)), y);
      return own.whole(y);
    });
  }
}

std::vector<double> solve(const CsrMatrix<Host>& a, const OwnRows& own, SolverSettings settings,
                          NullSpace null_space) {
  settings.tolerance = 1e-9;
  const auto b = own.vector(tests::random_values(static_cast<int>(own.blocks.rows()), 7));
  Vector<Host> x(a.rows());
  const SolveReport report =
      LinearSolver<Host>(settings, a.rows()).solve(a, b, x, {.null_space = null_space});
  EXPECT_TRUE(report.converged()) << describe(report);
  std::vector<double> found = own.whole(x);
  found.insert(found.end(), report.history.begin(), report.history.end());
  found.push_back(report.true_residual);
  return found;
}

void expect_the_same_solves(const std::vector<int>& extent, const SolverSettings& settings) {
  const std::vector<BoxProblem> all = box_problems(extent);
  for (const std::size_t which : {0, 2, 3, 4}) {
    const NullSpace null_space = which == 0 ? NullSpace::constant : NullSpace::none;
    SCOPED_TRACE(all[which].name);
    expect_the_same<double>(all[which], [&](const CsrMatrix<Host>& a, const OwnRows& own) {
      return solve(a, own, settings, null_space);
    });
  }
}

TEST(SharedBoxes, solves_have_the_bits_of_one_process) {
  for (const char* kind : {"jacobi", "ssor_sai", "direct"}) {
    SCOPED_TRACE(kind);
    SolverSettings settings;
    settings.method = "cg";
    settings.preconditioner = {kind};
    expect_the_same_solves({13, 15, 13}, settings);
  }
}

// Where cells have no row; without such cells it is a direct solve.
TEST(SharedBoxes, capacitance_has_the_bits_of_one_process) {
  for (const char* transforms : {"single", "double"})
    for (const std::vector<int>& extent : extents) {
      SCOPED_TRACE(transforms + ::testing::PrintToString(extent));
      SolverSettings settings;
      settings.method = "capacitance";
      settings.options = {{"transforms", transforms}};
      settings.preconditioner = {"none"};
      expect_the_same_solves(extent, settings);
    }
}

// Of one process, whatever rows the others have.
TEST(SharedBoxes, one_entry_of_another_system_is_found_by_all_processes) {
  const BoxProblem problem = box_problems({13, 15, 13})[0];
  const int rows = problem.by_entries<Host>()->rows();
  tests::run_in_processes(4, [&](Communicator& processes) {
    const RowBlocks blocks = tests::uneven_blocks(rows, 4);
    const auto a = own_matrix({processes, blocks}, problem, false);
    const auto system = a->box_system();
    ASSERT_TRUE(system);
    for (const int rank : {0, 3}) {
      std::vector<double> values = a->values().to_host();
      const std::vector<double> before = values;
      if (processes.rank() == rank) values[values.size() / 2] *= 1 + 1e-10;
      a->values().upload(std::span<const double>(values));
      a->describe_as(system);
      EXPECT_FALSE(a->box_system());
      EXPECT_EQ(a->kernel(), "csr_diagonals, 7 diagonals");
      a->values().upload(std::span<const double>(before));
      a->describe_as(system);
      EXPECT_TRUE(a->box_system());
    }
  });
}

TEST(SharedBoxes, a_box_of_another_size_is_read_by_its_entries) {
  const BoxProblem problem = box_problems({13, 15})[0];
  const int rows = problem.by_entries<Host>()->rows();
  tests::run_in_processes(3, [&](Communicator& processes) {
    const RowBlocks blocks = tests::uneven_blocks(rows, 3);
    const auto a = own_matrix({processes, blocks}, problem, false);
    a->describe_as(std::make_shared<SeparableSystem>(box_problems({13, 17})[0].grid.system()));
    EXPECT_FALSE(a->box_system());
  });
}

}  // namespace
}  // namespace hodge::linalg
