#include <algorithm>
#include <charconv>
#include <cmath>

#include "linalg/files/matrix_market.hpp"
#include "linalg/files/matrix_market_header.hpp"
#include "linalg/files/text_lines.hpp"

namespace hodge::linalg {

namespace {

using FileSymmetry = MatrixMarketSymmetry;

struct Entries {
  std::vector<int> rows, columns;
  std::vector<double> values;

  void reserve(std::size_t count) {
    rows.reserve(count);
    columns.reserve(count);
    values.reserve(count);
  }
  void add(int row, int column, double value) {
    rows.push_back(row);
    columns.push_back(column);
    values.push_back(value);
  }
};

struct File {
  MatrixMarketStart start;
  Entries entries;
};

// A word as a number.
template <class Number>
struct Parsed {
  Number value = 0;
  bool is_whole = false;  // all of the word is one number
  bool fits = false;      // which is in the range of Number

  explicit Parsed(std::string_view word) {
    const char* const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, value);
    is_whole = end == last && end != word.data();
    fits = error == std::errc();
  }
  bool is_good() const { return is_whole && fits; }
};

// A row or a column, from 1 in the file and from 0 in the result.
int read_index(TextLines& lines, const char* what, int bound) {
  const std::string_view word = lines.word();
  const Parsed<int> index(word);
  if (index.is_good() && index.value >= 1 && index.value <= bound) return index.value - 1;
  const std::string expected = ", expected a whole number from 1 to " + std::to_string(bound);
  if (word.empty()) lines.fail(std::string("the ") + what + " is missing" + expected);
  lines.fail(std::string(what) + " " + in_quotes(word) + expected);
}

// std::from_chars does not accept a plus sign.
std::string_view without_plus(std::string_view word) {
  const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+';
  return plus ? word.substr(1) : word;
}

double read_integer(TextLines& lines, std::string_view word) {
  constexpr long long most = 1LL << 53;
  const Parsed<long long> number(without_plus(word));
  if (number.is_good() && number.value >= -most && number.value <= most)
    return static_cast<double>(number.value);
  lines.fail("value " + in_quotes(word) +
             ", expected a whole number of at most 2^53, as the banner says integer");
}

// A number that is too small for a double is zero; from_chars reports the same error for it as for
// a number that is too large.
double read_out_of_range(TextLines& lines, std::string_view word) {
  const std::string text = with_c_exponent(without_plus(word));
  const Parsed<long double> number(text);
  if (number.fits && std::fabs(number.value) < 1) return static_cast<double>(number.value);
  lines.fail("value " + in_quotes(word) + " is too large, expected a number up to 1.8e308");
}

double read_value(TextLines& lines, MatrixMarketField field) {
  if (field == MatrixMarketField::pattern) return 1.0;
  const std::string_view word = lines.word();
  if (word.empty()) lines.fail("the value is missing, expected a number");
  if (field == MatrixMarketField::integer) return read_integer(lines, word);
  Parsed<double> number(without_plus(word));
  if (!number.is_whole) number = Parsed<double>(with_c_exponent(without_plus(word)));
  if (!number.is_whole) lines.fail("value " + in_quotes(word) + ", expected a number");
  if (!number.fits) return read_out_of_range(lines, word);
  if (!std::isfinite(number.value))
    lines.fail("value " + in_quotes(word) + ", expected a finite number");
  return number.value;
}

void expect_end_of_line(TextLines& lines) {
  if (const auto word = lines.word(); !word.empty()) {
    lines.fail(in_quotes(word) + " behind the entry, expected the end of the line");
  }
}

// An entry and, in a symmetric matrix, its mirror image.
void add_entry(Entries& entries, FileSymmetry symmetry, int row, int column, double value) {
  entries.add(row, column, value);
  if (symmetry == FileSymmetry::general || row == column) return;
  entries.add(column, row, symmetry == FileSymmetry::skew ? -value : value);
}

// A skew-symmetric matrix has zeros on its diagonal, which a file may list.
void check_triangle(const TextLines& lines, FileSymmetry symmetry, int row, int column,
                    double value) {
  if (symmetry == FileSymmetry::general || row > column) return;
  if (row == column && (symmetry == FileSymmetry::symmetric || value == 0)) return;
  const std::string place =
      "entry (" + std::to_string(row + 1) + ", " + std::to_string(column + 1) + ")";
  if (row == column)
    lines.fail(place + " of a skew-symmetric matrix is not 0, expected zeros on its diagonal");
  lines.fail(place + " lies above the diagonal, expected the lower triangle of a " +
             name_of(symmetry) + " matrix");
}

void next_entry(TextLines& lines, const MatrixMarketStart& start, long long read) {
  if (lines.next_with_content('%')) return;
  lines.fail("the file ends after " + std::to_string(read) + " entries, expected " +
             count_text(start));
}

void read_coordinates(TextLines& lines, const MatrixMarketStart& start, Entries& entries) {
  const MatrixMarketHeader& header = start.header;
  for (long long k = 0; k < header.stored; ++k) {
    next_entry(lines, start, k);
    const int row = read_index(lines, "row", header.rows);
    const int column = read_index(lines, "column", header.cols);
    const double value = read_value(lines, header.field);
    expect_end_of_line(lines);
    check_triangle(lines, header.symmetry, row, column, value);
    add_entry(entries, header.symmetry, row, column, value);
  }
}

void read_array(TextLines& lines, const MatrixMarketStart& start, Entries& entries) {
  const MatrixMarketHeader& header = start.header;
  const FileSymmetry symmetry = header.symmetry;
  long long read = 0;
  for (int column = 0; column < header.cols; ++column) {
    const int first = symmetry == FileSymmetry::general ? 0
                      : symmetry == FileSymmetry::skew  ? column + 1
                                                        : column;
    for (int row = first; row < header.rows; ++row) {
      next_entry(lines, start, read++);
      const double value = read_value(lines, header.field);
      expect_end_of_line(lines);
      add_entry(entries, symmetry, row, column, value);
    }
  }
}

File read(const std::filesystem::path& path) {
  TextLines lines(path);
  File file{read_matrix_market_header(lines), {}};
  const MatrixMarketHeader& header = file.start.header;
  // Reserves no more than the file can hold, even if the line of sizes says more.
  const std::size_t lines_left = lines.bytes_on_disk() / 2 + 1;
  const std::size_t mirrored = header.symmetry == FileSymmetry::general ? 1 : 2;
  file.entries.reserve(std::min(static_cast<std::size_t>(header.stored), lines_left) * mirrored);
  const bool array = header.format == MatrixMarketFormat::array;
  (array ? read_array : read_coordinates)(lines, file.start, file.entries);
  if (lines.next_with_content('%')) {
    lines.fail("the file goes on after " + count_text(file.start) +
               ", expected the end of the file");
  }
  return file;
}

void drop_zeros(Entries& entries) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < entries.values.size(); ++k) {
    if (entries.values[k] == 0) continue;
    entries.rows[kept] = entries.rows[k];
    entries.columns[kept] = entries.columns[k];
    entries.values[kept++] = entries.values[k];
  }
  entries.rows.resize(kept);
  entries.columns.resize(kept);
  entries.values.resize(kept);
}

}  // namespace

