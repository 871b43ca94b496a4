#include "tools/hodge/matrix/matrix_files.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/matrices/convert.hpp"
#include "sim/base/text.hpp"

namespace hodge::tools {

namespace fs = std::filesystem;

namespace {

// A file that is not there is wrong input of the user, as with configurations.
void check_readable(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) {
    throw ConfigError(
        fmt::format("{}: cannot be read: it is a directory, expected a Matrix Market "
                    "file",
                    file.string()));
  }
  if (fs::exists(file, error)) return;
  throw ConfigError(fmt::format("{}: cannot be read: No such file or directory", file.string()));
}

// A file may list all entries of a matrix that is symmetric.
void declare_symmetry(std::unique_ptr<HostMatrix>& matrix) {
  if (linalg::exact_symmetry(*matrix) != linalg::MatrixMarketSymmetry::symmetric) return;
  auto declared =
      std::make_unique<HostMatrix>(matrix->shared_pattern(), linalg::Symmetry::symmetric);
  declared->values() = std::move(matrix->values());
  matrix = std::move(declared);
}

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

MatrixFile read_matrix_file(const fs::path& file) {
  check_readable(file);
  const linalg::MatrixMarketData data = linalg::read_matrix_market(file);
  auto matrix = linalg::to_csr(data.matrix);
  if (matrix->symmetry() != linalg::Symmetry::symmetric) declare_symmetry(matrix);
  return {data.header, std::move(matrix)};
}

std::vector<double> read_vector_file(const fs::path& file) {
  check_readable(file);
  return linalg::read_vector(file);
}

std::string to_text(const linalg::MatrixMarketHeader& header) {
  using namespace linalg;
  const bool array = header.format == MatrixMarketFormat::array;
  const char* field = header.field == MatrixMarketField::real      ? "real"
                      : header.field == MatrixMarketField::integer ? "integer"
                                                                   : "pattern";
  const char* symmetry = header.symmetry == MatrixMarketSymmetry::general     ? "general"
                         : header.symmetry == MatrixMarketSymmetry::symmetric ? "symmetric"
                                                                              : "skew-symmetric";
  return fmt::format("{} {} {}", array ? "array" : "coordinate", field, symmetry);
}

void check_output(const fs::path& output, const std::vector<fs::path>& inputs) {
  std::error_code error;
  for (const fs::path& input : inputs) {
    if (!fs::equivalent(output, input, error) || error) continue;
    throw ConfigError(
        fmt::format("{}: is an input, expected another file to write to", output.string()));
  }
  if (fs::is_directory(output, error)) {
    throw ConfigError(
        fmt::format("{}: is a directory, expected a file to write to", output.string()));
  }
  const fs::path folder = output.parent_path();
  if (folder.empty() || fs::is_directory(folder, error)) return;
  throw ConfigError(fmt::format("{}: there is no directory {}", output.string(), folder.string()));
}

void write_in_form(const std::string& form, const HostMatrix& a, const std::filesystem::path& input,
                   const std::filesystem::path& output) {
  if (form == "array") return write_array(a, input, output);
  if (form == "general") return linalg::write_matrix_market(output, a);
  const auto symmetry =
      form == "skew" ? linalg::MatrixMarketSymmetry::skew : linalg::MatrixMarketSymmetry::symmetric;
  if (linalg::exact_symmetry(a) != symmetry) {
    throw ConfigError(fmt::format("{}: the matrix is not {} to the last bit, expected --to general",
                                  input.string(), form == "skew" ? "skew-symmetric" : "symmetric"));
  }
  linalg::write_matrix_market(output, a, symmetry);
}

}  // namespace hodge::tools
