// The parts of the experiment ssor_sai (J.-Q. Gao & Z.-C. Wang, J. Zhejiang Univ. of Technology 44
// (2016) 140-145), a table each.
#pragma once

#include "linalg/solve/solve.hpp"
#include "tools/hodge/bench/collection.hpp"

namespace hodge::tools::bench {

// Iterations of cg against omega and alpha, both orders, both forms.
void sweep_parameters(Report& report);
// Time to build and refresh the truncated product, beside one SpMV and SciPy on one core.
void time_building(Report& report);
// Iterations and time of cg without it and with both orders.
void compare_with_cg(Report& report);
// Time of a product with rows that start at multiples of 32 and 128 bytes, padded with zeros.
void time_alignment(Report& report);

linalg::PreconditionerSettings ssor_settings(int order, double omega, const std::string& form,
                                             double alpha = 1.0);

// A x = b with random b (of mean zero where constants are in the null space), from x = 0 to a
// residual of 1e-8 |b|, by cg.
template <class Space>
class CgProblem {
 public:
  CgProblem(const NamedMatrix& named, const HostMatrix& host);
  linalg::SolveReport solve(const linalg::PreconditionerSettings& preconditioner,
                            int max_iterations = 5000);
  const linalg::CsrMatrix<Space, double>& matrix() const { return *a_; }

 private:
  std::unique_ptr<linalg::CsrMatrix<Space, double>> a_;
  linalg::Vector<Space> b_, x_;
  linalg::SolveOptions options_;
};

}  // namespace hodge::tools::bench
