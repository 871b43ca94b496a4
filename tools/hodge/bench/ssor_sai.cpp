#include "tools/hodge/bench/ssor_sai.hpp"

#include "linalg/matrices/convert.hpp"
#include "linalg/matrices/symmetry.hpp"
#include "linalg/space/instantiate.hpp"
#include "tools/hodge/bench/experiment.hpp"

namespace hodge::tools::bench {

linalg::PreconditionerSettings ssor_settings(int order, double omega, const std::string& form,
                                             double alpha) {
  return {"ssor_sai", {{"order", order}, {"omega", omega}, {"form", form}, {"alpha", alpha}}};
}

template <class Space>
CgProblem<Space>::CgProblem(const NamedMatrix& named, const HostMatrix& host)
    : a_(linalg::copy_to<Space, double>(host)),
      b_(linalg::random_vector<Space, double>(host.rows(), 0)),
      x_(host.rows()) {
  if (named.constant_null_space) options_.null_space = linalg::NullSpace::constant;
}

template <class Space>
linalg::SolveReport CgProblem<Space>::solve(const linalg::PreconditionerSettings& preconditioner,
                                            int max_iterations) {
  linalg::SolverSettings settings;
  settings.preconditioner = preconditioner;
  settings.max_iterations = max_iterations;
  x_.fill(0.0);
  return linalg::LinearSolver<Space>(settings, a_->rows()).solve(*a_, b_, x_, options_);
}

#define HODGE_CG_PROBLEM(Space) template class CgProblem<linalg::Space>;
HODGE_FOR_EACH_SPACE(HODGE_CG_PROBLEM)

void run_ssor_sai(Report& report) {
  sweep_parameters(report);
  time_building(report);
  compare_with_cg(report);
  time_alignment(report);
}

}  // namespace hodge::tools::bench
