#include "tools/hodge/bench/experiment.hpp"

#include <algorithm>

namespace hodge::tools::bench {

// Each is defined at the end of the file of its name.
extern const Experiment step, assembly, krylov, spmv, poisson, ssor_sai, gmres, transpose, gauss;

std::span<const Experiment> experiment_table() {
  static const Experiment table[] = {step,     assembly, krylov,    spmv, poisson,
                                     ssor_sai, gmres,    transpose, gauss};
  return table;
}

const Experiment* find_experiment(std::string_view name) {
  const auto table = experiment_table();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Experiment& one) { return name == one.name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace hodge::tools::bench
