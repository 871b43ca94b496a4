#include "tools/hodge/bench/gauss_batched.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/base/timing.hpp"
#include "linalg/space/batched_gauss.hpp"
#include "linalg/vectors/buffer.hpp"
#include "tools/hodge/bench/build_rows.hpp"

namespace hodge::tools::bench {
namespace {

using linalg::Buffer;
using linalg::Host;

// count systems of n unknowns with entries in (-1, 1).
struct SmallSystems {
  int n, count;
  std::vector<double> a, b;

  SmallSystems(int unknowns, int systems)
      : n(unknowns),
        count(systems),
        a(static_cast<std::size_t>(count) * n * n),
        b(static_cast<std::size_t>(count) * n) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = 2 * random_unit(1, k) - 1;
    for (std::size_t k = 0; k < b.size(); ++k) b[k] = 2 * random_unit(2, k) - 1;
  }
};

// max |b - A x| / (sum |a_ij| |x_j| + |b|) over all rows of all systems: the componentwise backward
// error (W. Oettli & W. Prager, Numer. Math. 6 (1964) 405-409).
double backward_error(const SmallSystems& s, const std::vector<double>& x) {
  double most = 0;
  const auto n = static_cast<std::size_t>(s.n);
  for (std::size_t row = 0; row < s.b.size(); ++row) {
    const std::size_t system = row / n, i = row % n;
    double residual = s.b[row], scale = std::abs(s.b[row]);
    for (std::size_t j = 0; j < n; ++j) {
      const double term = s.a[system * n * n + j * n + i] * x[system * n + j];
      residual -= term;
      scale += std::abs(term);
    }
    most = std::max(most, std::abs(residual) / scale);
  }
  return most;
}

template <class Space>
Json measure_batch(const SmallSystems& systems, double copy_bandwidth) {
  const Buffer<double, Space> a(std::span<const double>(systems.a)),
      b(std::span<const double>(systems.b));
  Buffer<double, Space> work(a.size()), x(b.size());
  Buffer<int, Space> singular(static_cast<std::size_t>(systems.count));
  std::vector<double> samples;
  for (int i = 0; i < 6; ++i) {
    Space::copy(a.data(), work.data(), a.bytes());
    Space::copy(b.data(), x.data(), b.bytes());
    samples.push_back(linalg::seconds_of<Space>(1, [&] {
      linalg::solve_batched<Space, double>(systems.n, systems.count, work.data(), x.data(),
                                           singular.data());
    }));
  }
  std::sort(samples.begin() + 1, samples.end());  // the first one warmed up
  const double seconds = samples[3];
  const double n = systems.n, bytes = systems.count * (8 * n * n + 16 * n);
  return {{"n", systems.n},
          {"count", systems.count},
          {"device", Space::name},
          {"milliseconds", 1e3 * seconds},
          {"nanoseconds_a_system", 1e9 * seconds / systems.count},
          {"gigaflops", 2e-9 / 3 * n * n * n * systems.count / seconds},
          {"share_of_copy", bytes / seconds / copy_bandwidth},
          {"backward_error", backward_error(systems, x.to_host())}};
}

}  // namespace

void time_batches(Report& report) {
  Table& table = report.add_table("batched", "Many small systems (least traffic: A once, b twice)",
                                  {{"n", "n"},
                                   {"count", "systems"},
                                   {"device", "device"},
                                   {"milliseconds", "ms", "{:.3f}"},
                                   {"nanoseconds_a_system", "ns a system", "{:.2f}"},
                                   {"gigaflops", "GFlop/s", "{:.1f}"},
                                   {"share_of_copy", "of copy", "{:.3f}"},
                                   {"backward_error", "backward error", "{:.1e}"}},
                                  {{"n", "count", "device"}, {"milliseconds"}});
  for (const int n : {2, 4, 8, 16, 32}) {
    const int count = (report.quick() ? 1 << 12 : 1 << 26) / (n * n);
    const std::string name = fmt::format("{} systems of {} unknowns", count, n);
    if (!report.wants(name)) continue;
    report.progress(name);
    const SmallSystems systems(n, count);
    report.on_each_device([&]<class Space>() {
      table.add(measure_batch<Space>(systems, report.copy_bandwidth<Space>()));
    });
  }
}

}  // namespace hodge::tools::bench
