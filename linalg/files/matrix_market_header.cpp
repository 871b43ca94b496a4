#include "linalg/files/matrix_market_header.hpp"

#include <charconv>
#include <climits>
#include <span>

namespace hodge::linalg {

namespace {

template <class Kind>
struct Named {
  std::string_view name;
  Kind kind;
};

using Format = MatrixMarketFormat;
using Field = MatrixMarketField;
using FileSymmetry = MatrixMarketSymmetry;

constexpr Named<Format> formats[] = {{"coordinate", Format::coordinate}, {"array", Format::array}};
constexpr Named<Field> fields[] = {
    {"real", Field::real}, {"integer", Field::integer}, {"pattern", Field::pattern}};
constexpr Named<FileSymmetry> symmetries[] = {{"general", FileSymmetry::general},
                                              {"symmetric", FileSymmetry::symmetric},
                                              {"skew-symmetric", FileSymmetry::skew},
                                              {"hermitian", FileSymmetry::symmetric}};  // of reals
// Rows and columns that a matrix may have without an entry, and more for each.
constexpr long long most_empty = 1'000'000, most_per_entry = 16;
constexpr char banner[] =
    "'%%MatrixMarket matrix <coordinate|array> <real|integer|pattern> "
    "<general|symmetric|skew-symmetric|hermitian>'";

std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

template <class Kind, std::size_t N>
Kind read_kind(TextLines& lines, const char* what, const Named<Kind> (&known)[N]) {
  const std::string word = lower_case(lines.word());
  std::string names;
  for (const Named<Kind>& entry : known) {
    if (word == entry.name) return entry.kind;
    names += (names.empty()             ? ""
              : &entry == &known[N - 1] ? " or "
                                        : ", ") +
             std::string(entry.name);
  }
  if (word.empty()) lines.fail(std::string("the banner names no ") + what + ", expected " + names);
  lines.fail(std::string(what) + " " + in_quotes(word) +
             (word == "complex" ? " is not supported, matrices have real entries here; expected "
                                : ", expected ") +
             names);
}

MatrixMarketHeader read_banner(TextLines& lines) {
  if (!lines.next())
    lines.fail_at(1, "the file is empty, expected the banner " + std::string(banner));
  if (lower_case(lines.word()) != "%%matrixmarket") {
    lines.fail(in_quotes(lines.line()) + ", expected the banner " + banner);
  }
  const std::string object = lower_case(lines.word());
  if (object != "matrix") lines.fail("object " + in_quotes(object) + ", expected matrix");
  MatrixMarketHeader header;
  header.format = read_kind(lines, "format", formats);
  header.field = read_kind(lines, "field", fields);
  header.symmetry = read_kind(lines, "symmetry", symmetries);
  if (const auto word = lines.word(); !word.empty()) {
    lines.fail(in_quotes(word) + " behind the symmetry, expected the end of the banner");
  }
  if (header.field == Field::pattern && header.format == Format::array) {
    lines.fail("an array of field pattern has no values, expected real or integer");
  }
  if (header.field == Field::pattern && header.symmetry == FileSymmetry::skew) {
    lines.fail("a pattern cannot be skew-symmetric, expected general or symmetric");
  }
  return header;
}

// Reads one of the numbers in the line of sizes.
long long read_size(TextLines& lines, const std::string& what, const std::string& line_holds) {
  constexpr long long most = INT_MAX - 1;
  const std::string_view word = lines.word();
  if (word.empty()) lines.fail("the number of " + what + " is missing, expected " + line_holds);
  long long size = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), size);
  const bool is_number = end == word.data() + word.size() && end != word.data();
  if (!is_number || (error == std::errc() && size < 0)) {
    lines.fail(in_quotes(word) + " as the number of " + what + ", expected " + line_holds);
  }
  if (error != std::errc() || size > most) {
    lines.fail(std::string(word) + " " + what + ", expected at most " + std::to_string(most) +
               ": indices are 32-bit");
  }
  return size;
}

// Values that an array file lists.
long long array_values(const MatrixMarketHeader& h) {
  const long long rows = h.rows, cols = h.cols;
  switch (h.symmetry) {
    case FileSymmetry::general:
      return rows * cols;
    case FileSymmetry::symmetric:
      return rows * (rows + 1) / 2;
    case FileSymmetry::skew:
      return rows * (rows - 1) / 2;
  }
  return 0;
}

}  // namespace

std::string count_text(const MatrixMarketStart& start) {
  const MatrixMarketHeader& h = start.header;
  const std::string entries = std::to_string(h.stored) + " entries";
  const std::string line = "line " + std::to_string(start.size_line);
  if (h.format == Format::coordinate) return entries + " as " + line + " says";
  const char* const where = h.symmetry == FileSymmetry::general ? ""
                            : h.symmetry == FileSymmetry::skew  ? " below the diagonal"
                                                                : " on and below the diagonal";
  return entries + where + " of the " + std::to_string(h.rows) + " x " + std::to_string(h.cols) +
         " in " + line;
}

std::string name_of(MatrixMarketSymmetry symmetry) {
  for (const auto& known : symmetries)
    if (known.kind == symmetry) return std::string(known.name);
  return "";
}

MatrixMarketStart read_matrix_market_header(TextLines& lines) {
  MatrixMarketHeader header = read_banner(lines);
  const bool array = header.format == Format::array;
  const std::string line_holds = array ? "two whole numbers: rows and columns"
                                       : "three whole numbers: rows, columns and entries";
  if (!lines.next_with_content('%')) lines.fail("the file ends, expected " + line_holds);

  header.rows = static_cast<int>(read_size(lines, "rows", line_holds));
  header.cols = static_cast<int>(read_size(lines, "columns", line_holds));
  header.stored = array ? array_values(header) : read_size(lines, "entries", line_holds);
  if (const auto word = lines.word(); !word.empty()) {
    lines.fail(in_quotes(word) + " behind the sizes, expected " + line_holds);
  }
  const std::string shape = std::to_string(header.rows) + " x " + std::to_string(header.cols);
  if (header.symmetry != FileSymmetry::general && header.rows != header.cols) {
    lines.fail("a matrix of " + shape + " cannot be symmetric, expected as many columns as rows");
  }
  if (header.stored > INT_MAX - 1) {
    lines.fail("an array of " + shape + ", expected at most 2147483646 values: indices are 32-bit");
  }
  if (header.stored > 0 && (header.rows == 0 || header.cols == 0)) {
    lines.fail(std::to_string(header.stored) + " entries in a matrix of " + shape + ", expected 0");
  }
  // Memory grows with the sizes, so entries have to back them.
  const long long most = most_empty + most_per_entry * header.stored;
  if (header.rows > most || header.cols > most) {
    lines.fail("a matrix of " + shape + " with " + std::to_string(header.stored) +
               " entries, expected at most " + std::to_string(most) +
               " rows and columns: 1000000 and 16 for each entry");
  }
  return {header, lines.line_number()};
}

}  // namespace hodge::linalg
