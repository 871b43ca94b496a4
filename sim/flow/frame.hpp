// One frame: the fields of a run at one time, as host memory that the frame writer owns.
//
// Shapes: values of the grid's cells only (no ghost cells), x fastest, the components of a cell
// next to each other: values[components * (i + nx * (j + ny * k)) + component]. Units are those of
// the case.
#pragma once

#include <string>
#include <vector>

namespace hodge::sim {

struct CellArray {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

struct Frame {
  long step = 0;
  double time = 0;
  std::vector<CellArray> arrays;
};

}  // namespace hodge::sim
