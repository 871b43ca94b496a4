// Which matrices an experiment runs on: generated ones by name, the small real ones that come with
// hodge, and those of --matrices.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/hodge/bench/experiment_run.hpp"
#include "tools/hodge/bench/matrices.hpp"

namespace hodge::tools::bench {

struct MatrixChoice {
  std::vector<std::string> quick, full;  // names of named_grid_matrix, or circuit_NODES
  bool files = true;                     // also those that come with hodge, and those of --matrices
};

using MatrixAction = std::function<void(const std::string& name, const HostMatrix& matrix)>;

// Makes them one after the other; one that does not fit or cannot be read becomes a note. Errors:
// ConfigError where --matrices has no *.mtx.
void for_each_matrix(ExperimentRun& run, const MatrixChoice& choice, const MatrixAction& action);

}  // namespace hodge::tools::bench
