#include "sim/app/run/results.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linalg/files/directories.hpp"
#include "sim/app/output/probe_files.hpp"
#include "sim/app/output/time_average.hpp"
#include "sim/app/run/run_rows.hpp"

namespace hodge::sim {
namespace {

bool is_quantity(std::string_view column) {
  constexpr std::array<std::string_view, 5> facts{"step", "t", "dt", "cfl", "max_divergence"};
  return std::ranges::find(facts, column) == facts.end() && !column.ends_with("_iterations") &&
         !column.ends_with("_seconds");
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
std::vector<AveragedColumn> columns_of(const RowCells& header,
                                       const std::vector<AveragedColumn>& before) {
  std::vector<AveragedColumn> columns;
  for (const std::string_view name : header) {
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
  std::optional<double> first, last;
  for (const std::filesystem::path& path : paths)
    read_rows(
        path, [&](const RowCells& header) { columns = columns_of(header, columns); },
        [&](double t, const RowCells& cells) {
          const bool in_window = window.has(t, t);
          if (in_window) {
            if (!first) first = t;
            last = t;
          }
          for (std::size_t i = 0; i < cells.size(); ++i)
            if (const auto value = number_in(cells[i])) columns[i].add(t, *value, in_window);
        });
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

TimeWindow results_window(const Settings& settings, double end) {
  if (settings.output.statistics) return statistics_window(settings.output);
  return {0.5 * end, end};
}

RunResults results_of(const Settings& settings, double end) {
  const std::filesystem::path directory = settings.output.directory;
  RunResults results;
  const TimeWindow window = results_window(settings, end);
  add_files({directory / "history.csv"}, window, results);
  add_files({directory / "forces.csv"}, window, results);
  if (!settings.probes.points.empty()) add_files(parts_of_probes(directory), window, results);
  return results;
}

}  // namespace hodge::sim
