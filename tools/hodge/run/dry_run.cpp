#include <fmt/format.h>

#include "sim/app/run/run_plan.hpp"
#include "sim/base/durations.hpp"
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
    parts.push_back(fmt::format("{} {}", system.name, count_text(system.*of)));
    sum += system.*of;
  }
  return fmt::format("{}; in all {}", sim::join(parts), count_text(sum));
}

}  // namespace

std::string dry_run_text(const NamedJob& named) {
  const sim::RunPlan plan = sim::run_plan(named.job.settings, named.job.problem);
  Lines lines = job_lines(named.job);
  std::erase_if(lines, [](const auto& line) { return line.first == "memory"; });  // `device` below
  lines.emplace_back("cells", count_text(plan.cells));
  if (!plan.systems.empty()) {
    lines.emplace_back("unknowns", systems_text(plan, &sim::FlowSystem::rows));
    lines.emplace_back("nonzeros", systems_text(plan, &sim::FlowSystem::nonzeros));
  }
  lines.emplace_back(
      "device", fmt::format("{}: {} of {} available{}", plan.device, bytes_text(plan.device_bytes),
                            bytes_text(plan.available_bytes),
                            plan.device_bytes > plan.available_bytes ? ", too little" : ""));
  lines.emplace_back("host", bytes_text(plan.host_bytes) + " for frames on their way to the disk" +
                                 (plan.source_bytes > 0 ? " and the fields to begin with" : "") +
                                 (plan.device_is_host ? ", beside the above" : ""));
  lines.emplace_back("frames",
                     fmt::format("{} frames of at most {} each, {} in all, before compression",
                                 count_text(plan.frames), bytes_text(plan.frame_bytes),
                                 bytes_text(static_cast<double>(plan.frames) * plan.frame_bytes)));
  lines.emplace_back("restarts",
                     plan.checkpoints == 0
                         ? "none"
                         : fmt::format("the newest {} of about {} each", plan.checkpoints,
                                       bytes_text(plan.checkpoint_bytes)));
  return fmt::format("{}: would run\n{}", sim::one_line(named.file), text_of(lines));
}

Json dry_run_json(const NamedJob& named) {
  const sim::RunPlan plan = sim::run_plan(named.job.settings, named.job.problem);
  Json systems = Json::object();
  for (const sim::FlowSystem& system : plan.systems)
    systems[system.name] = {{"rows", system.rows}, {"nonzeros", system.nonzeros}};
  return {{"file", named.file},
          {"status", "planned"},
          {"exit_code", 0},
          {"case", named.job.settings.case_name},
          {"cell_count", plan.cells},
          {"systems", systems},
          {"steps", plan.steps ? Json(*plan.steps) : Json(nullptr)},
          {"device", plan.device},
          {"device_bytes", plan.device_bytes},
          {"available_bytes", plan.available_bytes},
          {"host_bytes", plan.host_bytes},
          {"frames", plan.frames},
          {"frame_bytes", plan.frame_bytes},
          {"checkpoints", plan.checkpoints},
          {"checkpoint_bytes", plan.checkpoint_bytes},
          {"directory", named.job.settings.output.directory}};
}

}  // namespace hodge::tools
