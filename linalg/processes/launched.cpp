#include "linalg/processes/launched.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "linalg/base/errors.hpp"

namespace hodge::linalg {

namespace {

struct LauncherVariables {
  const char *launcher, *size, *rank, *on_machine;
};

// The first row whose variables are both set counts: mpirun inside a Slurm job leaves the variables
// of the job as they are. Slurm's own count of tasks is taken only together with PMIx: the batch
// script of a job has a count too, and is one process.
constexpr LauncherVariables known_launchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"MVAPICH", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},
    {"PMI", "PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS"},  // MPICH, Intel MPI, srun --mpi=pmi2
    {"Slurm with PMIx", "SLURM_STEP_NUM_TASKS", "PMIX_RANK", nullptr},
};

bool is_set(const char* variable) {
  const char* const value = variable != nullptr ? std::getenv(variable) : nullptr;
  return value != nullptr && *value != '\0';
}

int count_from(const char* variable) {
  const std::string_view text = std::getenv(variable);
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    throw ConfigError(std::string(variable) + " is '" + std::string(text) +
                      "', expected a whole number as a launcher of processes sets it");
  return value;
}

}  // namespace

Launch launched_processes() {
  for (const LauncherVariables& names : known_launchers) {
    if (!is_set(names.size) || !is_set(names.rank)) continue;
    Launch launch{count_from(names.size), count_from(names.rank), names.launcher};
    launch.on_machine =
        is_set(names.on_machine) ? std::max(1, count_from(names.on_machine)) : launch.size;
    if (launch.rank >= launch.size)
      throw ConfigError(std::string(names.rank) + " is " + std::to_string(launch.rank) +
                        ", expected less than " + names.size + ", which is " +
                        std::to_string(launch.size));
    return launch;
  }
  return {};
}

}  // namespace hodge::linalg
