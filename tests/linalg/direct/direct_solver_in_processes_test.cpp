// Separable systems whose points processes share: solutions have the bits of one process.
#include <gtest/gtest.h>

#include "linalg/direct/direct_solver.hpp"
#include "tests/support/direct_systems.hpp"
#include "tests/support/shared_systems.hpp"

namespace hodge::linalg {
namespace {

using tests::axis_with;
using tests::OwnRows;

template <class T>
std::vector<T> solve(const OwnRows& own, const SeparableSystem& system) {
  const std::vector<double> values = tests::compatible_values(system);
  const auto b = own.vector(std::vector<T>(values.begin(), values.end()));
  const SharedPoints points =
      own.processes.size() == 1 ? SharedPoints{} : points_of(own.processes, own.blocks);
  DirectSolver<Host, T> solver(system, points);
  Vector<Host, T> x(b.size());
  solver.solve(b, x);
  std::vector<T> found = own.whole(x);
  solver.set_shift(3.0, 0.5);
  solver.solve(b, x);
  for (const T value : own.whole(x)) found.push_back(value);
  return found;
}

template <class T = double>
void expect_the_bits_of_one_process(const SeparableSystem& system) {
  const auto found = tests::by_numbers_of_processes<std::vector<T>>(
      static_cast<int>(system.rows()), [&](const OwnRows& own) { return solve<T>(own, system); });
  for (std::size_t i = 1; i < found.size(); ++i) EXPECT_EQ(found[i], found[0]) << i;
}

SeparableSystem box_of(const std::vector<int>& points, unsigned stretched, int ends) {
  SeparableSystem system;
  for (std::size_t d = 0; d < points.size(); ++d)
    system.axes.push_back(axis_with((ends + 2 * static_cast<int>(d)) % tests::end_kinds, points[d],
                                    (stretched >> d & 1) != 0, 0, 1));
  return system;
}

// Blocks of lines that are shorter, longer and as long as those along an axis.
TEST(SharedDirectSolver, solutions_have_the_bits_of_one_process) {
  for (const std::vector<int>& points : std::vector<std::vector<int>>{{40},
                                                                      {33, 50},
                                                                      {50, 33},
                                                                      {1, 37},
                                                                      {300, 260},
                                                                      {7, 6, 5},
                                                                      {20, 19, 18},
                                                                      {16, 40, 3},
                                                                      {3, 140, 9},
                                                                      {150, 4, 11},
                                                                      {1, 17, 12},
                                                                      {12, 1, 17},
                                                                      {3, 5, 257},
                                                                      {6, 4, 16}})
    for (const unsigned stretched : {0U, 7U, 2U, 5U}) {
      SCOPED_TRACE(::testing::PrintToString(points) + ", " + std::to_string(stretched));
      expect_the_bits_of_one_process(box_of(points, stretched, static_cast<int>(stretched)));
    }
}

TEST(SharedDirectSolver, float_solutions_have_the_bits_of_one_process) {
  expect_the_bits_of_one_process<float>(box_of({33, 50}, 0, 1));
  expect_the_bits_of_one_process<float>(box_of({20, 19, 18}, 5, 0));
}

TEST(SharedDirectSolver, a_system_of_another_size_is_refused_by_all_processes) {
  if (!tests::processes_are_threads) GTEST_SKIP() << "an exception ends all processes";
  const SeparableSystem system = tests::periodic_box({16, 8});
  tests::run_in_processes(2, [&](Communicator& processes) {
    EXPECT_THROW(DirectSolver<Host>(system, shared_points(processes, 48)), ShapeError);
  });
}

// Cut anywhere, the layers of all processes are those of the box.
TEST(SharedBox, divides_layers_among_the_processes) {
  const SeparableSystem system = tests::periodic_box({48, 40, 36});
  for (const AxisMethod method : {AxisMethod::fft_of_lines, AxisMethod::products})
    tests::run_in_processes(4, [&](Communicator& processes) {
      const SharedBox<Host> box(
          system, {method, method, AxisMethod::elimination},
          points_of(processes, RowBlocks::even(system.rows(), processes.size())));
      EXPECT_LE(box.most_points(), system.rows() * 34 / 100);
      for (std::size_t d = 0; d < 2; ++d) {
        std::int64_t points = box.shape(d).size();
        processes.sum(std::span(&points, 1));
        EXPECT_EQ(points, system.rows()) << d;
      }
    });
}

}  // namespace
}  // namespace hodge::linalg
