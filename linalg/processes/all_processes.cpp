#include "linalg/processes/all_processes.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/base/own_program.hpp"
#include "linalg/base/shared_library.hpp"

namespace hodge::linalg {

namespace {

constexpr char module_name[] = "libhodge_mpi.so";

AllProcesses* started_processes = nullptr;

std::vector<std::string> module_places() {
  if (const char* named = std::getenv("HODGE_MPI_MODULE"); named != nullptr && *named != '\0')
    return {named};
  const std::filesystem::path beside = program_file().parent_path().parent_path() / "lib/hodge";
  return {(beside / module_name).string(), module_name};
}

std::string how_many(const Launch& launch) {
  return std::to_string(launch.size) + " processes were started (" + launch.launcher + "), ";
}

struct Module {
  SharedLibrary opened;
  bool is_expected = false;  // its file is there, or was named by the user
  std::string reason{};      // why it cannot be opened
};

// How loading it ends a child, which it does where the file is cut off; empty: it does not.
std::string signal_of_loading(const std::string& place, int flags) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto* const name = SharedLibrary(place, flags).symbol<NameMpi>("hodge_mpi_library");
    if (name != nullptr) (void)name(mpi_module_version);
    ::_exit(0);
  }
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return child > 0 && WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status)) : "";
}

Module open_module(int flags) {
  Module module;
  const std::vector<std::string> places = module_places();
  for (const std::string& place : places) {
    const std::string signal = signal_of_loading(place, flags);
    if (signal.empty()) module.opened = SharedLibrary(place, flags);
    if (module.opened.usable()) return module;
    const std::string why = signal.empty()
                                ? module.opened.reason()
                                : place + ": it is damaged, loading it ends with: " + signal;
    std::error_code error;
    module.is_expected = places.size() == 1 || std::filesystem::exists(place, error);
    if (module.reason.empty() || module.is_expected) module.reason = why;
    if (module.is_expected) break;
  }
  return module;
}

constexpr char other_version[] = " belongs to another version of hodge";

}  // namespace

AllProcesses& start_all_processes(const Launch& launch) {
  // MPI libraries open plugins, which expect to find the symbols of the library: RTLD_GLOBAL.
  const Module module = open_module(RTLD_NOW | RTLD_GLOBAL);
  if (!module.opened.usable())
    throw ConfigError(
        how_many(launch) +
        (module.is_expected
             ? "but the MPI module cannot be loaded: " + module.reason + "; expected the " +
                   module_name +
                   " that was built with this program (HODGE_MPI_MODULE names another)"
             : "but this program has no MPI: build it with tools/run.sh --parallel "
               "or cmake -DHODGE_MPI=ON, or start it without a launcher (" +
                   module.reason + ")"));
  auto* const start = module.opened.symbol<StartMpi>("hodge_start_mpi");
  AllProcesses* const all = start == nullptr ? nullptr : start(mpi_module_version);
  if (all == nullptr)
    throw ConfigError(std::string(module_name) + other_version +
                      ": expected the one that was built with this program; build both anew and "
                      "unset HODGE_MPI_MODULE");
  if (all->size() != launch.size)
    throw ConfigError(how_many(launch) + "but MPI connects " + std::to_string(all->size()) +
                      ": use the mpirun of the MPI library that hodge was built with (with Slurm: "
                      "srun --mpi=pmix)");
  started_processes = all;
  return *all;
}

MpiLibrary mpi_library() {
  const Module module = open_module(RTLD_LAZY | RTLD_LOCAL);
  if (!module.opened.usable()) return {"", module.is_expected ? module.reason : "built without it"};
  auto* const name = module.opened.symbol<NameMpi>("hodge_mpi_library");
  const char* const text = name == nullptr ? nullptr : name(mpi_module_version);
  if (text == nullptr) return {"", std::string(module_name) + other_version};
  return {text, ""};
}

Communicator& all_processes() {
  return started_processes != nullptr ? *started_processes : one_process();
}

}  // namespace hodge::linalg
