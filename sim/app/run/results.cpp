#include "sim/app/run/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/files/directories.hpp"
#include "linalg/files/text_lines.hpp"
#include "sim/app/output/probe_files.hpp"
#include "sim/app/output/time_average.hpp"
#include "sim/base/csv_row.hpp"

namespace hodge::sim {
namespace {

TimeWindow window_of(const Settings& settings, double end) {
  if (settings.output.statistics) return statistics_window(settings.output);
  return {0.5 * end, end};
}

bool is_quantity(std::string_view column) {
  constexpr std::array<std::string_view, 5> facts{"step", "t", "dt", "cfl", "max_divergence"};
  return std::ranges::find(facts, column) == facts.end() && !column.ends_with("_iterations") &&
         !column.ends_with("_seconds");
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(',', at), line.size());
    cells.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return cells;
}

std::optional<double> number_in(std::string_view cell) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

// A column of a file: its last value, and its average over the rows in the window.
class AveragedColumn {
 public:
  explicit AveragedColumn(std::string_view name) : name_(name) {}
  void add(double t, double value, bool in_window) {
    last_ = value;
    if (in_window) average_.add(t, std::span(&value, 1));
  }
  const std::string& name() const { return name_; }
  QuantityResult result() const {
    if (!(average_.to() > average_.from())) return {name_, last_, {}, {}};
    return {name_, last_, average_.mean(0), average_.rms(0)};
  }

 private:
  std::string name_;
  std::optional<double> last_;
  TimeAverage average_{1};
};

// The columns of a file. Those that the file before it had, too, go on.
std::vector<AveragedColumn> columns_of(std::string_view header,
                                       const std::vector<AveragedColumn>& before) {
  std::vector<AveragedColumn> columns;
  for (const std::string_view name : cells_of(header)) {
    const auto found = std::ranges::find(before, name, &AveragedColumn::name);
    columns.push_back(found != before.end() ? *found : AveragedColumn(name));
  }
  return columns;
}

// The quantities of the last one of these files with the columns `step` and `t`, which continue
// each other. Errors: IoError where a file cannot be read, or has rows that no run has written.
void add_files(const std::vector<std::filesystem::path>& paths, const TimeWindow& window,
               RunResults& results) {
  std::vector<AveragedColumn> columns;
  constexpr std::size_t time_column = 1;
  std::optional<double> first, last;
  for (const std::filesystem::path& path : paths) {
    if (!is_there(path)) continue;
    TextLines lines(path, longest_row);
    if (!lines.next()) continue;
    columns = columns_of(lines.line(), columns);
    while (lines.next()) {
      const std::vector<std::string_view> cells = cells_of(lines.line());
      const bool is_row = lines.is_whole() && cells.size() == columns.size();
      const auto t = is_row ? number_in(cells[time_column]) : std::nullopt;
      if (!t)
        throw IoError(fmt::format("{} is damaged: line {} is no row of a run", path.string(),
                                  lines.line_number()));
      const bool in_window = window.has(*t, *t);
      if (in_window) {
        if (!first) first = t;
        last = t;
      }
      for (std::size_t i = 0; i < cells.size(); ++i)
        if (const auto value = number_in(cells[i])) columns[i].add(*t, *value, in_window);
    }
  }
  if (!results.from) {
    results.from = first;
    results.to = last;
  }
  for (const AveragedColumn& column : columns)
    if (is_quantity(column.name())) results.quantities.push_back(column.result());
}

// probes.csv, probes.2.csv, ...
std::vector<std::filesystem::path> parts_of_probes(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> parts;
  for (int part = 1;; ++part) {
    parts.push_back(directory / probe_file("probes", std::to_string(part)));
    if (part > 1 && !is_there(parts.back())) break;
  }
  parts.pop_back();
  return parts;
}

}  // namespace

RunResults results_of(const Settings& settings, double end) {
  const std::filesystem::path directory = settings.output.directory;
  RunResults results;
  const TimeWindow window = window_of(settings, end);
  add_files({directory / "history.csv"}, window, results);
  add_files({directory / "forces.csv"}, window, results);
  if (!settings.probes.points.empty()) add_files(parts_of_probes(directory), window, results);
  return results;
}

}  // namespace hodge::sim
