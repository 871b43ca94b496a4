// grid: the box, its cells and their stretching.
#include <algorithm>

#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/app/config/yaml_number.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/fields/layout.hpp"
#include "sim/discrete/grid/axis_limits.hpp"
#include "sim/discrete/grid/stretching.hpp"

namespace hodge::sim {
namespace {

constexpr double fewest_cells = 3;       // a periodic axis needs two different neighbours
constexpr double most_cells = 1 << 20;   // along one axis
constexpr double largest_strength = 10;  // makes the cells at the ends 1e-8 of those in the middle
constexpr double default_strength = 2;

void check_dimension(const ConfigValue& cells, const CaseSchema& chosen) {
  const auto& allowed = chosen.dimensions;
  const auto count = static_cast<int>(cells.node.items.size());
  if (std::find(allowed.begin(), allowed.end(), count) == allowed.end())
    throw cells.error(" is a list of {}, expected {}, the dimensions of case {}", count,
                      fmt::join(allowed, " or "), chosen.name);
}

void check_size(const ConfigValue& value, const std::vector<int>& cells) {
  double values = 1;
  for (const int n : cells) values *= n + 2.0 * ghost_width;
  if (values >= static_cast<double>(most_values))
    throw value.error(
        " makes fields of {} values with their ghost cells, expected fewer than {} (32-bit "
        "positions)",
        number_text(values), most_values);
}

// With the place of the bound that the file has; the grid's own for defaults.
void check_bounds(const ConfigValue& value, const GridSettings& grid) {
  for (int d = 0; d < grid.dim; ++d) {
    const AxisSettings& axis = grid.axes[d];
    const bool ascends = axis.lower < axis.upper;
    if (ascends && can_be_computed_with(axis.lower, axis.upper)) continue;
    const YamlNode* const bound = value.node.find(value.has("upper") ? "upper" : "lower");
    throw config_error(
        bound == nullptr ? value.node.place : bound->items[d].place,
        "the grid goes from {} to {} along {}, expected {}", number_text(axis.lower),
        number_text(axis.upper), axis_names[d],
        ascends ? fmt::format("ends within {} of 0 and {} apart", largest_coordinate, least_length)
                : "lower < upper");
  }
}

// Keys of other kinds are wrong, and those of this one needed but for the strength.
void check_stretching(const ConfigValue& value, const std::string& kind) {
  const auto known = find_stretching(kind).keys;
  for (const Stretching& other : stretching_table())
    for (const std::string key : other.keys)
      if (std::find(known.begin(), known.end(), key) == known.end())
        value.refuse(key, " has no meaning for kind {}, expected no such key", kind);
      else if (!value.has(key) && key != "strength")
        throw value.missing(key, "for kind " + kind);
}

ValueReader axis_stretching(AxisSettings& axis) {
  const auto check = [&axis](const ConfigValue& value) {
    check_stretching(value, axis.stretching);
    if (axis.stretching == "tanh" && !value.has("strength")) axis.strength = default_strength;
  };
  const auto has_core = [&axis] { return axis.core.cells > 0; };
  return in_one_line(map_of(
      {required("kind", one_of(axis.stretching, "grid stretching", names_of(stretching_table())),
                "how cell sizes vary; `hodge schemes` describes the kinds"),
       optional("strength",
                with_default(number(axis.strength, {0, largest_strength, true}),
                             yaml_number(default_strength)),
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
  for (int d = 0; d < grid.dim; ++d)
    keys.push_back(optional(axis_names[d], axis_stretching(grid.axes[d]),
                            fmt::format("of the cells along {}", axis_names[d])));
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
  const auto set = [&grid, &chosen](const Cells& all, const ConfigValue& value) {
    check_dimension(value, chosen);
    check_size(value, all);
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
  const auto set = [&grid, bound](const Point& at, const ConfigValue&) {
    for (int d = 0; d < grid.dim; ++d) grid.axes[d].*bound = at[d];
  };
  return through<Point>([&grid](Point& at) { return point(at, grid); },
                        [&grid, get_corner] { return std::optional(get_corner(grid)); }, set);
}

}  // namespace

ValueReader point(Point& out, const GridSettings& grid) {
  return each_axis(out, grid.dim, "a list of numbers",
                   fmt::format("{} as grid.cells has", grid.dim),
                   [](double& coordinate) { return number(coordinate, {}); });
}

std::string point_text(const Point& at, const GridSettings& grid) {
  Point written = at;
  return point(written, grid).write();
}

Point lower_corner(const GridSettings& grid) {
  return {grid.axes[0].lower, grid.axes[1].lower, grid.axes[2].lower};
}

Point upper_corner(const GridSettings& grid) {
  return {grid.axes[0].upper, grid.axes[1].upper, grid.axes[2].upper};
}

Point middle_of(const GridSettings& grid) {
  const Point lower = lower_corner(grid), upper = upper_corner(grid);
  return {0.5 * (lower[0] + upper[0]), 0.5 * (lower[1] + upper[1]), 0.5 * (lower[2] + upper[2])};
}

ValueReader grid_section(GridSettings& grid, const CaseSchema& chosen) {
  const auto of_cells = [](const ValueReader& reader) { return hangs_on({".cells"}, reader); };
  ValueReader section = map_of(
      {required("cells", cells(grid, chosen),
                "along each axis: two numbers make the grid 2D, three 3D"),
       optional("lower", of_cells(corner(grid, lower_corner, &AxisSettings::lower)),
                "the lower corner of the box, L"),
       optional("upper", of_cells(corner(grid, upper_corner, &AxisSettings::upper)),
                "the upper corner of the box, L"),
       optional("stretching",
                of_cells(later("a map of axes", [&grid] { return stretching_section(grid); })),
                "smaller cells where they are needed, axis by axis")},
      [&grid](const ConfigValue& value) { check_bounds(value, grid); });
  section.expected = "a map with the cells of each axis, as {cells: [64, 64]}";
  return section;
}

}  // namespace hodge::sim
