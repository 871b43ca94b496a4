// hodge._hodge.read_frame and fields_of_frame: by the one reader of frames, in files of their own
// or all in one (sim/app/frames/frame_reader.hpp).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/app/frames/frame_reader.hpp"
#include "sim/app/output/vtkhdf_file.hpp"
#include "tools/python/bindings.hpp"

namespace nb = nanobind;

namespace hodge::python {
namespace {

struct WholeArray {
  std::size_t components = 1;
  std::vector<double> values{};
};

// Of a part, into its place in the whole grid.
void place(const sim::Extent& whole, const sim::Extent& part, const std::vector<double>& values,
           WholeArray& to) {
  std::array<std::size_t, 3> cells{}, own{}, first{};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto count = [&](const sim::Extent& of) {
      return static_cast<std::size_t>(std::max(1, of[2 * d + 1] - of[2 * d]));
    };
    cells[d] = count(whole);
    own[d] = count(part);
    first[d] = static_cast<std::size_t>(part[2 * d] - whole[2 * d]);
  }
  to.values.resize(to.components * cells[0] * cells[1] * cells[2]);
  const std::size_t row = to.components * own[0];
  const double* from = values.data();
  for (std::size_t k = 0; k < own[2]; ++k)
    for (std::size_t j = 0; j < own[1]; ++j, from += row) {
      const std::size_t at = first[0] + cells[0] * (first[1] + j + cells[1] * (first[2] + k));
      std::copy_n(from, row, to.values.data() + to.components * at);
    }
}

struct WholeFrame {
  std::optional<double> time;
  std::array<std::vector<double>, 3> edges;
  std::map<std::string, WholeArray> arrays;
};
using Names = std::optional<std::set<std::string>>;

std::vector<double> times_in(const std::string& path) {
  const nb::gil_scoped_release released;
  sim::VtkhdfFile file(path);
  file.read();
  return file.index().times;
}

// {name: components} of a frame; no value is read.
std::map<std::string, std::size_t> fields_of(const std::string& path, std::size_t number) {
  std::map<std::string, std::size_t> fields;
  const nb::gil_scoped_release released;
  sim::read_frame(
      path,
      [&](const sim::StoredType& array) {
        fields[array.name] = array.components;
        return false;
      },
      [](const sim::StoredType&, const sim::Extent&, const sim::Extent&,
         const std::vector<double>&) {},
      number);
  return fields;
}

WholeFrame whole_frame(const std::string& path, const Names& names, std::size_t number) {
  WholeFrame frame;
  const sim::FrameContent content = sim::read_frame(
      path, [&](const sim::StoredType& array) { return !names || names->contains(array.name); },
      [&](const sim::StoredType& array, const sim::Extent& whole, const sim::Extent& part,
          const std::vector<double>& values) {
        WholeArray& to = frame.arrays[array.name];
        to.components = array.components;
        place(whole, part, values, to);
      },
      number);
  frame.time = content.time;
  frame.edges = content.edges;
  return frame;
}

// (time, edges of the cells along x, y, z, {name: (components, values)}) of the named fields, or of
// all. `number`: of the frame in a file that has several.
nb::tuple read(const std::string& path, const Names& names, std::size_t number) {
  WholeFrame frame;
  {
    const nb::gil_scoped_release released;
    frame = whole_frame(path, names, number);
  }
  nb::list edges;
  for (std::vector<double>& axis : frame.edges) edges.append(array_of(std::move(axis)));
  nb::dict named;
  for (auto& [name, array] : frame.arrays)
    named[name.c_str()] = nb::make_tuple(array.components, array_of(std::move(array.values)));
  return nb::make_tuple(frame.time ? nb::cast(*frame.time) : nb::none(), edges, named);
}

}  // namespace

void bind_frames(nb::module_& module) {
  module.def("times_in_file", &times_in, nb::arg("path"));
  module.def("fields_of_frame", &fields_of, nb::arg("path"), nb::arg("number") = 0);
  module.def("read_frame", &read, nb::arg("path"), nb::arg("names") = nb::none(),
             nb::arg("number") = 0);
}

}  // namespace hodge::python
