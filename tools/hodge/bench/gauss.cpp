// Dense systems by Gaussian elimination: hodge on the CPU and on the GPU, beside LAPACK and
// cuSOLVER. Factor and solve together, without the copy of the matrix that both overwrite, and
// without the condition estimate.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "linalg/base/timing.hpp"
#include "linalg/dense/dense_lu.hpp"
#include "tools/hodge/bench/cusolver.hpp"
#include "tools/hodge/bench/dense_system.hpp"
#include "tools/hodge/bench/experiment.hpp"
#include "tools/hodge/bench/gauss_batched.hpp"
#include "tools/hodge/bench/lapack.hpp"

namespace hodge::tools::bench {
namespace {

using linalg::Cuda;
using linalg::DenseMatrix;
using linalg::Host;
using linalg::Vector;

struct Answer {
  double seconds = 0;
  std::vector<double> x;
};

// `prepare` is not timed; medians of 5, of fewer where a run takes long.
template <class Space, class Prepare, class Work>
double timed(Prepare&& prepare, Work&& work) {
  std::vector<double> samples;
  double spent = 0;
  for (int i = 0; i < 6 && (i < 2 || spent < 2.0); ++i) {
    prepare();
    const double seconds = linalg::seconds_of<Space>(1, work);
    spent += seconds;
    if (i > 0) samples.push_back(seconds);  // the first warms up
  }
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

template <class Space>
DenseMatrix<Space> upload(const DenseMatrix<Host>& a) {
  return DenseMatrix<Space>(a.rows(), a.cols(),
                            std::span<const double>(a.data(), a.values().size()));
}

template <class Space>
Answer solve_by_hodge(const DenseSystem& system) {
  const int n = system.a.rows();
  const auto a = upload<Space>(system.a);
  const Vector<Space> b{std::span<const double>(system.b)};
  Vector<Space> x(n);
  linalg::LuSettings settings;
  settings.estimate_condition = false;
  linalg::DenseLu<Space> lu(n, settings);
  const double seconds = timed<Space>([] {},
                                      [&] {
                                        (void)lu.factor(a);
                                        lu.solve(b, x);
                                      });
  return {seconds, x.to_host()};
}

Answer solve_by_lapack(const DenseSystem& system) {
  DenseMatrix<Host> a(system.a.rows(), system.a.cols());
  std::vector<double> x;
  const auto refill = [&] {
    std::copy_n(system.a.data(), system.a.values().size(), a.data());
    x = system.b;
  };
  const double seconds = timed<Host>(refill, [&] { (void)lapack_solve(a, x); });
  return {seconds, x};
}

#if HODGE_HAS_CUDA
Answer solve_by_cusolver(const DenseSystem& system) {
  const int n = system.a.rows();
  const auto original = upload<Cuda>(system.a);
  const Vector<Cuda> b{std::span<const double>(system.b)};
  DenseMatrix<Cuda> a(n, n);
  Vector<Cuda> x(n);
  CusolverLu lu(n);
  const auto refill = [&] {
    Cuda::copy(original.data(), a.data(), original.values().bytes());
    x = b;
  };
  const double seconds = timed<Cuda>(refill, [&] { lu.solve(a, x); });
  return {seconds, x.to_host()};
}
#endif

class Sizes {
 public:
  Sizes(Report& report, Table& table) : report_(report), table_(table) {}

  void measure(int n) {
    const DenseSystem system(n);
    report_.progress(fmt::format("n = {}", n));
    double yardstick = 0;
    if (report_.has<Host>() && !lapack_library().empty()) {
      yardstick = add(system, "cpu", lapack_library(), 0, [&] { return solve_by_lapack(system); });
    }
    if (report_.has<Host>()) {
      add(system, "cpu", "hodge", yardstick, [&] { return solve_by_hodge<Host>(system); });
    }
#if HODGE_HAS_CUDA
    if (!report_.has<Cuda>()) return;
    yardstick = 0;
    if (cusolver_absence().empty()) {
      yardstick = add(system, "cuda", "cuSOLVER", 0, [&] { return solve_by_cusolver(system); });
    }
    add(system, "cuda", "hodge", yardstick, [&] { return solve_by_hodge<Cuda>(system); });
#endif
  }

 private:
  // Returns the seconds; 0 where the size is left out, because two runs would take minutes.
  template <class Solve>
  double add(const DenseSystem& system, const std::string& device, const std::string& who,
             double yardstick, Solve&& solve) {
    const int n = system.a.rows();
    const double expected = last_[device + who] * n * n * n;
    if (expected > longest_) {
      report_.note(fmt::format("{} on {}, n = {} is left out: it would take about {:.0f} s", who,
                               device, n, expected));
      return 0;
    }
    const Answer answer = solve();
    // Small systems say nothing of large ones: their time is that of starting the work.
    if (n >= 1000) last_[device + who] = answer.seconds / (1.0 * n * n * n);
    Json row = {{"n", n},
                {"device", device},
                {"by", who},
                {"milliseconds", 1e3 * answer.seconds},
                {"gigaflops", 2e-9 / 3 * n * n * n / answer.seconds},
                {"scaled_residual", scaled_residual(system, answer.x)}};
    if (yardstick > 0) row["over_yardstick"] = answer.seconds / yardstick;
    table_.add(row);
    return answer.seconds;
  }

  static constexpr double longest_ = 60;  // seconds of one solve
  Report& report_;
  Table& table_;
  std::map<std::string, double> last_;  // seconds / n^3 of the size before
};

}  // namespace

void run_gauss(Report& report) {
  report.yardstick("LAPACK", lapack_library().empty() ? "neither OpenBLAS nor liblapack here" : "");
  report.yardstick("cuSOLVER", cusolver_absence());
  Table& table = report.add_table("dense", "A x = b, dense, double",
                                  {{"n", "n"},
                                   {"device", "device"},
                                   {"by", "by"},
                                   {"milliseconds", "ms", "{:.3f}"},
                                   {"gigaflops", "GFlop/s", "{:.1f}"},
                                   {"over_yardstick", "time / yardstick", "{:.2f}"},
                                   {"scaled_residual", "scaled residual", "{:.2e}"}},
                                  {{"n", "device", "by"}, {"milliseconds"}});
  Sizes sizes(report, table);
  for (const int n :
       report.quick() ? std::vector<int>{5, 200} : std::vector<int>{5, 500, 1000, 5000, 10000}) {
    if (report.wants(fmt::format("n = {}", n))) sizes.measure(n);
  }
  time_batches(report);
}

}  // namespace hodge::tools::bench
