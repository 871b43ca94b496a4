// Multigrid on a grid whose layers processes share: solves have the bits of one process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linalg/preconditioners/multigrid.hpp"
#include "linalg/space/traffic.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/shared_multigrid.hpp"

namespace hodge::linalg {
namespace {

using namespace tests_of_layers;

std::vector<Problem> problems(const std::vector<int>& extent) {
  const auto width = [](int d, int i) { return 1 + 0.1 * d + 0.03 * ((i + d) % 5); };
  // Only thin cells are joined, so the axes are listed (axis_plan.hpp).
  const auto stretched = [](int d, int i) { return 1 + 0.1 * d + 0.002 * i * i; };
  std::vector<Problem> list{
      problem("closed", extent, [&](GridProblem& grid) { grid.width = width; }),
      problem("periodic", extent, [](GridProblem&) {}, {true, true, true}),
      problem("stretched", extent,
              [&](GridProblem& grid) {
                grid.width = stretched;
                grid.dirichlet = true;
              }),
      problem("stretched, periodic along the last axis", extent,
              [&](GridProblem& grid) {
                grid.width = stretched;
                grid.open[0][0] = true;
              },
              {false, extent.size() == 2, true}),
      problem("balls", extent, put_balls),
      problem("stretched, balls", extent,
              [&](GridProblem& grid) {
                put_balls(grid);
                grid.width = stretched;
              }),
      problem("solids around the end of a periodic axis", extent,
              [=](GridProblem& grid) {
                grid.open[0][0] = true;
                grid.solid = [=](int i, int j, int k) {
                  const int n = extent.back(), layer = extent.size() == 2 ? j : k;
                  return (layer < 2 || layer >= n - 3) && i > 5 && i < 20;
                };
              },
              {false, extent.size() == 2, true}),
      problem("scattered solids", extent,
              [](GridProblem& grid) {
                grid.dirichlet = true;
                grid.solid = [](int i, int j, int k) { return (7 * i + 5 * j + 3 * k) % 13 == 0; };
              }),
      problem("layers without rows", extent,
              [=](GridProblem& grid) {
                grid.dirichlet = true;
                grid.solid = [=](int, int j, int k) {
                  const int layer = extent.size() == 2 ? j : k;
                  return layer < 10 || layer == 14;
                };
              }),
      problem("balls, entries", extent, put_balls)};
  list.back().says_which_box = false;
  return list;
}

using Cut = std::function<LayerCuts(int layers, int processes)>;

void expect_the_bits_of_one_process(const Problem& problem, const SolverSettings& settings,
                                    const Cut& cut = uneven_cuts) {
  SCOPED_TRACE(problem.name + ", " + std::to_string(problem.grid.shape.dim) + "D");
  const auto whole = problem.grid.in<Host>();
  const int layers = problem.grid.shape.extent[problem.grid.shape.dim - 1];
  Found of_one;
  for (const int count : tests::numbers_of_processes()) {
    SCOPED_TRACE(std::to_string(count) + " processes");
    const LayersOfRows rows(problem.grid, count == 1 ? LayerCuts{{0, layers}} : cut(layers, count));
    tests::run_in_processes(count, [&](Communicator& processes) {
      const Found found = solve(problem, *whole, rows, processes, settings);
      if (count == 1) of_one = found;
      if (tests::keeps_results(processes)) expect_the_same(found, of_one);
    });
  }
}

TEST(SharedMultigrid, solves_have_the_bits_of_one_process) {
  for (const Problem& each : problems(plane)) expect_the_bits_of_one_process(each, with("cg"));
}

TEST(SharedMultigrid, solves_in_three_dimensions_have_the_bits_of_one_process) {
  const std::vector<Problem> all = problems(block);
  for (const std::size_t which : {1, 3, 5, 7, 8})
    expect_the_bits_of_one_process(all[which], with("cg"));
}

TEST(SharedMultigrid, all_smoothers_and_precisions_have_the_bits_of_one_process) {
  for (const auto& extent : {plane, block})
    for (const char* smoother : {"ssor_sai", "jacobi", "chebyshev"}) {
      SCOPED_TRACE(smoother);
      const auto settings = with("cg", {{"smoother", smoother}, {"precision", "double"}});
      expect_the_bits_of_one_process(problem("balls", extent, put_balls), settings);
    }
}

TEST(SharedMultigrid, all_cycles_have_the_bits_of_one_process) {
  for (const auto& extent : {plane, block})
    for (const auto& [cycle, smoother] :
         {std::pair("v", "jacobi"), std::pair("w", "ssor_sai"), std::pair("f", "chebyshev")}) {
      SCOPED_TRACE(cycle);
      const auto settings =
          with("gmres", {{"cycle", cycle}, {"smoothings", 2}, {"smoother", smoother}});
      expect_the_bits_of_one_process(problem("balls", extent, put_balls), settings);
    }
}

// A ring of two layers: both neighbours of a layer are the same one.
TEST(SharedMultigrid, rings_of_two_layers_have_the_bits_of_one_process) {
  const auto put_hole = [](GridProblem& grid) {
    grid.open[0][0] = true;
    grid.solid = [](int i, int j, int k) { return k == 1 && i > 20 && i < 31 && j > 30 && j < 40; };
  };
  for (const Problem& ring :
       {problem("two layers", {66, 64, 2}, put_hole, {false, true, true}),
        problem("two long layers", {4200, 2}, [](GridProblem& grid) { grid.dirichlet = true; },
                {false, true, false})})
    expect_the_bits_of_one_process(ring, with("cg"));
}

// Process 0 alone has solids, up to its last layer.
TEST(SharedMultigrid, solids_below_a_cut_have_the_bits_of_one_process) {
  const Cut behind_solids = [](int layers, int processes) {
    LayerCuts cuts{{0}};
    for (int p = 1; p < processes; ++p) cuts.first.push_back(40 + 20 * (p - 1));
    cuts.first.push_back(layers);
    return cuts;
  };
  const Problem solids = problem("solids below a cut", plane, [](GridProblem& grid) {
    grid.dirichlet = true;
    grid.solid = [](int i, int j, int) { return j >= 32 && j < 40 && i >= 16 && i < 80; };
  });
  expect_the_bits_of_one_process(solids, with("cg"), behind_solids);
}

// bicg needs the transpose of the cycle.
TEST(SharedMultigrid, nonsymmetric_systems_have_the_bits_of_one_process) {
  for (const auto& extent : {plane, block})
    for (const char* method : {"bicgstab", "bicg"}) {
      SCOPED_TRACE(method);
      expect_the_bits_of_one_process(with_wind(extent), with(method, {{"cycle", "f"}}));
    }
  Problem around = with_wind(plane);
  around.grid.shape.periodic[1] = true;
  expect_the_bits_of_one_process(around, with("bicg"));
}

// All layers in the first process; one in each but the last; all in the last one.
TEST(SharedMultigrid, processes_with_few_layers_have_the_bits_of_one) {
  const Cut all_to_first = [](int layers, int processes) {
    LayerCuts cuts{std::vector<int>(static_cast<std::size_t>(processes) + 1, layers)};
    cuts.first[0] = 0;
    return cuts;
  };
  const Cut single_layers = [](int layers, int processes) {
    LayerCuts cuts{{}};
    for (int p = 0; p < processes; ++p) cuts.first.push_back(p);
    cuts.first.push_back(layers);
    return cuts;
  };
  const Cut all_to_last = [](int layers, int processes) {
    LayerCuts cuts{std::vector<int>(static_cast<std::size_t>(processes) + 1, 0)};
    cuts.first.back() = layers;
    return cuts;
  };
  for (const Cut& cut : {all_to_first, single_layers, all_to_last})
    for (const std::size_t which : {1, 4, 6})  // periodic, balls, solids around the end
      expect_the_bits_of_one_process(problems(plane)[which], with("cg"), cut);
}

// Nothing is shared but the finest level's rows.
TEST(SharedMultigrid, small_grids_have_the_bits_of_one_process) {
  for (const std::vector<int>& extent : {std::vector<int>{13, 15}, {5, 4, 7}}) {
    const Problem small =
        problem("small", extent, [](GridProblem& grid) { grid.dirichlet = true; });
    expect_the_bits_of_one_process(small, with("cg"));
    expect_the_bits_of_one_process(small, with("cg", {{"coarsest_cells", 512}}));
  }
}

// Bytes that an application to `rows` rows moves.
double moved(Multigrid<Host, double>& multigrid, int rows) {
  Vector<Host> r(rows), z(rows);
  r.fill(1.0);
  const double before = traffic<Host>().moved;
  multigrid.apply(r, z);
  return traffic<Host>().moved - before;
}

// On a level of 17 680 cells and the next one.
TEST(SharedMultigrid, processes_share_the_work) {
  const Problem balls = problem("balls", plane, put_balls);
  const auto whole = balls.grid.in<Host>();
  for (const int count : {2, 4}) {
    LayerCuts cuts;
    for (int p = 0; p <= count; ++p) cuts.first.push_back(plane[1] * p / count);
    const LayersOfRows rows(balls.grid, cuts);
    tests::run_in_processes(count, [&](Communicator& processes) {
      const auto own = own_rows_of<double>(*whole, {processes, rows.blocks()}, true,
                                           rows.own_cells(processes.rank()));
      Multigrid<Host, double> alone{MultigridSettings{}}, together{MultigridSettings{}};
      alone.setup(*whole);
      together.setup(*own);
      EXPECT_LT(moved(together, own->rows()), (1.0 / count + 0.1) * moved(alone, whole->rows()))
          << count;
    });
  }
}

// A process begins within a layer.
TEST(SharedMultigrid, parts_of_layers_are_refused) {
  const Problem closed = problem("closed", {32, 130}, [](GridProblem&) {});
  const auto whole = closed.grid.in<Host>();
  tests::run_in_processes(3, [&](Communicator& processes) {
    const RowBlocks blocks({0, 1600, 32 * 60 + 16, 32 * 130});
    const auto own = own_rows_of<double>(*whole, {processes, blocks}, true, {});
    Multigrid<Host, double> multigrid{MultigridSettings{}};
    EXPECT_THAT(test::message_of<ConfigError>([&] { multigrid.setup(*own); }),
                testing::HasSubstr("take jacobi, or ssor_sai of the form factored"));
  });
}

}  // namespace
}  // namespace hodge::linalg
