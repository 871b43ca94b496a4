// When a run writes its checkpoints, and which of them stay.
//
// Due: after the first step at or after every multiple of `every` (steps are not cut for it, so
// that checkpoints change no digit of a run), and `wall_every` seconds after the one before. The
// newest `keep` stay.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "sim/app/checkpoint/checkpoint.hpp"
#include "sim/app/checkpoint/checkpoint_folder.hpp"
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

  // The run goes on from this one.
  void continue_from(const CheckpointReader& checkpoint);

  // Errors: IoError; those of before stay then.
  void write(long step, double time, const std::function<void(StateVisitor&)>& visit_state);

 private:
  const Settings& settings_;
  std::string version_;
  CheckpointFolder folder_;
  std::optional<Last> last_;
  double next_multiple_ = 1;
  WallClock since_last_;
};

}  // namespace hodge::sim
