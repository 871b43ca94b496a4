// Gao & Wang pad the rows of the product to 128 bytes, so that each starts at a memory transaction.
// The product has the pattern of A, so A itself is measured: as it is, and with the rows padded by
// zeros to multiples of 4 doubles (the 32-byte sectors of today's GPUs) and of 16.
#include <fmt/format.h>

#include "linalg/base/timing.hpp"
#include "linalg/matrices/convert.hpp"
#include "linalg/matrices/spmv.hpp"
#include "linalg/matrices/symmetry.hpp"
#include "tools/hodge/bench/ssor_sai.hpp"

namespace hodge::tools::bench {
namespace {

using linalg::Buffer;
using linalg::Host;

// Padding repeats the last column of a row with the value 0.
std::unique_ptr<HostMatrix> padded(const HostMatrix& host, int multiple) {
  const HostRows rows(host);
  std::vector<int> offsets{0}, columns;
  std::vector<double> values;
  for (int i = 0; i < rows.rows(); ++i) {
    const int length = rows.offsets[i + 1] - rows.offsets[i];
    const int padded_length = (length + multiple - 1) / multiple * multiple;
    for (int k = 0; k < padded_length; ++k) {
      const int from = rows.offsets[i] + std::min(k, length - 1);
      columns.push_back(rows.columns[from]);
      values.push_back(k < length ? rows.values[from] : 0.0);
    }
    offsets.push_back(static_cast<int>(columns.size()));
  }
  auto pattern = std::make_shared<linalg::CsrPattern<Host>>(
      host.rows(), host.cols(), Buffer<int, Host>(std::span<const int>(offsets)),
      Buffer<int, Host>(std::span<const int>(columns)));
  auto matrix = std::make_unique<HostMatrix>(std::move(pattern));
  matrix->values().upload(values);
  return matrix;
}

struct ProductTime {
  double seconds;
  std::string plan;
};

template <class Space>
ProductTime time_product(const HostMatrix& host, const std::string& kernel) {
  const auto a = linalg::copy_to<Space, double>(host);
  linalg::SpmvChoice choice;
  choice.kernel = kernel;
  a->use(choice);
  const auto x = linalg::random_vector<Space, double>(host.cols(), 1);
  linalg::Vector<Space> y(host.rows());
  return {linalg::median_seconds<Space>([&] { linalg::multiply(*a, x, y); }), a->kernel()};
}

// The kernel that is chosen, and the published one: several threads a row.
void measure_alignment(Report& report, Table& table, const NamedMatrix& named,
                       const HostMatrix& host) {
  const auto by_32 = padded(host, 4), by_128 = padded(host, 16);
  report.on_each_device([&]<class Space>() {
    for (const char* kernel : {"automatic", "csr_vector"}) {
      double plain = 0;
      const auto add = [&](int bytes, const HostMatrix& a) {
        const ProductTime time = time_product<Space>(a, kernel);
        if (bytes == 8) plain = time.seconds;
        table.add({{"matrix", named.name},
                   {"mean_row", 1.0 * host.pattern().nonzeros() / host.rows()},
                   {"device", Space::name},
                   {"kernel", kernel},
                   {"plan", time.plan},
                   {"bytes", bytes},
                   {"entries", 1.0 * a.pattern().nonzeros() / host.pattern().nonzeros()},
                   {"microseconds", 1e6 * time.seconds},
                   {"over_plain", time.seconds / plain}});
      };
      add(8, host);
      add(32, *by_32);
      add(128, *by_128);
    }
  });
}

}  // namespace

void time_alignment(Report& report) {
  report.progress("rows padded to 32 and 128 bytes");
  Table& table = report.add_table("alignment", "One product with rows padded to multiples of bytes",
                                  {{"matrix", "matrix"},
                                   {"mean_row", "entries a row", "{:.1f}"},
                                   {"device", "device"},
                                   {"kernel", "kernel"},
                                   {"plan", "in use"},
                                   {"bytes", "padded to, bytes"},
                                   {"entries", "times the entries", "{:.2f}"},
                                   {"microseconds", "µs", "{:.1f}"},
                                   {"over_plain", "time / plain", "{:.2f}"}},
                                  {{"matrix", "device", "kernel", "bytes"}, {"microseconds"}});
  std::vector<NamedMatrix> all;
  if (report.quick()) {
    all = {poisson_2d(24), poisson_3d(8)};
  } else {
    all = {poisson_2d(1024), poisson_3d(128)};
  }
  for (NamedMatrix& file : files(report)) all.push_back(std::move(file));
  for_each_matrix(report, all, [&](const NamedMatrix& named, const HostMatrix& host) {
    measure_alignment(report, table, named, host);
  });
}

}  // namespace hodge::tools::bench
