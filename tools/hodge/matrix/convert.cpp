#include "tools/hodge/matrix/convert.hpp"

#include <fmt/format.h>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "sim/base/text.hpp"

namespace hodge::tools {
namespace {

using linalg::MatrixMarketSymmetry;

constexpr long long most_array_entries = 100'000'000;

void write_array(const HostMatrix& a, const std::filesystem::path& input,
                 const std::filesystem::path& output) {
  if (1LL * a.rows() * a.cols() > most_array_entries) {
    throw ConfigError(
        fmt::format("{}: an array of {} x {} entries is too large, expected at most {}",
                    input.string(), a.rows(), a.cols(), most_array_entries));
  }
  const HostRows rows(a);
  std::vector<double> columns(static_cast<std::size_t>(a.rows()) * a.cols());
  for (int i = 0; i < a.rows(); ++i) {
    for (int k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
      columns[static_cast<std::size_t>(rows.columns[k]) * a.rows() + i] = rows.values[k];
    }
  }
  std::string text =
      fmt::format("%%MatrixMarket matrix array real general\n{} {}\n", a.rows(), a.cols());
  for (const double value : columns) text += sim::number_text(value) + "\n";
  write_file_atomically(output, text);
}

}  // namespace

void write_in_form(const std::string& form, const HostMatrix& a, const std::filesystem::path& input,
                   const std::filesystem::path& output) {
  if (form == "array") return write_array(a, input, output);
  if (form == "general") return linalg::write_matrix_market(output, a);
  const auto symmetry =
      form == "skew" ? MatrixMarketSymmetry::skew : MatrixMarketSymmetry::symmetric;
  if (linalg::exact_symmetry(a) != symmetry) {
    throw ConfigError(fmt::format("{}: the matrix is not {} to the last bit, expected --to general",
                                  input.string(), form == "skew" ? "skew-symmetric" : "symmetric"));
  }
  linalg::write_matrix_market(output, a, symmetry);
}

}  // namespace hodge::tools
