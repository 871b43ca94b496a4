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

// In cells of a box, spread evenly; box_at(c) is what a value there is a mean over.
template <class BoxAt>
std::vector<FormulaSample> samples_of(const Grid& grid, const Box<3>& box, const BoxAt& box_at) {
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
    sample.box = box_at(c);
    samples.push_back(sample);
  });
  return samples;
}

}  // namespace

std::vector<FormulaSample> samples_in_side(const Grid& grid, const BoxSide& at) {
  return samples_of(grid, cells_along_side(grid, at.axis, at.side),
                    [&](const Index<3>& c) { return mean_box_in_side(grid, at.axis, at.side, c); });
}

std::vector<FormulaSample> samples_in_box(const Grid& grid) {
  return samples_of(grid, all_cells(grid),
                    [&](const Index<3>& c) { return mean_box(grid, at_cells, c); });
}

}  // namespace hodge::sim
