// cg in one kernel against cg in several kernels, which a MaximumRule enforces.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "linalg/solve/solve.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests::HostMatrix;

template <class Space>
class ResidentCgTest : public tests::SpaceTest<Space> {
 protected:
  static SolveReport solve(const HostMatrix& host, const SolverSettings& settings, bool watched,
                           std::vector<double>& solution) {
    const auto a = host.in<Space>(Symmetry::symmetric);
    const std::vector<double> b = tests::random_values(host.rows, 3), w(b.size(), 1.0);
    const Vector<Space> right{std::span<const double>(b)}, weights{std::span<const double>(w)};
    const MaximumRule<Space> never{&weights, 1.0, 1e-300};
    Vector<Space> x(host.rows);
    const SolveReport report = LinearSolver<Space>(settings, host.rows)
                                   .solve(*a, right, x, {}, watched ? &never : nullptr);
    solution = x.to_host();
    return report;
  }

  static void is_the_same(const HostMatrix& host, const SolverSettings& settings) {
    std::vector<double> resident_x, x;
    const SolveReport resident = solve(host, settings, false, resident_x);
    const SolveReport report = solve(host, settings, true, x);
    ASSERT_EQ(resident.status, report.status);
    ASSERT_EQ(resident.iterations, report.iterations);
    ASSERT_EQ(resident.history.size(), report.history.size());
    for (std::size_t i = 0; i < report.history.size(); ++i)
      ASSERT_NEAR(resident.history[i], report.history[i], 1e-6 * report.history[0]) << i;
    const double size = tests::norm2(x);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(resident_x[i], x[i], 1e-7 * size) << i;
    EXPECT_LT(tests::residual_norm(host, tests::random_values(host.rows, 3), resident_x),
              1.01 * resident.true_residual + 1e-12);
  }
};
TYPED_TEST_SUITE(ResidentCgTest, tests::Spaces, tests::SpaceName);

SolverSettings with(const PreconditionerSettings& preconditioner, int iterations) {
  SolverSettings settings;
  settings.method = "cg";
  settings.preconditioner = preconditioner;
  settings.max_iterations = iterations;
  settings.tolerance = 1e-6;
  return settings;
}

std::vector<PreconditionerSettings> all_resident() {
  return {{"none", {}},
          {"jacobi", {}},
          {"ssor_sai", {{"order", 1}, {"omega", 1.2}}},
          {"ssor_sai", {{"order", 2}, {"omega", 1.6}}}};
}

// From one row to several blocks, with one and two rows per thread: 263169 rows need two on 132
// multiprocessors.
TYPED_TEST(ResidentCgTest, iterations_in_one_kernel_are_those_of_several) {
  for (const std::array<int, 3> n : std::vector<std::array<int, 3>>{
           {2, 1, 1}, {7, 5, 1}, {16, 16, 1}, {33, 31, 30}, {130, 130, 10}, {513, 513, 1}})
    for (const PreconditionerSettings& preconditioner : all_resident()) {
      SCOPED_TRACE(std::to_string(n[0]) + " x " + std::to_string(n[1]) + " " + preconditioner.kind);
      this->is_the_same(tests::poisson(n), with(preconditioner, 40));
    }
}

TYPED_TEST(ResidentCgTest, a_solve_takes_more_iterations_than_a_kernel) {
  std::vector<double> x;
  const SolveReport report =
      this->solve(tests::poisson({1500, 1, 1}), with({"none", {}}, 3000), false, x);
  EXPECT_TRUE(report.converged());
  EXPECT_GT(report.iterations, 1000);
}

TYPED_TEST(ResidentCgTest, an_indefinite_matrix_ends_with_its_name) {
  HostMatrix host = tests::poisson({12, 12, 1});
  for (int i = 0; i < host.rows; ++i)
    for (int k = host.row_offsets[i]; k < host.row_offsets[i + 1]; ++k)
      if (host.columns[k] == i && i > 70) host.values[k] = -4.0;
  for (const bool watched : {false, true}) {
    std::vector<double> x;
    const SolveReport report = this->solve(host, with({"none", {}}, 500), watched, x);
    EXPECT_EQ(report.status, SolveStatus::breakdown);
    EXPECT_EQ(report.breakdown, Breakdown::indefinite_operator);
  }
}

// For entries on many diagonals the columns are read.
TYPED_TEST(ResidentCgTest, rows_without_diagonals_are_multiplied_too) {
  const int n = 3000;
  tests::Entries entries;
  const std::vector<double> random = tests::random_values(4 * n, 5);
  std::vector<double> diagonal(n, 1.0);
  for (int k = 0; k < 2 * n; ++k) {
    const int i = static_cast<int>(std::fmod(std::abs(random[2 * k]) * 1e6, n)), j = k % n;
    if (i == j || entries.count({i, j}) > 0) continue;
    entries[{i, j}] = entries[{j, i}] = -0.5;
    diagonal[i] += 0.5;
    diagonal[j] += 0.5;
  }
  for (int i = 0; i < n; ++i) entries[{i, i}] = diagonal[i];
  for (const PreconditionerSettings& preconditioner : all_resident())
    this->is_the_same(tests::from_entries(n, n, entries), with(preconditioner, 100));
}

// The first and the last block read each other's vectors, the others only those beside them.
TYPED_TEST(ResidentCgTest, blocks_that_are_no_neighbours_exchange_vectors_too) {
  const int n = 5000;
  tests::Entries entries;
  for (int i = 0; i < n; ++i) {
    entries[{i, i}] = 2.1;
    for (const int j : {(i + 1) % n, (i + n - 1) % n}) entries[{i, j}] = -1.0;
  }
  for (const PreconditionerSettings& preconditioner : all_resident())
    this->is_the_same(tests::from_entries(n, n, entries), with(preconditioner, 100));
}

// A stored zero without its mirror: row 4 reads of the last block, which reads nothing of the
// first.
TYPED_TEST(ResidentCgTest, a_block_waits_for_those_that_read_its_vectors) {
  const int n = 3000;
  tests::Entries entries;
  for (int i = 0; i < n; ++i) {
    entries[{i, i}] = 2.1;
    if (i > 0) entries[{i, i - 1}] = -1.0;
    if (i + 1 < n) entries[{i, i + 1}] = -1.0;
  }
  for (int i = 0; i < 40; ++i) entries[{4 + i, n - 3 * i - 1}] = 0.0;
  for (const PreconditionerSettings& preconditioner : all_resident())
    this->is_the_same(tests::from_entries(n, n, entries), with(preconditioner, 100));
}

// The entries of the first blocks do not fit into the shared memory that suffices for the others.
TYPED_TEST(ResidentCgTest, entries_that_do_not_fit_are_read_from_memory) {
  const int n = 3000;
  tests::Entries entries;
  for (int i = 0; i < n; ++i) {
    double sum = 0.1;
    const auto couples = [](int row, int other) {
      return std::max(row, other) < 300 || std::abs(row - other) == 1;
    };
    for (int j = std::max(0, i - 15); j <= std::min(n - 1, i + 15); ++j) {
      if (j == i || !couples(i, j)) continue;
      entries[{i, j}] = -1.0 / std::abs(i - j);
      sum += 1.0 / std::abs(i - j);
    }
    entries[{i, i}] = sum;
  }
  for (const PreconditionerSettings& preconditioner : all_resident())
    this->is_the_same(tests::from_entries(n, n, entries), with(preconditioner, 100));
}

}  // namespace
}  // namespace hodge::linalg
