// An iteration of the Krylov methods on the 7-point Poisson matrix, Neumann sides: a fixed number
// of iterations, because no tolerance is met.
//
//   seconds an iteration = (t(many) - t(few)) / (many - few)
//
// each the fastest of three solves, so that what a solve does before and after is left out. Bytes
// are those that byte_model.hpp counts for the same iterations.
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "linalg/solve/solve_bytes.hpp"
#include "linalg/space/device.hpp"
#include "tools/hodge/bench/box_problem.hpp"
#include "tools/hodge/bench/experiment.hpp"
#include "tools/hodge/bench/krylov_yardstick.hpp"

namespace hodge::tools::bench {
namespace {

constexpr int restart = 30;

struct Method {
  const char* name;
  const char* preconditioner;
  bool has_yardstick;
};
constexpr Method methods[] = {{"cg", "none", true},
                              {"cg", "jacobi", false},
                              {"bicgstab", "none", false},
                              {"gmres", "none", true}};

std::string title_of(const Method& method) {
  return method.name == std::string("gmres") ? "gmres(30)" : method.name;
}

// Whole cycles of gmres(30).
template <class Space>
IterationCounts iteration_counts(bool quick) {
  if (quick) return {restart, 2 * restart};
  return std::is_same_v<Space, linalg::Host> ? IterationCounts{restart, 3 * restart}
                                             : IterationCounts{2 * restart, 8 * restart};
}

linalg::SolverSettings settings_of(const Method& method, int iterations) {
  linalg::SolverSettings settings;
  settings.method = method.name;
  settings.preconditioner.kind = method.preconditioner;
  settings.options = {{"restart", restart}};
  settings.max_iterations = iterations;
  settings.tolerance = 0;
  return settings;
}

struct Iterations {
  int count = 0;
  double seconds = std::numeric_limits<double>::infinity();
  std::size_t allocated = 0;  // by the solver
};

template <class Space>
Iterations fastest_of_three(BoxProblem<Space>& problem, const linalg::SolverSettings& settings) {
  const std::size_t before = Space::allocated_bytes();
  linalg::LinearSolver<Space> solver(settings, problem.rows());
  Iterations fastest;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const linalg::SolveReport report =
        problem.solve(solver, repeat == 0 ? linalg::Changed::pattern : linalg::Changed::nothing);
    fastest.count = report.iterations;
    fastest.seconds = std::min(fastest.seconds, report.solve_seconds);
  }
  fastest.allocated = Space::allocated_bytes() - before;
  return fastest;
}

template <class Space>
class MethodTimes {
 public:
  MethodTimes(Report& report, Table& table, const Box& box, const HostMatrix& host)
      : report_(report),
        table_(table),
        box_(box),
        counts_(iteration_counts<Space>(report.quick())),
        before_(Space::allocated_bytes()),
        problem_(box, host) {}

  void measure(const Method& method) {
    const double yardstick = measure_library(method);
    const linalg::SolverSettings settings = settings_of(method, counts_.many);
    const Iterations few = fastest_of_three(problem_, settings_of(method, counts_.few));
    const Iterations many = fastest_of_three(problem_, settings);
    const linalg::SystemSize size = problem_.size();
    double seconds = many.seconds - few.seconds;
    double bytes = linalg::iterations_bytes(settings, size, many.count) -
                   linalg::iterations_bytes(settings, size, few.count);
    int count = many.count - few.count;
    if (count <= 0 || !(seconds > 0)) {  // the clock cannot tell them apart
      seconds = many.seconds;
      bytes = linalg::solve_bytes(settings, size, many.count);
      count = many.count;
    }
    Json row = row_of(method, "hodge", seconds / count);
    row["iterations"] = many.count;
    row["bytes_a_row"] = bytes / count / problem_.rows();
    row["share_of_copy"] =
        linalg::share_of_copy(bytes, seconds, report_.template copy_bandwidth<Space>());
    row["solver_megabytes"] = 1e-6 * static_cast<double>(many.allocated);
    row["device_megabytes"] =
        1e-6 * static_cast<double>(Space::allocated_bytes() - before_ + many.allocated);
    if (yardstick > 0) row["over_yardstick"] = seconds / count / yardstick;
    table_.add(row);
  }

 private:
  Json row_of(const Method& method, const std::string& who, double seconds) const {
    return {{"grid", box_.name()},
            {"method", title_of(method)},
            {"preconditioner", method.preconditioner},
            {"device", Space::name},
            {"by", who},
            {"ms_an_iteration", 1e3 * seconds}};
  }

  // Seconds an iteration, 0 where the library is absent or fails.
  double measure_library(const Method& method) {
    if (!method.has_yardstick || !krylov_library_absence(Space::name).empty()) return 0;
    const int gpu = std::max(0, linalg::chosen_gpu(report_.options().device));
    const double seconds = krylov_library_seconds(Space::name, gpu, method.name, box_, counts_);
    const std::string library = krylov_library(Space::name);
    if (seconds > 0)
      table_.add(row_of(method, library, seconds));
    else
      report_.note(fmt::format("{} failed at {} on {}", library, title_of(method), box_.name()));
    return seconds;
  }

  Report& report_;
  Table& table_;
  const Box& box_;
  IterationCounts counts_;
  std::size_t before_;
  BoxProblem<Space> problem_;
};

std::vector<Box> krylov_boxes(bool quick) {
  if (quick) return {{{12, 10, 8}, true}};
  return {{{64, 64, 64}, true}, {{128, 128, 128}, true}, {{256, 256, 256}, true, true}};
}

Table& add_krylov_table(Report& report) {
  return report.add_table(
      "iterations", "Iterations of the Krylov methods",
      {{"grid", "grid"},
       {"method", "method"},
       {"preconditioner", "preconditioner"},
       {"device", "device"},
       {"by", "by"},
       {"iterations", "iterations"},
       {"ms_an_iteration", "ms / iteration", "{:.4f}"},
       {"bytes_a_row", "bytes a row", "{:.0f}"},
       {"share_of_copy", "of copy", "{:.3f}"},
       {"over_yardstick", "time / yardstick", "{:.3f}"},
       {"solver_megabytes", "solver, MB", "{:.1f}"},
       {"device_megabytes", "all, MB", "{:.1f}"}},
      {{"grid", "method", "preconditioner", "device", "by"}, {"ms_an_iteration"}});
}

}  // namespace

void run_krylov(Report& report) {
  report.on_each_device([&]<class Space>() {
    report.yardstick(krylov_library(Space::name), krylov_library_absence(Space::name));
  });
  Table& table = add_krylov_table(report);
  for (const Box& box : krylov_boxes(report.quick())) {
    std::unique_ptr<HostMatrix> host;
    report.on_each_device([&]<class Space>() {
      if (!report.wants<Space>(box.name(), box.large)) return;
      report.progress(box.name() + ", " + Space::name);
      if (!host) host = make_matrix(box);
      MethodTimes<Space> times(report, table, box, *host);
      for (const Method& method : methods) times.measure(method);
    });
  }
}

}  // namespace hodge::tools::bench
