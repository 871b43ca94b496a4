// Output fields at cell centres, computed in the space and brought to the host: in double to
// compute with, or in the precision of a frame. The conversion is done in the space, so that no
// more bytes than those of the frame cross to the host. Where processes share the box, the calls
// are collective, and process 0 gets all values, or each process those of its own layers of cells.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "linalg/processes/agree.hpp"
#include "linalg/space/space.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/bodies/body_frames.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/discrete/processes/brought_values.hpp"
#include "sim/flow/frame.hpp"

namespace hodge::sim {

// Doubles of the scratch memory below: one per cell up to 32 MiB, or the components of one layer of
// cells across the last axis (6: a symmetric tensor).
inline std::size_t scratch_values(const Grid& grid) {
  constexpr std::size_t most_components = 6, enough = std::size_t{1} << 22;
  const auto cells = static_cast<std::size_t>(grid.cell_count());
  return std::max(std::min(cells, enough),
                  most_components * (cells / static_cast<std::size_t>(grid.cells(grid.dim() - 1))));
}

// Where the values of a box that processes share go.
enum class CellsOf { whole_box, own_layers };

// The box of `cells` of the whole box.
template <int Dim>
Box<Dim> box_of(const CellRange& cells) {
  Box<Dim> box{};
  for (int d = 0; d < Dim; ++d) {
    box.lower[d] = cells.lower[static_cast<std::size_t>(d)];
    box.upper[d] = cells.upper[static_cast<std::size_t>(d)];
  }
  return box;
}

// What an output array is made of. Values are computed layer by layer, as many as `scratch` holds.
template <int Dim, class Space>
struct CellArraySource {
  PresentFields<Dim> fields;
  Layout<Dim> part;                         // the cells that this process has
  linalg::Buffer<double, Space>& scratch;   // scratch_values
  linalg::Buffer<double, Space>& not_held;  // one value at least
  double divisor = 1;                       // of all values: the time that was averaged over
  CellsOf cells = CellsOf::whole_box;
  std::optional<Box<Dim>> only{};  // of the whole box: no other cells

  // Those of this process, in its own indices; no layers where it has none of them.
  Box<Dim> own_cells() const {
    Box<Dim> own = part.interior();
    for (int d = 0; only && d < Dim; ++d) {
      own.lower[d] = std::clamp(only->lower[d] - part.before[d], 0, part.cells[d]);
      own.upper[d] = std::clamp(only->upper[d] - part.before[d], 0, part.cells[d]);
    }
    return own;
  }
  std::size_t cell_count() const {
    const bool brings = cells == CellsOf::whole_box && part.halo != nullptr;
    const bool has_all = brings && part.halo->processes().rank() == 0;
    return static_cast<std::size_t>(
        (has_all ? only.value_or(part.whole_box()) : own_cells()).size());
  }
};

// Of a vector in 2D the third component is 0. Tensors have all of theirs.
template <class Field, int Dim>
constexpr int computed_components() {
  constexpr int components = Field::row.components[Dim - 2];
  return components > 3 ? components : std::min(components, Dim);
}

// The values of the cells of `layers`, which begin at out[0].
template <class Field, class T, int Dim, class Space>
void compute_values(const CellArraySource<Dim, Space>& source, const Box<Dim>& layers, T* out) {
  constexpr int components = Field::row.components[Dim - 2];
  constexpr int computed = computed_components<Field, Dim>();
  const PresentFields<Dim> fields = source.fields;
  const double divisor = source.divisor;
  linalg::for_each<Space>(layers, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    T* const cell = out + static_cast<std::size_t>(layers.position(c)) * components;
    for (int component = 0; component < components; ++component)
      cell[component] =
          component < computed ? static_cast<T>(Field::at(fields, component, c) / divisor) : T(0);
  });
}

