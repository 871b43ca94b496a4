// grid: the box, its cells and their stretching.
#include <algorithm>
#include <cmath>

#include "sim/app/config/read_point.hpp"
#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/grid/stretching.hpp"

namespace hodge::sim {
namespace {

constexpr double fewest_cells = 3;       // a periodic axis needs two different neighbours
constexpr double most_cells = 1 << 20;   // along one axis
constexpr double largest_strength = 10;  // makes the cells at the ends 1e-8 of those in the middle
constexpr double default_strength = 2;

void check_dimension(const YamlNode& cells, const CaseSchema& chosen) {
  const auto& allowed = chosen.dimensions;
  const auto count = static_cast<int>(cells.items.size());
  if (std::find(allowed.begin(), allowed.end(), count) != allowed.end()) return;
  throw config_error(cells.place,
                     "grid.cells is a list of {}, expected {}, the dimensions of case {}", count,
                     fmt::join(allowed, " or "), chosen.name);
}

// A row of the largest system has 2 dim + 1 entries, and they are counted in 32 bits.
void check_size(const YamlNode& node, const std::vector<int>& cells) {
  double entries = 2.0 * static_cast<double>(cells.size()) + 1;
  for (const int n : cells) entries *= n;
  if (entries < 2147483648.0) return;
  throw config_error(
      node.place,
      "grid.cells makes a matrix of {} entries, expected fewer than 2147483648 (32-bit indices)",
      number_text(entries));
}

// Where the bound `key` of an axis was written; the grid itself for a default.
Place bound_place(const YamlNode& grid, const char* key, std::size_t axis) {
  const YamlNode* list = grid.find(key);
  return list == nullptr ? grid.place : list->items[axis].place;
}

void check_bounds(const YamlNode& node, const GridSettings& grid) {
  for (int d = 0; d < grid.dim; ++d) {
    const AxisSettings& axis = grid.axes[d];
    const double length = axis.upper - axis.lower;
    if (length > 0 && std::isfinite(length)) continue;
    const char* key = node.find("upper") != nullptr ? "upper" : "lower";
    throw config_error(bound_place(node, key, static_cast<std::size_t>(d)),
                       "the grid goes from {} to {} along {}, expected lower < upper",
                       number_text(axis.lower), number_text(axis.upper), axis_names[d]);
  }
}

// Keys of other kinds are wrong, and those of this one needed but for the strength.
void check_stretching(const YamlNode& node, const std::string& path, const std::string& kind) {
  const auto known = find_stretching(kind).keys;
  for (const Stretching& other : stretching_table())
    for (const std::string key : other.keys) {
      const bool has_meaning = std::find(known.begin(), known.end(), key) != known.end();
      const YamlNode* value = node.find(key);
      if (value != nullptr && !has_meaning)
        throw config_error(value->place, "{}.{} has no meaning for kind {}, expected no such key",
                           path, key, kind);
      if (value == nullptr && has_meaning && key != "strength")
        throw config_error(node.place, "missing key '{}' in {}, expected for kind {}", key, path,
                           kind);
    }
}

ValueReader axis_stretching(AxisSettings& axis) {
  const auto check = [&axis](const YamlNode& node, const std::string& path) {
    check_stretching(node, path, axis.stretching);
    if (axis.stretching == "tanh" && node.find("strength") == nullptr)
      axis.strength = default_strength;
  };
  const auto has_core = [&axis] { return axis.core.cells > 0; };
  return in_one_line(map_of(
      {required("kind", one_of(axis.stretching, "grid stretching", names_of(stretching_table())),
                "how cell sizes vary; `hodge schemes` describes the kinds"),
       optional("strength",
                with_default(number(axis.strength, {0, largest_strength, true}),
                             number_text(default_strength)),
                "of tanh: the larger, the smaller the cells at both ends"),
       optional("lower", written_if(with_default(number(axis.core.lower, {}), ""), has_core),
                "of core: where its equal cells begin, L"),
       optional("upper", written_if(with_default(number(axis.core.upper, {}), ""), has_core),
                "of core: where its equal cells end, L"),
       optional("cells", whole_number(axis.core.cells, from_to(1, most_cells)),
                "of core: how many of the axis's cells are in it")},
      check));
}

ValueReader stretching_section(GridSettings& grid) {
  std::vector<Key> keys;
  for (int d = 0; d < grid.dim; ++d) {
    keys.push_back(optional(axis_names[d], axis_stretching(grid.axes[d]),
                            fmt::format("of the cells along {}", axis_names[d])));
  }
  return with_example(map_of(std::move(keys)), "{x: {kind: tanh, strength: 1.5}}");
}

// Sets the dimension, and with it the box that the case has unless the file says otherwise.
ValueReader cells(GridSettings& grid, const CaseSchema& chosen) {
  using Cells = std::vector<int>;
  const auto get = [&grid] {
    Cells all;
    for (int d = 0; d < grid.dim; ++d) all.push_back(grid.axes[d].cells);
    return std::optional<Cells>(all);
  };
  const auto set = [&grid, &chosen](const Cells& all, const YamlNode& node, const std::string&) {
    check_dimension(node, chosen);
    check_size(node, all);
    grid.dim = static_cast<int>(all.size());
    for (std::size_t d = 0; d < all.size(); ++d)
      grid.axes[d] = {.cells = all[d], .lower = chosen.lower[d], .upper = chosen.upper[d]};
  };
  const ValueReader reader = through<Cells>(
      [](Cells& all) { return whole_numbers(all, from_to(fewest_cells, most_cells)); }, get, set);
  return with_default(of_length(reader, static_cast<std::size_t>(grid.dim)), "");
}

// One corner of the box, which get_corner(grid) returns.
ValueReader corner(GridSettings& grid, Point (*get_corner)(const GridSettings&),
                   double AxisSettings::*bound) {
  const auto set = [&grid, bound](const Point& at, const YamlNode&, const std::string&) {
    for (int d = 0; d < grid.dim; ++d) grid.axes[d].*bound = at[d];
  };
  return through<Point>([&grid](Point& at) { return point(at, grid); },
                        [&grid, get_corner] { return std::optional(get_corner(grid)); }, set);
}

}  // namespace

ValueReader grid_section(GridSettings& grid, const CaseSchema& chosen) {
  ValueReader section = map_of(
      {required("cells", cells(grid, chosen),
                "along each axis: two numbers make the grid 2D, three 3D"),
       optional("lower", corner(grid, lower_corner, &AxisSettings::lower),
                "the lower corner of the box, L"),
       optional("upper", corner(grid, upper_corner, &AxisSettings::upper),
                "the upper corner of the box, L"),
       optional("stretching", later("a map of axes", [&grid] { return stretching_section(grid); }),
                "smaller cells where they are needed, axis by axis")},
      [&grid](const YamlNode& node, const std::string&) { check_bounds(node, grid); });
  section.expected = "a map with the cells of each axis, as {cells: [64, 64]}";
  return section;
}

}  // namespace hodge::sim
