// `hodge run --dry-run`: what would run, and what it needs; nothing is written.
#pragma once

#include <string>

#include "sim/base/table.hpp"
#include "tools/hodge/run/jobs.hpp"

namespace hodge::tools {

using sim::Json;

// Lines as those of `hodge check`, then unknowns, nonzeros, memory and files. Errors: those of
// sim::run_plan.
std::string dry_run_text(const NamedJob& named);

// The same for scripts: file, cells, systems, steps, device, bytes.
Json dry_run_json(const NamedJob& named);

}  // namespace hodge::tools
