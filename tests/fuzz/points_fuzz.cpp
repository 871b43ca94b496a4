// A CSV file of points, as initial.from reads it, and its fields on a grid between the points: they
// are numbers.
#include <cmath>
#include <string>
#include <vector>

#include "sim/app/initial/stored_points.hpp"
#include "sim/discrete/grid/transfer.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/target.hpp"

using namespace hodge;

namespace {

// Three cells along every axis, from the first point to the last.
sim::GridEdges edges_between(const sim::StoredState& state) {
  sim::GridEdges edges;
  for (std::size_t e = 0; e < static_cast<std::size_t>(state.dim); ++e) {
    const double first = state.points[e].front(), last = state.points[e].back();
    for (const double share : {0.0, 0.3, 0.6, 1.0})
      edges[e].push_back(first + share * (last - first));
  }
  return edges;
}

void expect_numbers(const std::vector<double>& values) {
  for (const double value : values)
    if (!std::isfinite(value)) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::string> scalars{"heat"};
  const fuzz::MemoryFile file(fuzz::text_of(data, size));
  return fuzz::expect_errors_of_hodge([&] {
    const sim::StoredState state = sim::read_stored_points(file.path(), scalars);
    const sim::GridEdges to = edges_between(state);
    const auto move = [&](const std::vector<double>& values, const sim::Transfer& how) {
      if (!values.empty()) expect_numbers(sim::transferred(values, state.edges, to, how));
    };
    for (int d = 0; d < state.dim; ++d)
      move(state.velocity[static_cast<std::size_t>(d)],
           {.location = d, .from_centres = true, .points = state.points});
    move(state.pressure, {.points = state.points});
    for (const auto& [name, values] : state.scalars)
      move(values, {.bounds = sim::Bounds{}, .points = state.points});
  });
}
