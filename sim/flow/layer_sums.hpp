// Averages over layers of cells across one axis and over time, of which profiles.csv is made
// (app/output/profiles.hpp): of which products, where, and in which order. Taken where the fields
// are by layer_statistics.hpp.
//
// The axis is `a`, with faces j (lower face of cell j) between the cells j - 1 and j; d is a
// component of the velocity, e another axis than a; < > is the mean over a layer. Of the exchange
// between layers, with nothing interpolated but what the discrete equations interpolate
// (operators/convection.hpp), so that the budget of the kinetic energy balances as they do:
//
//   d != a, at u_d of layer j                        d = a, at face j
//   first     <u_d>                                  <v>, v = u_a
//   second    <u_d^2>                                <v^2>
//   pair      <u_d(j-1) u_d(j)>                      <v(j) v(j+1)>
//   slope     sum_e <(du_d/dx_e)^2>                  the same
//   below     <v_d u_d(j-1)>                         <v p>, p linear between the cells
//   above     <v_d u_d(j)>                           nothing
//   carried   <v_d u_d(j-1) u_d(j)>                  <v_c v(j) v(j+1)>
//
// where v_d convects u_d through face j and v_c convects v through cell j. Of cells, with the means
// of two faces as velocities U: the part of the layer that is fluid, U_d, U_d U_e, U_d U_e U_f, p,
// p^2, and of each scalar c, c^2, U_d c.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "linalg/base/macros.hpp"

namespace hodge::sim {

// Numbers of the sums of one layer, of the exchange.
template <int Dim>
struct ExchangeSums {
  static constexpr int count = 7 * Dim;
  HODGE_HD static constexpr int first(int d) { return d; }
  HODGE_HD static constexpr int second(int d) { return Dim + d; }
  HODGE_HD static constexpr int pair(int d) { return 2 * Dim + d; }
  HODGE_HD static constexpr int slope(int d) { return 3 * Dim + d; }
  HODGE_HD static constexpr int below(int d) { return 4 * Dim + d; }
  HODGE_HD static constexpr int above(int d) { return 5 * Dim + d; }
  HODGE_HD static constexpr int carried(int d) { return 6 * Dim + d; }
};

// Of the cells; products of components in the order of loops d <= e <= f.
template <int Dim>
struct CellSums {
  static constexpr int doubles = Dim * (Dim + 1) / 2, triples = Dim * (Dim + 1) * (Dim + 2) / 6;
  static constexpr int fluid = 0, first = 1, second = first + Dim, third = second + doubles,
                       pressure = third + triples, pressure_square = pressure + 1,
                       count = pressure + 2;
};
template <int Dim>
struct ScalarSums {
  static constexpr int first = 0, second = 1, flux = 2, count = 2 + Dim;
};

constexpr int exchange_count(int dim) {
  return dim == 2 ? ExchangeSums<2>::count : ExchangeSums<3>::count;
}
constexpr int cell_count_of_sums(int dim) {
  return dim == 2 ? CellSums<2>::count : CellSums<3>::count;
}
constexpr int scalar_count_of_sums(int dim) {
  return 2 + dim;
}

// What one end of the axis is. The mean velocity of a wall is that of its formula.
struct LayerEnd {
  enum class Kind { periodic, wall, slip, other };
  Kind kind = Kind::other;
  std::array<double, 3> velocity{};
};

struct LayerPlan {
  int dim = 2, axis = 1, layers = 0;
  // Whether the sums of the exchange are taken: no bodies, a constant viscosity, and no flow
  // through the two ends. Else why not.
  bool has_exchange = false;
  std::string without_exchange{};
  std::array<LayerEnd, 2> ends{};
  std::vector<std::string> scalars{};

  int exchange() const { return has_exchange ? exchange_count(dim) : 0; }
  int count() const {
    return exchange() + cell_count_of_sums(dim) +
           static_cast<int>(scalars.size()) * scalar_count_of_sums(dim);
  }
};

// Integrals over a part of the time, one value per sum and layer, sum after sum.
struct LayerBatch {
  double weight = 0;  // the time
  std::vector<double> sums{};
};

// Of the whole time: batches of about the same length, in their order.
struct LayerSums {
  LayerPlan plan;
  std::vector<LayerBatch> batches{};
};

struct Problem;
struct Settings;
class Grid;

// None where the settings ask for no profile.
std::optional<LayerPlan> layer_plan(const Settings& settings, const Problem& problem,
                                    const Grid& grid);

// Of an axis that is averaged over, places with a sum of their own: every 16th cell adds to the
// same one, so that neighbouring threads read neighbours. -1: none, each cell has its own.
inline constexpr int line_places = 16;
constexpr int shared_axis(int dim, int axis) {
  if (dim == 2) return axis == 1 ? 0 : -1;
  return axis == 0 ? 1 : 0;
}

// Values on the device for a plan, of a grid with these cells.
std::size_t layer_values(const LayerPlan& plan, const Grid& grid);

}  // namespace hodge::sim
