// -u'' = 1 on 100 points between two walls, with an installed hodge::linalg.
#include <cstdio>
#include <vector>

#include "linalg/matrices/convert.hpp"
#include "linalg/solve/solve.hpp"

using namespace hodge::linalg;
using Space = Host;  // or Cuda

int main() {
  constexpr int n = 100;
  std::vector<int> rows, columns;
  std::vector<double> values;
  for (int i = 0; i < n; ++i) {
    for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; ++j) {
      rows.push_back(i);
      columns.push_back(j);
      values.push_back(i == j ? 2.0 : -1.0);
    }
  }
  const auto a = to_csr(CooMatrix<Space>(n, n, rows, columns, values, Symmetry::symmetric));
  Vector<Space> b(n), x(n);
  b.fill(1.0);
  SolverSettings settings{.method = "cg", .preconditioner = {"ssor_sai", {{"order", 2}}}};
  const SolveReport report = LinearSolver<Space>(settings, n).solve(*a, b, x);
  std::printf("%s\nu(1/2) = %g\n", describe(report).c_str(), x.to_host()[n / 2 - 1]);
  return report.converged() ? 0 : 1;
}
