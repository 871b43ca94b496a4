// A snapshot of one output field of a flow on the host: values at points and on lines.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "sim/flow/flow.hpp"
#include "tools/hodge/validate/profile.hpp"

namespace hodge::tools {

// A line along `axis` through a point, whose coordinate along the axis does not matter.
struct Line {
  int axis;
  sim::Point through{};
  std::optional<std::array<double, 2>> ends{};  // the values on the two sides of the box, if known
};

class CellField {
 public:
  // `name` as in Flow::cell_arrays.
  CellField(const sim::Flow& flow, const std::string& name);

  const sim::Grid& grid() const { return grid_; }
  double operator()(int component, const std::array<int, 3>& cell) const;

  // Linear between cell centres, constant beyond the outermost ones.
  double value(int component, const sim::Point& at) const;

  // At the cell centres along the line and its ends; across it by cubics through cell centres. Cell
  // values of the velocity are means of two faces h apart, u + h^2/8 u'': that difference is taken
  // away, so that what remains is of fourth order (third on stretched axes).
  Profile line(int component, const Line& line) const;

 private:
  double centred(int component, const std::array<int, 3>& cell) const;

  sim::Grid grid_;
  sim::CellArray array_;
};

// The primary vortex of a plane flow in a closed box: the least value of the stream function.
struct Vortex {
  double psi, x, y;
};

// psi(x, y) = integral of u from the lower wall to y, at cell centres along x and edges along y;
// its minimum is that of quartics through the neighbours, along y and then along x. Second order.
Vortex primary_vortex(const sim::Flow& flow);

}  // namespace hodge::tools
