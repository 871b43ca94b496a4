#include "linalg/files/directories.hpp"
#include "tools/hodge/matrix/matrix.hpp"

#include "linalg/files/atomic_file.hpp"
#include "linalg/matrices/convert.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools {

namespace fs = std::filesystem;

namespace {

// A file that is not there is wrong input of the user, as with configurations.
void check_readable(const fs::path& file) {
  if (is_a_directory(file))
    throw wrong_input("{}: cannot be read: it is a directory, expected a Matrix Market file",
                      file.string());
  if (!is_there(file))
    throw wrong_input("{}: cannot be read: No such file or directory", file.string());
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

void write_array(const HostMatrix& a, const fs::path& input, const fs::path& output) {
  if (1LL * a.rows() * a.cols() > most_array_entries)
    throw wrong_input("{}: an array of {} x {} entries is too large, expected at most {}",
                      input.string(), a.rows(), a.cols(), most_array_entries);
  const HostRows rows(a);
  std::vector<double> columns(static_cast<std::size_t>(a.rows()) * a.cols());
  for (int i = 0; i < a.rows(); ++i)
    for (int k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k)
      columns[static_cast<std::size_t>(rows.columns[k]) * a.rows() + i] = rows.values[k];
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

void write_in_form(const std::string& form, const HostMatrix& a, const fs::path& input,
                   const fs::path& output) {
  if (form == "array") return write_array(a, input, output);
  if (form == "general") return linalg::write_matrix_market(output, a);
  const auto symmetry =
      form == "skew" ? linalg::MatrixMarketSymmetry::skew : linalg::MatrixMarketSymmetry::symmetric;
  if (linalg::exact_symmetry(a) != symmetry)
    throw wrong_input("{}: the matrix is not {} to the last bit, expected --to general",
                      input.string(), form == "skew" ? "skew-symmetric" : "symmetric");
  linalg::write_matrix_market(output, a, symmetry);
}

}  // namespace hodge::tools
