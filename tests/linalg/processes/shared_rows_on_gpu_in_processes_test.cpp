// Rows that processes share on GPUs: products, sweeps and solves have the bits of one process. Only
// under mpirun, because threads that act as processes cannot share a GPU; processes may.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "linalg/matrices/transpose.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/processes/sum_chunks.hpp"
#include "linalg/solve/solve.hpp"
#include "linalg/solve/together.hpp"
#include "tests/support/in_processes.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/random_sparse.hpp"
#include "tests/support/separable.hpp"
#include "tests/support/spaces.hpp"

#if HODGE_HAS_CUDA

namespace hodge::linalg {
namespace {

using tests::HostMatrix;
using Values = std::vector<double>;

class SharedRowsCuda : public tests::SpaceTest<Cuda> {};

// The own rows of a matrix that every process has as a whole.
struct RowsOnGpu {
  Communicator& processes;
  std::int64_t first, end;

  // Blocks of very different sizes, which begin with chunks of the sums.
  static RowBlocks blocks(std::int64_t rows, int processes) {
    const std::int64_t step = chunk_alignment(rows), chunks = (rows + step - 1) / step;
    std::vector<std::int64_t> first{0};
    for (int p = 1; p < processes; ++p)
      first.push_back(std::min(
          rows,
          std::max(first.back() / step + 1, chunks * p * p / (processes * processes)) * step));
    first.push_back(rows);
    return RowBlocks(std::move(first));
  }

  template <class T>
  std::unique_ptr<CsrMatrix<Cuda, T>> matrix(const HostMatrix& whole, Symmetry symmetry) const {
    if (processes.size() == 1) return whole.in<Cuda, T>(symmetry);
    const auto begin = static_cast<std::size_t>(whole.row_offsets[static_cast<std::size_t>(first)]);
    std::vector<int> offsets;
    for (std::int64_t row = first; row <= end; ++row)
      offsets.push_back(whole.row_offsets[static_cast<std::size_t>(row)] - static_cast<int>(begin));
    const auto entries = static_cast<std::size_t>(offsets.back());
    const std::vector<std::int64_t> columns(&whole.columns[begin], &whole.columns[begin] + entries);
    const auto sharing = std::make_shared<const RowSharing>(
        processes, blocks(whole.rows, processes.size()), std::span<const int>(offsets),
        std::span<const std::int64_t>(columns));
    auto matrix = std::make_unique<CsrMatrix<Cuda, T>>(
        std::make_shared<const CsrPattern<Cuda>>(sharing, std::span<const int>(offsets),
                                                 sharing->numbered(columns)),
        symmetry);
    matrix->values().upload(std::vector<T>(&whole.values[begin], &whole.values[begin] + entries));
    return matrix;
  }
  template <class T>
  Vector<Cuda, T> vector(const Values& whole) const {
    const std::vector<T> own(whole.begin() + first, whole.begin() + end);
    return Vector<Cuda, T>(std::span<const T>(own));
  }
  template <class T>
  Values whole(const Vector<Cuda, T>& own) const {
    const std::vector<T> all = gather_lists(processes, std::span<const T>(own.to_host()));
    return {all.begin(), all.end()};
  }
};

// program(own rows) by one process and by all of them.
void expect_same_on_gpus(int rows, const std::function<Values(const RowsOnGpu&)>& program) {
  Values of_one;
  for (const int count : tests::numbers_of_processes()) {
    if (tests::processes_are_threads && count > 1) break;
    Values found;
    tests::run_in_processes(count, [&](Communicator& processes) {
      const RowBlocks blocks = RowsOnGpu::blocks(rows, count);
      const int rank = processes.rank();
      found = program({processes, blocks.first(rank), blocks.first(rank) + blocks.rows_of(rank)});
    });
    if (count == 1) of_one = found;
    ASSERT_EQ(found.size(), of_one.size());
    const auto other = std::mismatch(found.begin(), found.end(), of_one.begin());
    EXPECT_TRUE(other.first == found.end())
        << count << " processes: value " << other.first - found.begin() << " of " << found.size()
        << " is " << ::testing::PrintToString(*other.first) << " in place of "
        << ::testing::PrintToString(*other.second);
  }
}

struct Case {
  HostMatrix matrix;
  const char* kernel;
  std::shared_ptr<const SeparableSystem> box = nullptr;
};

// Enough rows for four processes that begin with chunks.
std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back({tests::poisson({90, 57, 1}), "csr_diagonals"});
  all.push_back({tests::convection_diffusion({17, 16, 20}, 3.0), "csr_diagonals"});
  all.push_back({tests::poisson({90, 57, 1}), "csr_scalar"});
  all.push_back({tests::random_sparse(5000, 5000, 4), "automatic"});
  all.push_back({tests::random_sparse(4000, 4000, 30), "automatic"});
  all.push_back({tests::random_sparse(4000, 4000, 9), "csr_vector"});
  const auto box = std::make_shared<const SeparableSystem>(tests::periodic_box({24, 20, 16}));
  all.push_back({tests::matrix_of(*box), "automatic", box});
  return all;
}

template <class T>
Values products(const RowsOnGpu& own, const Case& c) {
  const auto a = own.matrix<T>(c.matrix, Symmetry::unknown);
  a->use({.kernel = c.kernel});
  a->describe_as(c.box);
  EXPECT_EQ(a->view().multiplies_by_box(), c.box != nullptr);
  const SharingRows sharing(a->shared_rows());
  const int n = c.matrix.rows;
  const auto x = own.vector<T>(tests::random_values(n, 1)),
             w = own.vector<T>(tests::random_values(n, 2)),
             v = own.vector<T>(tests::random_values(n, 3));
  Vector<Cuda, T> y(a->rows()), r(a->rows()), both(a->rows());
  a->spmv(-0.7, x, 1.3, w, y);
  Values results = own.whole(y);
  const auto further = a->apply_and_dots(x, w, both, v);
  const auto of_residual = residual_and_dots(*a, x, w, r);
  for (const Scalar<Cuda>& dot : further) results.push_back(dot.to_host());
  for (const Scalar<Cuda>& dot : of_residual) results.push_back(dot.to_host());
  for (const auto* vector : {&both, &r}) {
    const Values whole = own.whole(*vector);
    results.insert(results.end(), whole.begin(), whole.end());
  }
  return results;
}

TEST_F(SharedRowsCuda, products_have_the_bits_of_one_process) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(std::string(c.kernel) + ", " + std::to_string(c.matrix.rows) + " rows");
    expect_same_on_gpus(c.matrix.rows,
                        [&](const RowsOnGpu& own) { return products<double>(own, c); });
    expect_same_on_gpus(c.matrix.rows,
                        [&](const RowsOnGpu& own) { return products<float>(own, c); });
  }
}

