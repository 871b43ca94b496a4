// An iteration of the Krylov methods on the 7-point Poisson matrix, Neumann sides: a fixed number
// of iterations, because no tolerance is met.
//
//   seconds an iteration = (t(many) - t(few)) / (many - few)
//
// each the fastest of three solves, so that what a solve does before and after is left out. Bytes
// are those that byte_model.hpp counts for the same iterations.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "linalg/byte_model.hpp"
#include "linalg/device.hpp"
#include "tools/hodge/bench/experiment.hpp"
#include "tools/hodge/bench/linear_problem.hpp"
#include "tools/hodge/bench/yardsticks.hpp"

namespace hodge::tools::bench {
namespace {

constexpr int restart = 30;

struct Method {
  const char* name;
  const char* preconditioner;
  bool has_yardstick;
  std::string title() const { return name == std::string("gmres") ? "gmres(30)" : name; }
};
constexpr Method methods[] = {{"cg", "none", true},
                              {"cg", "jacobi", false},
                              {"bicgstab", "none", false},
                              {"gmres", "none", true}};

struct Iterations {
  int count = 0;
  double seconds = std::numeric_limits<double>::infinity();
  double bytes = 0;           // of the iterations
  double solve_bytes = 0;     // of the solve
  std::size_t allocated = 0;  // by the solver
};

template <class Space>
Iterations fastest_of_three(LinearProblem<Space>& problem, const Method& method, int iterations) {
  linalg::SolverSettings settings;
  settings.method = method.name;
  settings.preconditioner.kind = method.preconditioner;
  settings.restart = restart;
  settings.max_iterations = iterations;
  settings.tolerance = 0;
  const std::size_t before = Space::allocated_bytes();
  linalg::LinearSolver<Space> solver(settings, problem.a->rows());
  Iterations fastest;
  for (const auto changed :
       {linalg::Changed::pattern, linalg::Changed::nothing, linalg::Changed::nothing}) {
    const linalg::SolveReport report = problem.solve(solver, changed);
    fastest.count = report.iterations;
    fastest.seconds = std::min(fastest.seconds, report.solve_seconds);
  }
  const linalg::SystemSize size = problem.a->system_size();
  fastest.bytes = linalg::iterations_bytes(settings, size, fastest.count);
  fastest.solve_bytes = linalg::solve_bytes(settings, size, fastest.count);
  fastest.allocated = Space::allocated_bytes() - before;
  return fastest;
}

// The methods on one box.
template <class Space>
class MethodTimes {
 public:
  MethodTimes(ExperimentRun& run, ResultTable& table, const Box& box, const HostMatrix& host)
      : run_(run), table_(table), box_(box), problem_(box, host, true) {
    // Whole cycles of gmres(30).
    few_ = (run.quick() || on_host_ ? 1 : 2) * restart;
    many_ = (run.quick() ? 2 : on_host_ ? 3 : 8) * restart;
  }

  void measure(const Method& method) {
    const double yardstick = measure_library(method);
    const Iterations few = fastest_of_three(problem_, method, few_);
    const Iterations many = fastest_of_three(problem_, method, many_);
    int count = many.count - few.count;
    double seconds = many.seconds - few.seconds, bytes = many.bytes - few.bytes;
    if (count <= 0 || !(seconds > 0)) {  // the clock cannot tell them apart
      count = many.count;
      seconds = many.seconds;
      bytes = many.solve_bytes;
    }
    const double copy = run_.template copy_bandwidth<Space>();
    const auto megabytes = [](std::size_t n) { return 1e-6 * static_cast<double>(n); };
    add(method, "hodge", many.count, seconds / count,
        {cell("bytes_a_row", "bytes a row", bytes / count / problem_.a->rows(), "{:.0f}"),
         cell("share_of_copy", "of copy", linalg::share_of_copy(bytes, seconds, copy), "{:.3f}"),
         cell("over_yardstick", "time / yardstick",
              value_if(yardstick > 0, seconds / count / yardstick), "{:.3f}"),
         cell("solver_megabytes", "solver, MB", megabytes(many.allocated), "{:.1f}"),
         cell("device_megabytes", "all, MB",
              megabytes(Space::allocated_bytes() - before_ + many.allocated), "{:.1f}")});
  }

 private:
  void add(const Method& method, const std::string& who, const Json& iterations, double seconds,
           const std::vector<Cell>& more = {}) {
    std::vector<Cell> cells{key("grid", box_.name()),
                            key("method", method.title()),
                            key("preconditioner", method.preconditioner),
                            key("device", Space::name),
                            key("by", who),
                            cell("iterations", iterations),
                            timing("ms_an_iteration", "ms / iteration", 1e3 * seconds, "{:.4f}")};
    cells.insert(cells.end(), more.begin(), more.end());
    table_.add(cells);
  }

  // Seconds an iteration by Python's library, 0 where it is absent or fails.
  double measure_library(const Method& method) {
    const std::string library = on_host_ ? "scipy" : "cupy";
    if (!method.has_yardstick || !python_absence(library).empty()) return 0;
    std::vector<std::string> arguments{"krylov", library};
    arguments.push_back(std::to_string(std::max(0, linalg::chosen_gpu(run_.options().device))));
    arguments.push_back(method.name);
    for (const int n : {few_, many_, box_.cells[0], box_.cells[1], box_.cells[2]})
      arguments.push_back(std::to_string(n));
    const double seconds = python_yardstick(library, arguments).value("seconds", 0.0);
    const std::string title = on_host_ ? "SciPy, one core" : "CuPy";
    if (seconds > 0)
      add(method, title, {}, seconds);
    else
      run_.note(fmt::format("{} failed at {} on {}", title, method.title(), box_.name()));
    return seconds;
  }

  static constexpr bool on_host_ = std::is_same_v<Space, linalg::Host>;
  ExperimentRun& run_;
  ResultTable& table_;
  const Box& box_;
  int few_, many_;
  std::size_t before_ = Space::allocated_bytes();
  LinearProblem<Space> problem_;
};

std::vector<Box> krylov_boxes(bool quick) {
  if (quick) return {{{12, 10, 8}, true}};
  return {{{64, 64, 64}, true}, {{128, 128, 128}, true}, {{256, 256, 256}, true, true}};
}

void run_krylov(ExperimentRun& run) {
  if (run.has<linalg::Host>()) run.yardstick("SciPy, one core", python_absence("scipy"));
  if (run.has<linalg::Cuda>()) run.yardstick("CuPy", python_absence("cupy"));
  ResultTable& table = run.add_table("iterations", "Iterations of the Krylov methods");
  for (const Box& box : krylov_boxes(run.quick())) {
    std::unique_ptr<HostMatrix> host;
    run.on_each_device(box.name(), box.large, [&]<class Space>() {
      if (!host) host = make_matrix(box.matrix());
      MethodTimes<Space> times(run, table, box, *host);
      for (const Method& method : methods) times.measure(method);
    });
  }
}

}  // namespace

extern const Experiment krylov{
    "krylov", "an iteration of cg, bicgstab and gmres(30), beside CuPy or SciPy", run_krylov};

}  // namespace hodge::tools::bench
