// A table of numbers from a CSV file (csv_file.hpp), as table("inflow.csv", y) of formulas reads
// it. The first line may name the columns; the first column is the argument, which grows from row
// to row.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/input_file.hpp"

namespace hodge::sim {

inline constexpr std::size_t most_table_rows = 100000;
inline constexpr int most_table_columns = 100000;

// A column by its number, counted from 1, or by its name.
using CsvColumn = std::variant<int, std::string>;

struct CsvTable {
  InputFile source;
  std::vector<double> arguments, values;
};

// The absolute path of a file that is looked for from a folder, or from the working directory.
std::string path_of_file(const std::filesystem::path& folder, const std::string& file);

// Errors: ConfigError `file:line: what, expected ...`, with the first mistake of the file.
CsvTable read_csv_table(const std::filesystem::path& path, const CsvColumn& column);

}  // namespace hodge::sim