MatrixMarketData read_matrix_market(const std::filesystem::path& path) {
  File file = read(path);
  const MatrixMarketHeader& header = file.start.header;
  if (header.format == MatrixMarketFormat::array) drop_zeros(file.entries);
  const Symmetry symmetry =
      header.symmetry == FileSymmetry::symmetric ? Symmetry::symmetric : Symmetry::unknown;
  return {header,
          CooMatrix<Host, double>(header.rows, header.cols, std::span<const int>(file.entries.rows),
                                  std::span<const int>(file.entries.columns),
                                  std::span<const double>(file.entries.values), symmetry)};
}

std::vector<double> read_vector(const std::filesystem::path& path) {
  const File file = read(path);
  const MatrixMarketHeader& header = file.start.header;
  if (header.cols != 1) {
    throw ConfigError(path.string() + ":" + std::to_string(file.start.size_line) +
                      ": a matrix of " + std::to_string(header.rows) + " x " +
                      std::to_string(header.cols) + ", expected a vector: one column");
  }
  std::vector<double> vector(static_cast<std::size_t>(header.rows));
  for (std::size_t k = 0; k < file.entries.values.size(); ++k) {
    vector[file.entries.rows[k]] += file.entries.values[k];
  }
  return vector;
}

}  // namespace hodge::linalg
