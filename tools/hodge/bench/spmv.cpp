// Every kernel of y = A x on every matrix. The least traffic of a product in double: 12 bytes a
// non-zero, 4 a row offset, 16 a row (x read once, y written once).
#include <fmt/format.h>

#include "linalg/base/timing.hpp"
#include "linalg/matrices/convert.hpp"
#include "linalg/matrices/spmv.hpp"
#include "linalg/matrices/symmetry.hpp"
#include "tools/hodge/bench/collection.hpp"
#include "tools/hodge/bench/cusparse.hpp"
#include "tools/hodge/bench/experiment.hpp"

namespace hodge::tools::bench {
namespace {

using linalg::Cuda;
using linalg::Vector;

double least_bytes(const HostMatrix& a) {
  return 12.0 * a.pattern().nonzeros() + 4.0 * a.rows() + 8.0 * (a.rows() + a.cols());
}

template <class Space>
class ProductTimes {
 public:
  ProductTimes(Report& report, Table& table, const std::string& name, const HostMatrix& host)
      : report_(report),
        table_(table),
        name_(name),
        bytes_(least_bytes(host)),
        a_(linalg::copy_to<Space, double>(host)),
        x_(linalg::random_vector<Space, double>(host.cols(), 1)),
        y_(host.rows()) {}

  void measure() {
    const double yardstick = measure_cusparse();
    measure_kernel("automatic", yardstick);
    for (const auto& entry : linalg::spmv_kernel_table())
      if (suits(entry.kernel)) measure_kernel(entry.name, yardstick);
  }

 private:
  bool suits(linalg::SpmvKernel kernel) const {
    return kernel != linalg::SpmvKernel::csr_diagonals || a_->pattern().diagonals().shape.count > 0;
  }

  void measure_kernel(const std::string& kernel, double yardstick) {
    linalg::SpmvChoice choice;
    choice.kernel = kernel;
    a_->use(choice);
    const double seconds = linalg::median_seconds<Space>([&] { linalg::multiply(*a_, x_, y_); });
    add(kernel, a_->kernel(), seconds, yardstick);
  }

  // Seconds, or 0 where there is no cuSPARSE.
  double measure_cusparse() {
#if HODGE_HAS_CUDA
    if constexpr (std::is_same_v<Space, Cuda>) {
      if (!cusparse_absence().empty()) return 0;
      CusparseProduct product(*a_);
      const double seconds = linalg::median_seconds<Cuda>([&] { product.multiply(x_, y_); });
      add("cusparse", "cuSPARSE", seconds, seconds);
      return seconds;
    }
#endif
    return 0;
  }

  void add(const std::string& kernel, const std::string& plan, double seconds, double yardstick) {
    Json row = {{"matrix", name_},
                {"rows", a_->rows()},
                {"nonzeros", a_->pattern().nonzeros()},
                {"device", Space::name},
                {"kernel", kernel},
                {"plan", plan},
                {"microseconds", 1e6 * seconds},
                {"gigabytes_per_second", 1e-9 * bytes_ / seconds},
                {"share_of_copy", bytes_ / seconds / report_.copy_bandwidth<Space>()}};
    if (yardstick > 0) row["over_cusparse"] = seconds / yardstick;
    table_.add(row);
  }

  Report& report_;
  Table& table_;
  std::string name_;
  double bytes_;
  std::unique_ptr<linalg::CsrMatrix<Space, double>> a_;
  Vector<Space> x_, y_;
};

std::vector<NamedMatrix> product_matrices(Report& report) {
  std::vector<NamedMatrix> all;
  if (report.quick()) {
    all = {poisson_2d(64), poisson_3d(16), convection_3d(12), circuit(2000)};
  } else {
    all = {poisson_2d(512), poisson_2d(4096),   poisson_3d(64),
           poisson_3d(256), convection_3d(128), circuit(1000000)};
  }
  for (NamedMatrix& file : files(report)) all.push_back(std::move(file));
  return all;
}

}  // namespace

void run_spmv(Report& report) {
  report.yardstick("cuSPARSE", cusparse_absence());
  Table& table = report.add_table("products", "y = A x in double",
                                  {{"matrix", "matrix"},
                                   {"rows", "rows"},
                                   {"nonzeros", "non-zeros"},
                                   {"device", "device"},
                                   {"kernel", "kernel"},
                                   {"plan", "in use"},
                                   {"microseconds", "µs", "{:.1f}"},
                                   {"gigabytes_per_second", "GB/s", "{:.1f}"},
                                   {"share_of_copy", "of copy", "{:.3f}"},
                                   {"over_cusparse", "time / cuSPARSE", "{:.2f}"}},
                                  {{"matrix", "device", "kernel"}, {"microseconds"}});
  for_each_matrix(
      report, product_matrices(report), [&](const NamedMatrix& named, const HostMatrix& host) {
        report.on_each_device(
            [&]<class Space>() { ProductTimes<Space>(report, table, named.name, host).measure(); });
      });
}

}  // namespace hodge::tools::bench
