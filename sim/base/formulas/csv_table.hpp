// A table of numbers from a CSV file, as table("inflow.csv", y) of formulas reads it.
//
//   # height, m/s                    lines that begin with # and empty ones are left out
//   y,u,"v, measured"                names of the columns, where the first line is not all numbers
//   0,0,0.1
//   0.5,1.2,0.3
//
// The first column is the argument: it grows from row to row. Every row has as many cells as the
// first line, all of them finite numbers with a decimal point.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace hodge::sim {

inline constexpr std::size_t most_table_rows = 100000;
inline constexpr int most_table_columns = 100000;

// A column by its number, counted from 1, or by its name.
using CsvColumn = std::variant<int, std::string>;

// What a table was read from.
struct TableFile {
  std::string file;
  std::string digest;  // BLAKE2b-256 of the file

  bool operator==(const TableFile&) const = default;
};

struct CsvTable {
  TableFile source;
  std::vector<double> arguments, values;
};

// The absolute path of a file that is looked for from a folder.
std::string path_of_file(const std::filesystem::path& folder, const std::string& file);

// Errors: ConfigError `file:line: what, expected ...`, with the first mistake of the file.
CsvTable read_csv_table(const std::filesystem::path& path, const CsvColumn& column);

}  // namespace hodge::sim
