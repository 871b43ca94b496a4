// Transposes, in three tables:
//
//   products     y = A^T x 100 times: by atomic additions into y, from CSR and from COO; from COO
//                with its index arrays exchanged, which sorts the entries before the first product;
//                or by building A^T once and multiplying with it
//   compression  row offsets from sorted row indices in both ways (row_offsets.hpp)
//   dense        dense transposes, in place and into another matrix
#include "linalg/matrices/transpose.hpp"

#include <utility>

#include "linalg/dense/dense.hpp"
#include "linalg/matrices/row_offsets.hpp"
#include "tools/hodge/bench/linear_problem.hpp"

namespace hodge::tools::bench {
namespace {

constexpr int products = 100;

template <class Space, class Work>
double milliseconds(const Work& work) {
  return 1e3 * linalg::median_seconds<Space>(work, {.repeats = 5});
}

template <class Space>
std::string compressed_example(linalg::Compression how) {
  const std::vector<int> rows{0, 0, 0, 0, 2, 2, 2, 4, 4};
  const linalg::Buffer<int, Space> indices{std::span<const int>(rows)};
  linalg::Buffer<int, Space> offsets(6);
  linalg::compress_row_indices<Space>(5, static_cast<int>(rows.size()), indices.data(), how,
                                      offsets.data());
  return fmt::format("{}", fmt::join(offsets.to_host(), " "));
}

template <class Space>
void time_compression(ResultTable& table, const std::string& name, const HostMatrix& host) {
  const int rows = host.rows(), nonzeros = host.pattern().nonzeros();
  const linalg::Buffer<int, Space> offsets{std::span<const int>(HostRows(host).offsets)};
  linalg::Buffer<int, Space> indices(static_cast<std::size_t>(nonzeros)), found(offsets.size());
  linalg::expand_row_offsets<Space>(rows, nonzeros, offsets.data(), indices.data());
  for (const auto& [how, title] :
       {std::pair{linalg::Compression::row_changes, "row_changes"},
        std::pair{linalg::Compression::count_and_scan, "count_and_scan"}}) {
    const double ms = milliseconds<Space>([&, how = how] {
      linalg::compress_row_indices<Space>(rows, nonzeros, indices.data(), how, found.data());
    });
    table.add({key("matrix", name), key("device", Space::name), key("compression", title),
               timing("microseconds", "µs", 1e3 * ms, "{:.1f}"),
               cell("example", "rows 0 0 0 0 2 2 2 4 4", compressed_example<Space>(how))});
  }
}

void time_dense(ExperimentRun& run) {
  ResultTable& table = run.add_table("dense", "Dense transposes in double");
  for (const int n : run.sizes<int>({200}, {1024, 4096}))
    run.on_each_device(fmt::format("n = {}", n), false, [&]<class Space>() {
      linalg::DenseMatrix<Space> a(n, n), result(n, n);
      const double bytes = 16.0 * n * n;
      const auto add = [&](const char* where, double ms) {
        table.add({key("n", n), key("device", Space::name), key("into", where),
                   timing("milliseconds", "ms", ms, "{:.4f}"),
                   cell("share_of_copy", "of copy", run.share_of_copy<Space>(bytes, 1e-3 * ms),
                        "{:.3f}")});
      };
      add("another matrix", milliseconds<Space>([&] { linalg::transpose(a, result); }));
      add("its place", milliseconds<Space>([&] { linalg::transpose_in_place(a); }));
    });
}

void run_transpose(ExperimentRun& run) {
  ResultTable& table =
      run.add_table("products", fmt::format("{} products with the transposed matrix", products));
  ResultTable& compression = run.add_table("compression", "Row offsets from sorted row indices");
  const MatrixChoice choice{
      .quick = {"poisson_2d_64", "convection_3d_12", "circuit_2000"},
      .full = {"poisson_2d_1024", "poisson_3d_128", "convection_3d_128", "circuit_1000000"}};
  measure_matrices(run, choice, [&]<class Space>(const std::string& name, const HostMatrix& host) {
    const auto a = linalg::copy_to<Space, double>(host);
    auto coo = linalg::to_coo(*a);
    const auto x = linalg::random_vector<Space, double>(host.rows(), 1);
    linalg::Vector<Space> y(host.cols());
    const auto ms = [](const auto& work) { return milliseconds<Space>(work); };
    linalg::TransposedCsr<Space, double> transposed;
    const double build = ms([&] { transposed.setup(*a); });
    const double refresh = ms([&] { transposed.refresh(*a); });
    const double product = ms([&] { linalg::multiply(transposed.matrix(), x, y); });
    const double atomic_csr = ms([&] { linalg::multiply_transposed_atomically(*a, x, y); });
    const double atomic_coo = ms([&] { linalg::multiply_transposed_atomically(coo, x, y); });
    const auto exchanged = linalg::transpose(std::move(coo));
    const double coo_product = ms([&] { linalg::multiply(exchanged, x, y); });
    const double all = build + products * product;
    table.add({key("matrix", name), cell("rows", host.rows()),
               cell("nonzeros", "non-zeros", host.pattern().nonzeros()), key("device", Space::name),
               timing("build_ms", "build A^T, ms", build, "{:.3f}"),
               timing("refresh_ms", "refresh, ms", refresh, "{:.3f}"),
               timing("explicit_ms", "build + 100 products, ms", all, "{:.3f}"),
               timing("atomic_csr_ms", "atomics CSR, ms", products * atomic_csr, "{:.3f}"),
               timing("atomic_coo_ms", "atomics COO, ms", products * atomic_coo, "{:.3f}"),
               timing("exchanged_coo_ms", "COO exchanged, ms", products * coo_product, "{:.3f}"),
               cell("exchanged_over_explicit", "COO exchanged / explicit",
                    products * coo_product / all, "{:.2f}"),
               cell("atomic_over_explicit", "CSR atomics / explicit", products * atomic_csr / all,
                    "{:.2f}"),
               cell("build_in_products", "build in products", build / product, "{:.1f}")});
    time_compression<Space>(compression, name, host);
  });
  time_dense(run);
}

}  // namespace

extern const Experiment transpose{
    "transpose",
    "100 products with the transposed matrix: atomic additions against a transpose; its parts",
    run_transpose};

}  // namespace hodge::tools::bench
