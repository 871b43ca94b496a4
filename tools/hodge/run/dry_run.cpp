#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "linalg/processes/launched.hpp"
#include "sim/app/run/run_plan.hpp"
#include "sim/base/durations.hpp"
#include "sim/base/point.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/run/jobs.hpp"

namespace hodge::tools {
namespace {

using sim::bytes_text;
using sim::count_text;
using sim::Json;

std::string systems_text(const sim::RunPlan& plan, long long sim::FlowSystem::*of) {
  std::vector<std::string> parts;
  long long sum = 0;
  for (const sim::FlowSystem& system : plan.systems) {
    const bool has_none = system.*of == 0;
    parts.push_back(
        fmt::format("{} {}", system.name, has_none ? "no matrix" : count_text(system.*of)));
    sum += system.*of;
  }
  return fmt::format("{}; in all {}", sim::join(parts), count_text(sum));
}

std::string parts_text(const sim::RunPlan& plan, const sim::GridSettings& grid) {
  const auto last = static_cast<std::size_t>(grid.dim - 1);
  return fmt::format("{} processes, the largest with {} of the {} layers along {}", plan.processes,
                     plan.most_layers, grid.axes[last].cells, sim::axis_names[last]);
}

}  // namespace

DryRun dry_run(const NamedJob& named, bool restarts) {
  const sim::Settings& settings = named.job.settings;
  const sim::Problem& problem = named.job.problem;
  return {sim::run_plan(settings, problem, linalg::launched_processes()),
          sim::preview(settings, problem, restarts)};
}

std::string dry_run_text(const NamedJob& named, const DryRun& found) {
  const sim::RunPlan& plan = found.plan;
  const std::string each = plan.processes > 1 ? " for each process" : "";
  Lines lines = job_lines(named.job, found.begin);
  std::erase_if(lines, [](const auto& line) { return line.first == "memory"; });  // `device` below
  lines.emplace_back("cells", count_text(plan.cells));
  if (!plan.systems.empty()) {
    lines.emplace_back("unknowns", systems_text(plan, &sim::FlowSystem::rows));
    lines.emplace_back("nonzeros", systems_text(plan, &sim::FlowSystem::nonzeros));
  }
  if (plan.processes > 1) lines.emplace_back("parts", parts_text(plan, named.job.settings.grid));
  lines.emplace_back(
      "device", fmt::format("{}: {} of {} available{}{}", plan.device,
                            bytes_text(plan.device_bytes), bytes_text(plan.available_bytes), each,
                            plan.device_bytes > plan.available_bytes ? ", too little" : ""));
  lines.emplace_back(
      "host",
      fmt::format("{} for frames on their way to the disk{}{}{}", bytes_text(plan.host_bytes),
                  plan.source_bytes > 0 ? " and the fields to begin with" : "",
                  plan.processes == 1     ? ""
                  : plan.frames_in_pieces ? each
                                          : " in process 0",
                  plan.device_is_host ? ", beside the above" : ""));
  std::ranges::copy(frame_lines(plan), std::back_inserter(lines));
  lines.emplace_back("restarts",
                     plan.checkpoints == 0
                         ? "none"
                         : fmt::format("the newest {} of about {} each", plan.checkpoints,
                                       bytes_text(plan.checkpoint_bytes)));
  return fmt::format("{}: {}\n{}", sim::one_line(named.file),
                     plan.device_bytes > plan.available_bytes ? "would need" : "would run",
                     text_of(lines));
}

Json dry_run_json(const NamedJob& named, const DryRun& found) {
  const sim::RunPlan& plan = found.plan;
  Json systems = Json::object();
  for (const sim::FlowSystem& system : plan.systems)
    systems[system.name] = {{"rows", system.rows}, {"nonzeros", system.nonzeros}};
  Json regions = Json::object();
  for (const sim::RegionPlan& region : plan.regions)
    regions[region.name] = {
        {"cells", region.cells}, {"frames", region.frames}, {"frame_bytes", region.frame_bytes}};
  return {{"file", named.file},
          {"status", "planned"},
          {"exit_code", 0},
          {"case", named.job.settings.case_name},
          {"cell_count", plan.cells},
          {"systems", systems},
          {"steps", plan.steps ? Json(*plan.steps) : Json(nullptr)},
          {"processes", plan.processes},
          {"most_layers", plan.most_layers},
          {"frames_in_pieces", plan.frames_in_pieces},
          {"device", plan.device},
          {"device_bytes", plan.device_bytes},
          {"available_bytes", plan.available_bytes},
          {"host_bytes", plan.host_bytes},
          {"first_step", found.begin.dt > 0 ? Json(found.begin.dt) : Json(nullptr)},
          {"first_cfl", found.begin.dt > 0 ? Json(found.begin.cfl) : Json(nullptr)},
          {"frames", plan.frames},
          {"frame_bytes", plan.frame_bytes},
          {"regions", regions},
          {"checkpoints", plan.checkpoints},
          {"checkpoint_bytes", plan.checkpoint_bytes},
          {"directory", named.job.settings.output.directory}};
}

}  // namespace hodge::tools
