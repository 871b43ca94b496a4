// Lines along an axis by elimination: right for every length, end and eigenvalue, with the same
// bits however processes share the blocks of layers.
#include "linalg/direct/line_elimination.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "tests/support/direct_systems.hpp"
#include "tests/support/in_processes.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg::tests_of_lines {
namespace {

using tests::axis_with;
using tests::end_kinds;

// From the constant, and close to it, to lines without neighbours: enough for parts of 7 processes.
const std::vector<double> eigenvalues{0,   1e-13, 1e-6, 0.3, 40,   1e7, 1e-3, 0.01, 0.1, 0.5, 1,
                                      1.5, 2,     3,    4,   1e-4, 10,  20,   100,  1e3, 1e5};

struct Lines {
  const SeparableAxis& axis;
  SpectralShift by;
  std::vector<double> values;  // by layer and eigenvalue
};

int lines_of_layer() {
  return static_cast<int>(eigenvalues.size());
}

// Where the line is singular its right side fits.
Lines lines_along(const SeparableAxis& axis, const SpectralShift& by) {
  const int count = lines_of_layer();
  Lines lines{axis, by, tests::random_values(axis.points() * count, 7)};
  if (!axis.is_singular() || by.shift != 0) return lines;
  double sum = 0, volume = 0;
  for (const double weight : axis.weights) volume += weight;
  for (int k = 0; k < axis.points(); ++k) sum += lines.values[k * count];
  for (int k = 0; k < axis.points(); ++k) lines.values[k * count] -= sum / volume * axis.weights[k];
  return lines;
}

// Of the process that has these blocks.
template <class Space, class T>
std::vector<double> solve(const Lines& lines, const SharedBlocks& blocks) {
  const LayerBlocks layers{lines.axis.points(), layers_of_block<Space>};
  const auto rank = static_cast<std::size_t>(blocks.processes->rank());
  const auto at = [&](std::size_t p) {
    return lines.values.begin() + std::ptrdiff_t{layers.first(blocks.first[p])} * lines_of_layer();
  };
  const std::vector<T> own(at(rank), at(rank + 1));
  Buffer<T, Space> values{std::span<const T>(own)};
  const Buffer<double, Space> x{std::span<const double>(eigenvalues)}, y(1);
  Amplitudes<T> amplitudes;
  amplitudes.x.entries = lines_of_layer();
  amplitudes.x.values = x.data();
  amplitudes.y.values = y.data();
  amplitudes.set_strides(true, lines.axis.points());
  LineElimination<Space, T> elimination(lines.axis, lines.axis.is_singular(), amplitudes, blocks);
  amplitudes.real = values.data();
  elimination.solve(amplitudes, lines.by);
  const std::vector<T> solution = values.to_host();
  return {solution.begin(), solution.end()};
}

// The largest residual of a line over eps (|K| |y| + |f|), with the largest |y| of the line.
double worst_residual(const Lines& lines, const std::vector<double>& y) {
  const SeparableAxis& axis = lines.axis;
  const int n = axis.points(), count = lines_of_layer();
  double worst = 0;
  for (int line = 0; line < count; ++line) {
    double largest = 0;
    for (int k = 0; k < n; ++k) largest = std::max(largest, std::abs(y[k * count + line]));
    for (int k = 0; k < n; ++k) {
      const auto value = [&](int layer) {
        const bool beyond = !axis.periodic && (layer < 0 || layer >= n);
        return beyond ? 0 : y[(layer + n) % n * count + line];
      };
      const double sum = (lines.by.shift + lines.by.factor * eigenvalues[line]) * axis.weights[k],
                   below = lines.by.factor * axis.couplings[k],
                   above = lines.by.factor * axis.couplings[k + 1];
      const double f = lines.values[k * count + line], product = sum * value(k) +
                                                                 below * (value(k) - value(k - 1)) +
                                                                 above * (value(k) - value(k + 1));
      const double size = (sum + 2 * below + 2 * above) * largest + std::abs(f);
      worst = std::max(worst, std::abs(f - product) / (2.3e-16 * size));
    }
  }
  return worst;
}

SharedBlocks on_one_process(int blocks) {
  return {&one_process(), {0, blocks}};
}

template <class Space>
class LineEliminationTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(LineEliminationTest, tests::Spaces, tests::SpaceName);

TYPED_TEST(LineEliminationTest, leaves_residuals_of_rounding_for_every_length_end_and_eigenvalue) {
  using Space = TypeParam;
  for (const int n : {1, 2, 3, 4, 5, 7, 8, 9, 10, 16, 17, 31, 64, 97, 128, 257, 1000})
    for (int ends = 0; ends < end_kinds; ++ends)
      for (const bool stretched : {false, true})
        for (const SpectralShift by :
             {SpectralShift{0, 1}, SpectralShift{0, 3e-4}, SpectralShift{5, 0.1}}) {
          SCOPED_TRACE(::testing::Message() << n << ", ends " << ends << ", " << stretched
                                            << ", shift " << by.shift << " " << by.factor);
          const SeparableAxis axis = axis_with(ends, n, stretched, 0, 1);
          const Lines lines = lines_along(axis, by);
          const int blocks = LayerBlocks{n, layers_of_block<Space>}.count();
          EXPECT_LT(worst_residual(lines, solve<Space, double>(lines, on_one_process(blocks))), 40);
        }
}

TYPED_TEST(LineEliminationTest, the_constant_of_a_singular_line_has_no_mean) {
  using Space = TypeParam;
  for (const int ends : {0, 1})
    for (const int n : {1, 6, 50}) {
      const SeparableAxis axis = axis_with(ends, n, true, 0, 1);
      Lines lines = lines_along(axis, {0, 2});
      for (int k = 0; k < n; ++k)  // a part that does not fit
        lines.values[k * lines_of_layer()] += 3 * axis.weights[k];
      const int blocks = LayerBlocks{n, layers_of_block<Space>}.count();
      const std::vector<double> y = solve<Space, double>(lines, on_one_process(blocks));
      double mean = 0;
      for (int k = 0; k < n; ++k) mean += axis.weights[k] * y[k * lines_of_layer()];
      EXPECT_NEAR(mean, 0, 1e-14) << n;
      for (int k = 0; k < n; ++k)  // the rest of it is the same per weight
        lines.values[k * lines_of_layer()] -= 3 * axis.weights[k];
      EXPECT_LT(worst_residual(lines, y), 8) << n;
    }
}

// Blocks of each process: uneven, one alone, none at the end.
std::vector<int> cuts_of(int blocks, int processes, int kind) {
  std::vector<int> cuts{0};
  for (int p = 1; p < processes; ++p)
    cuts.push_back(kind == 0   ? blocks * p * p / (processes * processes)
                   : kind == 1 ? std::min(p, blocks)
                               : std::max(0, blocks - processes + p));
  cuts.push_back(blocks);
  return cuts;
}

template <class T>
void expect_bits_of_one_process(const SeparableAxis& axis, const SpectralShift& by,
                                const std::vector<int>& more = {}) {
  const Lines lines = lines_along(axis, by);
  const int blocks = LayerBlocks{axis.points(), layers_of_block<Host>}.count();
  const std::vector<double> expected = solve<Host, T>(lines, on_one_process(blocks));
  std::vector<int> counts = tests::numbers_of_processes();
  if (tests::processes_are_threads) counts.insert(counts.end(), more.begin(), more.end());
  for (const int count : counts)
    for (const int kind : {0, 1, 2})
      tests::run_in_processes(count, [&](Communicator& processes) {
        const SharedBlocks shared{&processes, cuts_of(blocks, count, kind)};
        const std::vector<double> own = solve<Host, T>(lines, shared);
        const auto first =
            static_cast<std::size_t>(LayerBlocks{axis.points(), layers_of_block<Host>}.first(
                                         shared.first[static_cast<std::size_t>(processes.rank())]) *
                                     lines_of_layer());
        EXPECT_TRUE(std::equal(own.begin(), own.end(), expected.begin() + first))
            << count << " " << kind;
      });
}

TEST(SharedLines, values_have_the_bits_of_one_process_for_any_cuts) {
  for (const int n : {1, 2, 5, 8, 13, 37, 64, 131, 257})
    for (int ends = 0; ends < end_kinds; ++ends)
      for (const bool stretched : {false, true}) {
        SCOPED_TRACE(::testing::Message() << n << ", ends " << ends << ", " << stretched);
        const SeparableAxis axis = axis_with(ends, n, stretched, 0, 1);
        expect_bits_of_one_process<double>(axis, {0, 1});
        expect_bits_of_one_process<float>(axis, {2, 0.5});
      }
}

// Groups of 4 and 16 processes, and what is left over.
TEST(SharedLines, many_processes_join_their_nodes_in_rounds) {
  for (const int n : {37, 256, 301})
    for (int ends = 0; ends < end_kinds; ++ends) {
      SCOPED_TRACE(::testing::Message() << n << ", ends " << ends);
      const SeparableAxis axis = axis_with(ends, n, true, 0, 1);
      expect_bits_of_one_process<double>(axis, {0, 1}, {5, 7, 8, 18});
      expect_bits_of_one_process<float>(axis, {0, 0.5}, {5, 7});
    }
}

TEST(LineParts, every_line_is_of_one_process_of_each_group) {
  for (const int processes : {1, 2, 3, 4, 5, 7, 16, 19, 64, 70})
    for (const int lines : {4, 24, 1000})
      for (int round = 0; round <= rounds_of(processes); ++round)
        for (int p = 0; p < processes; ++p) {
          const ProcessGroup group = group_of(round, p, processes);
          std::vector<int> owners(static_cast<std::size_t>(lines));
          for (int q = group.first; q < group.end; ++q) {
            const LinePart part = part_of_lines(lines, round, q, processes);
            for (int line = part.first; line < part.end; ++line) ++owners[line];
          }
          EXPECT_EQ(std::ranges::count(owners, 1), lines) << processes << " " << round;
        }
}

TEST(LineParts, a_process_sends_three_messages_a_round_and_keeps_a_part_of_what_it_had) {
  for (const int processes : {4, 16, 64})
    for (int p = 0; p < processes; ++p) {
      int messages = 0;
      for (int round = 1; round <= rounds_of(processes); ++round) {
        const auto part = [&](int r, int q) {
          return part_of_lines(4 * processes, r, q, processes);
        };
        const ProcessGroup group = group_of(round, p, processes);
        EXPECT_EQ(common(part(round - 1, p), part(round, p)).size(), part(round, p).size());
        for (int q = group.first; q < group.end; ++q)
          messages += q != p && common(part(round - 1, p), part(round, q)).size() > 0 ? 1 : 0;
      }
      EXPECT_EQ(messages, 3 * rounds_of(processes));
    }
}

TEST(LineTree, equal_cells_have_few_factors_and_stretched_ones_those_of_each_node) {
  const auto factors = [](int ends, bool stretched) {
    const std::vector<int> all{0, 64};
    return LineTree(axis_with(ends, 512, stretched, 0, 1), 8, all, 0).factors();
  };
  EXPECT_EQ(factors(0, false), 1 + 6);  // the root, and one for each level
  EXPECT_EQ(factors(1, false), 1 + 6);
  EXPECT_EQ(factors(2, false), 1 + 4 * 3 + 2 + 1);  // nodes at the ends have others
  EXPECT_EQ(factors(0, true), 1 + 63);
}

}  // namespace
}  // namespace hodge::linalg::tests_of_lines
