// The one file that knows the folders of the build: objects of all other tests are the same in
// every checkout, so that a compiler cache serves several.
#include "tests/support/paths.hpp"

namespace hodge::tests {

std::filesystem::path program_path() {
  return path_from("HODGE_PROGRAM", HODGE_PROGRAM_PATH);
}

std::filesystem::path source_dir() {
  return path_from("HODGE_SOURCE", HODGE_SOURCE_DIR);
}

}  // namespace hodge::tests
