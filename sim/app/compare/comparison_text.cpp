#include "sim/app/compare/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/app/config/solver_to_yaml.hpp"
#include "sim/compare/solver_text.hpp"

namespace hodge::sim {
namespace {

bool has_solved(const RankedSolver& solver) {
  return solver.failures < solver.systems;
}

Table ranking_table(const std::vector<RankedSolver>& ranked, SystemKind kind) {
  Table table("ranking", fmt::format("{}: fastest first", name_of(kind)),
              {{"solver", "solver"},
               {"failures", "failed"},
               {"median_iterations", "iterations"},
               {"worst_iterations", "worst"},
               {"median_ms", "ms", "{:.3g}"},
               {"worst_ms", "worst ms", "{:.3g}"},
               {"times", "time / configured", "{:.2f}"},
               {"digits", "digits/s", "{:.3g}"},
               {"setup", "setup %", "{:.1f}"},
               {"copy", "% of copy", "{:.0f}"}});
  const RankedSolver& configured = configured_of(ranked);
  for (const RankedSolver& solver : ranked) {
    Json row{{"solver", name_text(solver)}, {"failures", solver.failures}};
    if (has_solved(solver)) {
      row["median_iterations"] = solver.median_iterations;
      row["worst_iterations"] = solver.worst_iterations;
      row["median_ms"] = 1e3 * solver.median_seconds;
      row["worst_ms"] = 1e3 * solver.worst_seconds;
      if (solver.failures == 0 && solver.given_up.empty() && configured.failures == 0 &&
          configured.total_seconds > 0)
        row["times"] = solver.total_seconds / configured.total_seconds;
      row["digits"] = solver.digits_per_second;
      row["setup"] = 100 * solver.setup_share;
      if (solver.share_of_copy > 0) row["copy"] = 100 * solver.share_of_copy;
    }
    table.add(row);
  }
  return table;
}

Table accuracy_table(const std::vector<RankedSolver>& ranked, SystemKind kind) {
  std::vector<Column> columns{{"solver", "solver"},
                              {"residual", "norm(b-Ax)/norm(b)", "{:.1e}"},
                              {"gap", "gap to recurrence", "{:.1e}"},
                              {"difference", "error / reference", "{:.1e}"}};
  if (kind == SystemKind::pressure) columns.push_back({"divergence", "max abs(div u)", "{:.1e}"});
  Table table("accuracy", fmt::format("{}: worst residuals and errors", name_of(kind)), columns);
  for (const RankedSolver& solver : ranked) {
    if (!has_solved(solver)) continue;
    table.add({{"solver", name_text(solver)},
               {"residual", solver.worst_residual},
               {"gap", solver.worst_gap},
               {"difference", solver.worst_difference},
               {"divergence", solver.worst_divergence}});
  }
  return table;
}

struct KindSummary {
  int systems = 0, rows = 0;
  long first_step = 0, last_step = 0;
  double attainable = 0;  // worst |b - A x| / |b| of the references
  double defect = 0;      // worst |mean b| sqrt(n) / |b|
  bool has_reference = false, singular = false;
};

KindSummary summary_of(std::span<const ComparedSystem> systems, SystemKind kind) {
  KindSummary summary;
  for (const ComparedSystem& system : systems) {
    if (system.kind != kind) continue;
    if (summary.systems++ == 0) summary.first_step = system.step;
    summary.last_step = system.step;
    summary.rows = std::max(summary.rows, system.rows);
    const double scale = system.rhs_norm > 0 ? system.rhs_norm : 1.0;
    if (!system.reference.empty()) {
      summary.has_reference = true;
      summary.attainable = std::max(summary.attainable, system.reference_residual / scale);
    }
    if (!system.rhs_mean) continue;
    summary.singular = true;
    summary.defect =
        std::max(summary.defect, std::abs(*system.rhs_mean) * std::sqrt(system.rows) / scale);
  }
  return summary;
}

std::string heading(const KindSummary& summary, SystemKind kind) {
  return fmt::format("{}: {} system{} of up to {} unknowns, steps {} to {}", name_of(kind),
                     summary.systems, summary.systems == 1 ? "" : "s", summary.rows,
                     summary.first_step, summary.last_step);
}

// What became of those that failed or were given up.
std::vector<std::string> remarks_on_solvers(const std::vector<RankedSolver>& ranked) {
  std::vector<std::string> lines;
  for (const RankedSolver& solver : ranked) {
    if (solver.failures > 0)
      lines.push_back(fmt::format("{} failed {} of {} times, first in {}", name_text(solver),
                                  solver.failures, solver.systems, solver.first_failure));
    if (!solver.given_up.empty())
      lines.push_back(fmt::format("{}: {}", name_text(solver), solver.given_up));
  }
  return lines;
}

std::string remarks(const KindSummary& summary) {
  std::string text;
  if (summary.has_reference)
    text += fmt::format(
        "The reference solutions have |b-Ax|/|b| <= {:.1e}, the best that was attained.\n",
        summary.attainable);
  if (summary.singular)
    text += fmt::format(
        "A is singular; the part of b that no x can match, |mean b| sqrt(n) / |b|, is at most "
        "{:.1e}.\n",
        summary.defect);
  return text;
}

// The configured section with another method, which is removed from the fallbacks, where it would
// be tried a second time.
SystemSettings replaced(const SystemSettings& configured, const SystemSettings& by) {
  SystemSettings solver = configured;
  solver.method = by.method;
  solver.preconditioner = by.preconditioner;
  for (const auto& [name, value] : by.options) solver.options[name] = value;
  std::erase(solver.fallback, solver.method);
  return solver;
}

// The part of the compared steps that the best solver saves; of the solves where the seconds of the
// steps are not known.
double saving_of(const RankedSolver& best, const RankedSolver& configured, double steps_seconds) {
  const double whole = steps_seconds > 0 ? steps_seconds : configured.total_seconds;
  return whole > 0 ? (configured.total_seconds - best.total_seconds) / whole : 0.0;
}

std::string saving_text(double saving, double steps_seconds) {
  return fmt::format("{:.3g} % of {}", 100 * saving, steps_seconds > 0 ? "a step" : "its solves");
}

std::string how_much_faster(const RankedSolver& best, const RankedSolver& configured,
                            double steps_seconds) {
  const std::string than = "the configured " + solver_text(configured.settings);
  if (configured.failures > 0)
    return fmt::format("{} failed {} of {} times", than, configured.failures, configured.systems);
  return fmt::format("{:.2f} times faster than {}, and saves {}",
                     configured.total_seconds / best.total_seconds, than,
                     saving_text(saving_of(best, configured, steps_seconds), steps_seconds));
}

}  // namespace

std::string solver_advice(const std::vector<RankedSolver>& ranked, SystemKind kind,
                          double steps_seconds) {
  const RankedSolver& best = ranked.front();
  const RankedSolver& configured = configured_of(ranked);
  const std::string name = name_of(kind);
  if (best.failures > 0)
    return fmt::format(
        "{}: none of the {} solvers has solved all systems; {} failed the least, {} "
        "of {} times",
        name, ranked.size(), name_text(best), best.failures, best.systems);
  if (best.configured)
    return fmt::format("{}: keep {}, the fastest of {} solvers", name,
                       solver_text(configured.settings), ranked.size());
  const double saving = saving_of(best, configured, steps_seconds);
  if (configured.failures == 0 && saving < least_saving)
    return fmt::format("{}: no change pays: keep {}; the fastest, {}, would save {}", name,
                       solver_text(configured.settings), solver_text(best.settings),
                       saving_text(saving, steps_seconds));
  return fmt::format(
      "{}: {} takes {:.3g} ms a solve, {}; put this in the file: solvers: {{{}: {}}}", name,
      solver_text(best.settings), 1e3 * best.median_seconds,
      how_much_faster(best, configured, steps_seconds), name,
      section_to_yaml(replaced(configured.settings, best.settings)));
}

std::string comparison_text(std::span<const ComparedSystem> systems, double steps_seconds) {
  std::string text, advices;
  for (const SystemKind kind : system_kinds) {
    const std::vector<RankedSolver> ranked = ranking(systems, kind);
    if (ranked.empty()) continue;
    text += heading(summary_of(systems, kind), kind) + "\n" + ranking_table(ranked, kind).text();
    for (const std::string& line : remarks_on_solvers(ranked)) text += "  " + line + "\n";
    for (const auto& table : {guess_savings(systems, kind), refresh_costs(systems, kind)})
      if (table) text += table->title() + "\n" + table->text();
    advices += "\n" + solver_advice(ranked, kind, steps_seconds);
  }
  return text.empty() ? "no step was compared" : text + "advice" + advices;
}

std::string comparison_markdown(std::span<const ComparedSystem> systems, double steps_seconds) {
  std::string text = "# Comparison of solvers\n";
  for (const SystemKind kind : system_kinds) {
    const std::vector<RankedSolver> ranked = ranking(systems, kind);
    if (ranked.empty()) continue;
    const KindSummary summary = summary_of(systems, kind);
    text += fmt::format("\n## {}\n\n**{}**\n\n{}\n", heading(summary, kind),
                        solver_advice(ranked, kind, steps_seconds),
                        ranking_table(ranked, kind).markdown());
    for (const std::string& line : remarks_on_solvers(ranked)) text += "- " + line + "\n";
    text += fmt::format("\n{}\n{}", accuracy_table(ranked, kind).markdown(), remarks(summary));
    for (const auto& table : {guess_savings(systems, kind), refresh_costs(systems, kind)})
      if (table) text += "\n" + table->markdown();
  }
  return text;
}

}  // namespace hodge::sim
