// cg to 1e-8 on Poisson systems of boxes, by multigrid on the grid, multigrid on aggregates of
// rows, and what there is without: iterations, time, and the time over the bytes that the method
// counts; `arrays` where the matrix says which box it is (CsrMatrix::describe_as). Beside them the
// direct solver, which takes no iterations, where no ball is blocked; where one is, cg with the
// direct solver of the box without it, and the method capacitance, which takes the same solver. The
// direct solver alone has boxes that are too large for a matrix, and stretched axes.
#include "linalg/direct/direct_solver.hpp"
#include "linalg/solve/mean.hpp"
#include "linalg/solve/solve_bytes.hpp"
#include "tools/hodge/bench/linear_problem.hpp"

namespace hodge::tools::bench {
namespace {

// Cells of 0.1 at the lower end to 1.9 at the upper one, both closed.
void stretch(linalg::SeparableAxis& axis) {
  const std::size_t n = axis.weights.size();
  axis.periodic = false;
  for (std::size_t i = 0; i < n; ++i)
    axis.weights[i] = 0.1 + 1.8 * static_cast<double>(i) / static_cast<double>(n);
  for (std::size_t i = 1; i < n; ++i)
    axis.couplings[i] = 2 / (axis.weights[i - 1] + axis.weights[i]);
  axis.couplings.front() = axis.couplings.back() = 0;
}

// Cells of width 1; in the sides of a Dirichlet box, half a cell from the last centres, the value
// is 0.
linalg::SeparableSystem separable(const Box& box) {
  linalg::SeparableSystem system;
  for (int d = 0; d < box.matrix.dim(); ++d) {
    const auto n = static_cast<std::size_t>(box.matrix.cells[d]);
    linalg::SeparableAxis axis{std::vector<double>(n, 1.0), std::vector<double>(n + 1, 1.0),
                               box.matrix.periodic};
    if (!box.matrix.periodic)
      axis.couplings.front() = axis.couplings.back() = box.matrix.neumann ? 0.0 : 2.0;
    if (d == box.stretched) stretch(axis);
    system.axes.push_back(std::move(axis));
  }
  return system;
}

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

// |b - A x| / |b|
template <class Space>
double residual_of(const linalg::CsrMatrix<Space>& a, const linalg::Vector<Space>& b,
                   const linalg::Vector<Space>& x) {
  linalg::Vector<Space> r(b.size());
  linalg::residual(a, x, b, r);
  return norm(r).to_host() / norm(b).to_host();
}

// host: null for the solver alone, whose residual is not known. `refresh` is a set-up where the
// libraries are open.
template <class Space>
void measure_direct(const ExperimentRun& run, ResultTable& table, const Box& box,
                    const HostMatrix* host) {
  const linalg::SeparableSystem system = separable(box);
  const auto rows = static_cast<int>(system.rows());
  linalg::Vector<Space> b = linalg::random_vector<Space, double>(rows, 0), x(rows);
  if (!box.is_singular()) b.fill(1.0);
  const auto built = [&] {
    const linalg::Clock clock;
    const linalg::DirectSolver<Space> solver(system);
    Space::synchronize();
    return clock.seconds();
  };
  const double setup = built(), again = built();
  const std::size_t before = Space::allocated_bytes();
  linalg::DirectSolver<Space> solver(system);
  const auto memory = static_cast<double>(Space::allocated_bytes() - before);
  if (box.is_singular()) linalg::remove_mean(b);
  const double seconds = linalg::median_seconds<Space>([&] { solver.solve(b, x); });
  const double left = host == nullptr ? 0 : residual_of(*placed_on_grid<Space>(box, *host), b, x);
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
       json_only("memory_bytes_a_cell", memory / rows),
       cell("true_residual", "|b - A x| / |b|", value_if(host != nullptr, left), "{:.1e}"),
       cell("converged", value_if(host != nullptr, left < 1e-8)),
       cell("reason", value_if(host == nullptr, "no matrix: the residual is not computed"))});
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
                  if (!box.matrix.ball) measure_direct<Space>(run, table, box, &host);
                  for (const Rival& rival : rivals(!box.large, box.matrix.ball))
                    measure_rival<Space>(run, table, box, host, rival);
                });
  const std::vector<Box> quick_alone{{{{12, 10, 8}, true}, false, 1}},
      full_alone{{{{4096, 4096, 1}, true}, true},    {{{256, 256, 256}, true}, true, 0},
                 {{{256, 256, 256}, true}, true, 1}, {{{256, 256, 256}, false, true}, true, 2},
                 {{{512, 512, 512}, true}, true},    {{{512, 512, 512}, false, true}, true}};
  for (const Box& box : run.sizes(quick_alone, full_alone))
    run.on_each_device(box.text(), box.large,
                       [&]<class Space>() { measure_direct<Space>(run, table, box, nullptr); });
}

}  // namespace

extern const Experiment poisson{
    "poisson", "cg with multigrid and without on Poisson systems of boxes", run_poisson};

}  // namespace hodge::tools::bench
