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
  std::string digest{};                      // of its file
  int dim = 2;                               // axes beyond it have no edges
  std::array<std::vector<double>, 3> edges;  // of the cells of every axis
  // Where in its cells the values lie, for every axis; empty: at their centres.
  std::array<std::vector<double>, 3> points;

  // All arrays have axis 0 fastest. The velocity lies at the faces 0 .. n of component d along axis
  // d, or in the cells; everything else in the cells.
  bool velocity_is_at_faces = true;
  std::array<std::vector<double>, 3> velocity;
  std::vector<double> pressure;  // empty: not known
  std::vector<std::pair<std::string, std::vector<double>>> scalars;

  const std::vector<double>* scalar(const std::string& name) const {
    for (const auto& [known, values] : scalars)
      if (known == name) return &values;
    return nullptr;
  }

  std::size_t bytes() const {
    std::size_t values = pressure.size();
    for (const auto& component : velocity) values += component.size();
    for (const auto& [name, of_scalar] : scalars) values += of_scalar.size();
    return values * sizeof(double);
  }
};

}  // namespace hodge::sim
