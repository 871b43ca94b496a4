// cg to 1e-8 on Poisson systems of boxes, by multigrid on the grid, multigrid on aggregates of
// rows, and what there is without: iterations, time, and the time over the bytes that the method
// counts; `arrays` where the matrix says which box it is (CsrMatrix::describe_as). Beside them the
// direct solver, which takes no iterations, where no ball is blocked; where one is, cg with the
// direct solver of the box without it, and the method capacitance, which takes the same solver.
#include "linalg/direct/direct_solver.hpp"
#include "linalg/solve/mean.hpp"
#include "linalg/solve/solve_bytes.hpp"
#include "tools/hodge/bench/direct_ways.hpp"
#include "tools/hodge/bench/linear_problem.hpp"

namespace hodge::tools::bench {
namespace {

struct Rival {
  std::string name;
  linalg::PreconditionerSettings settings;
  bool on_grid = true;
  bool described = false;  // as a box
  std::string method = "cg";
  linalg::OptionValues options{};  // of the method
};

Rival multigrid(const std::string& smoother, const std::string& precision, bool on_grid = true) {
  return {fmt::format("multigrid, {}, {}", smoother, on_grid ? precision : "aggregates"),
          {"multigrid", {{"smoother", smoother}, {"precision", precision}}},
          on_grid};
}
Rival described(Rival rival) {
  rival.name += ", arrays";
  rival.described = true;
  return rival;
}

Rival capacitance(const std::string& transforms) {
  Rival rival = described({"none: capacitance, transforms " + transforms, {}});
  rival.method = "capacitance";
  rival.options = {{"transforms", transforms}};
  return rival;
}

std::vector<Rival> rivals(bool all, bool ball) {
  std::vector<Rival> list{multigrid("chebyshev", "single"), multigrid("ssor_sai", "single"),
                          multigrid("ssor_sai", "double"),
                          described(multigrid("chebyshev", "single")),
                          described(multigrid("ssor_sai", "single"))};
  if (ball) {
    list.push_back(described({"direct of the box", {"direct", {}}}));
    for (const char* transforms : {"double", "single"}) list.push_back(capacitance(transforms));
  }
  if (!all) return list;
  list.push_back(multigrid("jacobi", "single"));
  list.push_back(multigrid("ssor_sai", "double", false));
  list.push_back({"ssor_sai, order 2, omega 1.6", {"ssor_sai", {{"order", 2}, {"omega", 1.6}}}});
  list.push_back({"none", {}});
  return list;
}

template <class Space>
void measure_rival(const ExperimentRun& run, ResultTable& table, const Box& box,
                   const HostMatrix& host, const Rival& rival) {
  LinearProblem<Space> problem(box, host, rival.on_grid);
  if (rival.described)
    problem.a->describe_as(std::make_shared<linalg::SeparableSystem>(separable(box)));
  linalg::SolverSettings settings;
  settings.method = rival.method;
  settings.options = rival.options;
  settings.preconditioner = rival.settings;
  settings.max_iterations = 5000;
  linalg::LinearSolver<Space> solver(settings, problem.a->rows());
  const double setup = problem.solve(solver, linalg::Changed::pattern).setup_seconds;
  const linalg::SolveReport solve = problem.fastest_of_three(solver, linalg::Changed::values);
  const bool good = solve.converged() && solve.iterations > 0;
  const double bytes =
      linalg::solve_bytes(settings, linalg::counted_size(*problem.a), solve.iterations);
  table.add(
      {key("grid", box.matrix.grid()), key("sides", box.sides()), key("device", Space::name),
       key("preconditioner", rival.name), cell("iterations", solve.iterations),
       timing("setup_ms", "setup, ms", 1e3 * setup, "{:.2f}"),
       timing("refresh_ms", "refresh, ms", 1e3 * solve.setup_seconds, "{:.2f}"),
       timing("solve_ms", "solve, ms", 1e3 * solve.solve_seconds, "{:.2f}"),
       cell("ms_per_iteration", "ms / iteration",
            value_if(good, 1e3 * solve.solve_seconds / solve.iterations), "{:.3f}"),
       cell("share_of_copy", "of copy",
            value_if(good, run.share_of_copy<Space>(bytes, solve.solve_seconds)), "{:.2f}"),
       cell("true_residual", "|b - A x| / |b|", solve.true_residual / solve.rhs_norm, "{:.1e}"),
       cell("converged", solve.converged()),
       cell("reason", value_if(!good, linalg::describe(solve)))});
}

// `refresh` is a set-up where the libraries are open.
template <class Space>
void measure_direct(const ExperimentRun& run, ResultTable& table, const Box& box,
                    const HostMatrix& host) {
  LinearProblem<Space> problem(box, host, true);
  const linalg::SeparableSystem system = separable(box);
  const auto built = [&] {
    const linalg::Clock clock;
    const linalg::DirectSolver<Space> solver(system);
    Space::synchronize();
    return clock.seconds();
  };
  const double setup = built(), again = built();
  linalg::DirectSolver<Space> solver(system);
  if (box.is_singular()) linalg::remove_mean(problem.b);
  const double seconds = linalg::median_seconds<Space>([&] { solver.solve(problem.b, problem.x); });
  linalg::Vector<Space> r(problem.b.size());
  linalg::residual(*problem.a, problem.x, problem.b, r);
  const double left = norm(r).to_host() / norm(problem.b).to_host();
  table.add(
      {key("grid", box.matrix.grid()), key("sides", box.sides()), key("device", Space::name),
       key("preconditioner",
           fmt::format("direct: {}", fmt::join(linalg::axis_methods<Space>(system), ", "))),
       cell("iterations", 1), timing("setup_ms", "setup, ms", 1e3 * setup, "{:.2f}"),
       timing("refresh_ms", "refresh, ms", 1e3 * again, "{:.2f}"),
       timing("solve_ms", "solve, ms", 1e3 * seconds, "{:.2f}"),
       cell("ms_per_iteration", "ms / iteration", value_if(true, 1e3 * seconds), "{:.3f}"),
       cell("share_of_copy", "of copy",
            value_if(true, run.share_of_copy<Space>(linalg::direct_bytes<Space>(system), seconds)),
            "{:.2f}"),
       cell("true_residual", "|b - A x| / |b|", left, "{:.1e}"), cell("converged", left < 1e-8),
       cell("reason", value_if(false, std::string()))});
}

void run_poisson(ExperimentRun& run) {
  ResultTable& table = run.add_table("solves", "cg to 1e-8, and direct");
  const std::vector<Box> quick{{{{24, 24, 1}, true}},
                               {{{12, 10, 8}, false}},
                               {{{12, 10, 8}, false, true}},
                               {{.cells = {16, 16, 16}, .neumann = true, .ball = true}}},
      full{{{{256, 256, 1}, true}},
           {{{2048, 2048, 1}, true}, true},
           {{{32, 32, 32}, true}},
           {{{64, 64, 64}, true}},
           {{{64, 64, 64}, false, true}},
           {{{128, 128, 128}, false, true}},
           {{{128, 128, 128}, true}},
           {{.cells = {128, 128, 128}, .neumann = true, .ball = true}},
           {{{256, 256, 256}, true}, true},
           {{.cells = {256, 256, 256}, .neumann = true, .ball = true}, true},
           {{{256, 256, 256}, false, true}, true},
           {{{256, 256, 256}, false}, true},
           {{{384, 384, 384}, true}, true}};
  measure_boxes(run, run.sizes(quick, full),
                [&]<class Space>(const Box& box, const HostMatrix& host) {
                  if (!box.matrix.ball) measure_direct<Space>(run, table, box, host);
                  for (const Rival& rival : rivals(!box.large, box.matrix.ball))
                    measure_rival<Space>(run, table, box, host, rival);
                });
  measure_direct_ways(run);
}

}  // namespace

extern const Experiment poisson{
    "poisson", "cg with multigrid and without on Poisson systems of boxes", run_poisson};

}  // namespace hodge::tools::bench
