// A flow at rest in time whose cell values are those of given functions: each velocity component is
// the mean of its two faces, every other field is component 0 at the centre.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/fake_flow.hpp"

namespace hodge::test {

using VectorField = std::function<std::array<double, 3>(sim::Point)>;

class SampledFlow : public FakeFlow {
 public:
  SampledFlow(const sim::GridSettings& grid, VectorField field)
      : FakeFlow({}, grid), field_(std::move(field)) {}

  std::vector<sim::CellArray> cell_arrays(const std::vector<std::string>& names) const override {
    sim::CellArray array{names[0], names[0] == "velocity" ? 3 : 1, {}};
    for (int k = 0; k < grid().cells(2); ++k)
      for (int j = 0; j < grid().cells(1); ++j)
        for (int i = 0; i < grid().cells(0); ++i) append_cell({i, j, k}, array);
    return {array};
  }

 private:
  void append_cell(const std::array<int, 3>& cell, sim::CellArray& array) const {
    sim::Point centre{};
    for (int d = 0; d < grid().dim(); ++d) centre[d] = grid().axis(d).centre(cell[d]);
    if (array.components == 1) {
      array.values.push_back(field_(centre)[0]);
      return;
    }
    for (int d = 0; d < 3; ++d)
      array.values.push_back(d < grid().dim() ? mean(d, cell, centre) : 0);
  }
  double mean(int d, const std::array<int, 3>& cell, sim::Point at) const {
    at[d] = grid().edges(d)[cell[d]];
    const double lower = field_(at)[d];
    at[d] = grid().edges(d)[cell[d] + 1];
    return 0.5 * (lower + field_(at)[d]);
  }

  VectorField field_;
};

}  // namespace hodge::test
