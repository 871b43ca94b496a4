#include "sim/app/verify/csv_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/files/text_lines.hpp"
#include "sim/base/csv_row.hpp"

namespace hodge::sim {
namespace {

// Commas between quotes belong to a cell.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

std::optional<double> number_of(const std::string& cell) {
  char* end = nullptr;
  const double number = std::strtod(cell.c_str(), &end);
  const bool all = !cell.empty() && end == cell.c_str() + cell.size();
  return all ? std::optional(number) : std::nullopt;
}

bool names_columns(const std::string& header, RowOrder order) {
  const char* first = order == RowOrder::growing_time ? "t" : "step";
  const std::vector<std::string> names = cells_of(header);
  return (order == RowOrder::none || names[0] == first) &&
         std::ranges::none_of(names, [](const std::string& name) {
           return name.empty() || name.find('\0') != std::string::npos;
         });
}

bool follows(RowOrder order, double before, double now) {
  if (order == RowOrder::every_step) return now == before + 1;
  return order == RowOrder::increasing_step ? now > before : now >= before;
}

class RowCheck {
 public:
  RowCheck(RowOrder order, std::size_t columns) : order_(order), columns_(columns) {}

  // What is wrong with the next row; empty: nothing.
  std::string complaint(const std::string& line) {
    if (line.find('\0') != std::string::npos) return "it has zero bytes";
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != columns_)
      return fmt::format("it has {} cells, the header has {}", cells.size(), columns_);
    const bool has_text = order_ == RowOrder::none || order_ == RowOrder::growing_step;
    for (const std::string& cell : cells)
      if (!has_text && !cell.empty() && !number_of(cell))
        return fmt::format("\"{}\" is no number", cell);
    if (order_ == RowOrder::none) return "";
    const auto now = number_of(cells[0]);
    if (!now) return fmt::format("\"{}\" is no step or time", cells[0]);
    if (has_before_ && !follows(order_, before_, *now))
      return fmt::format("{} follows {}", cells[0], before_);
    before_ = *now;
    has_before_ = true;
    return "";
  }

 private:
  RowOrder order_;
  std::size_t columns_;
  bool has_before_ = false;
  double before_ = 0;
};

}  // namespace

long check_csv(const std::filesystem::path& path, RowOrder order) {
  TextLines lines(path, longest_row);
  const auto damaged = [&](long long line, const std::string& how) {
    return IoError(fmt::format("{} is damaged: line {}: {}", path.string(), line, how));
  };
  if (!lines.next() || !lines.is_whole()) throw damaged(1, "there is no whole header");
  const std::string header(lines.line());
  if (!names_columns(header, order)) throw damaged(1, "it does not name the columns");
  RowCheck row(order, cells_of(header).size());
  while (lines.next()) {
    if (!lines.is_whole()) throw damaged(lines.line_number(), "it is cut off");
    if (const std::string how = row.complaint(std::string(lines.line())); !how.empty())
      throw damaged(lines.line_number(), how);
  }
  return static_cast<long>(lines.line_number()) - 1;
}

}  // namespace hodge::sim
