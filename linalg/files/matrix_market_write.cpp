#include <fcntl.h>

#include <charconv>
#include <cmath>
#include <functional>
#include <string>
#include <type_traits>

#include "linalg/files/atomic_file.hpp"
#include "linalg/files/file_descriptor.hpp"
#include "linalg/files/matrix_market_header.hpp"
#include "linalg/matrices/transpose.hpp"

namespace hodge::linalg {

namespace {

// Collects text and hands it to the file in large pieces.
class TextWriter {
 public:
  explicit TextWriter(FileDescriptor& file) : file_(file) { buffer_.reserve(piece + 256); }

  TextWriter& operator<<(std::string_view text) {
    buffer_ += text;
    return *this;
  }
  TextWriter& operator<<(char c) {
    buffer_ += c;
    if (c == '\n' && buffer_.size() > piece) flush();
    return *this;
  }
  template <class Number>
  requires std::is_arithmetic_v<Number> TextWriter& operator<<(Number value) {
    char digits[32];
    const auto result = std::to_chars(digits, digits + sizeof digits, value);
    buffer_.append(digits, result.ptr);
    return *this;
  }
  void flush() {
    file_.write(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t piece = 1 << 20;
  FileDescriptor& file_;
  std::string buffer_;
};

void write(const std::filesystem::path& path, const std::function<void(TextWriter&)>& lines) {
  write_file_atomically(path, [&](const std::filesystem::path& temporary) {
    FileDescriptor file(temporary, O_WRONLY | O_TRUNC, path);
    TextWriter writer(file);
    lines(writer);
    writer.flush();
    file.close();
  });
}

void require_finite(const std::filesystem::path& path, std::span<const double> values,
                    const char* what) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isfinite(values[k])) continue;
    throw NumericalError("cannot write " + path.string() + ": " + what + " " +
                         std::to_string(k + 1) + " is " + std::to_string(values[k]) +
                         ", expected finite numbers");
  }
}

// The first row that differs from `sign` times the column with the same index; rows() if none does.
int first_unsymmetric_row(const CsrMatrix<Host>& a, double sign) {
  if (a.rows() != a.cols()) return 0;
  TransposedCsr<Host> transposed;
  transposed.setup(a);
  const CsrView<double> rows = a.view(), columns = transposed.matrix().view();
  for (int i = 0; i < a.rows(); ++i) {
    if (rows.row_offsets[i + 1] != columns.row_offsets[i + 1]) return i;
    for (int k = rows.row_offsets[i]; k < rows.row_offsets[i + 1]; ++k) {
      if (rows.columns[k] != columns.columns[k]) return i;
      if (rows.values[k] != sign * columns.values[k]) return i;
    }
  }
  return a.rows();
}

void require_symmetry(const std::filesystem::path& path, const CsrMatrix<Host>& a,
                      MatrixMarketSymmetry symmetry) {
  if (symmetry == MatrixMarketSymmetry::general) return;
  const bool skew = symmetry == MatrixMarketSymmetry::skew;
  const int row = first_unsymmetric_row(a, skew ? -1.0 : 1.0);
  if (row == a.rows() && a.rows() == a.cols()) return;
  throw ShapeError(
      "cannot write " + path.string() + " as " + name_of(symmetry) + ": " +
      (a.rows() != a.cols()
           ? "the matrix is " + std::to_string(a.rows()) + " x " + std::to_string(a.cols())
           : "row and column " + std::to_string(row + 1) + " do not mirror each other") +
      "; write it as general");
}

// Calls f(row, column, value) for the entries that a file of this symmetry lists.
template <class F>
void for_each_listed(const CsrView<double>& a, MatrixMarketSymmetry symmetry, F f) {
  for (int i = 0; i < a.rows; ++i) {
    const int end = symmetry == MatrixMarketSymmetry::general     ? a.cols
                    : symmetry == MatrixMarketSymmetry::symmetric ? i + 1
                                                                  : i;
    for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1] && a.columns[k] < end; ++k) {
      f(i, a.columns[k], a.values[k]);
    }
  }
}

}  // namespace

void write_matrix_market(const std::filesystem::path& path, const CsrMatrix<Host>& a,
                         MatrixMarketSymmetry symmetry) {
  a.pattern().require_all_rows("a file");
  require_finite(path, {a.values().data(), a.values().size()}, "non-zero");
  require_symmetry(path, a, symmetry);
  int listed = 0;
  for_each_listed(a.view(), symmetry, [&](int, int, double) { ++listed; });
  write(path, [&](TextWriter& out) {
    out << "%%MatrixMarket matrix coordinate real " << name_of(symmetry) << '\n'
        << a.rows() << ' ' << a.cols() << ' ' << listed << '\n';
    for_each_listed(a.view(), symmetry, [&](int row, int column, double value) {
      out << row + 1 << ' ' << column + 1 << ' ' << value << '\n';
    });
  });
}

void write_vector(const std::filesystem::path& path, std::span<const double> x) {
  require_finite(path, x, "entry");
  write(path, [&](TextWriter& out) {
    out << "%%MatrixMarket matrix array real general\n" << x.size() << " 1\n";
    for (const double value : x) out << value << '\n';
  });
}

MatrixMarketSymmetry exact_symmetry(const CsrMatrix<Host>& a) {
  if (a.rows() != a.cols()) return MatrixMarketSymmetry::general;
  if (first_unsymmetric_row(a, 1.0) == a.rows()) return MatrixMarketSymmetry::symmetric;
  if (first_unsymmetric_row(a, -1.0) == a.rows()) return MatrixMarketSymmetry::skew;
  return MatrixMarketSymmetry::general;
}

}  // namespace hodge::linalg
