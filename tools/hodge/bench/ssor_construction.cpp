#include "tools/hodge/bench/ssor_construction.hpp"

#include "linalg/preconditioners/ssor_product.hpp"
#include "tools/hodge/bench/linear_problem.hpp"

namespace hodge::tools::bench {

void compare_constructions(ExperimentRun& run) {
  using enum linalg::SsorConstruction;
  run.progress("ways to compute the rows of the truncated product");
  ResultTable& table =
      run.add_table("construction", "Rows of the truncated product (omega 1, alpha 1)");
  const MatrixChoice choice{
      .quick = {"poisson_2d_24", "like_c-26"},
      .full = {"poisson_2d_1024", "poisson_3d_64", "poisson_3d_128", "poisson_3d_256",
               "circuit_100000", "like_c-26", "like_crystk02", "like_Largebasis"}};
  measure_matrices(run, choice, [&]<class Space>(const std::string& name, const HostMatrix& host) {
    const auto a = linalg::copy_to<Space, double>(host);
    linalg::Vector<Space> d(host.rows()), x(host.rows()), y(host.rows());
    linalg::Buffer<int, Space> first_bad(1);
    linalg::invert_diagonal<Space>(a->view(), built_omega, d.data(), first_bad.data());
    x.fill(1.0);
    const auto seconds = [](const auto& work) {
      return linalg::median_seconds<Space>(work, {.repeats = 5});
    };
    const double one_product = seconds([&] { linalg::multiply(*a, x, y); });
    const double row_length = 1.0 * host.pattern().nonzeros() / host.rows();
    for (const int order : {1, 2}) {
      std::vector<double> expected;
      double by_threads = 0;
      for (const auto how : {thread_a_row, warp_a_row, automatic}) {
        if (how == warp_a_row && std::is_same_v<Space, linalg::Host>) continue;  // has none
        linalg::SsorProduct<Space, double> product(order, 1.0, how);
        const double setup = seconds([&] { product.setup(*a, built_omega, d); });
        const double refresh = seconds([&] { product.refresh(*a, built_omega, d); });
        const std::vector<double> values = product.matrix().values().to_host();
        if (how == thread_a_row) {
          expected = values;
          by_threads = refresh;
        }
        table.add({key("matrix", name), cell("rows", host.rows()),
                   cell("mean_row", "entries a row", row_length, "{:.1f}"),
                   key("device", Space::name), key("order", order),
                   key("by", product.construction()), key("chosen", how == automatic),
                   timing("setup_ms", "setup, ms", 1e3 * setup, "{:.3f}"),
                   timing("refresh_ms", "refresh, ms", 1e3 * refresh, "{:.3f}"),
                   cell("refresh_in_products", "refresh in SpMV", refresh / one_product, "{:.1f}"),
                   cell("over_thread", "refresh / by threads", refresh / by_threads, "{:.2f}"),
                   cell("difference", "difference",
                        relative_difference(values, expected).value_or(0.0), "{:.1e}")});
      }
    }
  });
}

}  // namespace hodge::tools::bench
