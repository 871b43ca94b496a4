#include "sim/app/run/run_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

#include "linalg/base/errors.hpp"
#include "linalg/files/directories.hpp"
#include "linalg/files/text_lines.hpp"
#include "sim/base/csv_row.hpp"

namespace hodge::sim {
namespace {

RowCells cells_of(std::string_view line) {
  RowCells cells;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(',', at), line.size());
    cells.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return cells;
}

}  // namespace

std::optional<double> number_in(std::string_view cell) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

void read_rows(const std::filesystem::path& path,
               const std::function<void(const RowCells&)>& header,
               const std::function<void(double t, const RowCells&)>& row) {
  constexpr std::size_t time_column = 1;
  if (!is_there(path)) return;
  TextLines lines(path, longest_row);
  if (!lines.next()) return;
  const RowCells names = cells_of(lines.line());
  const std::size_t columns = names.size();
  header(names);
  while (lines.next()) {
    const RowCells cells = cells_of(lines.line());
    const bool is_row = lines.is_whole() && cells.size() == columns;
    const auto t = is_row ? number_in(cells[time_column]) : std::nullopt;
    if (!t)
      throw IoError(fmt::format("{} is damaged: line {} is no row of a run", path.string(),
                                lines.line_number()));
    row(*t, cells);
  }
}

}  // namespace hodge::sim
