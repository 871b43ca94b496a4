#include "linalg/processes/all_processes.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "linalg/base/errors.hpp"

namespace hodge::linalg {

namespace {

constexpr char module_name[] = "libhodge_mpi.so";

AllProcesses* started_processes = nullptr;

std::vector<std::string> module_places() {
  if (const char* named = std::getenv("HODGE_MPI_MODULE"); named != nullptr && *named != '\0')
    return {named};
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path beside = program.parent_path().parent_path() / "lib/hodge";
  return {(beside / module_name).string(), module_name};
}

std::string how_many(const Launch& launch) {
  return std::to_string(launch.size) + " processes were started (" + launch.launcher + "), ";
}

// MPI libraries open plugins, which expect to find the symbols of the library: RTLD_GLOBAL.
void* open_module(const Launch& launch) {
  std::string reason;
  for (const std::string& place : module_places()) {
    if (void* const module = dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL)) return module;
    const std::string why = dlerror();
    std::error_code error;
    const bool is_there = std::filesystem::exists(place, error);
    if (reason.empty() || is_there) reason = why;
    if (is_there) break;
  }
  throw ConfigError(how_many(launch) +
                    "but this program has no MPI: build it with tools/run.sh --parallel or "
                    "cmake -DHODGE_MPI=ON, or start it without a launcher (" +
                    reason + ")");
}

}  // namespace

AllProcesses& start_all_processes(const Launch& launch) {
  void* const module = open_module(launch);
  auto* const start = reinterpret_cast<StartMpi*>(dlsym(module, "hodge_start_mpi"));
  AllProcesses* const all = start == nullptr ? nullptr : start(mpi_module_version);
  if (all == nullptr)
    throw ConfigError(std::string(module_name) +
                      " belongs to another version of hodge: expected the one that was built with "
                      "this program; build both anew and unset HODGE_MPI_MODULE");
  if (all->size() != launch.size)
    throw ConfigError(how_many(launch) + "but MPI connects " + std::to_string(all->size()) +
                      ": use the mpirun of the MPI library that hodge was built with (with Slurm: "
                      "srun --mpi=pmix)");
  started_processes = all;
  return *all;
}

Communicator& all_processes() {
  return started_processes != nullptr ? *started_processes : one_process();
}

}  // namespace hodge::linalg