// Whether every float is a number that is not infinite.
template <class Field, int Dim, class Space>
bool are_finite(const CellArraySource<Dim, Space>& source, const Box<Dim>& layers,
                const float* values) {
  constexpr int components = Field::row.components[Dim - 2];
  linalg::reduce<Space, 1>(
      layers, {linalg::Reduction::max},
      [=] HODGE_LAMBDA(const Index<Dim>& c, double* found) {
        const float* const cell =
            values + static_cast<std::size_t>(layers.position(c)) * components;
        found[0] = 0;
        for (int component = 0; component < components; ++component)
          if (!(cell[component] <= FLT_MAX && cell[component] >= -FLT_MAX)) found[0] = 1;
      },
      source.not_held.data());
  return source.not_held.to_host()[0] == 0;
}

// All values of the own cells as T at `host`; false, and not all of them, where T is float and does
// not hold one of them.
template <class Field, class T, int Dim, class Space>
bool copy_own_to_host(const CellArraySource<Dim, Space>& source, T* host) {
  constexpr auto components = static_cast<std::size_t>(Field::row.components[Dim - 2]);
  const Box<Dim> cells = source.own_cells();
  const int first = cells.lower[Dim - 1], behind = cells.upper[Dim - 1];
  std::size_t layer = components;  // values of one
  for (int d = 0; d < Dim - 1; ++d) layer *= static_cast<std::size_t>(cells.extent(d));
  const auto fit = static_cast<int>(
      std::min<std::size_t>(source.scratch.bytes() / (layer * sizeof(T)), behind - first));
  Box<Dim> layers = cells;
  for (int next = first; next < behind; next += fit) {
    layers.lower[Dim - 1] = next;
    layers.upper[Dim - 1] = std::min(next + fit, behind);
    const std::size_t count = layer * static_cast<std::size_t>(layers.extent(Dim - 1));
    T* const target = host + layer * static_cast<std::size_t>(next - first);
    constexpr bool in_place = std::is_same_v<Space, linalg::Host>;
    T* const values = in_place ? target : reinterpret_cast<T*>(source.scratch.data());
    compute_values<Field>(source, layers, values);
    if constexpr (std::is_same_v<T, float>)
      if (!are_finite<Field>(source, layers, values)) return false;
    if (!in_place) Space::download(values, target, count * sizeof(T));
  }
  return true;
}

// The same of the cells that source.cells asks for. Processes agree on the result: an array has one
// precision in all of them.
template <class Field, class T, int Dim, class Space>
bool copy_to_host(const CellArraySource<Dim, Space>& source, T* host) {
  constexpr auto components = static_cast<std::size_t>(Field::row.components[Dim - 2]);
  if (source.part.halo == nullptr) return copy_own_to_host<Field>(source, host);
  const linalg::SharedRows shared{.processes = &source.part.halo->processes()};
  bool holds = false;
  {
    const linalg::SharingRows alone({});
    holds = copy_own_to_host<Field>(source, host);
  }
  if (linalg::greatest(shared, holds ? 0.0 : 1.0) > 0) return false;
  if (source.cells == CellsOf::whole_box)
    bring_to_first(*source.part.halo,
                   components * static_cast<std::size_t>(source.own_cells().size()), host);
  return true;
}

template <class Field, int Dim, class Space>
CellArray array_of(const CellArraySource<Dim, Space>& source, const std::string& name) {
  constexpr int components = Field::row.components[Dim - 2];
  CellArray array{name, components, std::vector<double>(source.cell_count() * components)};
  copy_to_host<Field>(source, array.values.data());
  return array;
}

// The same as an array of a frame, whose memory is used again.
template <class Field, int Dim, class Space>
void store(const CellArraySource<Dim, Space>& source, const std::string& name,
           const std::string& precision, FrameArray& array) {
  array.name = name;
  array.components = Field::row.components[Dim - 2];
  array.count = source.cell_count() * static_cast<std::size_t>(array.components);
  const auto fits_as = [&]<class T>(T) {
    array.is_single = std::is_same_v<T, float>;
    auto* const bytes = array.memory.template reserve<Space>(array.count * sizeof(T));
    return copy_to_host<Field>(source, reinterpret_cast<T*>(bytes));
  };
  const bool single = bytes_per_value(precision) == sizeof(float) && fits_as(float());
  if (!single) fits_as(double());
}

}  // namespace hodge::sim
