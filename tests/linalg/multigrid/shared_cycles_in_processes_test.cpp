// Multigrid cycles on a grid whose layers processes share have the bits of one process, in each
// space. On GPUs only under mpirun, because threads that act as processes cannot share a GPU;
// processes may.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "linalg/preconditioners/multigrid.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/processes/message_count.hpp"
#include "tests/support/shared_multigrid.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using namespace tests_of_layers;

template <class Space>
class SharedCycles : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(SharedCycles, tests::Spaces, tests::SpaceName);

MultigridSettings settings_with(const char* smoother, const char* cycle, const char* precision) {
  MultigridSettings settings;
  settings.smoother = smoother;
  settings.cycle = cycle;
  settings.precision = precision;
  settings.least_shared_cells = 1;  // on GPUs, too, as small as on a CPU
  return settings;
}

// What the cycle makes of a vector, by launches and by a recording of them; then of new values.
template <class Space>
std::vector<double> cycles(const Problem& problem, const LayersOfRows& rows,
                           Communicator& processes, const MultigridSettings& settings) {
  const auto whole = problem.grid.in<Host>();
  const OwnRows own{processes, rows.blocks()};
  const auto a = own_rows_of<double, Space>(*whole, own, true, rows.own_cells(processes.rank()));
  if (problem.says_which_box)
    a->describe_as(std::make_shared<SeparableSystem>(problem.grid.system()));
  const SharingRows sharing(a->shared_rows());
  Multigrid<Space, double> multigrid(settings);
  multigrid.setup(*a);
  const auto part = own.vector(tests::random_values(whole->rows(), 7)).to_host();
  const Vector<Space> r{std::span<const double>(part)};
  Vector<Space> z(a->rows());
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

template <class Space>
void expect_cycles_of_one_process(const Problem& problem, MultigridSettings settings,
                                  int halo_layers) {
  SCOPED_TRACE(problem.name + ", " + std::to_string(problem.grid.shape.dim) + "D, halos of " +
               std::to_string(halo_layers));
  settings.widest_halo = halo_layers;
  const int layers = problem.grid.shape.extent[problem.grid.shape.dim - 1];
  std::vector<double> of_one;
  for (const int count : tests::numbers_of_processes()) {
    if (!tests::can_run_in_processes<Space>(count)) continue;
    const LayersOfRows rows(problem.grid,
                            count == 1 ? LayerCuts{{0, layers}} : uneven_cuts(layers, count));
    tests::run_in_processes(count, [&](Communicator& processes) {
      const std::vector<double> found = cycles<Space>(problem, rows, processes, settings);
      if (count == 1) of_one = found;
      ASSERT_EQ(found.size(), of_one.size());
      for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_EQ(found[i], of_one[i]) << count << " processes, value " << i;
    });
  }
}

std::vector<Problem> problems_of_cycles(const std::vector<int>& extent) {
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

TYPED_TEST(SharedCycles, cycles_have_the_bits_of_one_process) {
  for (const auto& extent : {plane, block})
    for (const Problem& each : problems_of_cycles(extent))
      for (const int halo : {2, 7})
        expect_cycles_of_one_process<TypeParam>(each, settings_with("ssor_sai", "v", "single"),
                                                halo);
}

TYPED_TEST(SharedCycles, all_smoothers_and_cycles_have_the_bits_of_one_process) {
  for (const auto& extent : {plane, block})
    for (const auto& [smoother, cycle, precision] : {std::array{"jacobi", "w", "double"},
                                                     {"chebyshev", "f", "single"},
                                                     {"chebyshev", "v", "double"},
                                                     {"ssor_sai", "f", "double"}})
      expect_cycles_of_one_process<TypeParam>(problem("balls", extent, put_balls),
                                              settings_with(smoother, cycle, precision), 3);
}

TYPED_TEST(SharedCycles, rings_of_two_layers_have_the_bits_of_one_process) {
  for (const int halo : {1, 7})
    expect_cycles_of_one_process<TypeParam>(
        problem("two layers", {66, 64, 2}, [](GridProblem&) {}, {false, true, true}),
        settings_with("ssor_sai", "v", "single"), halo);
}

// Of one cycle on two shared levels, by one of two processes.
template <class Space>
std::int64_t messages_of_a_cycle(MultigridSettings settings, int halo_layers) {
  settings.widest_halo = halo_layers;
  const Problem closed = problem("closed", block, [](GridProblem&) {});
  std::int64_t messages = 0;
  tests::run_in_processes(2, [&](Communicator& processes) {
    const auto whole = closed.grid.in<Host>();
    const int layers = closed.grid.shape.extent[2];
    const LayersOfRows rows(closed.grid, LayerCuts{{0, 16, layers}});
    const OwnRows own{processes, rows.blocks()};
    const auto a = own_rows_of<double, Space>(*whole, own, true, rows.own_cells(processes.rank()));
    const SharingRows sharing(a->shared_rows());
    Multigrid<Space, double> multigrid(settings);
    multigrid.setup(*a);
    Vector<Space> r(a->rows()), z(a->rows());
    r.fill(1);
    const MessageCount before = message_count();
    multigrid.apply(r, z);
    MessageCount after = message_count();
    after -= before;
    if (tests::keeps_results(processes)) messages = after[MessageKind::neighbours].messages;
  });
  return messages;
}

// With narrow halos before each smoothing, residual and transfer.
TYPED_TEST(SharedCycles, wide_halos_take_one_message_on_each_level) {
  const std::vector<int> numbers = tests::numbers_of_processes();
  if (!tests::can_run_in_processes<TypeParam>(2) || std::ranges::find(numbers, 2) == numbers.end())
    GTEST_SKIP() << "not by 2 processes";
  for (const char* smoother : {"ssor_sai", "chebyshev"}) {
    const MultigridSettings settings = settings_with(smoother, "v", "single");
    EXPECT_EQ(messages_of_a_cycle<TypeParam>(settings, 7), 2) << smoother;
    EXPECT_GE(messages_of_a_cycle<TypeParam>(settings, 1), 7) << smoother;
  }
}

}  // namespace
}  // namespace hodge::linalg
