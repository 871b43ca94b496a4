// Many small dense systems at once.
#pragma once

#include "tools/hodge/bench/report.hpp"

namespace hodge::tools::bench {

void time_batches(Report& report);

}  // namespace hodge::tools::bench
