// Solves the second difference of 100 unknowns with an installed hodge::linalg; x = 1 is the
// solution.
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "linalg/csr.hpp"
#include "linalg/solve.hpp"
#include "linalg/vector.hpp"
#include "linalg/version.hpp"

using namespace hodge::linalg;

int main() {
  constexpr int n = 100;
  std::vector<int> row_offsets{0}, columns;
  std::vector<double> values, b(n, 0.0), x(n);
  for (int i = 0; i < n; ++i) {
    for (int j = i - 1; j <= i + 1; ++j) {
      if (j < 0 || j >= n) continue;
      columns.push_back(j);
      values.push_back(i == j ? 2.0 : -1.0);
      b[i] += values.back();
    }
    row_offsets.push_back(static_cast<int>(columns.size()));
  }
  CsrMatrix<Host> a(std::make_shared<CsrPattern<Host>>(n, n, row_offsets, columns),
                    Symmetry::symmetric);
  a.values().upload(values);

  SolverSettings settings;
  settings.method = "cg";
  settings.preconditioner.kind = "ssor_sai";
  settings.tolerance = 1e-12;
  const Vector<Host> right_side{std::span<const double>(b)};
  Vector<Host> solution(n);
  const SolveReport report = LinearSolver<Host>(settings, n).solve(a, right_side, solution);
  solution.download(x);

  double error = 0;
  for (const double value : x) error = std::fmax(error, std::fabs(value - 1.0));
  std::printf("hodge %s, CUDA %d: %d iterations, error %.1e\n", hodge::version, HODGE_HAS_CUDA,
              report.iterations, error);
  return report.status == SolveStatus::converged && error < 1e-9 ? 0 : 1;
}
