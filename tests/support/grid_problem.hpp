// Systems on a grid for multigrid, and how many iterations they take.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "linalg/solve/solve.hpp"
#include "tests/support/matrices.hpp"

namespace hodge::linalg::tests_of_grids {

// -div(grad u) + wind . grad u (upwind) + shift u on a box of unit cells, some of them solid. With
// `width` the cells of an axis have widths of their own.
struct GridProblem {
  GridShape shape;
  bool dirichlet = false;                     // u = 0 in the sides, otherwise no flux
  std::array<std::array<bool, 2>, 3> open{};  // u = 0 in this side
  double wind = 0, shift = 0;
  std::array<double, 3> coupling{1, 1, 1};
  std::function<double(int d, int i)> width = [](int, int) { return 1.0; };
  std::function<bool(int, int, int)> solid = [](int, int, int) { return false; };

  explicit GridProblem(std::vector<int> extent, std::array<bool, 3> periodic = {}) {
    shape.dim = static_cast<int>(extent.size());
    for (std::size_t d = 0; d < extent.size(); ++d) {
      shape.extent[d] = extent[d];
      shape.periodic[d] = periodic[d];
    }
  }

  // The system that is left of where there are solids.
  SeparableSystem system() const {
    SeparableSystem system;
    for (int d = 0; d < shape.dim; ++d) {
      const int n = shape.extent[d];
      SeparableAxis axis{{}, {}, shape.periodic[d]};
      for (int i = 0; i < n; ++i) axis.weights.push_back(width(d, i));
      for (int i = 0; i <= n; ++i) {
        const bool inside = axis.periodic || (i > 0 && i < n);
        const int side = i == 0 ? 0 : 1, above = i % n, below = (i + n - 1) % n;
        const double between = 0.5 * (width(d, below) + width(d, above));
        axis.couplings.push_back(coupling[d] * (inside             ? 1 / between
                                                : is_open(d, side) ? 2 / width(d, side * (n - 1))
                                                                   : 0.0));
      }
      system.axes.push_back(axis);
    }
    return system;
  }
  bool is_open(int d, int side) const { return dirichlet || open[d][side]; }
  bool is_singular() const {
    bool any_open = false;
    for (int d = 0; d < shape.dim; ++d) any_open = any_open || is_open(d, 0) || is_open(d, 1);
    return !any_open && shift == 0;
  }

  std::vector<int> numbers() const {
    std::vector<int> numbers;
    int rows = 0;
    for (int k = 0; k < shape.extent[2]; ++k)
      for (int j = 0; j < shape.extent[1]; ++j)
        for (int i = 0; i < shape.extent[0]; ++i) numbers.push_back(solid(i, j, k) ? -1 : rows++);
    return numbers;
  }

  // Of a face of cell p across axis d; between the centres of two cells of axis d.
  double area(int p, int d, const int (&stride)[3]) const {
    double area = 1;
    for (int e = 0; e < shape.dim; ++e)
      if (e != d) area *= width(e, p / stride[e] % shape.extent[e]);
    return area;
  }
  double distance(int d, int i, int j) const {
    const int n = shape.extent[d];
    const bool inside = shape.periodic[d] || (j >= 0 && j < n);
    return inside ? 0.5 * (width(d, i) + width(d, (j + n) % n)) : width(d, i);
  }

  tests::HostMatrix matrix() const {
    const std::vector<int> row = numbers();
    const int stride[3] = {1, shape.extent[0], shape.extent[0] * shape.extent[1]};
    tests::Entries entries;
    int rows = 0;
    for (int p = 0; p < static_cast<int>(row.size()); ++p) {
      if (row[p] < 0) continue;
      ++rows;
      double& diagonal = entries[{row[p], row[p]}];
      diagonal += shift;
      for (int d = 0; d < shape.dim; ++d)
        for (const int step : {-1, 1}) {
          const int i = p / stride[d] % shape.extent[d];
          const int there = i + step;
          const double a =
              coupling[d] * area(p, d, stride) / distance(d, i, there) + (step < 0 ? wind : 0);
          if (!shape.periodic[d] && (there < 0 || there >= shape.extent[d])) {
            diagonal += is_open(d, step < 0 ? 0 : 1) ? 2 * a : 0;
            continue;
          }
          const int q = p + ((there + shape.extent[d]) % shape.extent[d] - i) * stride[d];
          if (row[q] < 0) continue;
          diagonal += a;
          entries[{row[p], row[q]}] -= a;
        }
    }
    return tests::from_entries(rows, rows, entries);
  }

  template <class Space>
  std::unique_ptr<CsrMatrix<Space>> in() const {
    const tests::HostMatrix host = matrix();
    auto pattern = std::make_shared<CsrPattern<Space>>(host.rows, host.cols,
                                                       std::span<const int>(host.row_offsets),
                                                       std::span<const int>(host.columns));
    GridRows<Space> rows{shape, {}};
    for (int d = 0; d < 3; ++d)
      for (int side = 0; side < 2; ++side) rows.shape.beyond[d][side] = is_open(d, side) ? -1 : 1;
    const std::vector<int> row = numbers();
    if (host.rows < shape.cells()) rows.row_of_cell = Buffer<int, Space>(std::span<const int>(row));
    pattern->place_on(std::move(rows));
    auto a = std::make_unique<CsrMatrix<Space>>(
        std::move(pattern), wind == 0 ? Symmetry::symmetric : Symmetry::nonsymmetric);
    a->values().upload(std::span<const double>(host.values));
    return a;
  }
};

template <class Space>
int iterations(const GridProblem& problem, const PreconditionerSettings& settings,
               const std::string& method = "cg") {
  const auto a = problem.in<Space>();
  SolverSettings solver;
  solver.method = method;
  solver.preconditioner = settings;
  solver.max_iterations = 200;
  const std::vector<double> right_side = tests::random_values(a->rows(), 7);
  const Vector<Space> b{std::span<const double>(right_side)};
  Vector<Space> x(a->rows());
  const NullSpace null_space = problem.is_singular() ? NullSpace::constant : NullSpace::none;
  const SolveReport report =
      LinearSolver<Space>(solver, a->rows()).solve(*a, b, x, {.null_space = null_space});
  EXPECT_TRUE(report.converged()) << describe(report);
  return report.converged() ? report.iterations : 1000;
}

inline PreconditionerSettings of_kind(const char* kind) {
  PreconditionerSettings settings;
  settings.kind = kind;
  return settings;
}

inline const PreconditionerSettings multigrid = of_kind("multigrid");

}  // namespace hodge::linalg::tests_of_grids
