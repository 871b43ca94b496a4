#include "tools/hodge/matrix/matrix_files.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/matrices/convert.hpp"

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

}  // namespace hodge::tools
