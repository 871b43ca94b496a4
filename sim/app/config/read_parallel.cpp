// parallel: how several processes share a run.
#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr int most_processes = 1 << 20;

ValueReader processes_of_axes(std::array<int, 3>& processes, int dim) {
  return each_axis(processes, dim, "a list of whole numbers",
                   fmt::format("one for each of {} axes", dim),
                   [](int& count) { return whole_number(count, from_to(1, most_processes)); });
}

}  // namespace

ValueReader parallel_section(ParallelSettings& parallel, const GridSettings& grid) {
  const int dim = grid.dim;
  const ValueReader processes = optional_value(
      parallel.processes, [dim](std::array<int, 3>& out) { return processes_of_axes(out, dim); });
  const ValueReader map = map_of(
      {optional("processes", with_example(processes, dim == 2 ? "[2, 4]" : "[2, 2, 1]"),
                "how many share the box along each axis; of those that were started the others "
                "have no part; default: all"),
       optional("log", yes_or_no(parallel.log),
                "each process writes log.rankN.txt: its device, its part, its steps, its errors")});
  return with_example(map, "{log: true}");
}

}  // namespace hodge::sim
