// The section `probes` of a configuration: where, when and of which fields values go to CSV files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/point.hpp"

namespace hodge::sim {

struct ProbePoint {
  std::string name;
  Point at{};
};

// `points` equally spaced points, both ends among them.
struct ProbeLine {
  std::string name;
  Point from{}, to{};
  int points = 50;
};

// Names are unique among points and lines together: averages.csv holds both.
struct ProbeSettings {
  std::vector<std::string> fields{"velocity", "pressure"};
  std::optional<double> every;  // time between rows; absent: a row per step
  std::vector<ProbePoint> points;
  std::vector<ProbeLine> lines;
  std::optional<double> average_from;  // absent: no averages
  std::optional<double> average_to;    // absent: to the end of the run
  bool covariances = false;            // of velocities with each other and with scalars

  bool any() const { return !points.empty() || !lines.empty(); }
};

}  // namespace hodge::sim
