// Boxes with solids: the separable system, and the matrix that the solids leave of it.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "linalg/matrices/csr.hpp"
#include "tests/support/separable.hpp"

namespace hodge::tests {

using IsSolid = std::function<bool(int i, int j, int k)>;

// A box and the matrix that solids leave of it: nothing flows into a solid.
struct Obstructed {
  linalg::SeparableSystem box;
  std::vector<int> row_of_cell;
  HostMatrix host;

  Obstructed(const linalg::SeparableSystem& system, const IsSolid& is_solid) : box(system) {
    std::array<int, 3> n{1, 1, 1};
    for (std::size_t d = 0; d < box.axes.size(); ++d) n[d] = box.axes[d].points();
    int rows = 0;
    for (int p = 0; p < n[0] * n[1] * n[2]; ++p)
      row_of_cell.push_back(is_solid(p % n[0], p / n[0] % n[1], p / (n[0] * n[1])) ? -1 : rows++);
    const HostMatrix whole = matrix_of(box);
    Entries entries;
    for (int p = 0; p < whole.rows; ++p)
      for (int k = whole.row_offsets[p]; k < whole.row_offsets[p + 1]; ++k) {
        const int row = row_of_cell[p], column = row_of_cell[whole.columns[k]];
        if (row < 0) continue;
        if (column >= 0)
          entries[{row, column}] += whole.values[k];
        else
          entries[{row, row}] += whole.values[k];
      }
    host = from_entries(rows, rows, entries);
  }

  template <class Space, class T = double>
  std::unique_ptr<linalg::CsrMatrix<Space, T>> in() const {
    auto pattern = std::make_shared<linalg::CsrPattern<Space>>(
        host.rows, host.rows, std::span<const int>(host.row_offsets),
        std::span<const int>(host.columns));
    linalg::GridRows<Space> grid;
    grid.shape.dim = static_cast<int>(box.axes.size());
    for (std::size_t d = 0; d < box.axes.size(); ++d) {
      grid.shape.extent[d] = box.axes[d].points();
      grid.shape.periodic[d] = box.axes[d].periodic;
    }
    if (host.rows < static_cast<int>(row_of_cell.size()))
      grid.row_of_cell = linalg::Buffer<int, Space>(std::span<const int>(row_of_cell));
    pattern->place_on(std::move(grid));
    auto matrix = std::make_unique<linalg::CsrMatrix<Space, T>>(std::move(pattern),
                                                                linalg::Symmetry::symmetric);
    matrix->values().upload(std::vector<T>(host.values.begin(), host.values.end()));
    matrix->place_in(std::make_shared<const linalg::SeparableSystem>(box));
    return matrix;
  }
};

// A block in the middle, half of the box along each axis.
inline IsSolid block(int n) {
  return [n](int i, int j, int k) {
    const auto within = [n](int x) { return x >= n / 4 && x < n - n / 4; };
    return within(i) && within(j) && (k == 0 || within(k));
  };
}

inline linalg::SeparableSystem box_of(int dim, int n, bool open, bool stretched = false) {
  linalg::SeparableSystem box;
  for (int d = 0; d < dim; ++d) {
    const auto edges =
        stretched ? stretched_edges(n, 0.3, 1.0 + d, 1.6) : uniform_edges(n, (1.0 + d) / n);
    box.axes.push_back(axis_of(edges, d == 1, open && d == 0, false));
  }
  return box;
}

}  // namespace hodge::tests
