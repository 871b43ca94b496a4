// A number of the present fields with the name of its column in history.csv (sim/OUTPUT.md).
#pragma once

#include <string>

namespace hodge::sim {

struct Quantity {
  std::string name;
  double value;
};

}  // namespace hodge::sim
