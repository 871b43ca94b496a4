#include "sim/app/compare/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/median.hpp"

namespace hodge::sim {
namespace {

// What the solves of one habit have cost; of those that failed only their number counts.
struct HabitRecord {
  std::string name;
  std::vector<double> residuals{}, iterations{}, seconds{};  // residuals: of the start
  double sum_of_seconds = 0, make_seconds = 0;
  int failures = 0;

  void add(const linalg::SolveReport& report, double of_solve) {
    if (!report.converged()) ++failures;
    if (!report.converged()) return;
    iterations.push_back(report.iterations);
    seconds.push_back(of_solve);
    sum_of_seconds += of_solve;
  }
};

std::vector<HabitRecord> guess_records(std::span<const ComparedSystem> systems, SystemKind kind) {
  std::vector<HabitRecord> records;
  for (const ComparedSystem& system : systems) {
    if (system.kind != kind) continue;
    const double scale = system.rhs_norm > 0 ? system.rhs_norm : 1.0;
    for (const ComparedGuess& guess : system.guesses) {
      const std::string name = guess.guess + (guess.configured ? " (configured)" : "");
      auto record = std::find_if(records.begin(), records.end(),
                                 [&](const HabitRecord& known) { return known.name == name; });
      if (record == records.end()) record = records.insert(record, HabitRecord{.name = name});
      record->residuals.push_back(guess.report.initial_residual / scale);
      record->add(guess.report, guess.seconds);
      if (guess.report.converged()) record->make_seconds += guess.make_seconds;
    }
  }
  return records;
}

}  // namespace

std::optional<Table> guess_savings(std::span<const ComparedSystem> systems, SystemKind kind) {
  const std::vector<HabitRecord> records = guess_records(systems, kind);
  if (records.empty()) return std::nullopt;
  Table table("guess", fmt::format("{}: what the starting guess saves", name_of(kind)),
              {{"guess", "guess"},
               {"residual", "norm(b-A x0)/norm(b)", "{:.1e}"},
               {"iterations", "iterations"},
               {"ms", "ms", "{:.3g}"},
               {"make_ms", "ms of the guess", "{:.3g}"},
               {"failures", "failed"}});
  for (const HabitRecord& record : records) {
    const auto solved = static_cast<double>(std::max<std::size_t>(1, record.iterations.size()));
    table.add({{"guess", record.name},
               {"residual", median(record.residuals)},
               {"iterations", median(record.iterations)},
               {"ms", 1e3 * record.sum_of_seconds / solved},
               {"make_ms", 1e3 * record.make_seconds / solved},
               {"failures", record.failures}});
  }
  return table;
}

std::optional<Table> refresh_costs(std::span<const ComparedSystem> systems, SystemKind kind) {
  HabitRecord anew{.name = "made anew"}, kept;
  for (const ComparedSystem& system : systems) {
    if (system.kind != kind || !system.kept || system.step == system.kept->made_in_step) continue;
    kept.name = fmt::format("kept from step {}", system.kept->made_in_step);
    anew.add(system.solves.front().report, system.solves.front().seconds);
    kept.add(system.kept->report, system.kept->seconds);
  }
  if (anew.iterations.empty()) return std::nullopt;
  Table table("refresh", fmt::format("{}: the preconditioner made anew or kept", name_of(kind)),
              {{"habit", "preconditioner"},
               {"iterations", "iterations"},
               {"ms", "ms with making it", "{:.3g}"},
               {"failures", "failed"}});
  for (const HabitRecord& record : {anew, kept})
    table.add({{"habit", record.name},
               {"iterations", median(record.iterations)},
               {"ms", 1e3 * median(record.seconds)},
               {"failures", record.failures}});
  return table;
}

}  // namespace hodge::sim
