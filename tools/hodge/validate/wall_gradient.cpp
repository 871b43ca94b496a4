#include "tools/hodge/validate/wall_gradient.hpp"

namespace hodge::tools {

double mean_wall_gradient(const CellField& scalar, const FixedValueSide& at) {
  const sim::Grid& grid = scalar.grid();
  const int inner = at.side == 0 ? 0 : grid.cells(at.axis) - 1;
  const double half_width = 0.5 * grid.axis(at.axis).widths[static_cast<std::size_t>(inner)];
  const int a = (at.axis + 1) % 3, b = (at.axis + 2) % 3;
  const auto width = [&](int axis, int i) {
    return axis < grid.dim() ? grid.axis(axis).widths[static_cast<std::size_t>(i)] : 1.0;
  };
  double flux = 0, area = 0;
  std::array<int, 3> cell{};
  cell[at.axis] = inner;
  for (cell[a] = 0; cell[a] < grid.cells(a); ++cell[a])
    for (cell[b] = 0; cell[b] < grid.cells(b); ++cell[b]) {
      const double face = width(a, cell[a]) * width(b, cell[b]);
      flux += face * (scalar(0, cell) - at.value) / half_width;
      area += face;
    }
  return flux / area;
}

}  // namespace hodge::tools
