// Every kernel of y = A x on every matrix. The least traffic of a product in double: 12 bytes a
// non-zero, 4 a row offset, 16 a row (x read once, y written once).
#include "linalg/matrices/spmv.hpp"
#include "tools/hodge/bench/linear_problem.hpp"
#include "tools/hodge/bench/yardsticks.hpp"

namespace hodge::tools::bench {
namespace {

void run_spmv(ExperimentRun& run) {
  run.yardstick("cuSPARSE", cusparse_absence());
  ResultTable& table = run.add_table("products", "y = A x in double");
  const MatrixChoice choice{
      .quick = {"poisson_2d_64", "poisson_3d_16", "convection_3d_12", "circuit_2000"},
      .full = {"poisson_2d_512", "poisson_2d_4096", "poisson_3d_64", "poisson_3d_256",
               "convection_3d_128", "circuit_1000000"}};
  measure_matrices(run, choice, [&]<class Space>(const std::string& name, const HostMatrix& host) {
    Product<Space> product(host);
    const int nonzeros = host.pattern().nonzeros();
    const double bytes = 12.0 * nonzeros + 4.0 * host.rows() + 8.0 * (host.rows() + host.cols());
    double cusparse = 0;  // seconds
    const auto add = [&](const std::string& kernel, const std::string& plan, double seconds) {
      if (kernel == "cusparse") cusparse = seconds;
      table.add(
          {key("matrix", name), cell("rows", host.rows()), cell("nonzeros", "non-zeros", nonzeros),
           key("device", Space::name), key("kernel", kernel), cell("plan", "in use", plan),
           timing("microseconds", "µs", 1e6 * seconds, "{:.1f}"),
           cell("gigabytes_per_second", "GB/s", 1e-9 * bytes / seconds, "{:.1f}"),
           cell("share_of_copy", "of copy", run.share_of_copy<Space>(bytes, seconds), "{:.3f}"),
           cell("over_cusparse", "time / cuSPARSE", value_if(cusparse > 0, seconds / cusparse),
                "{:.2f}")});
    };
    if (const LibraryWork work = library_product(*product.a, product.x, product.y))
      add("cusparse", "cuSPARSE", linalg::median_seconds<Space>(work));
    std::vector<std::string> kernels{"automatic"};
    for (const auto& entry : linalg::spmv_kernel_table())
      if (entry.kernel != linalg::SpmvKernel::csr_diagonals ||
          product.a->pattern().diagonals().shape.count > 0)
        kernels.push_back(entry.name);
    for (const std::string& kernel : kernels) {
      const double seconds = product.seconds(kernel);
      add(kernel, product.a->kernel(), seconds);
    }
  });
}

}  // namespace

extern const Experiment spmv{
    "spmv", "every kernel of y = A x on every matrix, against cuSPARSE and the copy bandwidth",
    run_spmv};

}  // namespace hodge::tools::bench