TEST_F(SharedRowsCuda, sweeps_have_the_bits_of_one_process) {
  for (const Case& c : cases()) {
    tests::Entries entries;  // every row gets a diagonal
    for (int i = 0; i < c.matrix.rows; ++i) {
      entries[{i, i}] = 3.0 + i % 5;
      for (int k = c.matrix.row_offsets[i]; k < c.matrix.row_offsets[i + 1]; ++k)
        if (c.matrix.columns[k] != i) entries[{i, c.matrix.columns[k]}] = c.matrix.values[k];
    }
    const HostMatrix matrix = tests::from_entries(c.matrix.rows, c.matrix.rows, entries);
    for (const Triangle part :
         {Triangle::strictly_lower, Triangle::strictly_upper, Triangle::both}) {
      SCOPED_TRACE(std::string(c.kernel) + ", part " + std::to_string(static_cast<int>(part)));
      expect_same_on_gpus(matrix.rows, [&](const RowsOnGpu& own) {
        const auto a = own.matrix<double>(matrix, Symmetry::unknown);
        const auto x = own.vector<double>(tests::random_values(matrix.rows, 1)),
                   b = own.vector<double>(tests::random_values(matrix.rows, 2)),
                   d = own.vector<double>(tests::random_values(matrix.rows, 3));
        Vector<Cuda, double> y(a->rows());
        Cuda::sweep(a->view(), part, d.data(), x.data(), b.data(), 0.7, y.data());
        return own.whole(y);
      });
    }
  }
}

