#include "sim/app/output/history.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hodge::sim {
namespace {

std::vector<std::string> systems_of(const HistoryRow& row) {
  std::vector<std::string> systems;
  for (const HistoryRow::Solve& solve : row.solves) {
    if (std::find(systems.begin(), systems.end(), solve.system) == systems.end()) {
      systems.push_back(solve.system);
    }
  }
  return systems;
}

HistoryRow::Solve sum_over(const HistoryRow& row, const std::string& system) {
  HistoryRow::Solve sum{.system = system};
  for (const HistoryRow::Solve& solve : row.solves) {
    if (solve.system != system) continue;
    sum.iterations += solve.iterations;
    sum.seconds += solve.seconds;
  }
  return sum;
}

}  // namespace

HistoryWriter::HistoryWriter(RowFile file) : file_(std::move(file)) {}

void HistoryWriter::append(const HistoryRow& row) {
  if (systems_.empty()) systems_ = systems_of(row);
  const std::string text = file_.empty() ? header(row) : "";
  file_.append(text + line(row));
}

std::string HistoryWriter::header(const HistoryRow& row) const {
  std::string text = "step,t";
  for (const HistoryRow::Value& value : row.values) text += "," + value.name;
  for (const std::string& system : systems_) {
    text += fmt::format(",{0}_iterations,{0}_seconds", system);
  }
  return text + ",step_seconds\n";
}

std::string HistoryWriter::line(const HistoryRow& row) const {
  std::string text = fmt::format("{},{}", row.step, row.time);
  for (const HistoryRow::Value& value : row.values) {
    text += value.value ? fmt::format(",{}", *value.value) : ",";
  }
  for (const std::string& system : systems_) {
    const HistoryRow::Solve sum = sum_over(row, system);
    text += row.step_seconds ? fmt::format(",{},{:.6g}", sum.iterations, sum.seconds) : ",,";
  }
  return text + (row.step_seconds ? fmt::format(",{:.6g}\n", *row.step_seconds) : ",\n");
}

}  // namespace hodge::sim
