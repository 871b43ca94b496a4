// Bytes that a simulation holds on its device:
//
//   fields       4 velocities, p, phi: 8 B a padded value;  one unpadded array for output
//   matrices     12 B a non-zero (column, value), 8 B a row (offset, position of the diagonal)
//   vectors      right side and solution of the largest system
//   solvers      linalg::solver_memory
#include <algorithm>

#include "linalg/solve.hpp"
#include "sim/fields/layout.hpp"
#include "sim/flow/flow.hpp"
#include "sim/flow/systems.hpp"

namespace hodge::sim {
namespace {

constexpr std::size_t value = sizeof(double);
constexpr std::size_t index = sizeof(int);

std::size_t field_bytes(const Grid& grid) {
  std::size_t padded = 1;
  for (int d = 0; d < grid.dim(); ++d)
    padded *= static_cast<std::size_t>(grid.cells(d) + 2 * ghost_width);
  const auto fields = static_cast<std::size_t>(4 * grid.dim() + 2);
  return value * (fields * padded + static_cast<std::size_t>(grid.cell_count()));
}

}  // namespace

std::size_t memory_estimate(const Settings& settings, const Problem& problem) {
  const Grid grid(settings.grid);
  std::size_t bytes = field_bytes(grid), largest = 0;
  linalg::SystemSize pressure, transport;
  for (const SystemSize& system : system_sizes(problem.boundaries, grid)) {
    const auto rows = static_cast<std::size_t>(system.rows);
    bytes += static_cast<std::size_t>(system.nonzeros) * (index + value) + rows * 2 * index;
    largest = std::max(largest, rows);
    linalg::SystemSize& kind = system.name == "pressure" ? pressure : transport;
    if (rows > kind.rows) kind = {rows, static_cast<std::size_t>(system.nonzeros), value,
                                  system.name == "pressure"};
  }
  return bytes + 2 * value * largest + linalg::solver_memory(settings.pressure, pressure) +
         linalg::solver_memory(settings.transport, transport);
}

}  // namespace hodge::sim
