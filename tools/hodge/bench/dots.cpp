// Dot products: how exactly a long sum of single precision numbers is formed, and how fast dot
// products of all lengths are.
//
// Y.-Q. Liu, K.-X. Yin & E.-H. Wu (2011) add 10^6 times 0.001 in single precision one after the
// other and get 991.14, and take pairwise sums therefore. Compensated summation is W. Kahan's
// (Communications of the ACM 8 (1965) 40).
#include <cmath>

#include "linalg/base/timing.hpp"
#include "linalg/matrices/symmetry.hpp"
#include "linalg/vectors/vector.hpp"
#include "tools/hodge/bench/experiment.hpp"

namespace hodge::tools::bench {
namespace {

constexpr int summands = 1000000;
constexpr float summand = 0.001f;
constexpr double exact_sum = summands * static_cast<double>(summand);

float sum_in_order() {
  float sum = 0;
  for (int i = 0; i < summands; ++i) sum += summand;
  return sum;
}

float pairwise_sum(int count) {
  return count == 1 ? summand : pairwise_sum(count / 2) + pairwise_sum(count - count / 2);
}

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
    table.add({key("how", how), key("device", device), cell("sum", "sum", sum, "{:.6f}"),
               cell("relative_error", "relative error", std::abs(sum - exact_sum) / exact_sum,
                    "{:.1e}")});
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

void time_dots(ExperimentRun& run) {
  ResultTable& table = run.add_table("dots", "x . y in double");
  for (const int n :
       run.sizes<int>({1000, 100000}, {1000, 10000, 100000, 1000000, 10000000, 100000000}))
    run.on_each_device(fmt::format("n = {}", n), n > 20000000, [&]<class Space>() {
      const auto x = linalg::random_vector<Space, double>(n, 1),
                 y = linalg::random_vector<Space, double>(n, 2);
      const double seconds = linalg::median_seconds<Space>([&] { (void)linalg::dot(x, y); });
      const double bytes = 16.0 * n;
      table.add(
          {key("n", n), key("device", Space::name),
           timing("microseconds", "µs", 1e6 * seconds, "{:.2f}"),
           cell("gigabytes_per_second", "GB/s", 1e-9 * bytes / seconds, "{:.1f}"),
           cell("share_of_copy", "of copy", run.share_of_copy<Space>(bytes, seconds), "{:.3f}")});
    });
}

void run_dots(ExperimentRun& run) {
  compare_sums(run);
  time_dots(run);
}

}  // namespace

extern const Experiment dots{
    "dots", "dot products: the exactness of long single precision sums, and time by length",
    run_dots};

}  // namespace hodge::tools::bench
