#include "tools/hodge/bench/ssor_solves.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hodge::tools::bench {
namespace {

double total_seconds(const linalg::SolveReport& solve) {
  return solve.setup_seconds + solve.solve_seconds;
}

// "chosen omega 0.9"
double chosen_omega(const linalg::SolveReport& solve) {
  return std::stod(solve.made.substr(solve.made.rfind(' ') + 1));
}

// The solves of one system, each beside cg without a preconditioner, which comes first.
template <class Space>
class SolvesOfMatrix {
 public:
  SolvesOfMatrix(ResultTable& table, const char* kind, const std::string& name,
                 const HostMatrix& host, int max_iterations)
      : table_(table),
        kind_(kind),
        name_(name),
        max_iterations_(max_iterations),
        problem_(host, has_null_space(name)) {}

  // b = A (1, 1, ...)
  void take_known_solution() {
    problem_.x.fill(1.0);
    linalg::multiply(*problem_.a, problem_.x, problem_.b);
  }
  void add_plain() {
    (void)solve_by_cg(problem_, {}, 3);  // warms up
    plain_ = add({});
  }

  linalg::SolveReport add(const PreconditionerSettings& p) {
    const linalg::SolveReport solve = solve_by_cg(problem_, p, max_iterations_);
    const bool good = solve.converged() && solve.iterations > 0;
    const bool comparable = good && p.kind != "none" && plain_.converged();
    table_.add({key("matrix", name_), cell("of", kind_), cell("rows", problem_.a->rows()),
                key("device", Space::name), key("preconditioner", p.kind),
                key("form", option_of(p, "form")), key("order", option_of(p, "order")),
                key("omega", option_of(p, "omega")),
                cell("made", value_if(!solve.made.empty(), solve.made)),
                cell("iterations", solve.iterations),
                timing("setup_ms", "setup, ms", 1e3 * solve.setup_seconds, "{:.2f}"),
                timing("solve_ms", "solve, ms", 1e3 * solve.solve_seconds, "{:.2f}"),
                cell("times_fewer", "times fewer",
                     value_if(comparable, 1.0 * plain_.iterations / solve.iterations), "{:.2f}"),
                cell("times_faster", "times faster",
                     value_if(comparable, total_seconds(plain_) / total_seconds(solve)), "{:.2f}"),
                cell("converged", solve.converged()),
                cell("reason", value_if(!solve.converged(), linalg::describe(solve)))});
    return solve;
  }

 private:
  ResultTable& table_;
  const char* kind_;
  std::string name_;
  int max_iterations_;
  LinearProblem<Space> problem_;
  linalg::SolveReport plain_;
};

void solve_boxes(ExperimentRun& run, ResultTable& table) {
  const MatrixChoice choice{
      .quick = {"poisson_2d_24_neumann", "poisson_3d_8_random"},
      .full = {"poisson_2d_1024_neumann", "poisson_3d_64_neumann", "poisson_3d_128_random_neumann"},
      .files = false};
  // The omegas that serve Poisson systems well (`sweep` shows the whole range).
  const std::vector<PreconditionerSettings> rivals{{.kind = "jacobi"},
                                                   ssor(1, 1.0, "truncated"),
                                                   ssor(1, std::nullopt, "truncated"),
                                                   ssor(2, 0.8, "truncated"),
                                                   ssor(2, std::nullopt, "truncated"),
                                                   ssor(1, 1.0, "factored"),
                                                   ssor(1, std::nullopt, "factored"),
                                                   ssor(2, 1.8, "factored"),
                                                   ssor(2, std::nullopt, "factored")};
  measure_matrices(run, choice, [&]<class Space>(const std::string& name, const HostMatrix& host) {
    SolvesOfMatrix<Space> solves(table, "box", name, host, 20000);
    solves.add_plain();
    for (const PreconditionerSettings& p : rivals) (void)solves.add(p);
  });
}

// -A
std::unique_ptr<HostMatrix> with_the_other_sign(const HostMatrix& a) {
  auto negative = linalg::copy_to<linalg::Host, double>(a);
  for (double& value : std::span(negative->values().data(), negative->values().size()))
    value = -value;
  return negative;
}

template <class Space>
void solve_file(ResultTable& table, const std::string& name, const HostMatrix& matrix) {
  SolvesOfMatrix<Space> solves(table, "file", name, matrix, most_iterations);
  solves.take_known_solution();
  solves.add_plain();
  for (const int order : {1, 2}) {
    const linalg::SolveReport chosen = solves.add(ssor(order, std::nullopt, "truncated"));
    if (!chosen.made.empty()) (void)solves.add(ssor(order, chosen_omega(chosen), "truncated"));
  }
}

void solve_files(ExperimentRun& run, ResultTable& table) {
  for_each_matrix(run, {}, [&](const std::string& name, const HostMatrix& host) {
    const MatrixFacts facts = facts_of(host);
    const bool negative = facts.diagonal_negative == facts.rows;
    if (!facts.symmetric() || !(negative || facts.diagonal_positive == facts.rows))
      return run.progress("... is left out: not for cg");
    const std::unique_ptr<HostMatrix> other = negative ? with_the_other_sign(host) : nullptr;
    run.on_each_device(
        [&]<class Space>() { solve_file<Space>(table, name, negative ? *other : host); });
  });
}

}  // namespace

void compare_with_cg(ExperimentRun& run) {
  run.progress("cg alone, with order 1 and with order 2");
  ResultTable& table = run.add_table("solve", "cg to 1e-8 with and without ssor_sai");
  solve_boxes(run, table);
  solve_files(run, table);
}

}  // namespace hodge::tools::bench
