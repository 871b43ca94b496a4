// Fields interpolated to cell centres in the space, then brought to the host, as frames want them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/operators/cell_values.hpp"
#include "sim/flow/frame.hpp"

namespace hodge::sim {

// What an output array is made of; `cells` receives one component at a time, unpadded.
template <int Dim, class Space>
struct CellArraySource {
  GridView<Dim> grid;
  ConstVelocityView<Dim> velocity;
  ConstFieldView<Dim> pressure;
  BodyView<Dim> bodies;
  linalg::Buffer<double, Space>& cells;
};

template <int Dim, class Space>
void put_component(const CellArraySource<Dim, Space>& source, int component, CellArray& array) {
  const std::vector<double> values = source.cells.to_host();
  for (std::size_t i = 0; i < values.size(); ++i)
    array.values[i * static_cast<std::size_t>(array.components) +
                 static_cast<std::size_t>(component)] = values[i];
}

template <int Dim, class Space>
CellArray make_array(const CellArraySource<Dim, Space>& source, const std::string& name,
                     int components) {
  const auto size = source.cells.size() * static_cast<std::size_t>(components);
  return {name, components, std::vector<double>(size)};
}

// Three components; w = 0 in 2D.
template <int Dim, class Space>
CellArray velocity_array(const CellArraySource<Dim, Space>& source) {
  CellArray array = make_array(source, "velocity", 3);
  const Box<Dim> box{Index<Dim>::filled(0), source.grid.cells};
  const ConstVelocityView<Dim> u = source.velocity;
  double* const out = source.cells.data();
  for (int d = 0; d < Dim; ++d) {
    linalg::for_each<Space>(box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
      out[box.position(c)] = cell_velocity(u, d, c);
    });
    put_component(source, d, array);
  }
  return array;
}

// Of a field at cell centres.
template <int Dim, class Space>
CellArray field_array(const CellArraySource<Dim, Space>& source, const std::string& name,
                      const ConstFieldView<Dim>& q) {
  CellArray array = make_array(source, name, 1);
  const Box<Dim> box{Index<Dim>::filled(0), source.grid.cells};
  double* const out = source.cells.data();
  linalg::for_each<Space>(box,
                          [=] HODGE_LAMBDA(const Index<Dim>& c) { out[box.position(c)] = q(c); });
  put_component(source, 0, array);
  return array;
}

template <int Dim, class Space>
CellArray pressure_array(const CellArraySource<Dim, Space>& source) {
  return field_array(source, "pressure", source.pressure);
}

// The number of the body that a cell belongs to, from 1; 0 in the fluid.
template <int Dim, class Space>
CellArray solid_array(const CellArraySource<Dim, Space>& source) {
  CellArray array = make_array(source, "solid", 1);
  const Box<Dim> box{Index<Dim>::filled(0), source.grid.cells};
  const BodyView<Dim> bodies = source.bodies;
  double* const out = source.cells.data();
  linalg::for_each<Space>(
      box, [=] HODGE_LAMBDA(const Index<Dim>& c) { out[box.position(c)] = bodies.body(c); });
  put_component(source, 0, array);
  return array;
}

// omega_z in 2D; three components in 3D.
template <int Dim, class Space>
CellArray vorticity_array(const CellArraySource<Dim, Space>& source) {
  constexpr int components = Dim == 2 ? 1 : 3;
  CellArray array = make_array(source, "vorticity", components);
  const Box<Dim> box{Index<Dim>::filled(0), source.grid.cells};
  const GridView<Dim> grid = source.grid;
  const ConstVelocityView<Dim> u = source.velocity;
  double* const out = source.cells.data();
  for (int component = 0; component < components; ++component) {
    const int axis = Dim == 2 ? 2 : component;
    linalg::for_each<Space>(box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
      out[box.position(c)] = vorticity(grid, u, axis, c);
    });
    put_component(source, component, array);
  }
  return array;
}

// `name` is one of output_field_table(). Errors: ConfigError for another.
template <int Dim, class Space>
CellArray cell_array(const CellArraySource<Dim, Space>& source, const std::string& name) {
  using Make = CellArray (*)(const CellArraySource<Dim, Space>&);
  constexpr std::pair<const char*, Make> table[] = {{"velocity", velocity_array<Dim, Space>},
                                                    {"pressure", pressure_array<Dim, Space>},
                                                    {"vorticity", vorticity_array<Dim, Space>},
                                                    {"solid", solid_array<Dim, Space>}};
  for (const auto& [known, make] : table)
    if (name == known) return make(source);
  throw ConfigError("unknown output field '" + name + "'");
}

}  // namespace hodge::sim
