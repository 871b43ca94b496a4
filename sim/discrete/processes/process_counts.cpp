#include "sim/discrete/processes/process_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/base/key_error.hpp"
#include "sim/base/point.hpp"

namespace hodge::sim {
namespace {

constexpr const char* key_of_counts = "parallel.processes";

std::array<int, 3> cells_of(const GridSettings& grid) {
  std::array<int, 3> cells{1, 1, 1};
  for (int d = 0; d < grid.dim; ++d) cells[d] = grid.axes[static_cast<std::size_t>(d)].cells;
  return cells;
}

int product_of(const ProcessCounts& counts) {
  long long product = 1;
  for (const int count : counts)
    product = std::min<long long>(product * count, std::numeric_limits<int>::max());
  return static_cast<int>(product);
}

ProcessCounts counts_asked_for(const Settings& settings, int started, bool on_gpus) {
  const int dim = settings.grid.dim;
  ProcessCounts asked{1, 1, 1};
  std::copy_n(settings.parallel.processes->begin(), dim, asked.begin());
  const int product = product_of(asked);
  if (product > started)
    throw KeyError(key_of_counts, fmt::format("{} asks for {} processes, and {} were started",
                                              key_of_counts, product, started));
  const std::array<int, 3> cells = cells_of(settings.grid);
  const CutUnits units = cut_units(dim, cells, on_gpus);
  for (int d = 0; d < dim; ++d) {
    const int most = most_parts(cells[d], units[d]);
    if (asked[d] > most)
      throw KeyError(key_of_counts,
                     fmt::format("{} asks for {} processes{}, and the {} cells along {} can be "
                                 "cut into {} part{} at most",
                                 key_of_counts, asked[d],
                                 asked[d] < product ? fmt::format(" along {}", axis_names[d]) : "",
                                 cells[d], axis_names[d], most, most == 1 ? "" : "s"));
  }
  return asked;
}

ProcessCounts slabs_for(const GridSettings& grid, int started, const CutUnits& units) {
  const int last = grid.dim - 1;
  ProcessCounts slabs{1, 1, 1};
  slabs[last] = std::min(started, most_parts(cells_of(grid)[last], units[last]));
  return slabs;
}

// For as many processes as possible. `slabs`: where blocks give work to no more.
ProcessCounts blocks_for(const GridSettings& grid, const Boundaries& boundaries, int started,
                         const ProcessCounts& slabs, const CutUnits& units) {
  const std::array<int, 3> cells = cells_of(grid);
  std::array<bool, 3> periodic{};
  ProcessCounts most{1, 1, 1};
  for (int d = 0; d < grid.dim; ++d) {
    periodic[d] = boundaries.periodic(d);
    most[d] = most_parts(cells[d], units[d]);
  }
  for (int count = std::min(started, product_of(most)); count > product_of(slabs); --count) {
    try {
      return choose_process_counts(grid.dim, cells, periodic, count, units);
    } catch (const ConfigError&) {
      continue;  // not a product of counts that the axes can be cut for
    }
  }
  return slabs;
}

}  // namespace

ProcessCounts process_counts_of(const Settings& settings, const Boundaries& boundaries, int started,
                                bool on_gpus) {
  if (started == 1) return {1, 1, 1};
  if (settings.parallel.processes) return counts_asked_for(settings, started, on_gpus);
  const CutUnits units = cut_units(settings.grid.dim, cells_of(settings.grid), on_gpus);
  const ProcessCounts slabs = slabs_for(settings.grid, started, units);
  if (product_of(slabs) == started) return slabs;
  return blocks_for(settings.grid, boundaries, started, slabs, units);
}

Decomposition decomposition_of(const GridSettings& grid, const ProcessCounts& counts,
                               bool on_gpus) {
  return {grid.dim, cells_of(grid), counts, cut_units(grid.dim, cells_of(grid), on_gpus)};
}

}  // namespace hodge::sim
