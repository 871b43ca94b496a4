#include "sim/flow/flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <type_traits>

#include "linalg/base/errors.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/processes/machines.hpp"
#include "linalg/space/device.hpp"
#include "linalg/space/instantiate.hpp"
#include "sim/base/durations.hpp"
#include "sim/discrete/processes/decomposition.hpp"
#include "sim/flow/checks.hpp"
#include "sim/flow/make_grid_flow.hpp"
#include "sim/flow/transport_method.hpp"

namespace hodge::sim {
namespace {

// "12.3 GB: the fields 3.1 GB, the pressure solver (cg, jacobi) 2 GB, ...", the largest first.
std::string needs_text(const Settings& settings, const Problem& problem) {
  std::vector<MemoryPart> parts = memory_parts(settings, problem);
  std::sort(parts.begin(), parts.end(),
            [](const MemoryPart& a, const MemoryPart& b) { return a.bytes > b.bytes; });
  std::vector<std::string> texts;
  for (const MemoryPart& part : parts)
    texts.push_back(part.what + " " + bytes_text(static_cast<double>(part.bytes)));
  return fmt::format("{}: {}", bytes_text(static_cast<double>(memory_estimate(settings, problem))),
                     fmt::join(texts, ", "));
}

constexpr double divergence_margin = 10;

constexpr const char* remedy =
    "take fewer cells, a method with fewer vectors or a smaller restart, or a device with more "
    "memory";

std::string needs_too_much(const Settings& settings, const Problem& problem,
                           const SharedDevice& device, const std::string& reason) {
  return fmt::format(
      "a grid of {} needs about {} on {}{}, {}; {}", Grid(settings.grid).description(),
      needs_text(settings, problem), device.name,
      device.processes > 1 ? fmt::format(", shared by {} processes", device.processes) : "", reason,
      remedy);
}

// Bytes that the worst off of all processes has. Those of a machine share its memory.
template <class Space>
std::size_t least_available(linalg::Communicator& processes) {
  struct Memory {
    linalg::MachineName machine;
    std::size_t bytes;
  };
  const std::vector<Memory> all =
      linalg::gather_one(processes, Memory{linalg::machine_name(), Space::available_memory()});
  std::size_t least = all[0].bytes;
  for (const Memory& one : all) {
    const auto sharers = std::ranges::count(all, one.machine, &Memory::machine);
    least = std::min(least, std::is_same_v<Space, linalg::Host>
                                ? one.bytes / static_cast<std::size_t>(sharers)
                                : one.bytes);
  }
  return least;
}

template <class Space>
std::unique_ptr<Flow> make_in_memory_of(const Settings& settings, const Problem& problem,
                                        const Grid& grid, linalg::Communicator& processes) {
  const auto available = static_cast<double>(least_available<Space>(processes));
  const auto complaint = [&](const std::string& reason) {
    return needs_too_much(settings, problem, {Space::device_name(), processes.size()}, reason);
  };
  // What a method gathers from other processes is not estimated: it shows when it is allocated.
  constexpr bool on_gpus = !std::is_same_v<Space, linalg::Host>;
  const Decomposition slabs = slabs_of(settings.grid, processes.size(), on_gpus);
  if (memory_of_part(settings, problem, slabs) > available)
    throw memory_refused(settings, problem, {Space::device_name(), processes.size()}, available);
  try {
    return make_flow_in<Space>(settings, problem, grid, processes);
  } catch (const MemoryError& error) {
    throw MemoryError(complaint(error.what()));
  } catch (const std::bad_alloc&) {
    throw MemoryError(complaint("and the host has run out of memory"));
  }
}

}  // namespace

MemoryRefused memory_refused(const Settings& settings, const Problem& problem,
                             const SharedDevice& device, double available) {
  return MemoryRefused(needs_too_much(settings, problem, device,
                                      fmt::format("and {} are available{}", bytes_text(available),
                                                  device.processes > 1 ? " to each" : "")));
}

std::vector<FieldErrors> ErrorNorms::known() const {
  std::vector<FieldErrors> fields;
  if (knows_velocity)
    fields = {{"velocity", velocity_l2, velocity_max}, {"pressure", pressure_l2, pressure_max}};
  fields.insert(fields.end(), scalars.begin(), scalars.end());
  return fields;
}

void Flow::fill(Frame& frame, const std::vector<std::string>& names,
                const std::string& precision) const {
  frame = frame_of(step(), time(), cell_arrays(names), precision);
}

std::optional<std::string> missed_divergence(const StepReport& report, const Diagnostics& now) {
  if (!report.promised_divergence) return std::nullopt;
  const double promised = std::max(*report.promised_divergence, now.divergence_rounding);
  if (now.max_divergence == 0 || now.max_divergence < divergence_margin * promised)
    return std::nullopt;
  return fmt::format(
      "mass is not conserved: max |div u| is {:.3g} after the projection, whose tolerance promises "
      "{:.3g}",
      now.max_divergence, promised);
}

std::vector<std::vector<double>> Flow::values_at(const std::vector<Point>& points,
                                                 const std::vector<std::string>& fields) const {
  const std::unique_ptr<PointSampler> sampler = make_sampler(points, fields);
  const std::size_t columns = sampler->columns().size();
  std::vector<double> values(columns * points.size());
  sampler->sample(values);
  std::vector<std::vector<double>> rows(points.size(), std::vector<double>(columns));
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t column = 0; column < columns; ++column)
      rows[i][column] = values[column * points.size() + i];
  return rows;
}

template <class Space>
std::unique_ptr<Flow> make_flow_in(const Settings& settings, const Problem& problem,
                                   const Grid& grid, linalg::Communicator& processes) {
  const FluidDomain domain = fluid_domain(grid, problem);
  const FlowParts parts{settings, problem, grid, domain, processes};
  return grid.dim() == 2 ? make_grid_flow<2, Space>(parts) : make_grid_flow<3, Space>(parts);
}

#define HODGE_FLOW_IN(Space)                                                                  \
  template std::unique_ptr<Flow> make_flow_in<linalg::Space>(const Settings&, const Problem&, \
                                                             const Grid&, linalg::Communicator&);
HODGE_FOR_EACH_SPACE(HODGE_FLOW_IN)

std::unique_ptr<Flow> make_flow(const Settings& settings, const Problem& problem,
                                linalg::Communicator& processes) {
  const Grid grid(settings.grid);
  check(settings, problem, grid);
  const Settings chosen = with_chosen_methods(settings, problem);
  if (processes.size() > 1) check_sharing(chosen, problem, grid);
  return linalg::on_device(
      linalg::device_of_process(processes, settings.device),
      [&]<class Space>() { return make_in_memory_of<Space>(chosen, problem, grid, processes); });
}

}  // namespace hodge::sim
