// Faces and cells in which formulas of a problem are looked at before they act: up to 256 of each
// side and of the box, spread evenly.
#pragma once

#include <array>
#include <vector>

#include "sim/base/formulas/mean.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

struct FormulaSample {
  MeanBox box;                           // what the face or cell has of formulas is a mean over
  std::array<double, 3> inverse_widths;  // of the cell, 1/L
  int part = 0;                          // of what the samples belong to

  Point x() const { return {box.place[0], box.place[1], box.place[2]}; }
};

std::vector<FormulaSample> samples_in_side(const Grid& grid, const BoxSide& at);
std::vector<FormulaSample> samples_in_box(const Grid& grid);

}  // namespace hodge::sim
