#include "sim/app/run/results.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <span>
#include <string_view>

#include "sim/app/output/time_average.hpp"

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
  QuantityResult result() const {
    if (!(average_.to() > average_.from())) return {name_, last_, {}, {}};
    return {name_, last_, average_.mean(0), average_.rms(0)};
  }

 private:
  std::string name_;
  std::optional<double> last_;
  TimeAverage average_{1};
};

// The quantities of a file with the columns `step` and `t`.
void add_file(const std::filesystem::path& path, const TimeWindow& window, RunResults& results) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return;
  const std::string header = line;
  const std::vector<std::string_view> names = cells_of(header);
  std::vector<AveragedColumn> columns(names.begin(), names.end());
  constexpr std::size_t time_column = 1;
  std::optional<double> first, last;
  while (std::getline(file, line)) {
    const std::vector<std::string_view> cells = cells_of(line);
    if (cells.size() != names.size()) continue;
    const auto t = number_in(cells[time_column]);
    if (!t) continue;
    const bool in_window = window.has(*t, *t);
    if (in_window) {
      if (!first) first = t;
      last = t;
    }
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (const auto value = number_in(cells[i])) columns[i].add(*t, *value, in_window);
  }
  if (!results.from) {
    results.from = first;
    results.to = last;
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (is_quantity(names[i])) results.quantities.push_back(columns[i].result());
}

}  // namespace

RunResults results_of(const Settings& settings, double end) {
  const std::filesystem::path directory = settings.output.directory;
  RunResults results;
  for (const char* file : {"history.csv", "forces.csv", "probes.csv"})
    add_file(directory / file, window_of(settings, end), results);
  return results;
}

}  // namespace hodge::sim
