// Ten restarts of GMRES(m), as Liu, Yin & Wu (2011) measured them: time on one core, on all cores
// and on the GPU; how the residual falls; how far the solutions of the CPU and of the GPU differ.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>

#include "linalg/matrices/convert.hpp"
#include "linalg/matrices/symmetry.hpp"
#include "linalg/solve/solve.hpp"
#include "tools/hodge/bench/collection.hpp"
#include "tools/hodge/bench/experiment.hpp"
#include "tools/hodge/bench/threads.hpp"

namespace hodge::tools::bench {
namespace {

using linalg::Cuda;
using linalg::Host;
using linalg::SolveReport;

constexpr int restarts = 10;
constexpr int restarts_on_one_thread = 2;  // the time of an iteration is the same, and it is long
constexpr int history_length = 100;
constexpr int history_restart = 32;

// The tolerance is zero: the work is what counts.
linalg::SolverSettings settings(int m, int iterations) {
  linalg::SolverSettings s;
  s.method = "gmres";
  s.options = {{"restart", m}};
  s.max_iterations = iterations;
  s.tolerance = 0;
  return s;
}

struct Run {
  SolveReport report;
  std::vector<double> x;
};

template <class Space>
class Cycles {
 public:
  explicit Cycles(const HostMatrix& host)
      : a_(linalg::copy_to<Space, double>(host)),
        b_(linalg::random_vector<Space, double>(host.rows(), 1)),
        x_(host.rows()) {}

  Run run(int m, int iterations) {
    linalg::LinearSolver<Space> solver(settings(m, iterations), a_->rows());
    x_.fill(0.0);
    Run run{solver.solve(*a_, b_, x_), {}};
    run.x = x_.to_host();
    return run;
  }
  // The better of two; the first also warms up.
  SolveReport time(int m) {
    const SolveReport first = run(m, restarts * m).report, second = run(m, restarts * m).report;
    return first.solve_seconds < second.solve_seconds ? first : second;
  }

 private:
  std::unique_ptr<linalg::CsrMatrix<Space, double>> a_;
  linalg::Vector<Space> b_, x_;
};

// Seconds an iteration of one matrix, by the place that computed it.
using Times = std::map<std::string, double>;

void add_row(Table& table, const NamedMatrix& named, const HostMatrix& host, int m,
             const std::string& place, const SolveReport& report, Times& times) {
  const double each = report.solve_seconds / std::max(report.iterations, 1);
  times[place] = each;
  Json row = {{"matrix", named.name},
              {"rows", host.rows()},
              {"nonzeros_a_row", 1.0 * host.pattern().nonzeros() / host.rows()},
              {"m", m},
              {"where", place},
              {"iterations", report.iterations},
              {"seconds", report.solve_seconds},
              {"milliseconds_an_iteration", 1e3 * each},
              {"reduction", report.true_residual / report.initial_residual}};
  for (const char* other : {"one_thread", "cpu"}) {
    if (times.count(other) != 0) row[std::string("faster_than_") + other] = times[other] / each;
  }
  if (report.breakdown != linalg::Breakdown::none) {
    row["remark"] = linalg::to_string(report.breakdown);
  } else if (report.status != linalg::SolveStatus::max_iterations) {
    row["remark"] = linalg::to_string(report.status);
  }
  table.add(row);
}

void time_cycles(Report& report, Table& table, const NamedMatrix& named, const HostMatrix& host) {
  for (const int m : {8, 16, 32}) {
    Times times;
    if (report.has<Host>() && !report.quick()) {
      const OneThread alone;
      add_row(table, named, host, m, "one_thread",
              Cycles<Host>(host).run(m, restarts_on_one_thread * m).report, times);
    }
    report.on_each_device([&]<class Space>() {
      add_row(table, named, host, m, Space::name, Cycles<Space>(host).time(m), times);
    });
  }
}

// Counts of |x_cpu - x_gpu| / max |x_cpu| by decades.
Json histogram(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr int lowest = -20, highest = 2;
  std::vector<int> counts(highest - lowest, 0);
  int equal = 0;
  double scale = 0;
  for (const double value : a) scale = std::max(scale, std::abs(value));
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]) / scale;
    if (!(difference > 0)) {
      ++equal;
      continue;
    }
    const int decade = static_cast<int>(std::floor(std::log10(difference)));
    ++counts[static_cast<std::size_t>(std::clamp(decade, lowest, highest - 1) - lowest)];
  }
  return {{"lowest_decade", lowest}, {"counts", counts}, {"equal", equal}};
}

void follow_residuals(Report& report, const NamedMatrix& named, const HostMatrix& host) {
  Json& histories = report.series()["histories"][named.name];
  std::optional<std::vector<double>> first;
  report.on_each_device([&]<class Space>() {
    const Run run = Cycles<Space>(host).run(history_restart, history_length);
    std::vector<double> relative = run.report.history;
    for (double& value : relative) value /= run.report.initial_residual;
    histories[Space::name] = relative;
    if (first) report.series()["differences"][named.name] = histogram(*first, run.x);
    first = run.x;
  });
}

std::vector<NamedMatrix> cycle_matrices(Report& report) {
  std::vector<NamedMatrix> all;
  if (report.quick()) {
    all = {poisson_2d(32, Coefficients::random), convection_3d(8), circuit(1000)};
  } else {
    all = {poisson_2d(1024, Coefficients::random), poisson_3d(100, Coefficients::jumping),
           convection_3d(100), circuit(1000000)};
  }
  for (NamedMatrix& file : files(report)) all.push_back(std::move(file));
  return all;
}

}  // namespace

void run_gmres(Report& report) {
  Table& table = report.add_table("cycles", "Ten restarts of GMRES(m) without preconditioner",
                                  {{"matrix", "matrix"},
                                   {"rows", "rows"},
                                   {"nonzeros_a_row", "a row", "{:.1f}"},
                                   {"m", "m"},
                                   {"where", "where"},
                                   {"iterations", "iterations"},
                                   {"seconds", "seconds", "{:.4f}"},
                                   {"milliseconds_an_iteration", "ms/iteration", "{:.4f}"},
                                   {"faster_than_one_thread", "x one core", "{:.1f}"},
                                   {"faster_than_cpu", "x cpu", "{:.1f}"},
                                   {"reduction", "|r|/|r0|", "{:.1e}"},
                                   {"remark", "remark"}},
                                  {{"matrix", "m", "where"}, {"milliseconds_an_iteration"}});
  report.series() = {{"histories", Json::object()}, {"differences", Json::object()}};
  for_each_matrix(report, cycle_matrices(report),
                  [&](const NamedMatrix& named, const HostMatrix& host) {
                    if (host.rows() != host.cols()) {
                      report.note(named.name + " is left out: not square");
                      return;
                    }
                    time_cycles(report, table, named, host);
                    follow_residuals(report, named, host);
                  });
}

}  // namespace hodge::tools::bench
