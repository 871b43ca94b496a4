#include "sim/app/run/run_plan.hpp"

#include <algorithm>

#include "linalg/solve/kept_preconditioner.hpp"
#include "linalg/space/device.hpp"
#include "sim/app/output/frame_writer.hpp"
#include "sim/app/output/piece_files.hpp"
#include "sim/app/output/vtk_frame.hpp"
#include "sim/app/run/skipped_solves.hpp"
#include "sim/base/times.hpp"
#include "sim/discrete/fields/layout.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/discrete/processes/decomposition.hpp"
#include "sim/flow/checks.hpp"
#include "sim/flow/flow.hpp"
#include "sim/flow/layer_sums.hpp"
#include "sim/flow/moment_plan.hpp"
#include "sim/flow/output_regions.hpp"
#include "sim/flow/pressure_method.hpp"
#include "sim/flow/transport_method.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/stability.hpp"
#include "sim/time/starting_guess.hpp"

namespace hodge::sim {
namespace {

long long frame_count(double end, std::optional<double> every) {
  return every ? static_cast<long long>(steps_to(end, *every)) + 1 : 2;
}

double growth_in_file(const OutputSettings& output) {
  return frame_encoding(output.encoding) == FrameEncoding::in_line ? 4.0 / 3.0 : 1.0;  // base64
}

// `components`: of a cell in a frame.
void add_regions(const Settings& settings, const Grid& grid, int components, RunPlan& plan) {
  for (const OutputRegion& region : settings.output.regions) {
    const CellRange cells = cells_of(region, grid);
    const Grid part = grid.part(cells.lower, cells.upper);
    const double bytes = static_cast<double>(bytes_per_value(settings.output.precision)) *
                         components * static_cast<double>(part.cell_count());
    plan.regions.push_back({region.name, part.description(),
                            frame_count(settings.time.end, region.every),
                            bytes * growth_in_file(settings.output)});
    plan.host_bytes += static_cast<double>(FrameWriter::most_frames) * bytes;
  }
}

std::optional<long long> step_count(const TimeSettings& time) {
  if (!time.step.size) return std::nullopt;
  const auto steps = static_cast<long long>(steps_to(time.end, *time.step.size));
  return time.max_steps ? std::min<long long>(steps, *time.max_steps) : steps;
}

// Only what reads a matrix has it built.
bool builds_matrix(const std::string& system, const Settings& settings, const Problem& problem) {
  if (system == "pressure") return builds_pressure_matrix(settings, problem);
  const SystemKind kind = kind_of_system(system);
  const SystemSettings& solver =
      kind == SystemKind::transport ? settings.transport : settings.scalars;
  return settings.compare || solver.method != "direct";
}

double padded_cells(const Grid& grid) {
  double cells = 1;
  for (int d = 0; d < grid.dim(); ++d) cells *= grid.cells(d) + 2 * ghost_width;
  return cells;
}

// Of the solutions that guesses are made of, and of the matrices that preconditioners were.
double solver_bytes(const Settings& settings, const Problem& problem, const Grid& grid,
                    const std::vector<FlowSystem>& systems) {
  double bytes = 0;
  const linalg::Choices of_components = velocity_choices(problem, grid);
  const SystemSettings* before = nullptr;
  for (const FlowSystem& system : systems) {
    const bool of_velocity = std::ranges::find(velocity_names, system.name) != velocity_names.end();
    const bool of_pressure = system.name == "pressure";
    const SystemSettings& solver = of_pressure   ? settings.pressure
                                   : of_velocity ? settings.transport
                                                 : settings.scalars;
    const Projection projection = of_pressure ? Projection::energy : Projection::residual;
    bytes += static_cast<double>(
        guess_state_bytes({{guess_kind(solver.guess)}, projection, solver.guess_vectors},
                          static_cast<std::size_t>(system.rows)));
    const bool shares = solver.refresh == "every" && before == &solver;
    before = &solver;
    if (solver.method == "direct" || shares) continue;
    const auto kept = linalg::kept_values(solver, of_pressure   ? linalg::Choices::forgotten
                                                  : of_velocity ? of_components
                                                                : linalg::Choices::kept);
    bytes +=
        static_cast<double>(kept.count() * sizeof(double)) * static_cast<double>(system.nonzeros);
  }
  return bytes;
}

// Velocities and scalars at two steps, their rates where the next step reads them, the pressure and
// its increment, that of the last stage where it is another one, the averages: padded.
double state_bytes(const Settings& settings, const Problem& problem, const Grid& grid,
                   const std::vector<FlowSystem>& systems) {
  const TimeScheme& scheme = find_time_scheme(settings.time.scheme);
  const int scalars = static_cast<int>(problem.scalars.size());
  const int pressures = scheme.pressure_lags() && !problem.prescribed_velocity ? 3 : 2;
  int fields = (scheme.keeps_rates ? 3 : 2) * grid.dim() + pressures +
               (scheme_of_scalars(settings, problem).keeps_rates ? 3 : 2) * scalars;
  for (const std::string& field : settings.output.fields)
    if (averaged_field(field)) fields += computed_components_of(field, grid.dim());
  const auto moments = static_cast<double>(moment_plan(settings.output.fields).arrays(grid.dim()));
  return static_cast<double>(sizeof(double)) *
             (fields * padded_cells(grid) + moments * static_cast<double>(grid.cell_count())) +
         solver_bytes(settings, problem, grid, systems);
}

// Of the batches of the statistics along an axis.
double profile_bytes(const Settings& settings, const Problem& problem, const Grid& grid) {
  const auto plan = layer_plan(settings, problem, grid);
  if (!plan) return 0;
  constexpr double batches = 64;
  return static_cast<double>(sizeof(double)) * batches * plan->count() * plan->layers;
}

// Of the fields of another run: they stay in memory, and are brought to the grid at the start.
double source_bytes(const Problem& problem, const Grid& grid) {
  if (!problem.stored_state) return 0;
  const auto fields =
      static_cast<double>(static_cast<std::size_t>(grid.dim()) + 1 + problem.scalars.size());
  return static_cast<double>(problem.stored_state->bytes()) +
         static_cast<double>(sizeof(double)) * fields * padded_cells(grid);
}

}  // namespace

std::vector<FlowSystem> solved_systems(const Settings& settings, const Problem& problem,
                                       const Grid& grid) {
  const bool transport = find_time_scheme(settings.time.scheme).solves_transport();
  const std::vector<FlowSystem> all = fluid_system_sizes(problem, grid);
  std::vector<FlowSystem> solved;
  if (!problem.prescribed_velocity)
    for (const FlowSystem& system : all)
      if (transport || system.name == "pressure") solved.push_back(system);
  if (scheme_of_scalars(settings, problem).solves_transport())
    for (const ScalarProblem& scalar : problem.scalars)
      solved.push_back({scalar.name, all.back().rows, all.back().nonzeros});
  for (FlowSystem& system : solved)
    if (!builds_matrix(system.name, settings, problem)) system.nonzeros = 0;
  return solved;
}

RunPlan run_plan(const Settings& settings, const Problem& problem, const linalg::Launch& launch) {
  const Grid grid(settings.grid);
  RunPlan plan;
  plan.cells = grid.cell_count();
  plan.systems = solved_systems(settings, problem, grid);
  plan.steps = step_count(settings.time);
  plan.device_is_host = linalg::chosen_gpu(settings.device) < 0;
  linalg::on_device(settings.device, [&]<class Space>() {
    plan.device = Space::device_name();
    plan.available_bytes = static_cast<double>(Space::available_memory());
  });
  if (plan.device_is_host) plan.available_bytes /= launch.on_machine;
  const Decomposition slabs = slabs_of(settings.grid, launch.size, !plan.device_is_host);
  plan.processes = slabs.size();
  if (plan.processes > 1) check_sharing(with_chosen_methods(settings, problem), problem, grid);
  plan.most_layers = slabs.most_layers();
  plan.device_bytes = memory_of_part(settings, problem, slabs);
  int components = 0;
  for (const std::string& field : settings.output.fields)
    components += components_of(field, grid.dim());
  plan.frame_bytes = static_cast<double>(bytes_per_value(settings.output.precision)) * components *
                     static_cast<double>(plan.cells);
  plan.frames_in_pieces = launch.several() && are_in_pieces(settings, grid);
  plan.host_bytes = static_cast<double>(FrameWriter::most_frames) * plan.frame_bytes *
                        (plan.frames_in_pieces ? slabs.largest_share() : 1.0) +
                    profile_bytes(settings, problem, grid);
  plan.frame_bytes *= growth_in_file(settings.output);
  plan.source_bytes = source_bytes(problem, grid);
  plan.host_bytes += plan.source_bytes;
  add_regions(settings, grid, components, plan);
  plan.frames = frame_count(settings.time.end, settings.output.frame_every);
  const CheckpointSettings& checkpoint = settings.output.checkpoint;
  plan.checkpoints = checkpoint.enabled ? checkpoint.keep : 0;
  plan.checkpoint_bytes =
      checkpoint.enabled ? state_bytes(settings, problem, grid, plan.systems) : 0;
  return plan;
}

void require_memory(const RunPlan& plan, const Settings& settings, const Problem& problem) {
  if (plan.device_bytes > plan.available_bytes)
    throw memory_refused(with_chosen_methods(settings, problem), problem,
                         {plan.device, plan.processes}, plan.available_bytes);
}

}  // namespace hodge::sim
