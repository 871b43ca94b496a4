#include "sim/app/initial/stored_checkpoint.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "linalg/base/errors.hpp"
#include "sim/app/checkpoint/checkpoint.hpp"
#include "sim/app/initial/surface_files.hpp"
#include "sim/base/input_files.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/discrete/grid/transfer.hpp"

namespace hodge::sim {
namespace {

template <int Dim>
class StoredFields {
 public:
  StoredFields(CheckpointReader& checkpoint, const Grid& grid) : checkpoint_(checkpoint) {
    for (int d = 0; d < Dim; ++d) layout_.cells[d] = grid.cells(d);
  }

  // Without ghosts.
  std::vector<double> read(const std::string& name, int location) {
    std::vector<double> padded(layout_.size());
    checkpoint_.visit_fixed(name, padded);
    const FieldView<Dim> view = view_of(layout_, padded.data());
    Box<Dim> box = layout_.interior();
    if (location != at_cells) ++box.upper[location];
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(box.size()));
    for_each_on_host(box, [&](const Index<Dim>& c) { values.push_back(view(c)); });
    return values;
  }

 private:
  CheckpointReader& checkpoint_;
  Layout<Dim> layout_;
};

template <int Dim>
void read_fields(CheckpointReader& checkpoint, const Grid& grid, const Problem& problem,
                 StoredState& state) {
  StoredFields<Dim> fields(checkpoint, grid);
  for (int d = 0; d < Dim; ++d)
    state.velocity[d] = fields.read(std::string("velocity/") + velocity_names[d] + "/now", d);
  state.pressure = fields.read("pressure", at_cells);
  for (const ScalarProblem& scalar : problem.scalars)
    state.scalars.emplace_back(scalar.name,
                               fields.read("scalars/" + scalar.name + "/now", at_cells));
}

// The fields are continued into the solids that the run had.
void require_bodies_of_then(const CheckpointReader& checkpoint, const Settings& settings) {
  const auto& inputs = checkpoint.header().inputs;
  if (!inputs) return;
  if (const auto file = changed_file(*inputs, surface_files(settings)))
    throw ConfigError(
        fmt::format("{} has changed since the checkpoint {} was written, and its solids are not "
                    "known any more: begin with a frame of that run, which has them",
                    *file, checkpoint.path().string()));
}

}  // namespace

StoredState read_stored_checkpoint(const std::filesystem::path& path, const DescribeRun& describe) {
  CheckpointReader checkpoint(path);
  const DescribedRun run = describe(checkpoint.header().config);
  const Grid grid(run.settings.grid);
  StoredState state;
  state.origin = fmt::format("{}: step {}, t = {:.6g}", path.string(), checkpoint.header().step,
                             checkpoint.header().time);
  state.dim = grid.dim();
  for (int e = 0; e < grid.dim(); ++e) state.edges[e] = grid.edges(e);
  if (grid.dim() == 2) {
    read_fields<2>(checkpoint, grid, run.problem, state);
  } else {
    read_fields<3>(checkpoint, grid, run.problem, state);
  }
  if (run.problem.solids.empty()) return state;
  require_bodies_of_then(checkpoint, run.settings);
  const std::vector<std::uint8_t> bodies = cell_bodies(grid, run.problem);
  const std::vector<double> solid(bodies.begin(), bodies.end());
  extend_into_solids(state.pressure, solid, state.edges);
  for (auto& [name, values] : state.scalars) {
    std::vector<double> closed = solid;  // to this one
    for (std::size_t cell = 0; cell < bodies.size(); ++cell) {
      if (bodies[cell] != 0 && heat_in(run.problem.solids[bodies[cell] - 1U], name) != nullptr)
        closed[cell] = 0;
    }
    extend_into_solids(values, closed, state.edges);
  }
  return state;
}

}  // namespace hodge::sim
