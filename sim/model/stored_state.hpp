// The fields of another run on its own grid, from which a flow begins (discrete/grid/transfer.hpp
// brings them to a new one).
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace hodge::sim {

struct StoredState {
  std::string origin;                        // in words, for messages
  int dim = 2;                               // axes beyond it have no edges
  std::array<std::vector<double>, 3> edges;  // of the cells of every axis

  // All arrays have axis 0 fastest. The velocity lies at the faces 0 .. n of component d along axis
  // d, or at the centres of the cells; everything else at the centres.
  bool velocity_is_at_faces = true;
  std::array<std::vector<double>, 3> velocity;
  std::vector<double> pressure;  // empty: not known
  std::vector<std::pair<std::string, std::vector<double>>> scalars;

  const std::vector<double>* scalar(const std::string& name) const {
    for (const auto& [known, values] : scalars)
      if (known == name) return &values;
    return nullptr;
  }
};

}  // namespace hodge::sim
