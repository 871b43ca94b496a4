// The one file of the program that knows where the sources lie (HODGE_SOURCE_DIR): all other
// objects are the same in every checkout, so that a compiler cache serves several.
#include "tools/hodge/program/shared_folder.hpp"

#include <map>

#include "linalg/base/own_program.hpp"
#include "linalg/files/directories.hpp"

namespace hodge::tools {

std::filesystem::path shared_folder(const std::string& name) {
  static const std::map<std::string, const char*> in_sources = {
      {"reference", "cases/reference"}, {"matrices", "tests/data/matrices"}, {"tools", "tools"}};
  const std::filesystem::path installed =
      program_file().parent_path().parent_path() / "share/hodge" / name;
  if (is_a_directory(installed)) return installed;
  return std::filesystem::path(HODGE_SOURCE_DIR) / in_sources.at(name);
}

}  // namespace hodge::tools
