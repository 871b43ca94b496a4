// Solves a dense system by Gaussian elimination and judges the solution.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "linalg/dense/dense_lu.hpp"
#include "tools/hodge/gauss/read_system.hpp"

namespace hodge::tools {

struct DenseSolution {
  linalg::LuReport report;
  std::vector<double> x;
  // max_i |b - A x|_i / max_i (|A| |x| + |b|)_i, in long double, whose range squares no double out;
  // 1 where x is not finite or the matrix is not regular.
  double backward_error = 1.0;

  // A backward stable elimination leaves about n 2e-16. What is larger lost digits, to the growth
  // of entries or to numbers below 1e-308.
  static constexpr double largest_error = 1e-8;
  bool is_solution() const { return report.regular() && backward_error <= largest_error; }
};

double backward_error(const DenseSystem& system, const std::vector<double>& x);

// A and b times powers of two, such that their largest entries are between 1 and 2.
struct ScaledSystem {
  DenseSystem system;
  int power_of_x = 0;  // x = 2^power_of_x times the solution of `system`
};
ScaledSystem scaled(DenseSystem system);
void scale(std::vector<double>& values, int power);

template <class Space>
DenseSolution eliminate(const DenseSystem& system, const std::string& pivot) {
  const linalg::DenseLu<Space> lu(
      linalg::DenseMatrix<Space>(system.n, system.n, std::span<const double>(system.matrix)),
      {.pivot_search = pivot});
  DenseSolution solution{.report = lu.report(), .x = {}};
  if (!solution.report.regular()) return solution;
  linalg::Vector<Space> x{std::span<const double>(system.right_side)};
  lu.solve(x);
  solution.x = x.to_host();
  solution.backward_error = backward_error(system, solution.x);
  return solution;
}

// As given; if that leaves the range of double on the way, scaled, which changes no digit.
template <class Space>
DenseSolution solve_system(const DenseSystem& system, const std::string& pivot) {
  DenseSolution as_given = eliminate<Space>(system, pivot);
  if (as_given.is_solution()) return as_given;
  const ScaledSystem other = scaled(system);
  DenseSolution solution = eliminate<Space>(other.system, pivot);
  if (!solution.report.regular()) return as_given;
  scale(solution.x, other.power_of_x);
  solution.backward_error = backward_error(system, solution.x);
  return solution.backward_error < as_given.backward_error ? solution : as_given;
}

}  // namespace hodge::tools
