// grid: the box, its cells and their stretching.
#include <algorithm>
#include <cmath>

#include "sim/app/config/sections.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/discrete/grid/stretching.hpp"

namespace hodge::sim {
namespace {

struct GridLists {
  std::vector<int> cells;
  std::vector<double> lower, upper;
};

constexpr double fewest_cells = 3;       // a periodic axis needs two different neighbours
constexpr double most_cells = 1 << 20;   // along one axis
constexpr double largest_strength = 10;  // makes the cells at the ends 1e-8 of those in the middle
constexpr double default_strength = 2;

void check_dimension(const YamlNode& grid, std::size_t count, const CaseSchema& chosen) {
  const auto& allowed = chosen.dimensions;
  if (std::find(allowed.begin(), allowed.end(), static_cast<int>(count)) != allowed.end()) return;
  throw config_error(grid.find("cells")->place,
                     "grid.cells is a list of {}, expected {}, the dimensions of case {}", count,
                     fmt::join(allowed, " or "), chosen.name);
}

// A row of the largest system has 2 dim + 1 entries, and they are counted in 32 bits.
void check_size(const YamlNode& grid, const std::vector<int>& cells) {
  double entries = 2.0 * static_cast<double>(cells.size()) + 1;
  for (const int n : cells) entries *= n;
  if (entries < 2147483648.0) return;
  throw config_error(
      grid.find("cells")->place,
      "grid.cells makes a matrix of {} entries, expected fewer than 2147483648 (32-bit indices)",
      number_text(entries));
}

void check_length(const YamlNode& grid, const char* key, std::size_t count, std::size_t dim) {
  if (count == dim) return;
  throw config_error(grid.find(key)->place,
                     "grid.{} is a list of {}, expected {} as grid.cells has", key, count, dim);
}

// Where the bound `key` of an axis was written; the grid itself for a default.
Place bound_place(const YamlNode& grid, const char* key, std::size_t axis) {
  const YamlNode* list = grid.find(key);
  return list == nullptr ? grid.place : list->items[axis].place;
}

void check_bounds(const YamlNode& grid, const GridLists& lists) {
  for (std::size_t d = 0; d < lists.cells.size(); ++d) {
    const double length = lists.upper[d] - lists.lower[d];
    if (length > 0 && std::isfinite(length)) continue;
    const char* key = grid.find("upper") != nullptr ? "upper" : "lower";
    throw config_error(bound_place(grid, key, d),
                       "the grid goes from {} to {} along {}, expected lower < upper",
                       number_text(lists.lower[d]), number_text(lists.upper[d]), axis_names[d]);
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
  return map_of(
      {required("kind", one_of(axis.stretching, "grid stretching", names_of(stretching_table())),
                "how cell sizes vary; `hodge schemes` describes the kinds"),
       optional("strength",
                with_default(number(axis.strength, {0, largest_strength, true}),
                             number_text(default_strength)),
                "of tanh: the larger, the smaller the cells at both ends"),
       optional("lower", with_default(number(axis.core.lower, {}), ""),
                "of core: where its equal cells begin, L"),
       optional("upper", with_default(number(axis.core.upper, {}), ""),
                "of core: where its equal cells end, L"),
       optional("cells", whole_number(axis.core.cells, from_to(1, most_cells)),
                "of core: how many of the axis's cells are in it")},
      check);
}

ValueReader stretching_section(GridSettings& grid) {
  std::vector<Key> keys;
  for (int d = 0; d < grid.dim; ++d) {
    keys.push_back(optional(axis_names[d], axis_stretching(grid.axes[d]),
                            fmt::format("of the cells along {}", axis_names[d])));
  }
  return with_example(map_of(std::move(keys)), "{x: {kind: tanh, strength: 1.5}}");
}

std::vector<Key> grid_keys(GridLists& lists, const ValueReader& stretching) {
  return {required("cells", whole_numbers(lists.cells, from_to(fewest_cells, most_cells)),
                   "along each axis: two numbers make the grid 2D, three 3D"),
          optional("lower", numbers(lists.lower, {}), "the lower corner of the box, L"),
          optional("upper", numbers(lists.upper, {}), "the upper corner of the box, L"),
          optional("stretching", stretching, "smaller cells where they are needed, axis by axis")};
}

ValueShape grid_shape(GridSettings grid, const CaseSchema& chosen) {
  const auto dim = static_cast<std::size_t>(grid.dim);
  GridLists lists;
  lists.lower.assign(chosen.lower.begin(), chosen.lower.begin() + grid.dim);
  lists.upper.assign(chosen.upper.begin(), chosen.upper.begin() + grid.dim);
  std::vector<Key> keys = grid_keys(lists, stretching_section(grid));
  for (Key& key : keys)
    if (key.name != "stretching") key.value = of_length(key.value, dim);
  return map_shape(keys);
}

void read_grid(const YamlNode& node, GridSettings& grid, const CaseSchema& chosen) {
  GridLists lists;
  // The stretching is read when the dimension is known.
  const ValueReader later{"", [](const YamlNode&, const std::string&) {}};
  read_map(node, "grid", grid_keys(lists, later));
  const std::size_t dim = lists.cells.size();
  check_dimension(node, dim, chosen);
  check_size(node, lists.cells);
  if (node.find("lower") == nullptr)
    lists.lower.assign(chosen.lower.begin(), chosen.lower.begin() + static_cast<long>(dim));
  if (node.find("upper") == nullptr)
    lists.upper.assign(chosen.upper.begin(), chosen.upper.begin() + static_cast<long>(dim));
  check_length(node, "lower", lists.lower.size(), dim);
  check_length(node, "upper", lists.upper.size(), dim);
  check_bounds(node, lists);
  grid.dim = static_cast<int>(dim);
  for (std::size_t d = 0; d < dim; ++d) {
    grid.axes[d] = {.cells = lists.cells[d], .lower = lists.lower[d], .upper = lists.upper[d]};
  }
  if (const YamlNode* stretching = node.find("stretching")) {
    stretching_section(grid).read(*stretching, "grid.stretching");
  }
}

}  // namespace

ValueReader grid_section(GridSettings& grid, const CaseSchema& chosen) {
  return {
      "a map with the cells of each axis, as {cells: [64, 64]}",
      [&grid, &chosen](const YamlNode& node, const std::string&) { read_grid(node, grid, chosen); },
      [&grid, &chosen] { return grid_shape(grid, chosen); }};
}

}  // namespace hodge::sim
