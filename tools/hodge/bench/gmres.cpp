// GMRES as Y.-Q. Liu, K.-X. Yin & E.-H. Wu (2011) measured it, in four tables:
//
//   kernels      100 products by their kernel, by one thread per row, by several, and by cuSPARSE
//   cycles       ten restarts of GMRES(m): time on one core, on all cores and on the GPU
//   differences  how far 100 iterations get, and how far the solutions of CPU and GPU differ; the
//                curves and the histograms are in the plot
//   sums         how exactly 10^6 times 0.001 is added in single precision: one after the other
//                they get 991.14, and take pairwise sums therefore
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tools/hodge/bench/linear_problem.hpp"
#include "tools/hodge/bench/yardsticks.hpp"

namespace hodge::tools::bench {
namespace {

constexpr int restarts = 10;
constexpr int restarts_on_one_thread = 2;  // the time of an iteration is the same, and it is long
constexpr int history_length = 100;
constexpr int history_restart = 32;
constexpr int timed_products = 100;

template <class Space>
void time_kernels(ResultTable& table, const std::string& name, const HostMatrix& host) {
  Product<Space> product(host);
  const auto add = [&](const std::string& kernel, double seconds) {
    table.add(
        {key("matrix", name), cell("rows", host.rows()),
         cell("nonzeros_a_row", "a row", 1.0 * host.pattern().nonzeros() / host.rows(), "{:.1f}"),
         key("device", Space::name), key("kernel", kernel),
         timing("seconds", "100 products, s", timed_products * seconds, "{:.5f}")});
  };
  for (const int staging : {128, 512}) {
    linalg::SpmvChoice choice;
    choice.kernel = "csr_two_step";
    choice.staging = staging;
    add(fmt::format("csr_two_step, {}", staging), product.seconds(choice));
  }
  for (const char* kernel : {"csr_scalar", "csr_vector", "automatic"})
    add(kernel, product.seconds(kernel));
  if (const LibraryWork work = library_product(*product.a, product.x, product.y))
    add("cusparse", linalg::median_seconds<Space>(work));
}

// The tolerance is zero: the work is what counts.
template <class Space>
linalg::SolveReport run_cycles(LinearProblem<Space>& problem, int m, int iterations) {
  linalg::SolverSettings settings;
  settings.method = "gmres";
  settings.options = {{"restart", m}};
  settings.max_iterations = iterations;
  settings.tolerance = 0;
  return problem.solve(settings);
}

std::string remark_on(const linalg::SolveReport& solve) {
  if (solve.breakdown != linalg::Breakdown::none) return linalg::to_string(solve.breakdown);
  return solve.status == linalg::SolveStatus::max_iterations ? "" : linalg::to_string(solve.status);
}

void time_cycles(ExperimentRun& run, ResultTable& table, const std::string& name,
                 const HostMatrix& host) {
  for (const int m : {8, 16, 32}) {
    std::map<std::string, double> seconds;  // an iteration takes, by the place that computed it
    const auto add = [&](const std::string& place, const linalg::SolveReport& solve) {
      const double each = solve.solve_seconds / std::max(solve.iterations, 1);
      seconds[place] = each;
      const auto faster_than = [&](const char* other) {
        const auto known = seconds.find(other);
        return known == seconds.end() ? Json() : Json(known->second / each);
      };
      const std::string remark = remark_on(solve);
      table.add(
          {key("matrix", name), cell("rows", host.rows()),
           cell("nonzeros_a_row", "a row", 1.0 * host.pattern().nonzeros() / host.rows(), "{:.1f}"),
           key("m", m), key("where", place), cell("iterations", solve.iterations),
           cell("seconds", "seconds", solve.solve_seconds, "{:.4f}"),
           timing("milliseconds_an_iteration", "ms/iteration", 1e3 * each, "{:.4f}"),
           cell("faster_than_one_thread", "x one core", faster_than("one_thread"), "{:.1f}"),
           cell("faster_than_cpu", "x cpu", faster_than("cpu"), "{:.1f}"),
           cell("reduction", "|r|/|r0|", solve.true_residual / solve.initial_residual, "{:.1e}"),
           cell("remark", value_if(!remark.empty(), remark))});
    };
    if (run.has<linalg::Host>() && !run.quick()) {
      const int threads = omp_get_max_threads();
      omp_set_num_threads(1);
      run.attempt(name + " on one core", [&] {
        LinearProblem<linalg::Host> problem(host, false, 1);
        add("one_thread", run_cycles(problem, m, restarts_on_one_thread * m));
      });
      omp_set_num_threads(threads);
    }
    run.on_each_device([&]<class Space>() {
      LinearProblem<Space> problem(host, false, 1);
      // The better of two; the first also warms up.
      const linalg::SolveReport first = run_cycles(problem, m, restarts * m),
                                second = run_cycles(problem, m, restarts * m);
      add(Space::name, first.solve_seconds < second.solve_seconds ? first : second);
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

void follow_residuals(ExperimentRun& run, ResultTable& table, const std::string& name,
                      const HostMatrix& host) {
  std::vector<double> first;
  run.on_each_device([&]<class Space>() {
    LinearProblem<Space> problem(host, false, 1);
    linalg::SolveReport solve = run_cycles(problem, history_restart, history_length);
    for (double& value : solve.history) value /= solve.initial_residual;
    run.series()["histories"][name][Space::name] = solve.history;
    const std::vector<double> x = problem.x.to_host();
    Json difference;
    if (!first.empty()) {
      run.series()["differences"][name] = histogram(first, x);
      if (const auto most = relative_difference(x, first)) difference = *most;
    }
    table.add(
        {key("matrix", name), key("device", Space::name),
         cell("reduction", "|r|/|r0|", solve.true_residual / solve.initial_residual, "{:.1e}"),
         cell("most", "largest difference from the CPU", difference, "{:.1e}")});
    first = x;
  });
}

constexpr int summands = 1000000;
constexpr float summand = 0.001f;

float sum_in_order() {
  float sum = 0;
  for (int i = 0; i < summands; ++i) sum += summand;
  return sum;
}

float pairwise_sum(int count) {
  return count == 1 ? summand : pairwise_sum(count / 2) + pairwise_sum(count - count / 2);
}

// Compensated: W. Kahan, Communications of the ACM 8 (1965) 40.
float compensated_sum() {
  float sum = 0, lost = 0;
  for (int i = 0; i < summands; ++i) {
    const float corrected = summand - lost, next = sum + corrected;
    lost = (next - sum) - corrected;
    sum = next;
  }
  return sum;
}

void compare_sums(ExperimentRun& run) {
  ResultTable& table = run.add_table("sums", "10^6 times 0.001, single precision");
  const auto add = [&](const std::string& how, const std::string& device, double sum) {
    constexpr double exact = summands * static_cast<double>(summand);
    table.add({key("how", how), key("device", device), cell("sum", "sum", sum, "{:.6f}"),
               cell("relative_error", "relative error", std::abs(sum - exact) / exact, "{:.1e}")});
  };
  add("one after the other", "cpu", static_cast<double>(sum_in_order()));
  add("pairwise", "cpu", static_cast<double>(pairwise_sum(summands)));
  add("compensated (Kahan)", "cpu", static_cast<double>(compensated_sum()));
  run.on_each_device([&]<class Space>() {
    linalg::Vector<Space, float> v(summands);
    v.fill(summand);
    add("hodge", Space::name, linalg::sum(v).to_host());
  });
}

void run_gmres(ExperimentRun& run) {
  ResultTable& table = run.add_table("cycles", "Ten restarts of GMRES(m) without preconditioner");
  ResultTable& kernels =
      run.add_table("kernels", fmt::format("{} products with the matrix", timed_products));
  ResultTable& differences = run.add_table(
      "differences", fmt::format("{} iterations of GMRES({})", history_length, history_restart));
  run.yardstick("cuSPARSE", cusparse_absence());
  run.series() = {{"histories", Json::object()}, {"differences", Json::object()}};
  const MatrixChoice choice{
      .quick = {"poisson_2d_32_random", "convection_3d_8", "circuit_1000", "like_c-26"},
      .full = {"poisson_2d_1024_random", "poisson_3d_100_jumping", "convection_3d_100",
               "circuit_1000000", "like_c-26", "like_crystk02", "like_Language", "like_Largebasis",
               "like_ASIC_680ks", "like_G3_circuit", "like_kkt_power", "like_memchip",
               "like_Freescale1"}};
  for_each_matrix(run, choice, [&](const std::string& name, const HostMatrix& host) {
    if (host.rows() != host.cols()) return run.note(name + " is left out: not square");
    run.on_each_device([&]<class Space>() { time_kernels<Space>(kernels, name, host); });
    time_cycles(run, table, name, host);
    follow_residuals(run, differences, name, host);
  });
  if (run.wants("sums")) compare_sums(run);
}

}  // namespace

extern const Experiment gmres{
    "gmres", "products, ten restarts of GMRES(8, 16, 32) and long sums on the CPU and on the GPU",
    run_gmres};

}  // namespace hodge::tools::bench
