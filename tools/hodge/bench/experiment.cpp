#include "tools/hodge/bench/experiment.hpp"

namespace hodge::tools::bench {

std::span<const Experiment> experiment_table() {
  static const Experiment table[] = {
      {"step", "whole time steps of flows: milliseconds, their parts, iterations, memory",
       run_step},
      {"assembly", "the matrices and right sides of a time step over their least bytes",
       run_assembly},
      {"krylov", "an iteration of cg, bicgstab and gmres(30), beside CuPy or SciPy", run_krylov},
      {"spmv", "every kernel of y = A x on every matrix, against cuSPARSE and the copy bandwidth",
       run_spmv},
      {"poisson", "cg with multigrid and without on Poisson systems of boxes", run_poisson},
      {"ssor_sai",
       "the SSOR sparse approximate inverse: iterations against omega and alpha, and "
       "the time to build and apply it",
       run_ssor_sai},
      {"gmres", "ten restarts of GMRES(8, 16, 32) on the CPU and on the GPU", run_gmres},
      {"transpose", "100 products with the transposed matrix: atomic additions against a transpose",
       run_transpose},
      {"gauss", "dense LU and many small systems, against cuSOLVER and LAPACK", run_gauss},
  };
  return table;
}

const Experiment* find_experiment(std::string_view name) {
  for (const Experiment& experiment : experiment_table()) {
    if (name == experiment.name) return &experiment;
  }
  return nullptr;
}

}  // namespace hodge::tools::bench
