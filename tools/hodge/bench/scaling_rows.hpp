// One measured case of `bench scaling`, and its rows in the tables of the experiment.
#pragma once

#include "tools/hodge/bench/scaling.hpp"

namespace hodge::tools::bench {

inline constexpr int most_processes = 1 << 16;  // where limits are looked for

struct ScalingTables {
  ResultTable &steps, &messages, &model, &limits, &links;
};

struct DeviceLinks {
  Links links;
  bool machine_is_measured = false, network_is_measured = false;
};

struct MeasuredCase {
  ScalingCase scaling;
  const char* device = "";
  int processes = 1;
  bool waits = false;  // for its messages: they take the time that was measured
  int most_slabs = 1;  // of its box; weak: most_processes
  double share_of_copy = 0;
  FlowSteps steps{};
  MeasuredStep step{};
  ByKind<double> message_seconds{};  // of a step, by the model

  double seconds() const { return steps.per_step(steps.statistics.seconds.total); }
  // In a step: of the pressure, or of all other systems.
  double iterations(bool pressure) const;
};

// Fills in `step` and `message_seconds`, all work being that of cells.
void split(const Links& links, MeasuredCase& found);

void add_links(const char* device, const DeviceLinks& between, ResultTable& table);
void add_step(const MeasuredCase& found, ResultTable& table);
void add_messages(const MeasuredCase& found, ResultTable& table);
void add_model(const MeasuredCase& found, const Links& links, ResultTable& table);
void add_limits(const MeasuredCase& found, const Links& links, ResultTable& table);

}  // namespace hodge::tools::bench
