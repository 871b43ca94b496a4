#include "tools/hodge/program/version_text.hpp"

#include <fmt/format.h>

#include "linalg/version.hpp"

namespace hodge::tools {

// The macros come from tools/CMakeLists.txt; HODGE_CUDA_VERSION is "" without CUDA.
std::string version_text() {
  const std::string toolkit = HODGE_CUDA_VERSION;
#ifdef __clang__
  const char* compiler = "";  // __VERSION__ names it
#else
  const char* compiler = "GCC ";
#endif
  return fmt::format("hodge {}\nCUDA: {}\nbuild: {}, {}{}", version,
                     toolkit.empty() ? "no" : "yes, toolkit " + toolkit, HODGE_BUILD_TYPE, compiler,
                     __VERSION__);
}

}  // namespace hodge::tools
