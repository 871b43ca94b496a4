#include <map>

#include "tools/hodge/bench/ssor_sai.hpp"

namespace hodge::tools::bench {
namespace {

// The omegas that serve Poisson systems well (`sweep` shows the whole range).
std::vector<linalg::PreconditionerSettings> rivals() {
  linalg::PreconditionerSettings none, jacobi;
  jacobi.kind = "jacobi";
  return {none,
          jacobi,
          ssor_settings(1, 1.0, "truncated"),
          ssor_settings(2, 0.8, "truncated"),
          ssor_settings(1, 1.0, "factored"),
          ssor_settings(2, 1.8, "factored")};
}

template <class Space>
void race(Table& table, const NamedMatrix& named, const HostMatrix& host) {
  CgProblem<Space> problem(named, host);
  (void)problem.solve({}, 3);  // warms up
  double plain_seconds = 0;
  int plain_iterations = 0;
  for (const auto& p : rivals()) {
    const linalg::SolveReport solve = problem.solve(p, 20000);
    Json row = {{"matrix", named.name},
                {"rows", host.rows()},
                {"device", Space::name},
                {"preconditioner", p.kind}};
    for (const auto& [name, value] : p.options)
      std::visit([&, key = name](const auto& given) { row[key] = given; }, value);
    const double seconds = solve.setup_seconds + solve.solve_seconds;
    row["iterations"] = solve.iterations;
    row["setup_ms"] = 1e3 * solve.setup_seconds;
    row["solve_ms"] = 1e3 * solve.solve_seconds;
    row["converged"] = solve.converged();
    if (p.kind == "none") {
      plain_seconds = seconds;
      plain_iterations = solve.iterations;
    } else if (solve.converged() && solve.iterations > 0) {
      row["times_fewer"] = 1.0 * plain_iterations / solve.iterations;
      row["times_faster"] = plain_seconds / seconds;
    } else {
      row["reason"] = linalg::describe(solve);
    }
    table.add(row);
  }
}

}  // namespace

void compare_with_cg(Report& report) {
  report.progress("cg alone, with order 1 and with order 2");
  Table& table = report.add_table(
      "solve", "cg to 1e-8 with and without ssor_sai",
      {{"matrix", "matrix"},
       {"rows", "rows"},
       {"device", "device"},
       {"preconditioner", "preconditioner"},
       {"form", "form"},
       {"order", "order"},
       {"omega", "omega"},
       {"iterations", "iterations"},
       {"setup_ms", "setup, ms", "{:.2f}"},
       {"solve_ms", "solve, ms", "{:.2f}"},
       {"times_fewer", "times fewer", "{:.2f}"},
       {"times_faster", "times faster", "{:.2f}"},
       {"converged", "converged"},
       {"reason", "reason"}},
      {{"matrix", "device", "preconditioner", "form", "order", "omega"}, {"setup_ms", "solve_ms"}});
  const bool neumann = true;
  std::vector<NamedMatrix> all;
  if (report.quick()) {
    all = {poisson_2d(24, Coefficients::constant, neumann), poisson_3d(8, Coefficients::random)};
  } else {
    all = {poisson_2d(1024, Coefficients::constant, neumann),
           poisson_3d(64, Coefficients::constant, neumann),
           poisson_3d(128, Coefficients::random, neumann)};
  }
  for_each_matrix(report, all, [&](const NamedMatrix& named, const HostMatrix& host) {
    report.on_each_device([&]<class Space>() { race<Space>(table, named, host); });
  });
}

}  // namespace hodge::tools::bench
