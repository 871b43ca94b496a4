#include <fmt/format.h>

#include "linalg/base/timing.hpp"
#include "linalg/matrices/convert.hpp"
#include "linalg/solve/registry.hpp"
#include "tools/hodge/bench/scipy.hpp"
#include "tools/hodge/bench/ssor_sai.hpp"

namespace hodge::tools::bench {
namespace {

constexpr double omega = 1.0;

struct Built {
  double setup = 0, refresh = 0, product = 0;  // seconds
  double sum = 0;                              // of the entries of the approximate inverse
};

template <class Space>
Built build(const HostMatrix& host, int order) {
  using Maker = linalg::PreconditionerMaker<Space, double>;
  const auto a = linalg::copy_to<Space, double>(host);
  const auto preconditioner = std::get<Maker>(linalg::find_preconditioner("ssor_sai").make)(
      ssor_settings(order, omega, "truncated").options);
  linalg::TimingRules rules;
  rules.repeats = 5;
  linalg::Vector<Space> ones(host.rows()), y(host.rows());
  ones.fill(1.0);
  Built built;
  built.product = linalg::median_seconds<Space>([&] { linalg::multiply(*a, ones, y); }, rules);
  built.setup = linalg::median_seconds<Space>([&] { preconditioner->setup(*a); }, rules);
  built.refresh = linalg::median_seconds<Space>([&] { preconditioner->refresh(*a); }, rules);
  built.sum = linalg::sum(preconditioner->apply(ones, y)).to_host();
  return built;
}

Json row_of(const NamedMatrix& named, const HostMatrix& host, int order, const std::string& where) {
  return {{"matrix", named.name},
          {"rows", host.rows()},
          {"nonzeros", host.pattern().nonzeros()},
          {"order", order},
          {"where", where}};
}

class BuildTimes {
 public:
  BuildTimes(Report& report, Table& table) : report_(report), table_(table) {}

  void measure(const NamedMatrix& named, const HostMatrix& host) {
    for (const int order : {1, 2}) {
      const SciPyResult scipy =
          scipy_is_feasible(host, order) ? scipy_ssor_sai(host, order, omega) : SciPyResult{};
      if (scipy.seconds > 0) {
        Json row = row_of(named, host, order, "scipy, one core");
        row["setup_ms"] = 1e3 * scipy.seconds;
        table_.add(row);
      }
      report_.on_each_device([&]<class Space>() {
        Json row = row_of(named, host, order, Space::name);
        add_times(row, build<Space>(host, order), scipy);
        table_.add(row);
      });
    }
  }

 private:
  // SciPy forms the whole product before it is cut: memory and minutes.
  bool scipy_is_feasible(const HostMatrix& host, int order) const {
    const double work = 1.0 * host.pattern().nonzeros() * (order == 1 ? 1 : 8);
    return scipy_absence().empty() && work < 1.6e7;
  }

  static void add_times(Json& row, const Built& built, const SciPyResult& scipy) {
    row["setup_ms"] = 1e3 * built.setup;
    row["refresh_ms"] = 1e3 * built.refresh;
    row["product_ms"] = 1e3 * built.product;
    row["setup_in_products"] = built.setup / built.product;
    row["refresh_in_products"] = built.refresh / built.product;
    if (!(scipy.seconds > 0)) return;
    row["faster_than_scipy"] = scipy.seconds / built.setup;
    row["difference_from_scipy"] = std::abs(built.sum - scipy.sum) / std::abs(scipy.sum);
  }

  Report& report_;
  Table& table_;
};

}  // namespace

void time_building(Report& report) {
  report.progress("time to build the truncated product");
  report.yardstick("SciPy", scipy_absence());
  Table& table =
      report.add_table("build", "Building the truncated product (omega 1, alpha 1)",
                       {{"matrix", "matrix"},
                        {"rows", "rows"},
                        {"nonzeros", "non-zeros"},
                        {"order", "order"},
                        {"where", "where"},
                        {"setup_ms", "setup, ms", "{:.3f}"},
                        {"refresh_ms", "refresh, ms", "{:.3f}"},
                        {"product_ms", "one SpMV, ms", "{:.3f}"},
                        {"setup_in_products", "setup in SpMV", "{:.1f}"},
                        {"refresh_in_products", "refresh in SpMV", "{:.1f}"},
                        {"faster_than_scipy", "x SciPy", "{:.1f}"},
                        {"difference_from_scipy", "difference from SciPy", "{:.1e}"}},
                       {{"matrix", "order", "where"}, {"setup_ms", "refresh_ms", "product_ms"}});
  std::vector<NamedMatrix> all;
  if (report.quick()) {
    all = {poisson_2d(24), poisson_3d(8)};
  } else {
    all = {poisson_2d(1024), poisson_3d(64), poisson_3d(128), poisson_3d(256)};
  }
  BuildTimes times(report, table);
  for_each_matrix(report, all, [&](const NamedMatrix& named, const HostMatrix& host) {
    times.measure(named, host);
  });
}

}  // namespace hodge::tools::bench
