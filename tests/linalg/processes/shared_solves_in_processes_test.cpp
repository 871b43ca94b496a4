// Every solver with every preconditioner on rows that processes share: the iterations, the history
// and the bits of x of one process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "linalg/solve/solve.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/random_sparse.hpp"
#include "tests/support/separable.hpp"
#include "tests/support/shared_systems.hpp"

namespace hodge::linalg {
namespace {

using tests::HostMatrix;
using tests::OwnRows;

// What a solve has found, for a comparison.
struct Found {
  SolveReport report;
  std::vector<double> x;
};

void expect_same(const std::vector<Found>& found) {
  const Found& one = found[0];
  for (std::size_t i = 1; i < found.size(); ++i) {
    SCOPED_TRACE(std::to_string(i + 1) + " processes");
    const SolveReport& report = found[i].report;
    EXPECT_EQ(report.status, one.report.status) << describe(report) << '\n' << describe(one.report);
    EXPECT_EQ(report.breakdown, one.report.breakdown);
    EXPECT_EQ(report.bad_row, one.report.bad_row);
    EXPECT_EQ(report.iterations, one.report.iterations);
    EXPECT_EQ(report.history, one.report.history);
    EXPECT_EQ(report.rhs_norm, one.report.rhs_norm);
    EXPECT_TRUE(report.true_residual == one.report.true_residual ||
                (std::isnan(report.true_residual) && std::isnan(one.report.true_residual)))
        << report.true_residual << " and " << one.report.true_residual;
    EXPECT_EQ(report.made, one.report.made);
    EXPECT_EQ(report.advice, one.report.advice);
    EXPECT_EQ(found[i].x, one.x);
  }
}

std::vector<PreconditionerSettings> preconditioners() {
  std::vector<PreconditionerSettings> all;
  for (const auto& entry : preconditioner_table()) {
    const std::string kind = entry.name;
    if (entry.needs_box || kind == "multigrid") continue;  // below, and on grids
    if (kind == "neumann") {
      for (const int degree : {1, 2}) all.push_back({kind, {{"degree", degree}}});
    } else if (kind == "ssor_sai") {
      for (const int order : {1, 2}) all.push_back({kind, {{"order", order}, {"omega", 1.2}}});
      all.push_back({kind, {}});  // with an omega for the matrix
    } else {
      all.push_back({kind});
    }
  }
  return all;
}

std::vector<SolverSettings> variants(bool symmetric) {
  std::vector<SolverSettings> all;
  for (const auto& solver : solver_table()) {
    if (solver.needs_separable || solver.needs_box || (solver.needs_symmetric && !symmetric))
      continue;
    for (const auto& preconditioner : preconditioners()) {
      if (solver.direct && preconditioner.kind != "none") continue;
      SolverSettings s;
      s.method = solver.name;
      s.preconditioner = preconditioner;
      s.max_iterations = 300;
      s.tolerance = 1e-9;
      all.push_back(s);
    }
  }
  return all;
}

Found solve(const OwnRows& own, const HostMatrix& matrix, const SolverSettings& settings,
            const SolveOptions& options = {}) {
  const auto a = own.matrix(matrix);
  const auto b = own.vector(tests::random_values(matrix.rows, 7));
  Vector<Host> x(a->rows());
  LinearSolver<Host> solver(settings, a->rows());
  SolveReport report = solver.solve(*a, b, x, options);
  return {report, own.whole(x)};
}

// With every variant; a solve that has converged has the residual that it reports.
void every_variant_has_the_bits_of_one_process(const HostMatrix& matrix, bool symmetric,
                                               NullSpace null_space = NullSpace::none) {
  const auto b = tests::random_values(matrix.rows, 7);
  int solved = 0;
  for (const SolverSettings& settings : variants(symmetric)) {
    SCOPED_TRACE(settings.method + " + " + settings.preconditioner.kind +
                 brief_text(options_of(settings.preconditioner)));
    SolveOptions options;
    options.null_space = null_space;
    const auto found = tests::by_numbers_of_processes<Found>(
        matrix.rows, [&](const OwnRows& own) { return solve(own, matrix, settings, options); });
    expect_same(found);
    if (!found[0].report.converged()) continue;
    ++solved;
    for (const Found& one : found) {
      const double residual =
          tests::residual_norm(matrix, b, one.x, null_space == NullSpace::constant);
      EXPECT_LE(residual, 1.001 * settings.tolerance * one.report.rhs_norm);
    }
  }
  EXPECT_GE(solved, 12);  // breakdowns are compared, too, but most variants must solve
}

TEST(SharedSolves, what_each_process_would_have_to_do_alone_is_refused) {
  const HostMatrix matrix = tests::poisson({19, 18, 1});
  SolverSettings settings;
  for (const PreconditionerSettings& preconditioner :
       {PreconditionerSettings{"ssor_sai", {{"form", "truncated"}}}, {"multigrid"}}) {
    settings.preconditioner = preconditioner;
    tests::run_in_processes(2, [&](Communicator& processes) {
      const OwnRows own{processes, RowBlocks::even(matrix.rows, processes.size())};
      EXPECT_THAT(test::message_of<ConfigError>([&] { (void)solve(own, matrix, settings); }),
                  ::testing::HasSubstr("take "));
    });
  }
  settings.preconditioner = {"jacobi"};
  settings.fallback = {"gauss"};
  EXPECT_EQ(refusal_of_sharing(settings, largest_dense), "");
  EXPECT_THAT(refusal_of_sharing(settings, largest_dense + 1), ::testing::HasSubstr("take "));
}

TEST(SharedSolves, poisson) {
  every_variant_has_the_bits_of_one_process(tests::poisson({19, 18, 1}), true);
}

TEST(SharedSolves, singular_neumann) {
  every_variant_has_the_bits_of_one_process(tests::poisson({17, 13, 1}, true), true,
                                            NullSpace::constant);
}

TEST(SharedSolves, convection) {
  every_variant_has_the_bits_of_one_process(tests::convection_diffusion({15, 17, 1}, 2.0), false);
}

// Rows of many lengths, summed in lanes.
HostMatrix irregular_matrix() {
  tests::Entries entries;
  const HostMatrix sparse = tests::random_sparse(260, 260, 24);
  for (int i = 0; i < sparse.rows; ++i) {
    entries[{i, i}] = 60.0 + i % 7;
    for (int k = sparse.row_offsets[i]; k < sparse.row_offsets[i + 1]; ++k)
      if (sparse.columns[k] != i) entries[{i, sparse.columns[k]}] = sparse.values[k];
    entries[{40, i}] = i == 40 ? 300.0 : 0.5;  // and a full one
  }
  return tests::from_entries(sparse.rows, sparse.cols, entries);
}

TEST(SharedSolves, irregular_rows) {
  every_variant_has_the_bits_of_one_process(irregular_matrix(), false);
}

TEST(SharedSolves, fewer_rows_than_processes_have_pieces) {
  every_variant_has_the_bits_of_one_process(tests::poisson({5, 4, 1}), true);
}

SolverSettings cg_with(const std::string& kind) {
  SolverSettings settings;
  settings.method = "cg";
  settings.preconditioner = {kind};
  settings.tolerance = 1e-9;
  return settings;
}

TEST(SharedSolves, a_zero_on_the_diagonal_of_one_process_is_told_by_all) {
  HostMatrix matrix = tests::poisson({20, 20, 1});
  for (const int row : {390, 220})
    for (int k = matrix.row_offsets[row]; k < matrix.row_offsets[row + 1]; ++k)
      if (matrix.columns[k] == row) matrix.values[k] = 0.0;
  for (const char* kind : {"jacobi", "neumann", "ssor_sai", "multigrid"}) {
    SCOPED_TRACE(kind);
    tests::run_in_processes(4, [&](Communicator& processes) {
      const RowBlocks blocks = tests::uneven_blocks(matrix.rows, 4);
      const Found found = solve({processes, blocks}, matrix, cg_with(kind));
      EXPECT_EQ(found.report.status, SolveStatus::breakdown);
      EXPECT_EQ(found.report.breakdown, Breakdown::bad_diagonal);
      EXPECT_EQ(found.report.bad_row, 220);
    });
  }
}

TEST(SharedSolves, not_a_number_on_one_process_is_told_by_all) {
  const HostMatrix matrix = tests::poisson({20, 20, 1});
  tests::run_in_processes(4, [&](Communicator& processes) {
    const RowBlocks blocks = tests::uneven_blocks(matrix.rows, 4);
    const OwnRows own{processes, blocks};
    const auto a = own.matrix(matrix);
    auto values = tests::random_values(matrix.rows);
    values[399] = std::nan("");
    Vector<Host> x(a->rows());
    const auto report =
        LinearSolver<Host>(cg_with("jacobi"), a->rows()).solve(*a, own.vector(values), x);
    EXPECT_EQ(report.status, SolveStatus::breakdown);
    EXPECT_EQ(report.breakdown, Breakdown::not_finite);
  });
}

TEST(SharedSolves, all_processes_have_the_same_report) {
  const HostMatrix matrix = tests::convection_diffusion({20, 20, 1}, 2.0);
  for (const char* method : {"cg", "bicgstab"})  // cg refuses the matrix
    tests::run_in_processes(3, [&](Communicator& processes) {
      const RowBlocks blocks = tests::uneven_blocks(matrix.rows, 3);
      SolverSettings settings = cg_with("ssor_sai");
      settings.method = method;
      const SolveReport own = solve({processes, blocks}, matrix, settings).report;
      double found[] = {static_cast<double>(own.iterations), own.true_residual,
                        static_cast<double>(own.status)};
      const auto mine = std::to_array(found);
      processes.maximum(found);
      EXPECT_EQ(std::to_array(found), mine);
      EXPECT_EQ(own.breakdown,
                std::string(method) == "cg" ? Breakdown::not_symmetric : Breakdown::none);
    });
}

TEST(SharedSolves, other_options_have_the_bits_of_one_process) {
  const HostMatrix matrix = tests::central_time_step({14, 15, 1}, 2.0, 0.5);
  HostMatrix second = matrix;
  for (double& value : second.values) value *= 1.25;
  for (const char* kind : {"ssor_sai", "neumann"})
    for (const char* method : {"bicg", "gmres"}) {
      SCOPED_TRACE(std::string(method) + " + " + kind);
      const auto found =
          tests::by_numbers_of_processes<Found>(matrix.rows, [&](const OwnRows& own) {
            SolverSettings settings = cg_with(kind);
            settings.method = method;
            settings.fallback = {"bicgstab"};
            settings.max_seconds = 1000.0;
            settings.refresh = "never";
            const auto a = own.matrix(matrix);
            const auto b = own.vector(tests::random_values(matrix.rows, 7));
            Vector<Host> x(a->rows()), weights(a->rows());
            weights.fill(2.0);
            LinearSolver<Host> solver(settings, a->rows());
            const MaximumRule<Host> rule{&weights, 2.0, 1e-6};
            (void)solver.solve(*a, b, x, {}, &rule);
            a->values().upload(own.matrix(second)->values().to_host());
            SolveOptions changed;
            changed.changed = Changed::values;
            SolveReport report = solver.solve(*a, b, x, changed, &rule);
            EXPECT_TRUE(report.converged()) << describe(report);
            return Found{report, own.whole(x)};
          });
      expect_same(found);
      for (const Found& one : found) EXPECT_EQ(one.report.maximum, found[0].report.maximum);
    }
}

// A product that reads the arrays of the axes rounds otherwise, so a kernel is named.
std::vector<Found> solves_on_a_box(const SolverSettings& settings) {
  auto system = std::make_shared<SeparableSystem>();
  system->axes = {tests::uniform_axis(18, 0.1, false), tests::uniform_axis(14, 0.07, false, true)};
  const HostMatrix matrix = tests::matrix_of(*system);
  return tests::by_numbers_of_processes<Found>(matrix.rows, [&](const OwnRows& own) {
    const auto a = own.matrix(matrix, Symmetry::symmetric);
    a->describe_as(system);
    a->use({.kernel = "csr_scalar"});
    const auto b = own.vector(tests::random_values(matrix.rows, 7));
    Vector<Host> x(a->rows());
    SolveReport report = LinearSolver<Host>(settings, a->rows()).solve(*a, b, x);
    EXPECT_TRUE(report.converged()) << describe(report);
    return Found{report, own.whole(x)};
  });
}

TEST(SharedSolves, transforms_of_a_box_have_the_bits_of_one_process) {
  SolverSettings direct = cg_with("none");
  direct.method = "direct";
  expect_same(solves_on_a_box(direct));
  expect_same(solves_on_a_box(cg_with("direct")));
  SolverSettings capacitance = cg_with("none");
  capacitance.method = "capacitance";
  expect_same(solves_on_a_box(capacitance));
}

TEST(SharedSolves, systems_for_several_threads_have_the_bits_of_one_process) {
  const HostMatrix matrix = tests::convection_diffusion({90, 80, 1}, 1.0);
  for (const char* method : {"bicg", "bicgstab", "gmres"}) {
    SCOPED_TRACE(method);
    SolverSettings settings = cg_with("ssor_sai");
    settings.method = method;
    settings.max_iterations = 30;
    const auto found = tests::by_numbers_of_processes<Found>(
        matrix.rows, [&](const OwnRows& own) { return solve(own, matrix, settings); });
    expect_same(found);
  }
}

TEST(SharedSolves, systems_that_have_to_be_scaled_have_the_bits_of_one_process) {
  HostMatrix matrix = tests::poisson({12, 11, 1});
  for (double& value : matrix.values) value *= 1e-200;
  const auto found = tests::by_numbers_of_processes<Found>(
      matrix.rows, [&](const OwnRows& own) { return solve(own, matrix, cg_with("jacobi")); });
  EXPECT_TRUE(found[0].report.converged()) << describe(found[0].report);
  expect_same(found);
}

TEST(SharedSolves, float_systems_have_the_bits_of_one_process) {
  const HostMatrix matrix = tests::poisson({16, 15, 1});
  const auto values = tests::random_values(matrix.rows, 7);
  const std::vector<float> b(values.begin(), values.end());
  for (const char* kind : {"jacobi", "ssor_sai"}) {
    SolverSettings settings = cg_with(kind);
    settings.tolerance = 1e-4;
    const auto found = tests::by_numbers_of_processes<Found>(matrix.rows, [&](const OwnRows& own) {
      const auto a = own.matrix<float>(matrix);
      Vector<Host, float> x(a->rows());
      SolveReport report =
          LinearSolver<Host, float>(settings, a->rows()).solve(*a, own.vector(b), x);
      const auto whole = own.whole(x);
      return Found{report, {whole.begin(), whole.end()}};
    });
    EXPECT_TRUE(found[0].report.converged());
    expect_same(found);
  }
}

}  // namespace
}  // namespace hodge::linalg
