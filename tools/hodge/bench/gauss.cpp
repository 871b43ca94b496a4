// Dense systems by Gaussian elimination, one and many small ones: hodge on the CPU and on the GPU,
// with both searches for pivots, beside LAPACK and cuSOLVER. Factor and solve together, without the
// copy of the matrix that both overwrite, and without the condition estimate.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "linalg/base/errors.hpp"
#include "linalg/base/timing.hpp"
#include "linalg/dense/dense_lu.hpp"
#include "linalg/space/batched_gauss.hpp"
#include "sim/base/median.hpp"
#include "tools/hodge/bench/matrices.hpp"
#include "tools/hodge/bench/yardsticks.hpp"

namespace hodge::tools::bench {
namespace {

using linalg::Buffer;
using linalg::DenseMatrix;
using linalg::Host;
using linalg::Vector;

std::vector<double> random_entries(std::uint64_t seed, std::size_t count) {
  std::vector<double> values(count);
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < count; ++k) values[k] = 2 * random_unit(seed, k) - 1;
  return values;
}

// Systems of n unknowns, entries uniform in (-1, 1), stored as batched_gauss.hpp has them.
struct DenseSystems {
  int n, count;
  std::vector<double> a = random_entries(1, static_cast<std::size_t>(count) * n * n);
  std::vector<double> b = random_entries(2, static_cast<std::size_t>(count) * n);
};

struct Errors {
  // ||b - A x|| / (||A|| ||x|| n eps) in the maximum norm: about 1 or below for a stable method
  // (HPL's measure).
  double scaled_residual = 0;
  // max |b - A x| / (sum |a_ij| |x_j| + |b|) over all rows (W. Oettli & W. Prager, Numer. Math. 6
  // (1964) 405-409).
  double backward_error = 0;
};

// The largest of all systems.
Errors errors_of(const DenseSystems& systems, const std::vector<double>& x) {
  std::vector<double> r = systems.b, row_sums(r.size()), scale = systems.b;
  for (double& value : scale) value = std::abs(value);
  const auto n = static_cast<std::size_t>(systems.n);
  for (std::size_t k = 0; k < systems.a.size(); ++k) {
    const std::size_t row = k / (n * n) * n + k % n;
    const double a = systems.a[k], term = a * x[k / n];
    r[row] -= term;
    scale[row] += std::abs(term);
    row_sums[row] += std::abs(a);
  }
  Errors errors;
  double most_r = 0, most_x = 0, norm = 0;
  for (std::size_t row = 0; row < r.size(); ++row) {
    errors.backward_error = std::max(errors.backward_error, std::abs(r[row]) / scale[row]);
    most_r = std::max(most_r, std::abs(r[row]));
    most_x = std::max(most_x, std::abs(x[row]));
    norm = std::max(norm, row_sums[row]);
  }
  errors.scaled_residual =
      most_r / (norm * most_x * systems.n * std::numeric_limits<double>::epsilon());
  return errors;
}

// Seconds of the work, without what prepares it: the median of 5, of fewer where it takes long.
template <class Space, class Prepare, class Work>
double timed(const Prepare& prepare, const Work& work) {
  std::vector<double> samples;
  double spent = 0;
  for (int i = 0; i < 6 && (i < 2 || spent < 2.0); ++i) {
    prepare();
    samples.push_back(linalg::seconds_of<Space>(1, work));
    spent += samples.back();
  }
  samples.erase(samples.begin());  // which warmed up
  return sim::median(samples);
}

constexpr const char* by_fused = "hodge";
constexpr const char* by_thrust = "hodge, pivot by Thrust";

// The seconds of a solve, and x.
template <class Space>
std::pair<double, std::vector<double>> solve_dense(const DenseSystems& system,
                                                   const std::string& who) {
  const DenseMatrix<Space> a(system.n, system.n, system.a);
  const Vector<Space> b{std::span<const double>(system.b)};
  Vector<Space> x(system.n);
  if (who == by_fused || who == by_thrust) {
    linalg::DenseLu<Space> lu(system.n, {.pivot_search = who == by_fused ? "fused" : "thrust",
                                         .estimate_condition = false});
    const auto work = [&] {
      (void)lu.factor(a);
      lu.solve(b, x);
    };
    return {timed<Space>([] {}, work), x.to_host()};
  }
  DenseMatrix<Space> used(system.n, system.n);
  const auto refill = [&] {
    Space::copy(a.data(), used.data(), a.values().bytes());
    x = b;
  };
  return {timed<Space>(refill, library_solve(used, x)), x.to_host()};
}

double gigaflops(int n, int count, double seconds) {
  return 2e-9 / 3 * n * n * n * count / seconds;
}

// seconds / n^3 of the last size, by device and library.
using Rates = std::map<std::string, double>;

// Hodge beside the library of the space. A size whose two runs would take minutes becomes a note.
template <class Space>
void measure_dense(ExperimentRun& run, ResultTable& table, const DenseSystems& system,
                   Rates& rates) {
  double yardstick = 0;  // seconds
  const auto add = [&](const std::string& who) {
    constexpr double longest = 60;  // seconds of one solve
    const int n = system.n;
    const double cube = 1.0 * n * n * n, expected = rates[Space::name + who] * cube;
    if (expected > longest)
      return run.note(fmt::format("{} on {}, n = {} is left out: it would take about {:.0f} s", who,
                                  Space::name, n, expected));
    const auto [seconds, x] = solve_dense<Space>(system, who);
    // Small systems say nothing of large ones: their time is that of starting the work.
    if (n >= 1000) rates[Space::name + who] = seconds / cube;
    const double residual = errors_of(system, x).scaled_residual;
    constexpr double largest = 16;  // of HPL, the Linpack benchmark
    if (!(residual < largest))
      throw NumericalError(fmt::format("{} on {}, n = {}: a wrong solution, scaled residual {:.2e}",
                                       who, Space::name, n, residual));
    table.add({key("n", n), key("device", Space::name), key("by", who),
               timing("milliseconds", "ms", 1e3 * seconds, "{:.3f}"),
               cell("gigaflops", "GFlop/s", gigaflops(n, 1, seconds), "{:.1f}"),
               cell("over_yardstick", "time / yardstick",
                    value_if(yardstick > 0, seconds / yardstick), "{:.2f}"),
               cell("scaled_residual", "scaled residual", residual, "{:.2e}")});
    if (who != by_fused && who != by_thrust) yardstick = seconds;
  };
  const bool on_host = std::is_same_v<Space, Host>;
  const std::string library = on_host ? lapack_library() : "cuSOLVER";
  if (on_host ? !library.empty() : cusolver_absence().empty()) add(library);
  add(by_fused);
  add(by_thrust);
}

template <class Space>
void measure_batch(const ExperimentRun& run, ResultTable& table, const DenseSystems& systems) {
  const Buffer<double, Space> a(std::span<const double>(systems.a)),
      b(std::span<const double>(systems.b));
  Buffer<double, Space> work(a.size()), x(b.size());
  Buffer<int, Space> singular(static_cast<std::size_t>(systems.count));
  const int n = systems.n, count = systems.count;
  const auto refill = [&] {
    Space::copy(a.data(), work.data(), a.bytes());
    Space::copy(b.data(), x.data(), b.bytes());
  };
  const double seconds = timed<Space>(refill, [&] {
    linalg::solve_batched<Space, double>(n, count, work.data(), x.data(), singular.data());
  });
  const double bytes = count * (8.0 * n * n + 16 * n);
  table.add({key("n", n), key("count", "systems", count), key("device", Space::name),
             timing("milliseconds", "ms", 1e3 * seconds, "{:.3f}"),
             cell("nanoseconds_a_system", "ns a system", 1e9 * seconds / count, "{:.2f}"),
             cell("gigaflops", "GFlop/s", gigaflops(n, count, seconds), "{:.1f}"),
             cell("share_of_copy", "of copy", run.share_of_copy<Space>(bytes, seconds), "{:.3f}"),
             cell("backward_error", "backward error",
                  errors_of(systems, x.to_host()).backward_error, "{:.1e}")});
}

// action.template operator()<Space>(systems) for the systems of a size on every device.
template <class Action>
void on_systems(ExperimentRun& run, const std::string& name, int n, int count,
                const Action& action) {
  if (!run.wants(name)) return;
  run.progress(name);
  const DenseSystems systems{n, count};
  run.on_each_device([&]<class Space>() { action.template operator()<Space>(systems); });
}

void run_gauss(ExperimentRun& run) {
  run.yardstick("LAPACK", lapack_library().empty() ? "neither OpenBLAS nor liblapack here" : "");
  run.yardstick("cuSOLVER", cusolver_absence());
  ResultTable& dense = run.add_table("dense", "A x = b, dense, double");
  Rates rates;
  for (const int n : run.sizes<int>({5, 200}, {5, 500, 1000, 5000, 10000}))
    on_systems(run, fmt::format("n = {}", n), n, 1, [&]<class Space>(const DenseSystems& system) {
      measure_dense<Space>(run, dense, system, rates);
    });
  ResultTable& batched =
      run.add_table("batched", "Many small systems (least traffic: A once, b twice)");
  for (const int n : {2, 4, 8, 16, 32}) {
    const int count = (run.quick() ? 1 << 12 : 1 << 26) / (n * n);
    on_systems(run, fmt::format("{} systems of {} unknowns", count, n), n, count,
               [&]<class Space>(const DenseSystems& systems) {
                 measure_batch<Space>(run, batched, systems);
               });
  }
}

}  // namespace

extern const Experiment gauss{
    "gauss", "dense LU and many small systems, against cuSOLVER and LAPACK", run_gauss};

}  // namespace hodge::tools::bench
