#include "tools/hodge/run/dry_run.hpp"

#include <fmt/format.h>

#include "sim/app/run/run_plan.hpp"
#include "sim/base/durations.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/program/job_text.hpp"

namespace hodge::tools {
namespace {

using sim::bytes_text;
using sim::count_text;

std::string systems_text(const sim::RunPlan& plan, long long sim::FlowSystem::*of) {
  std::vector<std::string> parts;
  long long sum = 0;
  for (const sim::FlowSystem& system : plan.systems) {
    parts.push_back(fmt::format("{} {}", system.name, count_text(system.*of)));
    sum += system.*of;
  }
  return fmt::format("{}; in all {}", sim::join(parts), count_text(sum));
}

std::string memory_text(const sim::RunPlan& plan) {
  return fmt::format("{}: {} of {} available{}", plan.device, bytes_text(plan.device_bytes),
                     bytes_text(plan.available_bytes),
                     plan.device_bytes > plan.available_bytes ? ", too little" : "");
}

std::string host_text(const sim::RunPlan& plan) {
  return fmt::format("{} for frames on their way to the disk{}", bytes_text(plan.host_bytes),
                     plan.device_is_host ? ", beside the above" : "");
}

std::string frames_text(const sim::RunPlan& plan) {
  return fmt::format("{} frames of at most {} each, {} in all, before compression",
                     count_text(plan.frames), bytes_text(plan.frame_bytes),
                     bytes_text(static_cast<double>(plan.frames) * plan.frame_bytes));
}

std::string checkpoints_text(const sim::RunPlan& plan) {
  if (plan.checkpoints == 0) return "none";
  return fmt::format("the newest {} of about {} each", plan.checkpoints,
                     bytes_text(plan.checkpoint_bytes));
}

// Lines of job_lines that the lines below replace.
bool is_said_better(const std::string& name) {
  return name == "memory";
}

}  // namespace

std::string dry_run_text(const NamedJob& named) {
  const sim::RunPlan plan = sim::run_plan(named.job.settings, named.job.problem);
  Lines lines;
  for (const auto& line : job_lines(named.job))
    if (!is_said_better(line.first)) lines.push_back(line);
  lines.emplace_back("cells", count_text(plan.cells));
  if (!plan.systems.empty()) {
    lines.emplace_back("unknowns", systems_text(plan, &sim::FlowSystem::rows));
    lines.emplace_back("nonzeros", systems_text(plan, &sim::FlowSystem::nonzeros));
  }
  lines.emplace_back("device", memory_text(plan));
  lines.emplace_back("host", host_text(plan));
  lines.emplace_back("frames", frames_text(plan));
  lines.emplace_back("restarts", checkpoints_text(plan));
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
