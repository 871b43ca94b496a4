// A row of a CSV file. Each cell has the name of its column beside it, so that the header of a file
// is that of any of its rows.
//
//   CsvRow row{{"step", 12}, {"seconds", 0.25, "{:.6g}"}};
//   row.push_back({"note", csv_quoted(note)});
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hodge::sim {

struct CsvCell {
  // By default numbers have the digits that give back the same double.
  template <class Value>
  CsvCell(std::string name, const Value& value, const char* format = "{}")
      : column(std::move(name)), text(fmt::format(fmt::runtime(format), value)) {}
  // Without a value the cell is empty.
  template <class Value>
  CsvCell(std::string name, const std::optional<Value>& value, const char* format = "{}")
      : column(std::move(name)), text(value ? fmt::format(fmt::runtime(format), *value) : "") {}

  std::string column, text;
};

using CsvRow = std::vector<CsvCell>;

// Bytes: a row of many probes is long.
inline constexpr std::size_t longest_row = 1 << 30;

inline std::string csv_header(const CsvRow& row) {
  std::string line;
  for (const CsvCell& cell : row) line += (line.empty() ? "" : ",") + cell.column;
  return line + "\n";
}

inline std::string csv_line(const CsvRow& row) {
  std::string line;
  for (const CsvCell& cell : row) line += (&cell == row.data() ? "" : ",") + cell.text;
  return line + "\n";
}

}  // namespace hodge::sim
