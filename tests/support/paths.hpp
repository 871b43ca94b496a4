// Where tests find the program and the files of the checkout.
//
// The folders of the build, unless the environment says otherwise: tests that were installed on
// another machine are run with HODGE_PROGRAM and HODGE_SOURCE set.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace hodge::tests {

inline std::filesystem::path path_from(const char* variable, const char* built_in) {
  const char* value = std::getenv(variable);
  return value != nullptr ? value : built_in;
}

// The program `hodge`.
std::filesystem::path program_path();

// The root of the checkout.
std::filesystem::path source_dir();

}  // namespace hodge::tests
