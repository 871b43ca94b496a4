// Which values of a field make the value at a point, and with what weights: linear along each axis.
//
//   q(x) = sum_k weight_k q(c_k),   2^Dim corners; the weights have the sum 1, 0 within solids
//
//   u_d               between its faces along d, between the centres of cells along the other axes
//   cell values       between the centres of cells
//   beyond the last   ghosts, where they hold the condition on the side (velocity, scalars, p at
//   centres           an open side); the line through the last two cells (pressure, vorticity)
//   periodic axes     the cells of the other end
//
// Exact for linear fields, up to the sides and on stretched grids. Beside solids the normal
// component is linear up to the surface, the tangential one is 0 half-way to a face within
// (no slip), and cell values are taken from the fluid alone, of first order there.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "linalg/base/rounded_product.hpp"
#include "sim/discrete/fields/field.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/model/boundaries.hpp"

namespace hodge::sim {

template <int Dim>
struct PointStencil {
  static constexpr int corners = 1 << Dim;
  Index<Dim> at[corners];
  double weight[corners];
};

template <int Dim>
HODGE_HD double interpolated(const ConstFieldView<Dim>& field, const PointStencil<Dim>& stencil) {
  double sum = 0.0;
  for (int k = 0; k < PointStencil<Dim>::corners; ++k)
    if (stencil.weight[k] != 0.0)
      sum += linalg::rounded_product(stencil.weight[k], field(stencil.at[k]));
  return sum;
}

// The box as stencils see it.
struct SampledBox {
  const Grid& grid;
  const Boundaries& boundaries;
  const std::vector<std::uint8_t>& bodies;  // of every cell (cell_bodies), or empty
  std::vector<std::vector<int>> media{};    // of each scalar: the bodies that it is in, too

  std::vector<int> media_of(std::size_t scalar) const {
    return scalar < media.size() ? media[scalar] : std::vector<int>{};
  }
  int body(std::array<int, 3> cell) const;  // beyond the box: the periodic or nearest cell
  bool solid(std::array<int, 3> cell) const { return body(cell) != 0; }
};

// Where the values of a field are, and on which sides its ghosts hold the condition.
struct SampledLocation {
  int d = at_cells;  // or the component whose faces they are on
  std::array<std::array<bool, 2>, 3> ghosts{};
  std::vector<int> media{};  // bodies that the field is in, too
};

// Errors: ConfigError for a point that is not in the box.
template <int Dim>
PointStencil<Dim> point_stencil(const SampledBox& box, const SampledLocation& location,
                                const Point& point);

}  // namespace hodge::sim
