// Axes that are transformed together in boxes whose points processes share: solutions have the bits
// of one process, of large boxes on GPUs its values. On the Host by a stand-in for the library; on
// GPUs only under mpirun, because threads that act as processes cannot share one.
#include "linalg/direct/box_fft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "linalg/direct/direct_solver.hpp"
#include "linalg/processes/lists.hpp"
#include "tests/support/direct_systems.hpp"
#include "tests/support/in_processes.hpp"
#include "tests/support/plain_fft.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests::axis_with;
using tests::end_kinds;

using Cuts = std::vector<std::int64_t>;

// Of `units`, with very different numbers for each process; of three processes or more, the second
// one has none.
Cuts uneven_cuts(std::int64_t units, int processes) {
  Cuts cuts{0};
  for (int p = 1; p < processes; ++p)
    cuts.push_back(p == 2 ? cuts.back() : units * p * p / (processes * processes));
  cuts.push_back(units);
  return cuts;
}

Cuts whole_layers(const SeparableSystem& system, int processes) {
  const int layers = system.axes.back().points();
  Cuts cuts = uneven_cuts(layers, processes);
  for (std::int64_t& cut : cuts) cut *= system.rows() / layers;
  return cuts;
}

// As the parts of a flow.
Cuts eights_of_layers(const SeparableSystem& system, int processes) {
  const int layers = system.axes.back().points();
  Cuts cuts = uneven_cuts((layers + 7) / 8, processes);
  for (std::int64_t& cut : cuts)
    cut = std::min<std::int64_t>(8 * cut, layers) * (system.rows() / layers);
  return cuts;
}

Cuts anywhere(const SeparableSystem& system, int processes) {
  return uneven_cuts(system.rows(), processes);
}

// Bit d of `by_fft`: axis d is transformed with others, where it can be.
std::vector<AxisMethod> methods_of(const SeparableSystem& system, unsigned by_fft) {
  std::vector<AxisMethod> methods;
  for (std::size_t d = 0; d + 1 < system.axes.size(); ++d)
    methods.push_back((by_fft >> d & 1U) != 0 && has_wave(system.axes[d]) ? AxisMethod::fft_of_box
                                                                          : AxisMethod::products);
  methods.push_back(AxisMethod::elimination);
  return methods;
}

// How the axes are transformed.
template <class Space, class T>
struct Transforms {
  unsigned by_fft = 7;
  MakeFft<T> make = tests::fft_for_tests<Space, T>();
};

// Two solutions, the second one with a shift, and the second one again.
template <class Space, class T>
std::vector<T> solutions(const SharedPoints& points, const SeparableSystem& system,
                         const Transforms<Space, T>& by) {
  const auto rank = static_cast<std::size_t>(points.processes->rank());
  const std::vector<double> values = tests::compatible_values(system);
  const std::vector<T> own(values.begin() + points.first[rank],
                           values.begin() + points.first[rank + 1]);
  DirectSolver<Space, T> solver(system, methods_of(system, by.by_fft), by.make,
                                points.is_shared() ? points : SharedPoints{});
  const Vector<Space, T> b{std::span<const T>(own)};
  Vector<Space, T> x(b.size());
  std::vector<T> all;
  solver.solve(b, x);  // the first messages of a program allocate
  const auto before = Space::allocated_bytes();
  for (const double shift : {system.shift, 3.0, 3.0}) {
    solver.set_shift(shift, 0.5);
    solver.solve(b, x);
    const std::vector<T> part = x.to_host();
    const auto whole = gather_lists(*points.processes, std::span<const T>(part));
    all.insert(all.end(), whole.begin(), whole.end());
  }
  if (!tests::processes_are_threads) {
    EXPECT_EQ(Space::allocated_bytes(), before);
  }
  return all;
}

using CutPoints = Cuts (*)(const SeparableSystem&, int);

// In the bits of one process, or to rounding: cuFFT may compute the transform of a few layers
// otherwise than that of many.
enum class Agreement { bits, rounding };

template <class T>
void expect_agreement(const std::vector<T>& found, const std::vector<T>& expected,
                      Agreement agreement) {
  if (agreement == Agreement::bits) {
    EXPECT_TRUE(found == expected);
    return;
  }
  ASSERT_EQ(found.size(), expected.size());
  T largest = 0, difference = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    difference = std::max(difference, std::abs(found[i] - expected[i]));
  }
  EXPECT_LE(difference, 100 * std::numeric_limits<T>::epsilon() * largest);
}

template <class Space, class T>
void expect_solutions_of_one_process(const SeparableSystem& system, const Transforms<Space, T>& by,
                                     CutPoints cuts, Agreement agreement) {
  std::vector<T> of_one;
  for (const int count : tests::numbers_of_processes()) {
    SCOPED_TRACE(std::to_string(count) + " processes");
    std::vector<T> found;
    tests::run_in_processes(count, [&](Communicator& processes) {
      const auto all = solutions<Space, T>({&processes, cuts(system, count)}, system, by);
      if (tests::keeps_results(processes)) found = all;
    });
    if (count == 1) of_one = found;
    expect_agreement(found, of_one, agreement);
  }
}
template <class Space, class T = double>
void expect_same_bits_as_one_process(const SeparableSystem& system, unsigned by_fft = 7,
                                     CutPoints cuts = whole_layers) {
  expect_solutions_of_one_process(system, Transforms<Space, T>{.by_fft = by_fft}, cuts,
                                  Agreement::bits);
}

