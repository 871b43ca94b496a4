#include "sim/time/formula_samples.hpp"

#include <algorithm>

#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

constexpr long long most_samples = 256;  // of a side, and of the box

int stride_for(const Box<3>& box) {
  for (int stride = 1;; ++stride) {
    long long samples = 1;
    for (int d = 0; d < 3; ++d) samples *= (box.upper[d] - box.lower[d] + stride - 1) / stride;
    if (samples <= most_samples) return stride;
  }
}

// In cells of a box, spread evenly; point_in(c) is where the value is.
template <class PointIn>
std::vector<FormulaSample> samples_of(const Grid& grid, const Box<3>& box,
                                      const PointIn& point_in) {
  std::vector<FormulaSample> samples;
  const int stride = stride_for(box);
  Box<3> strided = box;
  for (int d = 0; d < 3; ++d)
    strided.upper[d] = box.lower[d] + (box.upper[d] - box.lower[d] + stride - 1) / stride;
  for_each_on_host(strided, [&](Index<3> c) {
    FormulaSample sample{};
    for (int d = 0; d < 3; ++d)
      c[d] = std::min(box.lower[d] + stride * (c[d] - box.lower[d]) + stride / 2, box.upper[d] - 1);
    for (int d = 0; d < grid.dim(); ++d) sample.inverse_widths[d] = 1 / grid.axis(d).widths[c[d]];
    sample.x = point_in(c);
    samples.push_back(sample);
  });
  return samples;
}

}  // namespace

std::vector<FormulaSample> samples_in_side(const Grid& grid, const BoxSide& at) {
  return samples_of(grid, cells_along_side(grid, at.axis, at.side),
                    [&](const Index<3>& c) { return point_in_side(grid, at.axis, at.side, c); });
}

std::vector<FormulaSample> samples_in_box(const Grid& grid) {
  return samples_of(grid, all_cells(grid), [&](const Index<3>& c) {
    Point x{};
    for (int d = 0; d < grid.dim(); ++d) x[d] = grid.axis(d).centre(c[d]);
    return x;
  });
}

}  // namespace hodge::sim
