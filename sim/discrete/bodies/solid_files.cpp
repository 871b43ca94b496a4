#include "sim/discrete/bodies/solid_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "sim/base/key_error.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {

ReadSurface read_surface(const std::string& file, const std::string& solid) {
  ReadSurface read;
  try {
    read.surface = read_stl(file);
  } catch (const ConfigError& error) {
    throw ConfigError(solid + ": " + error.what());
  }
  const std::string name = fmt::format("{} ({})", solid, one_line(file));
  read.told = orient_shells(read.surface, name);
  if (!read.told.empty()) read.told = name + ": " + read.told;
  return read;
}

std::string text_of_solid(const std::string& name) {
  return "solid " + quote(name);
}

std::string key_of_solid(const std::vector<Solid>& solids, std::size_t k) {
  const bool is_surface = std::holds_alternative<SurfaceShape>(solids[k].shape);
  return fmt::format("solids[{}]{}", k, is_surface ? ".surface.file" : "");
}

std::vector<std::string> solid_names(const std::vector<Solid>& solids) {
  std::vector<std::string> names;
  for (const Solid& solid : solids) {
    const std::string name =
        solid.name.empty() ? fmt::format("solid{}", names.size() + 1) : solid.name;
    if (std::find(names.begin(), names.end(), name) != names.end())
      throw KeyError(fmt::format("solids[{}]", names.size()),
                     fmt::format("two solids have the name {}; each needs its own", quote(name)));
    names.push_back(name);
  }
  return names;
}

std::vector<MendedSurface> mended_surfaces(const std::vector<Solid>& solids) {
  const std::vector<std::string> names = solid_names(solids);
  std::vector<MendedSurface> mended;
  for (std::size_t k = 0; k < solids.size(); ++k) {
    const auto* const shape = std::get_if<SurfaceShape>(&solids[k].shape);
    if (shape == nullptr) continue;
    const std::string told = read_surface(shape->file, text_of_solid(names[k])).told;
    if (!told.empty()) mended.push_back({key_of_solid(solids, k), told});
  }
  return mended;
}

}  // namespace hodge::sim
