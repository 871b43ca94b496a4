#include "linalg/host/processor.hpp"

#include <omp.h>

#include <sstream>

#include "linalg/base/system_file.hpp"

namespace hodge::linalg::host {

std::string processor_name() {
  std::istringstream cpuinfo(text_of_system_file("/proc/cpuinfo"));
  std::string line;
  while (std::getline(cpuinfo, line)) {
    const auto colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos)
      return line.substr(colon + 2);
  }
  return "CPU";
}

int thread_count() {
  return omp_get_max_threads();
}

}  // namespace hodge::linalg::host
