#include "sim/app/run/checkpoints.hpp"

#include <utility>

#include "sim/app/config/settings_yaml.hpp"

namespace hodge::sim {

Checkpoints::Checkpoints(const Settings& settings, std::string version)
    : settings_(settings), version_(std::move(version)), folder_(settings.output.directory) {
  if (const auto& every = settings.output.checkpoint.every) multiples_.emplace(*every);
}

bool Checkpoints::due(double time) const {
  const CheckpointSettings& when = settings_.output.checkpoint;
  if (!when.enabled) return false;
  if (multiples_ && multiples_->passed(time) > passed_) return true;
  return since_last_.seconds() >= when.wall_every;
}

void Checkpoints::continue_from(const CheckpointReader& checkpoint) {
  note({checkpoint.path(), checkpoint.header().step, checkpoint.header().time});
}

void Checkpoints::note(const Last& last) {
  last_ = last;
  if (multiples_) passed_ = multiples_->passed(last.time);
}

void Checkpoints::write(long step, double time,
                        const std::function<void(StateVisitor&)>& visit_state) {
  folder_.make();
  const std::filesystem::path path = folder_.file(settings_.run_name(), step);
  write_checkpoint(path,
                   {.version = version_,
                    .config = settings_to_yaml(settings_),
                    .step = step,
                    .time = time,
                    .inputs = settings_.inputs},
                   visit_state);
  note({path, step, time});
  since_last_.restart();
  folder_.remove_all_but(settings_.output.checkpoint.keep, settings_.run_name());
}

}  // namespace hodge::sim
