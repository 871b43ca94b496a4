// An iteration of the Krylov methods on the 7-point Poisson matrix, Neumann sides: a fixed number
// of iterations, because no tolerance is met.
//
//   seconds an iteration = (t(many) - t(few)) / (many - few)
//
// each the fastest of three solves, so that what a solve does before and after is left out. Bytes
// are those that solve_bytes.hpp counts for the same iterations.
#include <algorithm>

#include "linalg/solve/solve_bytes.hpp"
#include "linalg/space/device.hpp"
#include "tools/hodge/bench/linear_problem.hpp"
#include "tools/hodge/bench/yardsticks.hpp"

namespace hodge::tools::bench {
namespace {

constexpr int restart = 30;

struct Method {
  std::string name, title, preconditioner;
  bool has_yardstick;
};

// A solve of a fixed number of iterations, the fastest of three.
struct Iterations {
  int count;
  double seconds;
  double bytes, solve_bytes;  // of the iterations, of the solve
  std::size_t allocated;      // by the solver
};

template <class Space>
Iterations fastest_of_three(LinearProblem<Space>& problem, const Method& method, int iterations) {
  linalg::SolverSettings settings;
  settings.method = method.name;
  settings.preconditioner.kind = method.preconditioner;
  settings.options = {{"restart", restart}};
  settings.max_iterations = iterations;
  settings.tolerance = 0;
  const std::size_t before = Space::allocated_bytes();
  linalg::LinearSolver<Space> solver(settings, problem.a->rows());
  const linalg::SolveReport solve = problem.fastest_of_three(solver);
  const linalg::SystemSize size = linalg::counted_size(*problem.a);
  return {solve.iterations, solve.solve_seconds,
          linalg::iterations_bytes(settings, size, solve.iterations),
          linalg::solve_bytes(settings, size, solve.iterations), Space::allocated_bytes() - before};
}

// Seconds per iteration by Python's library, 0 where it fails.
double library_seconds(const ExperimentRun& run, const std::string& library, const Method& method,
                       const Box& box, int few, int many) {
  const int gpu = std::max(0, linalg::chosen_gpu(run.options().device));
  std::vector<std::string> arguments{"krylov", library, std::to_string(gpu), method.name};
  const auto [x, y, z] = box.matrix.cells;
  for (const int n : {few, many, x, y, z}) arguments.push_back(std::to_string(n));
  return python_yardstick(library, arguments).value("seconds", 0.0);
}

// `before`: bytes that were allocated before the problem was.
template <class Space>
void measure_method(ExperimentRun& run, ResultTable& table, const Box& box, const Method& method,
                    LinearProblem<Space>& problem, std::size_t before) {
  const bool on_host = std::is_same_v<Space, linalg::Host>;
  // Whole cycles of gmres(30).
  const int few = run.quick() || on_host ? restart : 2 * restart;
  const int many = run.quick() ? 2 * restart : on_host ? 3 * restart : 8 * restart;
  const std::string grid = box.matrix.grid(), library = on_host ? "scipy" : "cupy";
  const auto row = [&](const std::string& who, Json iterations, double seconds) {
    return std::vector<Cell>{key("grid", grid),
                             key("method", method.title),
                             key("preconditioner", method.preconditioner),
                             key("device", Space::name),
                             key("by", who),
                             cell("iterations", std::move(iterations)),
                             timing("ms_an_iteration", "ms / iteration", 1e3 * seconds, "{:.4f}")};
  };

  double yardstick = 0;
  if (method.has_yardstick && python_absence(library).empty()) {
    const std::string title = on_host ? "SciPy, one core" : "CuPy";
    yardstick = library_seconds(run, library, method, box, few, many);
    if (yardstick > 0)
      table.add(row(title, {}, yardstick));
    else
      run.note(fmt::format("{} failed at {} on {}", title, method.title, grid));
  }

  const Iterations short_solve = fastest_of_three(problem, method, few);
  Iterations solve = fastest_of_three(problem, method, many);
  const int made = solve.count;
  if (solve.count > short_solve.count && solve.seconds > short_solve.seconds) {
    solve.count -= short_solve.count;
    solve.seconds -= short_solve.seconds;
    solve.bytes -= short_solve.bytes;
  } else {  // the clock cannot tell them apart
    solve.bytes = solve.solve_bytes;
  }
  const double each = solve.seconds / solve.count;
  const auto megabytes = [](std::size_t n) { return 1e-6 * static_cast<double>(n); };
  std::vector<Cell> cells = row("hodge", made, each);
  for (const Cell& more :
       {cell("bytes_a_row", "bytes a row", solve.bytes / solve.count / problem.a->rows(), "{:.0f}"),
        cell("share_of_copy", "of copy", run.share_of_copy<Space>(solve.bytes, solve.seconds),
             "{:.3f}"),
        cell("over_yardstick", "time / yardstick", value_if(yardstick > 0, each / yardstick),
             "{:.3f}"),
        cell("solver_megabytes", "solver, MB", megabytes(solve.allocated), "{:.1f}"),
        cell("device_megabytes", "all, MB",
             megabytes(Space::allocated_bytes() - before + solve.allocated), "{:.1f}")})
    cells.push_back(more);
  table.add(std::move(cells));
}

void run_krylov(ExperimentRun& run) {
  if (run.has<linalg::Host>()) run.yardstick("SciPy, one core", python_absence("scipy"));
  if (run.has<linalg::Cuda>()) run.yardstick("CuPy", python_absence("cupy"));
  ResultTable& table = run.add_table("iterations", "Iterations of the Krylov methods");
  const std::vector<Box> quick{{{{12, 10, 8}, true}}},
      full{{{{64, 64, 64}, true}}, {{{128, 128, 128}, true}}, {{{256, 256, 256}, true}, true}};
  measure_boxes(run, run.sizes(quick, full),
                [&]<class Space>(const Box& box, const HostMatrix& host) {
                  const std::size_t before = Space::allocated_bytes();
                  LinearProblem<Space> problem(box, host, true);
                  for (const Method& method :
                       {Method{"cg", "cg", "none", true}, Method{"cg", "cg", "jacobi", false},
                        Method{"bicgstab", "bicgstab", "none", false},
                        Method{"gmres", "gmres(30)", "none", true}})
                    measure_method(run, table, box, method, problem, before);
                });
  // Convection with cell Peclet number 2: both have two products per iteration, bicg one of them
  // with the transpose.
  ResultTable& nonsymmetric =
      run.add_table("nonsymmetric", "Iterations of bicg and bicgstab, convection-diffusion");
  const auto convection = [](int x, int y, int z) {
    return Box{{.cells = {x, y, z}, .coefficients = Coefficients::random, .peclet = 2}};
  };
  measure_boxes(
      run,
      run.sizes<Box>({convection(12, 10, 8)}, {convection(64, 64, 64), convection(128, 128, 128)}),
      [&]<class Space>(const Box& box, const HostMatrix& host) {
        const std::size_t before = Space::allocated_bytes();
        LinearProblem<Space> problem(box, host, true);
        for (const char* method : {"bicg", "bicgstab"})
          measure_method(run, nonsymmetric, box, {method, method, "none", false}, problem, before);
      });
}

}  // namespace

extern const Experiment krylov{
    "krylov", "an iteration of cg, bicg, bicgstab and gmres(30), beside CuPy or SciPy", run_krylov};

}  // namespace hodge::tools::bench
