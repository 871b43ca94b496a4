// Multigrid cycles on a grid whose layers several GPUs share have the bits of one GPU. Only under
// mpirun, because threads that act as processes cannot share a GPU; processes may.
#include <gtest/gtest.h>

#include <cstdlib>

#include "linalg/preconditioners/multigrid.hpp"
#include "linalg/processes/lists.hpp"
#include "tests/support/shared_multigrid.hpp"
#include "tests/support/spaces.hpp"

#if HODGE_HAS_CUDA

namespace hodge::linalg {
namespace {

using namespace tests_of_layers;

// Levels as small as on a CPU are shared.
class SharedMultigridCuda : public tests::SpaceTest<Cuda> {
 protected:
  void SetUp() override {
    tests::SpaceTest<Cuda>::SetUp();
    setenv("HODGE_SHARED_LEVELS", "1", 1);
  }
  void TearDown() override { unsetenv("HODGE_SHARED_LEVELS"); }
};

MultigridSettings settings_with(const char* smoother, const char* cycle, const char* precision) {
  MultigridSettings settings;
  settings.smoother = smoother;
  settings.cycle = cycle;
  settings.precision = precision;
  return settings;
}

// What the cycle makes of a vector, by launches and by a recording of them; then of new values.
std::vector<double> cycles(const Problem& problem, const LayersOfRows& rows,
                           Communicator& processes, const MultigridSettings& settings) {
  const auto whole = problem.grid.in<Host>();
  const OwnRows own{processes, rows.blocks()};
  const auto a = own_rows_of<double, Cuda>(*whole, own, true, rows.own_cells(processes.rank()));
  if (problem.says_which_box)
    a->describe_as(std::make_shared<SeparableSystem>(problem.grid.system()));
  const SharingRows sharing(a->shared_rows());
  Multigrid<Cuda, double> multigrid(settings);
  EXPECT_TRUE(multigrid.setup_of_own_rows(*a));
  const auto part = own.vector(tests::random_values(whole->rows(), 7)).to_host();
  const Vector<Cuda> r{std::span<const double>(part)};
  Vector<Cuda> z(a->rows());
  std::vector<double> found;
  const auto keep = [&] {
    const std::vector<double> all = gather_lists(processes, std::span<const double>(z.to_host()));
    found.insert(found.end(), all.begin(), all.end());
  };
  for (int time = 0; time < 3; ++time) {
    z.fill(0);
    multigrid.apply(r, z);
    keep();
  }
  std::vector<double> values = a->values().to_host();
  for (double& value : values) value *= 1.7;
  a->values().upload(std::span<const double>(values));
  a->describe_as(nullptr);
  multigrid.refresh(*a);
  multigrid.apply(r, z);
  keep();
  return found;
}

void expect_cycles_of_one_gpu(const Problem& problem, const MultigridSettings& settings) {
  SCOPED_TRACE(problem.name + ", " + std::to_string(problem.grid.shape.dim) + "D");
  const int layers = problem.grid.shape.extent[problem.grid.shape.dim - 1];
  std::vector<double> of_one;
  for (const int count : tests::numbers_of_processes()) {
    if (tests::processes_are_threads && count > 1) break;
    const LayersOfRows rows(problem.grid,
                            count == 1 ? LayerCuts{{0, layers}} : uneven_cuts(layers, count));
    tests::run_in_processes(count, [&](Communicator& processes) {
      const std::vector<double> found = cycles(problem, rows, processes, settings);
      if (count == 1) of_one = found;
      ASSERT_EQ(found.size(), of_one.size());
      for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_EQ(found[i], of_one[i]) << count << " processes, value " << i;
    });
  }
}

std::vector<Problem> problems_on_gpus(const std::vector<int>& extent) {
  std::vector<Problem> all{problem("closed", extent, [](GridProblem&) {}),
                           problem("periodic", extent, [](GridProblem&) {}, {true, true, true}),
                           problem("stretched", extent,
                                   [](GridProblem& grid) {
                                     grid.dirichlet = true;
                                     grid.width = [](int d, int i) {
                                       return 1 + 0.1 * d + 0.002 * i * i;
                                     };
                                   }),
                           problem("balls", extent, put_balls), with_wind(extent)};
  all.push_back(all[3]);
  all.back().name = "balls, entries";
  all.back().says_which_box = false;
  return all;
}

TEST_F(SharedMultigridCuda, cycles_have_the_bits_of_one_gpu) {
  for (const auto& extent : {plane, block})
    for (const Problem& each : problems_on_gpus(extent))
      expect_cycles_of_one_gpu(each, settings_with("ssor_sai", "v", "single"));
}

TEST_F(SharedMultigridCuda, all_smoothers_and_cycles_have_the_bits_of_one_gpu) {
  for (const auto& extent : {plane, block})
    for (const auto& [smoother, cycle, precision] : {std::array{"jacobi", "w", "double"},
                                                     {"chebyshev", "f", "single"},
                                                     {"chebyshev", "v", "double"},
                                                     {"ssor_sai", "f", "double"}})
      expect_cycles_of_one_gpu(problem("balls", extent, put_balls),
                               settings_with(smoother, cycle, precision));
}

TEST_F(SharedMultigridCuda, rings_of_two_layers_have_the_bits_of_one_gpu) {
  expect_cycles_of_one_gpu(
      problem("two layers", {66, 64, 2}, [](GridProblem&) {}, {false, true, true}),
      settings_with("ssor_sai", "v", "single"));
}

}  // namespace
}  // namespace hodge::linalg

#endif
