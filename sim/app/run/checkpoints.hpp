// When a run writes its checkpoints, and which of them stay.
//
// A checkpoint is due after the first step at or after every multiple of `every`, and `wall_every`
// seconds after the last checkpoint. Steps are not shortened to meet the multiples, so checkpoints
// change no digit of a run. The newest `keep` are kept.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "sim/app/checkpoint/checkpoint.hpp"
#include "sim/app/checkpoint/checkpoint_folder.hpp"
#include "sim/base/times.hpp"
#include "sim/base/wall_clock.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

class Checkpoints {
 public:
  Checkpoints(const Settings& settings, std::string version);

  struct Last {
    std::filesystem::path path;
    long step = 0;
    double time = 0;
  };

  bool enabled() const { return settings_.output.checkpoint.enabled; }
  const std::optional<Last>& last() const { return last_; }
  bool due(double time) const;

  // Called where the run is restarted from this checkpoint.
  void continue_from(const CheckpointReader& checkpoint);

  // Errors: IoError; the earlier checkpoints are then kept.
  void write(long step, double time, const std::function<void(StateVisitor&)>& visit_state);

 private:
  void note(const Last& last);

  const Settings& settings_;
  std::string version_;
  CheckpointFolder folder_;
  std::optional<Last> last_;
  std::optional<Multiples> multiples_;
  long passed_ = 0;  // multiples at the last checkpoint
  WallClock since_last_;
};

}  // namespace hodge::sim
