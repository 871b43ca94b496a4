// y = A^T x 100 times: by atomic additions into y, from CSR and from COO, or by building A^T once
// and multiplying with it. And the time of the transpose itself.
#include "linalg/matrices/transpose.hpp"
#include "tools/hodge/bench/linear_problem.hpp"

namespace hodge::tools::bench {
namespace {

constexpr int products = 100;

void run_transpose(ExperimentRun& run) {
  ResultTable& table =
      run.add_table("products", fmt::format("{} products with the transposed matrix", products));
  const MatrixChoice choice{
      .quick = {"poisson_2d_64", "convection_3d_12", "circuit_2000"},
      .full = {"poisson_2d_1024", "poisson_3d_128", "convection_3d_128", "circuit_1000000"}};
  measure_matrices(run, choice, [&]<class Space>(const std::string& name, const HostMatrix& host) {
    const auto a = linalg::copy_to<Space, double>(host);
    const auto coo = linalg::to_coo(*a);
    const auto x = linalg::random_vector<Space, double>(host.rows(), 1);
    linalg::Vector<Space> y(host.cols());
    const auto ms = [](const auto& work) {
      return 1e3 * linalg::median_seconds<Space>(work, {.repeats = 5});
    };
    linalg::TransposedCsr<Space, double> transposed;
    const double build = ms([&] { transposed.setup(*a); });
    const double refresh = ms([&] { transposed.refresh(*a); });
    const double product = ms([&] { linalg::multiply(transposed.matrix(), x, y); });
    const double atomic_csr = ms([&] { linalg::multiply_transposed_atomically(*a, x, y); });
    const double atomic_coo = ms([&] { linalg::multiply_transposed_atomically(coo, x, y); });
    const double all = build + products * product;
    table.add({key("matrix", name), cell("rows", host.rows()),
               cell("nonzeros", "non-zeros", host.pattern().nonzeros()), key("device", Space::name),
               timing("build_ms", "build A^T, ms", build, "{:.3f}"),
               timing("refresh_ms", "refresh, ms", refresh, "{:.3f}"),
               timing("explicit_ms", "build + 100 products, ms", all, "{:.3f}"),
               timing("atomic_csr_ms", "atomics CSR, ms", products * atomic_csr, "{:.3f}"),
               timing("atomic_coo_ms", "atomics COO, ms", products * atomic_coo, "{:.3f}"),
               cell("atomic_over_explicit", "CSR atomics / explicit", products * atomic_csr / all,
                    "{:.2f}"),
               cell("build_in_products", "build in products", build / product, "{:.1f}")});
  });
}

}  // namespace

extern const Experiment transpose{
    "transpose", "100 products with the transposed matrix: atomic additions against a transpose",
    run_transpose};

}  // namespace hodge::tools::bench
