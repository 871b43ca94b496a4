#include <cmath>

#include "tools/hodge/bench/ssor_sai.hpp"
#include "tools/hodge/matrix/facts.hpp"

namespace hodge::tools::bench {
namespace {

std::vector<double> omegas(bool quick) {
  if (quick) return {0.5, 1.1, 1.7};
  return {0.5, 0.7, 0.9, 1.1, 1.3, 1.5, 1.7, 1.9};
}

std::vector<double> alphas(bool quick) {
  if (quick) return {0.6, 1.0};
  return {0.2, 0.4, 0.6, 0.8, 1.0};
}

template <class Space>
class Sweep {
 public:
  Sweep(Report& report, Table& table, const NamedMatrix& named, const HostMatrix& host)
      : quick_(report.quick()), table_(table), name_(named.name), problem_(named, host) {}

  void run() {
    linalg::PreconditionerSettings none;
    plain_ = problem_.solve(none, most_iterations_);
    add(none, plain_);
    // Ten times as many as cg alone: a setting that needs more is of no use.
    if (plain_.converged()) most_iterations_ = std::max(100, 10 * plain_.iterations);
    for (const int order : {1, 2}) {
      for (const double omega : omegas(quick_)) {
        measure(ssor_settings(order, omega, "factored"));
        for (const double alpha : alphas(quick_)) {
          measure(ssor_settings(order, omega, "truncated", alpha));
        }
      }
    }
  }

 private:
  void measure(const linalg::PreconditionerSettings& settings) {
    add(settings, problem_.solve(settings, most_iterations_));
  }

  void add(const linalg::PreconditionerSettings& p, const linalg::SolveReport& solve) {
    Json row = {{"matrix", name_}, {"preconditioner", p.kind}};
    for (const linalg::Option& option : linalg::options_of(p))
      if (option.is_used)
        std::visit([&](const auto& value) { row[option.name] = value; }, option.value);
    row["converged"] = solve.converged();
    row["iterations"] = solve.iterations;
    if (plain_.converged() && solve.converged() && solve.iterations > 0) {
      row["fewer"] = 1.0 * plain_.iterations / solve.iterations;
    }
    if (!solve.converged()) {
      row["reason"] = solve.breakdown == linalg::Breakdown::none
                          ? linalg::to_string(solve.status)
                          : linalg::to_string(solve.breakdown);
    }
    table_.add(row);
  }

  bool quick_;
  Table& table_;
  std::string name_;
  CgProblem<Space> problem_;
  linalg::SolveReport plain_;
  int most_iterations_ = 5000;
};

bool suits_cg(const HostMatrix& host) {
  const MatrixFacts facts = facts_of(host);
  return facts.symmetric() && facts.diagonal_positive == facts.rows;
}

std::vector<NamedMatrix> sweep_matrices(Report& report) {
  const bool neumann = true;
  std::vector<NamedMatrix> all;
  if (report.quick()) {
    all = {poisson_2d(24, Coefficients::constant, neumann)};
  } else {
    all = {poisson_2d(256, Coefficients::constant, neumann),
           poisson_3d(48, Coefficients::constant, neumann),
           poisson_2d(128, Coefficients::random),
           poisson_2d(128, Coefficients::jumping),
           anisotropic_2d(128),
           circuit(20000)};
  }
  for (NamedMatrix& file : files(report)) all.push_back(std::move(file));
  return all;
}

}  // namespace

void sweep_parameters(Report& report) {
  report.progress("iterations against omega and alpha");
  Table& table = report.add_table("sweep", "Iterations of cg to 1e-8",
                                  {{"matrix", "matrix"},
                                   {"preconditioner", "preconditioner"},
                                   {"form", "form"},
                                   {"order", "order"},
                                   {"omega", "omega"},
                                   {"alpha", "alpha"},
                                   {"iterations", "iterations"},
                                   {"fewer", "times fewer", "{:.2f}"},
                                   {"converged", "converged"},
                                   {"reason", "reason"}});
  // The numbers are those of any device, so the fastest is taken.
  for_each_matrix(report, sweep_matrices(report),
                  [&](const NamedMatrix& named, const HostMatrix& host) {
                    if (!suits_cg(host)) return report.progress("... is left out: not for cg");
                    report.on_fastest_device(
                        [&]<class Space>() { Sweep<Space>(report, table, named, host).run(); });
                  });
}

}  // namespace hodge::tools::bench
