// What a run has left in its directory, as a sweep that goes on reads it.
#pragma once

#include <filesystem>
#include <optional>

#include "sim/app/checkpoint/restart.hpp"
#include "sim/base/table.hpp"
#include "sim/model/settings.hpp"

namespace hodge::tools {

// summary.json, or null where there is none or it is damaged.
sim::Json summary_in(const std::filesystem::path& directory);

// The first setting of config.yaml there that a restart may not change and that is another one now.
std::optional<sim::ChangedKey> changed_since(const std::filesystem::path& directory,
                                             const sim::Settings& settings);

// Whether nothing would come of another call with these settings: the run has reached its end, or
// has failed numerically, with the same configuration. Device and name of the directory may differ.
bool is_finished(const std::filesystem::path& directory, const sim::Settings& settings);

}  // namespace hodge::tools