// As bicg takes it: one process reads A by columns, where its entries lie on few diagonals.
TEST_F(SharedRowsCuda, transposed_sweeps_have_the_bits_of_one_process) {
  for (const auto& [matrix, kernel] : std::vector<std::pair<HostMatrix, const char*>>{
           {tests::convection_diffusion({17, 16, 20}, 3.0), "csr_diagonals"},
           {tests::convection_diffusion({90, 57, 1}, 3.0), "csr_diagonals"},
           {tests::convection_diffusion({90, 57, 1}, 3.0), "csr_scalar"}})
    for (const Triangle part :
         {Triangle::strictly_lower, Triangle::strictly_upper, Triangle::both}) {
      SCOPED_TRACE(std::string(kernel) + ", part " + std::to_string(static_cast<int>(part)));
      const int n = matrix.rows;
      expect_same_on_gpus(n, [&, &whole = matrix, name = kernel](const RowsOnGpu& own) {
        const auto a = own.matrix<double>(whole, Symmetry::unknown);
        a->use({.kernel = name});
        const auto x = own.vector<double>(tests::random_values(n, 1)),
                   b = own.vector<double>(tests::random_values(n, 2)),
                   d = own.vector<double>(tests::random_values(n, 3));
        Vector<Cuda, double> y(a->rows());
        TransposedCsr<Cuda> stored;
        std::optional<TransposedDiagonals<Cuda>> by_columns;
        if (own.processes.size() == 1 && std::string(name) == "csr_diagonals")
          by_columns.emplace(*a);
        else
          stored.setup(*a);
        const CsrView<double> view = by_columns ? by_columns->csr_view() : stored.matrix().view();
        Cuda::sweep(view, part, d.data(), x.data(), b.data(), 0.7, y.data());
        return own.whole(y);
      });
    }
}

std::vector<SolverSettings> variants() {
  std::vector<SolverSettings> all;
  for (const char* method : {"cg", "bicg", "bicgstab", "gmres"})
    for (const PreconditionerSettings& preconditioner :
         {PreconditionerSettings{"none"},
          {"jacobi"},
          {"neumann", {{"degree", 2}}},
          {"ssor_sai", {{"omega", 1.2}}},
          {"ssor_sai", {{"order", 2}, {"omega", 1.1}}}}) {
      SolverSettings s;
      s.method = method;
      s.preconditioner = preconditioner;
      s.max_iterations = 200;
      all.push_back(s);
    }
  return all;
}

// The history, two norms and x. `box`: that the matrix names.
Values solve(const RowsOnGpu& own, const HostMatrix& matrix, const SolverSettings& settings,
             NullSpace null_space, bool together,
             const std::shared_ptr<const SeparableSystem>& box = nullptr,
             Symmetry symmetry = Symmetry::symmetric) {
  const auto a = own.matrix<double>(matrix, symmetry);
  if (box != nullptr) {
    a->describe_as(box);
    a->use({.kernel = "csr_diagonals"});
  }
  EXPECT_TRUE(!together || can_be_solved_together(*a));
  const auto b = own.vector<double>(tests::random_values(matrix.rows, 7));
  Vector<Cuda> x(a->rows());
  LinearSolver<Cuda> solver(settings, a->rows());
  Values results;
  for (int i = 0; i < 3; ++i) {  // the third one replays iterations
    x.fill(0.0);
    SolveOptions options;
    options.null_space = null_space;
    options.changed = i == 0 ? Changed::pattern : Changed::nothing;
    const SolveReport report = solver.solve(*a, b, x, options);
    results.insert(results.end(), report.history.begin(), report.history.end());
    results.push_back(report.rhs_norm);
    results.push_back(report.true_residual);
    results.push_back(static_cast<double>(report.iterations));
  }
  const Values whole = own.whole(x);
  results.insert(results.end(), whole.begin(), whole.end());
  return results;
}

