#include "sim/output/history.hpp"

#include <fcntl.h>
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

HistoryWriter::HistoryWriter(const std::filesystem::path& path, bool has_exact_solution)
    : file_(path, O_WRONLY | O_CREAT | O_TRUNC), has_exact_solution_(has_exact_solution) {}

void HistoryWriter::append(const HistoryRow& row) {
  std::string text;
  if (!systems_) {
    systems_ = systems_of(row);
    text = header();
  }
  text += line(row);
  const long long whole_rows = file_.size();
  try {
    file_.write(text);
  } catch (const IoError&) {
    file_.truncate(whole_rows);
    throw;
  }
}

std::string HistoryWriter::header() const {
  std::string text = "step,t,dt,cfl,kinetic_energy,max_divergence";
  if (has_exact_solution_) text += ",velocity_error_l2,velocity_error_max";
  for (const std::string& system : *systems_) {
    text += fmt::format(",{0}_iterations,{0}_seconds", system);
  }
  return text + ",step_seconds\n";
}

std::string HistoryWriter::line(const HistoryRow& row) const {
  std::string text = fmt::format("{},{},{},{},{},{}", row.step, row.time, row.dt, row.cfl,
                                 row.kinetic_energy, row.max_divergence);
  if (has_exact_solution_) {
    text += row.velocity_error
                ? fmt::format(",{},{}", row.velocity_error->l2, row.velocity_error->max)
                : ",,";
  }
  for (const std::string& system : *systems_) {
    const HistoryRow::Solve sum = sum_over(row, system);
    text += fmt::format(",{},{:.6g}", sum.iterations, sum.seconds);
  }
  return text + fmt::format(",{:.6g}\n", row.step_seconds);
}

}  // namespace hodge::sim
