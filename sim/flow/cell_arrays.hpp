// Output fields at cell centres, computed in the space and brought to the host, as frames want
// them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/flow/frame.hpp"

namespace hodge::sim {

// What an output array is made of; `cells` receives one component at a time, unpadded.
template <int Dim, class Space>
struct CellArraySource {
  PresentFields<Dim> fields;
  linalg::Buffer<double, Space>& cells;
};

template <class Field, int Dim, class Space>
CellArray array_of(const CellArraySource<Dim, Space>& source, const std::string& name) {
  constexpr int components = Field::row.components[Dim - 2];
  const std::size_t size = source.cells.size();
  CellArray array{name, components, std::vector<double>(size * components)};
  const PresentFields<Dim> fields = source.fields;
  const Box<Dim> box{Index<Dim>::filled(0), fields.grid.cells};
  double* const out = source.cells.data();
  for (int component = 0; component < std::min(components, Dim); ++component) {
    linalg::for_each<Space>(box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
      out[box.position(c)] = Field::at(fields, component, c);
    });
    const std::vector<double> values = source.cells.to_host();
    for (std::size_t i = 0; i < size; ++i)
      array.values[i * components + static_cast<std::size_t>(component)] = values[i];
  }
  return array;
}

// A scalar is shown as the pressure is: by its values.
template <int Dim, class Space>
CellArray scalar_array(CellArraySource<Dim, Space> source, const std::string& name,
                       const ConstFieldView<Dim>& scalar) {
  source.fields.pressure = scalar;
  return array_of<PressureOutput>(source, name);
}

// `name` is one of output_field_table(). Errors: ConfigError for another.
template <int Dim, class Space>
CellArray cell_array(const CellArraySource<Dim, Space>& source, const std::string& name) {
  CellArray array;
  if (!with_output_field(name,
                         [&](auto field) { array = array_of<decltype(field)>(source, name); }))
    throw ConfigError("unknown output field '" + name + "'");
  return array;
}

}  // namespace hodge::sim
