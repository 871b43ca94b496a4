#include "sim/app/compare/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/median.hpp"

namespace hodge::sim {
namespace {

struct GuessRecord {
  std::string name;
  std::vector<double> residuals{}, iterations{};
  double seconds = 0, make_seconds = 0;
  int failures = 0;
};

void add(const ComparedGuess& guess, double rhs_norm, GuessRecord& record) {
  const double scale = rhs_norm > 0 ? rhs_norm : 1.0;
  record.residuals.push_back(guess.report.initial_residual / scale);
  if (!guess.report.converged()) {
    ++record.failures;
    return;
  }
  record.iterations.push_back(guess.report.iterations);
  record.seconds += guess.seconds;
  record.make_seconds += guess.make_seconds;
}

std::vector<GuessRecord> guess_records(std::span<const ComparedSystem> systems, SystemKind kind) {
  std::vector<GuessRecord> records;
  for (const ComparedSystem& system : systems) {
    if (system.kind != kind) continue;
    for (const ComparedGuess& guess : system.guesses) {
      const std::string name = guess.guess + (guess.configured ? " (configured)" : "");
      auto record = std::find_if(records.begin(), records.end(),
                                 [&](const GuessRecord& known) { return known.name == name; });
      if (record == records.end()) record = records.insert(record, GuessRecord{.name = name});
      add(guess, system.rhs_norm, *record);
    }
  }
  return records;
}

struct SolveCosts {
  std::vector<double> iterations, seconds;
  int failures = 0;

  void add(const linalg::SolveReport& report, double cost) {
    if (!report.converged()) ++failures;
    if (!report.converged()) return;
    iterations.push_back(report.iterations);
    seconds.push_back(cost);
  }
  Json row(const std::string& name) const {
    return {{"habit", name},
            {"iterations", median(iterations)},
            {"ms", 1e3 * median(seconds)},
            {"failures", failures}};
  }
};

}  // namespace

std::optional<Table> guess_savings(std::span<const ComparedSystem> systems, SystemKind kind) {
  const std::vector<GuessRecord> records = guess_records(systems, kind);
  if (records.empty()) return std::nullopt;
  Table table("guess", fmt::format("{}: what the starting guess saves", name_of(kind)),
              {{"guess", "guess"},
               {"residual", "norm(b-A x0)/norm(b)", "{:.1e}"},
               {"iterations", "iterations"},
               {"ms", "ms", "{:.3g}"},
               {"make_ms", "ms of the guess", "{:.3g}"},
               {"failures", "failed"}});
  for (const GuessRecord& record : records) {
    const auto solved = static_cast<double>(std::max<std::size_t>(1, record.iterations.size()));
    table.add({{"guess", record.name},
               {"residual", median(record.residuals)},
               {"iterations", median(record.iterations)},
               {"ms", 1e3 * record.seconds / solved},
               {"make_ms", 1e3 * record.make_seconds / solved},
               {"failures", record.failures}});
  }
  return table;
}

std::optional<Table> refresh_costs(std::span<const ComparedSystem> systems, SystemKind kind) {
  SolveCosts anew, kept;
  long since = 0;
  for (const ComparedSystem& system : systems) {
    if (system.kind != kind || !system.kept || system.step == system.kept->made_in_step) continue;
    since = system.kept->made_in_step;
    anew.add(system.solves.front().report, system.solves.front().seconds);
    kept.add(system.kept->report, system.kept->seconds);
  }
  if (anew.iterations.empty()) return std::nullopt;
  Table table("refresh", fmt::format("{}: the preconditioner made anew or kept", name_of(kind)),
              {{"habit", "preconditioner"},
               {"iterations", "iterations"},
               {"ms", "ms with making it", "{:.3g}"},
               {"failures", "failed"}});
  table.add(anew.row("made anew"));
  table.add(kept.row(fmt::format("kept from step {}", since)));
  return table;
}

}  // namespace hodge::sim