// The ends of the axes follow one another.
SeparableSystem box_with_ends(const std::vector<int>& points, int ends, int step,
                              unsigned stretched = 0) {
  SeparableSystem system;
  for (std::size_t d = 0; d < points.size(); ++d)
    system.axes.push_back(axis_with((ends + step * static_cast<int>(d)) % end_kinds, points[d],
                                    (stretched >> d & 1U) != 0, 0,
                                    1 + 0.2 * static_cast<double>(d)));
  return system;
}

template <class Space>
class SharedBoxFft : public tests::SpaceTest<Space> {
 protected:
  void SetUp() override {
    tests::SpaceTest<Space>::SetUp();
    if (this->IsSkipped()) return;
    if (!tests::has_fft_for_tests<Space>()) GTEST_SKIP() << "cuFFT was not found";
    if (!std::is_same_v<Space, Host> && tests::processes_are_threads)
      GTEST_SKIP() << "processes that are threads do not share a GPU";
  }
};
TYPED_TEST_SUITE(SharedBoxFft, tests::Spaces, tests::SpaceName);

TYPED_TEST(SharedBoxFft, solutions_have_the_bits_of_one_process_with_all_ends) {
  for (const std::vector<int>& points :
       std::vector<std::vector<int>>{{16, 12}, {7, 9}, {16, 12, 10}, {6, 7, 9}, {9, 4, 16}})
    for (int ends = 0; ends < end_kinds; ++ends)
      for (int step = 0; step < end_kinds; ++step)
        for (const auto cuts : {whole_layers, eights_of_layers, anywhere}) {
          SCOPED_TRACE(::testing::PrintToString(points) + ", ends " + std::to_string(ends) + " " +
                       std::to_string(step) + (cuts == anywhere ? ", cut anywhere" : ""));
          expect_same_bits_as_one_process<TypeParam>(box_with_ends(points, ends, step), 7, cuts);
        }
}

TYPED_TEST(SharedBoxFft, solutions_have_the_bits_of_one_process_beside_products) {
  for (unsigned by_fft = 0; by_fft < 4; ++by_fft)
    for (int ends = 0; ends < end_kinds; ++ends)
      for (const bool stretched : {false, true})
        for (const auto cuts : {whole_layers, anywhere}) {
          SCOPED_TRACE(::testing::Message() << by_fft << ", ends " << ends << ", " << stretched
                                            << (cuts == anywhere ? ", cut anywhere" : ""));
          const unsigned not_by_fft = stretched ? ~by_fft : 0;
          expect_same_bits_as_one_process<TypeParam>(box_with_ends({8, 6, 10}, ends, 1, not_by_fft),
                                                     by_fft, cuts);
          expect_same_bits_as_one_process<TypeParam>(box_with_ends({9, 12}, ends, 1, not_by_fft),
                                                     by_fft % 2, cuts);
        }
}

TYPED_TEST(SharedBoxFft, float_solutions_have_the_bits_of_one_process) {
  for (int ends = 0; ends < end_kinds; ++ends)
    for (const unsigned by_fft : {1U, 2U, 3U}) {
      SCOPED_TRACE(::testing::Message() << by_fft << ", ends " << ends);
      expect_same_bits_as_one_process<TypeParam, float>(box_with_ends({12, 10}, ends, 1), by_fft);
      expect_same_bits_as_one_process<TypeParam, float>(box_with_ends({12, 10, 8}, ends, 1),
                                                        by_fft);
    }
}

TYPED_TEST(SharedBoxFft, serves_fewer_layers_and_lines_than_processes) {
  for (int ends = 0; ends < end_kinds; ++ends)
    for (const std::vector<int>& points :
         std::vector<std::vector<int>>{{2, 40}, {40, 2}, {3, 1, 8}, {30, 5, 2}, {12}, {5, 1}}) {
      SCOPED_TRACE(::testing::PrintToString(points) + ", ends " + std::to_string(ends));
      expect_same_bits_as_one_process<TypeParam>(box_with_ends(points, ends, 0));
    }
}

// On GPUs the kernels of a library may depend on how much they transform at once.
TYPED_TEST(SharedBoxFft, larger_boxes_have_the_solutions_of_one_process) {
  if (std::is_same_v<TypeParam, Host>) GTEST_SKIP() << "takes long with the stand-in";
  for (const std::vector<int>& points :
       std::vector<std::vector<int>>{{64, 64, 64}, {128, 96, 80}, {160, 128, 128}, {512, 512}})
    for (const int ends : {0, 1})
      for (const unsigned by_fft : {3U, 1U}) {
        SCOPED_TRACE(::testing::PrintToString(points) + ", ends " + std::to_string(ends) + ", " +
                     std::to_string(by_fft));
        const SeparableSystem system = box_with_ends(points, ends, 0);
        for (const auto cuts : {eights_of_layers, anywhere}) {
          expect_solutions_of_one_process(system, Transforms<TypeParam, double>{.by_fft = by_fft},
                                          cuts, Agreement::rounding);
          expect_solutions_of_one_process(system, Transforms<TypeParam, float>{.by_fft = by_fft},
                                          cuts, Agreement::rounding);
        }
      }
}

}  // namespace
}  // namespace hodge::linalg
