// What a run will need, known before anything is allocated or written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linalg/processes/launched.hpp"
#include "sim/flow/systems.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

struct RegionPlan {
  std::string name, cells;
  long long frames = 0;
  double frame_bytes = 0;
};

struct RunPlan {
  long long cells = 0;
  std::vector<FlowSystem> systems;  // solved_systems
  std::optional<long long> steps;   // where the step size is fixed
  int processes = 1;                // that have a part of the grid
  int most_layers = 0;              // of a part, across the last axis
  std::string device;               // that the run would use on this machine
  double device_bytes = 0;          // memory_of_part
  double available_bytes = 0;       // on that device; on a CPU to each process of the machine
  bool device_is_host = true;       // the device's memory is the host's
  bool frames_in_pieces = false;    // each process writes its cells
  double host_bytes = 0;            // besides: frames on their way to the disk, source_bytes; of a
                                    // process that writes
  double source_bytes = 0;          // of the fields of initial.from, on their own grid and on ours
  double frame_bytes = 0;           // of a frame in its file, before compression
  long long frames = 0;
  std::vector<RegionPlan> regions;
  double checkpoint_bytes = 0;  // of a checkpoint, about
  int checkpoints = 0;          // that are kept; while one is written there is one more
};

// The systems of a step: components, pressure, scalars by their names. Those that are solved
// without a matrix have no nonzeros.
std::vector<FlowSystem> solved_systems(const Settings& settings, const Problem& problem,
                                       const Grid& grid);

// Errors: ConfigError and DeviceError where the device is not here; those of check_sharing.
RunPlan run_plan(const Settings& settings, const Problem& problem,
                 const linalg::Launch& launch = {});

// Errors: MemoryRefused, as the run has it, where the device has too little memory.
void require_memory(const RunPlan& plan, const Settings& settings, const Problem& problem);

}  // namespace hodge::sim
