// What a run has left in its directory, as a sweep that goes on reads it. Errors: IoError where a
// file is there and cannot be read.
#pragma once

#include <filesystem>
#include <optional>

#include "sim/app/checkpoint/restart.hpp"
#include "sim/base/table.hpp"
#include "sim/model/settings.hpp"

namespace hodge::tools {

// summary.json, or null where there is none or it is damaged.
sim::Json summary_in(const std::filesystem::path& directory);

// What a restart may not change of the run there and is another now: a key of its config.yaml, or
// the contents of a file that it names, also of the state that it began with.
std::optional<sim::RunChange> changed_since(const std::filesystem::path& directory,
                                            const sim::Settings& settings);

// Whether nothing would come of another call with these settings: the run has reached its end, or
// has failed numerically, with the same configuration and the same files. Device and names of the
// directory and of the output may differ.
bool is_finished(const std::filesystem::path& directory, const sim::Settings& settings);

}  // namespace hodge::tools
