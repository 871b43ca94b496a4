// Where results come from: the program with its commit, the command, the machine, the libraries.
#pragma once

#include <string>
#include <vector>

#include "sim/app/run/summary.hpp"
#include "sim/base/table.hpp"

namespace hodge::sim {

struct Library {
  const char* name;
  std::string version;
};

// The libraries that results pass through, with the version that is loaded or was compiled in.
std::vector<Library> library_versions();

// "Release, GCC 12.2.0"
std::string build_text();

// Of the CUDA toolkit; empty in a build without CUDA.
std::string cuda_toolkit_version();

// The words of this process's command line, quoted for a shell where they need it.
std::string command_line();

// Keys: commit, build, command, host, processor, threads, gpu (of a run on one), libraries.
Json provenance_json(const RunFacts& facts);

// The same as lines of log.txt.
std::string provenance_text(const RunFacts& facts);

}  // namespace hodge::sim