// A^T of own rows: by a matrix that is not symmetric, with values that change.
TEST_F(SharedRowsCuda, transposed_products_have_the_bits_of_one_process) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.kernel);
    expect_same_on_gpus(c.matrix.rows, [&](const RowsOnGpu& own) {
      const auto a = own.matrix<double>(c.matrix, Symmetry::unknown);
      const auto x = own.vector<double>(tests::random_values(c.matrix.rows, 1));
      TransposedCsr<Cuda> transposed;
      transposed.setup(*a);
      Vector<Cuda, double> y(a->rows());
      multiply(transposed.matrix(), x, y);
      Values results = own.whole(y);
      std::vector<double> values = a->values().to_host();
      for (double& value : values) value *= 1.5;
      a->values().upload(values);
      transposed.refresh(*a);
      multiply(transposed.matrix(), x, y);
      for (const double value : own.whole(y)) results.push_back(value);
      return results;
    });
  }
}

void solves_have_the_bits_of_one_process(const HostMatrix& matrix, NullSpace null_space,
                                         bool together) {
  for (const SolverSettings& settings : variants()) {
    SCOPED_TRACE(settings.method + " + " + settings.preconditioner.kind);
    expect_same_on_gpus(matrix.rows, [&](const RowsOnGpu& own) {
      return solve(own, matrix, settings, null_space, together);
    });
  }
}

// Too large for the cg of one kernel on a GPU of up to 200 multiprocessors.
TEST_F(SharedRowsCuda, large_systems_are_solved_together_with_the_bits_of_one_process) {
  tests::Stencil stencil;
  stencil.shift = 0.4;
  solves_have_the_bits_of_one_process(tests::stencil_matrix({640, 660, 1}, stencil),
                                      NullSpace::none, true);
}

TEST_F(SharedRowsCuda, large_nonsymmetric_systems_have_the_bits_of_one_process) {
  const HostMatrix matrix = tests::convection_diffusion({640, 660, 1}, 3.0);
  for (const auto& [method, transpose] : {std::pair{"bicg", "stored"}, {"bicgstab", ""}})
    for (const PreconditionerSettings& preconditioner :
         {PreconditionerSettings{"none"},
          {"jacobi"},
          {"neumann"},
          {"ssor_sai"},
          {"ssor_sai", {{"omega", 1.0}}},
          {"ssor_sai", {{"order", 2}, {"omega", 0.8}}}}) {
      SCOPED_TRACE(method + (" + " + preconditioner.kind) + ", transpose " + transpose);
      SolverSettings settings;
      settings.method = method;
      if (*transpose != '\0') settings.options = {{"transpose", transpose}};
      settings.preconditioner = preconditioner;
      settings.max_iterations = 50;
      expect_same_on_gpus(matrix.rows, [&](const RowsOnGpu& own) {
        return solve(own, matrix, settings, NullSpace::none, true, nullptr, Symmetry::unknown);
      });
    }
}

TEST_F(SharedRowsCuda, large_singular_systems_are_solved_together) {
  const HostMatrix matrix = tests::poisson({640, 660, 1}, true);
  SolverSettings settings;
  settings.preconditioner = {"jacobi"};
  settings.max_iterations = 50;  // an end without convergence has the same bits, too
  expect_same_on_gpus(matrix.rows, [&](const RowsOnGpu& own) {
    return solve(own, matrix, settings, NullSpace::constant, true);
  });
}

// Not the system of the box itself: iterations are needed.
TEST_F(SharedRowsCuda, systems_preconditioned_by_transforms_are_solved_together) {
  const auto box = std::make_shared<const SeparableSystem>(tests::periodic_box({640, 660}));
  HostMatrix matrix = tests::matrix_of(*box);
  for (int i = 0; i < matrix.rows; ++i)
    for (int k = matrix.row_offsets[i]; k < matrix.row_offsets[i + 1]; ++k)
      if (matrix.columns[k] == i) matrix.values[k] *= 1.0 + 0.01 * (i % 7);
  for (const char* method : {"cg", "bicgstab", "gmres"}) {
    SCOPED_TRACE(method);
    SolverSettings settings;
    settings.method = method;
    settings.preconditioner = {"direct"};
    settings.max_iterations = 40;
    expect_same_on_gpus(matrix.rows, [&](const RowsOnGpu& own) {
      return solve(own, matrix, settings, NullSpace::none, true, box);
    });
  }
}

TEST_F(SharedRowsCuda, small_systems_have_the_bits_of_one_process) {
  solves_have_the_bits_of_one_process(tests::poisson({90, 57, 1}), NullSpace::none, false);
}

}  // namespace
}  // namespace hodge::linalg

#endif
