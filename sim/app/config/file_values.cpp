#include <filesystem>

#include "linalg/files/directories.hpp"
#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"

namespace hodge::sim {

namespace fs = std::filesystem;

fs::path folder_of(const ConfigValue& value) {
  const Place& place = value.node.place;
  return place.line > 0 ? fs::path(*place.source).parent_path() : fs::path();
}

ValueReader file_name(std::string& out) {
  return checked(text(out), [&out](const ConfigValue& value) {
    out = absolute_path(folder_of(value) / out).lexically_normal().string();
  });
}

}  // namespace hodge::sim
