// The experiments of `hodge bench` by name. To add one: one file, and one line in the table of
// experiment.cpp.
#pragma once

#include <span>
#include <string_view>

#include "tools/hodge/bench/report.hpp"

namespace hodge::tools::bench {

struct Experiment {
  const char* name;
  const char* description;
  void (*run)(Report& report);
};

std::span<const Experiment> experiment_table();
const Experiment* find_experiment(std::string_view name);  // null where there is none

void run_step(Report& report);
void run_assembly(Report& report);
void run_krylov(Report& report);
void run_spmv(Report& report);
void run_poisson(Report& report);
void run_ssor_sai(Report& report);
void run_gmres(Report& report);
void run_transpose(Report& report);
void run_gauss(Report& report);

}  // namespace hodge::tools::bench
