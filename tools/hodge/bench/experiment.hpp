// The experiments of `hodge bench` by name. To add one: a file here that ends with its Experiment,
// and its name in experiment.cpp.
#pragma once

#include <span>
#include <string_view>

#include "tools/hodge/bench/experiment_run.hpp"

namespace hodge::tools::bench {

struct Experiment {
  const char* name;
  const char* description;  // one line
  void (*measure)(ExperimentRun& run);
};

std::span<const Experiment> experiment_table();
const Experiment* find_experiment(std::string_view name);  // null where there is none

}  // namespace hodge::tools::bench
