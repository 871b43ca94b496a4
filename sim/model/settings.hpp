// The resolved configuration of a run: every setting with its default, as config.yaml holds it.
//
// Plain data. settings_yaml.hpp fills, checks and writes it; nothing else reads YAML. Lengths,
// times and speeds are in the case's own consistent units, in most cases dimensionless.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/input_file.hpp"
#include "sim/base/point.hpp"
#include "sim/model/compare_settings.hpp"
#include "sim/model/custom_settings.hpp"
#include "sim/model/probe_settings.hpp"
#include "sim/model/resistance.hpp"
#include "sim/model/solid.hpp"
#include "sim/model/system_settings.hpp"
#include "sim/model/turbulence.hpp"

namespace hodge::sim {

struct CoreSettings {  // equal cells in a part of an axis
  double lower = 0;
  double upper = 0;
  int cells = 0;
};

struct AxisSettings {
  int cells = 0;
  double lower = 0;
  double upper = 1;
  std::string stretching = "uniform";  // a name of stretching_table()
  double strength = 0;                 // tanh: 0 < strength, larger is finer at both ends
  CoreSettings core{};                 // core
};

struct GridSettings {
  int dim = 2;  // 2 or 3; axes beyond dim are unused
  std::array<AxisSettings, 3> axes;
};

struct StepSettings {
  std::optional<double> cfl;   // dt = cfl / max(sum |u_d| / h_d)
  std::optional<double> max;   // upper bound of dt, with cfl
  std::optional<double> size;  // fixed dt; excludes cfl and max
};

struct TimeSettings {
  std::string scheme = "bdf2";
  double end = 1;
  std::optional<long> max_steps;
  StepSettings step;
  std::optional<double> steady_tolerance;  // on max |u^{n+1} - u^n| / dt, and that of scalars
  std::optional<double> max_wall_seconds;  // the run ends after the step that passes it
};

// Checkpoints besides those at the end and on signals.
struct CheckpointSettings {
  bool enabled = true;
  std::optional<double> every;  // time between them
  double wall_every = 1800;     // seconds of computing between them
  int keep = 2;                 // the newest ones that stay
};

// When statistics are taken: steps from `start` on, and until `end` where that is said.
struct StatisticsSettings {
  double start = 0;
  std::optional<double> end;
  std::string profile;  // x, y or z: statistics along this axis, averaged over the others; or empty
};

// A box of cells with frames of its own; lower = upper along an axis: a plane, one cell thick.
struct OutputRegion {
  std::string name;
  Point lower{}, upper{};
  double every = 0;  // between frames, T
};

struct OutputSettings {
  std::string directory;
  std::string name;                   // of frames and checkpoints; empty: that of the case
  std::optional<double> frame_every;  // absent: the first and the last frame only
  std::vector<std::string> fields{"velocity", "pressure", "vorticity"};
  std::vector<std::string> surfaces{};  // sides of the box and bodies, written with the frames
  std::vector<OutputRegion> regions{};
  std::string precision = "single";   // of the values in frames: single | double
  std::string encoding = "appended";  // of frames: appended | inline
  std::string pieces = "auto";        // a file of a frame for each process: auto | always | never
  double average_from = 0;  // time at which the fields mean_... begin, without `statistics`
  std::optional<StatisticsSettings> statistics;
  CheckpointSettings checkpoint;
};

// The times between which steps count for statistics, up to rounding.
struct TimeWindow {
  double from = 0;
  double to = std::numeric_limits<double>::infinity();

  bool has(double begin, double end) const {
    constexpr double rounding = 1e-14, rounding_of_sums = 1e-12;
    return begin >= from - rounding * from && end <= to + rounding_of_sums * to;
  }
};
inline TimeWindow statistics_window(const OutputSettings& output) {
  if (!output.statistics) return {.from = output.average_from};
  const double never = std::numeric_limits<double>::infinity();
  return {output.statistics->start, output.statistics->end.value_or(never)};
}

// A box around a body, whose balance of momentum gives the force on the body.
struct BodyBox {
  std::string body;
  Point lower{}, upper{};
};

// What turns forces on solids into coefficients, and where they are measured:
//
//   c = 2 F.direction / (rho speed^2 area)
//   c_moment = 2 M.(drag x lift) / (rho speed^2 area length)
struct ForceSettings {
  double speed = 1;                    // of the undisturbed flow
  double area = 1;                     // of the body across the flow; in 2D its length
  std::optional<double> length{};      // of the body; in 2D `area`
  Point drag{1, 0, 0}, lift{0, 1, 0};  // directions, of any length but 0
  std::optional<Point> about{};        // of the moments; absent: the centroid of each body
  std::vector<BodyBox> boxes{};        // in place of the default ones

  // None in 3D without `length`.
  std::optional<double> reference_length(int dim) const {
    return dim == 2 ? std::optional(area) : length;
  }
};

// Another run, a checkpoint or a frame, whose fields a run begins with.
struct InitialSource {
  std::string path;   // absolute; empty: none
  std::string place;  // where the configuration names it, for messages
};

// How several processes share a run. One process has no use for it.
struct ParallelSettings {
  bool log = false;  // each process writes a file of its own
};

struct Settings {
  std::string case_name;
  std::map<std::string, double> parameters;
  GridSettings grid;
  CustomSettings custom;
  InitialSource initial_from;
  std::vector<Solid> solids;  // besides those of the case
  Resistances resistances{};
  std::optional<Turbulence> turbulence{};
  std::optional<Point> rotation{};      // Omega of the frame
  std::optional<ForceSettings> forces;  // absent: no coefficients
  TimeSettings time;
  std::string convection_scheme = "central";  // of the velocity
  std::string scalar_convection;              // empty: that of the velocity
  SystemSettings pressure;
  SystemSettings transport;
  SystemSettings scalars;
  std::optional<CompareSettings> compare;  // absent: the configured solvers alone
  OutputSettings output;
  ProbeSettings probes;
  std::string device = "auto";  // auto | cpu | cuda | cuda:N
  ParallelSettings parallel{};
  // What the file names: tables, surfaces, and at the start of a run the state that it begins with.
  InputFiles inputs{};  // no key of the file
  // What there is for convection to carry, which the case and the file decide; no keys of the file.
  bool carries_velocity = true, carries_scalars = true;

  const std::string& convection_of_scalars() const {
    return scalar_convection.empty() ? convection_scheme : scalar_convection;
  }

  // What the frames, their collection and the checkpoints of the run are called.
  const std::string& run_name() const { return output.name.empty() ? case_name : output.name; }
};

}  // namespace hodge::sim
