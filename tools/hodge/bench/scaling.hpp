// The flows of `bench scaling`, and its results beside those of an older run.
#pragma once

#include <optional>

#include "tools/hodge/bench/flow_steps.hpp"
#include "tools/hodge/bench/scaling_model.hpp"

namespace hodge::tools::bench {

// weak: each process has a box of its own, and they stand one above the other along the last axis.
// strong: all processes share one box.
struct ScalingCase {
  FlowCase flow;  // of all processes
  bool weak = true;
  int points = 0;  // along an edge of the box: of each process (weak), of all (strong)

  const char* kind() const { return weak ? "weak" : "strong"; }
  const char* pressure() const { return flow.pressure == "cg" ? "cg, multigrid" : "direct"; }
  std::string box() const { return fmt::format("{0} x {0} x {0}{1}", points, weak ? " each" : ""); }
  // "taylor_green_3d 64 x 64 x 256 bdf2 direct weak"
  std::string text() const { return fmt::format("{} {} {}", flow.text(), pressure(), kind()); }
};

// A weak case of so many points along an edge per process; a strong one.
ScalingCase weak_case(const std::string& scheme, const std::string& pressure, int points,
                      int processes);
ScalingCase strong_case(const std::string& scheme, const std::string& pressure, int points);

// The messages of a step for a run of one process, which sends none: as if it were one of two, so
// many as the CPU counts where direct solves the pressure and the transport by bdf2 takes 6
// iterations in all. None for other methods of the pressure: how much they send depends on levels
// and iterations.
std::optional<ByKind<MessagesPerStep>> stated_messages(const ScalingCase& scaling);

// The table "efficiency" for every row that both have: speed-up, the cells times steps of a second
// over those of the older run, and efficiency, the speed-up over the growth of the processes.
void compare_scaling(const Json& older, ExperimentRun& run);

}  // namespace hodge::tools::bench
