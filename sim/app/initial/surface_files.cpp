#include "sim/app/initial/surface_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "linalg/base/errors.hpp"
#include "sim/base/input_files.hpp"
#include "sim/discrete/bodies/region_level.hpp"

namespace hodge::sim {

InputFiles surface_files(const Settings& settings) {
  InputFiles files;
  const auto add = [&](const SurfaceShape& surface, const std::string&) {
    if (std::ranges::count(files, surface.file, &InputFile::file) > 0) return;
    try {
      files.push_back({surface.file, digest_of_file(surface.file)});
    } catch (const ConfigError& error) {
      throw ConfigError(fmt::format("{}, expected an STL file", error.what()));
    }
  };
  for (const Solid& solid : settings.solids) for_each_surface(solid.region, "", add);
  return files;
}

void require_same_surfaces(const Settings& settings) {
  if (const auto file = changed_file(settings.inputs, surface_files(settings)))
    throw ConfigError(fmt::format(
        "{} has changed since the configuration was read, expected the same contents until the run "
        "has begun: start it again",
        *file));
}

}  // namespace hodge::sim
