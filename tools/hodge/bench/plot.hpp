// The plot of an experiment, by tools/plot_bench.py.
#pragma once

#include <filesystem>

namespace hodge::tools::bench {

// Makes NAME.png beside NAME.json where python3 with matplotlib is there; otherwise prints the
// command that would. Never fails: the numbers are written.
void plot(const std::filesystem::path& json);

}  // namespace hodge::tools::bench
