// y = A^T x 100 times: by atomic additions into y, from CSR and from COO, or by building A^T once
// and multiplying with it. And the time of the transpose itself.
#include <fmt/format.h>

#include "linalg/base/timing.hpp"
#include "linalg/matrices/convert.hpp"
#include "linalg/matrices/symmetry.hpp"
#include "linalg/matrices/transpose.hpp"
#include "tools/hodge/bench/collection.hpp"
#include "tools/hodge/bench/experiment.hpp"

namespace hodge::tools::bench {
namespace {

constexpr int products = 100;

template <class Space>
Json times_of(const HostMatrix& host) {
  const auto a = linalg::copy_to<Space, double>(host);
  const auto x = linalg::random_vector<Space, double>(host.rows(), 1);
  linalg::Vector<Space> y(host.cols());
  linalg::TimingRules rules;
  rules.repeats = 5;

  linalg::TransposedCsr<Space, double> transposed;
  const double build = linalg::median_seconds<Space>([&] { transposed.setup(*a); }, rules);
  const double refresh = linalg::median_seconds<Space>([&] { transposed.refresh(*a); }, rules);
  const double explicit_product =
      linalg::median_seconds<Space>([&] { linalg::multiply(transposed.matrix(), x, y); }, rules);
  const double atomic_csr = linalg::median_seconds<Space>(
      [&] { linalg::multiply_transposed_atomically(*a, x, y); }, rules);
  const auto coo = linalg::to_coo(*a);
  const double atomic_coo = linalg::median_seconds<Space>(
      [&] { linalg::multiply_transposed_atomically(coo, x, y); }, rules);
  const double once_built = build + products * explicit_product;
  return {{"device", Space::name},
          {"build_ms", 1e3 * build},
          {"refresh_ms", 1e3 * refresh},
          {"explicit_ms", 1e3 * once_built},
          {"atomic_csr_ms", 1e3 * products * atomic_csr},
          {"atomic_coo_ms", 1e3 * products * atomic_coo},
          {"atomic_over_explicit", products * atomic_csr / once_built},
          {"build_in_products", build / explicit_product}};
}

std::vector<NamedMatrix> transpose_matrices(Report& report) {
  std::vector<NamedMatrix> all;
  if (report.quick()) {
    all = {poisson_2d(64), convection_3d(12), circuit(2000)};
  } else {
    all = {poisson_2d(1024), poisson_3d(128), convection_3d(128), circuit(1000000)};
  }
  for (NamedMatrix& file : files(report)) all.push_back(std::move(file));
  return all;
}

}  // namespace

void run_transpose(Report& report) {
  Table& table = report.add_table(
      "products", fmt::format("{} products with the transposed matrix", products),
      {{"matrix", "matrix"},
       {"rows", "rows"},
       {"nonzeros", "non-zeros"},
       {"device", "device"},
       {"build_ms", "build A^T, ms", "{:.3f}"},
       {"refresh_ms", "refresh, ms", "{:.3f}"},
       {"explicit_ms", "build + 100 products, ms", "{:.3f}"},
       {"atomic_csr_ms", "atomics CSR, ms", "{:.3f}"},
       {"atomic_coo_ms", "atomics COO, ms", "{:.3f}"},
       {"atomic_over_explicit", "CSR atomics / explicit", "{:.2f}"},
       {"build_in_products", "build in products", "{:.1f}"}},
      {{"matrix", "device"},
       {"build_ms", "refresh_ms", "explicit_ms", "atomic_csr_ms", "atomic_coo_ms"}});
  for_each_matrix(report, transpose_matrices(report),
                  [&](const NamedMatrix& named, const HostMatrix& host) {
                    report.on_each_device([&]<class Space>() {
                      Json row = {{"matrix", named.name},
                                  {"rows", host.rows()},
                                  {"nonzeros", host.pattern().nonzeros()}};
                      row.update(times_of<Space>(host));
                      table.add(row);
                    });
                  });
}

}  // namespace hodge::tools::bench
