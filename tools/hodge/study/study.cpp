#include "tools/hodge/study/study.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/app/config/default_solvers.hpp"
#include "sim/compare/ranking.hpp"
#include "sim/compare/solver_text.hpp"
#include "sim/flow/transport_method.hpp"
#include "sim/model/schemes.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools {
namespace {

using sim::SystemKind;

constexpr double reference_factor = 1e-3;  // of the tightest tolerance
constexpr double tightest_reference = 1e-13;
constexpr double loosest_reference = 1e-10;
constexpr std::size_t most_tightenings = 6;

// The solvers to try where the file has no section compare.
std::vector<sim::SystemSettings> usual_solvers(const sim::SystemSettings& configured,
                                               bool symmetric, bool has_box) {
  std::vector<sim::SystemSettings> usual;
  const auto add = [&](const char* method, const linalg::PreconditionerSettings& preconditioner) {
    sim::SystemSettings settings = configured;
    settings.method = method;
    settings.preconditioner = preconditioner;
    settings.fallback.clear();
    usual.push_back(settings);
  };
  const linalg::PreconditionerSettings jacobi{"jacobi"};
  if (has_box) add("capacitance", {"none"});
  if (symmetric) {
    add("cg", {"multigrid", {{"smoother", sim::default_smoother}}});
    add("cg", {"ssor_sai", {{"order", 2}, {"omega", 1.6}}});
  }
  add(symmetric ? "cg" : "bicgstab", jacobi);
  if (!symmetric) add("gmres", jacobi);
  return usual;
}

// The configured solver first, then those that are likely to be fast.
std::vector<sim::SystemSettings> solvers(const sim::Settings& settings, const sim::Problem& problem,
                                         SystemKind kind) {
  sim::Settings chosen = sim::with_chosen_methods(settings, problem);
  const sim::SystemSettings& configured = solver_of(chosen, kind);
  std::vector<sim::SystemSettings> listed;
  if (settings.compare) {
    listed = kind == SystemKind::pressure    ? settings.compare->pressure
             : kind == SystemKind::transport ? settings.compare->transport
                                             : settings.compare->scalars;
  } else {
    const bool symmetric = kind == SystemKind::pressure ||
                           sim::find_time_scheme(settings.time.scheme).has_symmetric_transport();
    listed = usual_solvers(configured, symmetric,
                           kind == SystemKind::pressure && !problem.solids.empty());
  }
  std::vector<sim::SystemSettings> all{configured};
  for (const sim::SystemSettings& entry : listed) {
    const auto same = [&](const auto& other) { return sim::same_solver(other, entry); };
    if (std::ranges::none_of(all, same)) all.push_back(entry);
  }
  return all;
}

// With a tolerance.
struct Fastest {
  std::string solver;
  double seconds = 0;  // of all its systems in the short run
};

bool ended_well(const ShortRun& run) {
  return !run.failure && !run.given_up;
}

std::string given_up_text(const TimeLimit& limit, const ShortRun& tried, const Fastest& fastest) {
  return fmt::format("given up in step {}: beyond {:.2g} s, the fastest is {} with {:.2g} s",
                     tried.steps.size() + 1, limit.seconds, fastest.solver, fastest.seconds);
}

// The next tighter tolerance: of those that were tried; below the tightest, a tenth.
LoosestTolerance::Trial next_tighter(std::vector<LoosestTolerance::Trial>& trials) {
  const LoosestTolerance::Trial last = trials.back();
  if (trials.size() > 1)
    trials.pop_back();
  else
    trials = {{std::stod(fmt::format("{:.3g}", last.tolerance / 10)), last.change / 10}};
  return trials.back();
}

}  // namespace

std::string tolerance_text(double tolerance) {
  constexpr int most_digits = 15;
  std::string text;
  for (int digits = 0; digits <= most_digits; ++digits) {
    text = fmt::format("{:.{}e}", tolerance, digits);
    if (std::abs(std::stod(text) - tolerance) <= 1e-12 * tolerance) break;
  }
  return text;
}

sim::SystemSettings& solver_of(sim::Settings& settings, SystemKind kind) {
  if (kind == SystemKind::pressure) return settings.pressure;
  return kind == SystemKind::transport ? settings.transport : settings.scalars;
}

Study::Study(const Job& job, const StudyRules& rules, sim::FlowLeader* leader)
    : job_(job), leader_(leader), rules_(rules), tight_(job.settings) {
  std::vector<double>& tolerances = rules_.tolerances;  // from here on the tightest first
  std::ranges::sort(tolerances);
  tight_.compare.reset();
  tight_.pressure.stop = "residual";
  const double asked = std::max(reference_factor * tolerances.front(), tightest_reference);
  for (reference_tolerance_ = asked;; reference_tolerance_ *= 10) {
    for (const SystemKind kind : sim::system_kinds)
      solver_of(tight_, kind).tolerance = reference_tolerance_;
    reference_ = short_run(leader, tight_, job.problem, rules.steps);
    if (!reference_.failure) return;
    if (reference_tolerance_ >= loosest_reference)
      throw failure(
          "the reference run of the study failed: {}; take another solver in the file, or larger "
          "--tolerances",
          *reference_.failure);
  }
}

ShortRun Study::run(const sim::Settings& settings, std::optional<TimeLimit> limit) const {
  return short_run(leader_, settings, job_.problem, rules_.steps, reference_.steps, limit);
}

std::optional<LoosestTolerance> Study::find(SystemKind kind, sim::Table& table) const {
  std::optional<LoosestTolerance> fastest;
  std::map<double, Fastest> at;  // tolerance
  for (sim::SystemSettings solver : solvers(job_.settings, job_.problem, kind)) {
    solver.stop = "residual";
    std::optional<LoosestTolerance> loosest;
    for (const double tolerance : rules_.tolerances) {
      solver.tolerance = tolerance;
      sim::Settings settings = tight_;
      solver_of(settings, kind) = solver;
      std::optional<TimeLimit> limit;
      if (rules_.give_up && at.contains(tolerance))
        limit = {kind, std::max(*rules_.give_up * at[tolerance].seconds, rules_.least_limit)};
      const ShortRun tried = run(settings, limit);
      const double seconds = tried.cost_of(kind).seconds(), change = change_of(tried).largest;
      const bool unchanged = ended_well(tried) && change <= rules_.within;
      table.add(row_of(solver, kind, tried,
                       tried.given_up ? given_up_text(*limit, tried, at[tolerance])
                       : unchanged    ? "unchanged"
                                      : tried.failure.value_or("changed")));
      if (ended_well(tried) && (!at.contains(tolerance) || seconds < at[tolerance].seconds))
        at[tolerance] = {sim::solver_text(solver), seconds};
      if (!unchanged) break;
      std::vector<LoosestTolerance::Trial> trials;
      if (loosest) trials = std::move(loosest->trials);
      trials.push_back({tolerance, change});
      loosest = {solver, seconds, std::move(trials)};
    }
    if (loosest && (!fastest || loosest->seconds < fastest->seconds)) fastest = loosest;
  }
  return fastest;
}

sim::Json Study::row_of(const sim::SystemSettings& solver, SystemKind kind, const ShortRun& tried,
                        const std::string& verdict) const {
  const SystemCost& cost = tried.cost_of(kind);
  sim::Json row{{"kind", sim::name_of(kind)},
                {"solver", sim::solver_text(solver)},
                {"tolerance", tolerance_text(solver.tolerance)},
                {"seconds", cost.seconds()},
                {"verdict", verdict}};
  if (!cost.solves.empty())
    row["iterations"] =
        static_cast<double>(cost.iterations) / static_cast<double>(cost.solves.size());
  if (!ended_well(tried)) return row;
  const Change change = change_of(tried);
  row["change"] = change.largest;
  row["quantity"] = change.quantity;
  row["divergence"] = tried.max_divergence;
  return row;
}

std::optional<Study::Confirmation> Study::confirm(FoundTolerances found) const {
  Confirmation together{job_.settings, {}, {}, {}};
  together.settings.compare.reset();
  for (const auto& [kind, loosest] : found) solver_of(together.settings, kind) = loosest.settings;
  for (;;) {
    together.run = run(together.settings);
    together.change = change_of(together.run);
    if (!together.run.failure && together.change.largest <= rules_.within) return together;
    if (found.empty() || together.tightenings.size() == most_tightenings) return std::nullopt;
    auto& [kind, loosest] = *std::ranges::max_element(found, [](const auto& a, const auto& b) {
      return a.second.trials.back().change < b.second.trials.back().change;
    });
    double& tolerance = solver_of(together.settings, kind).tolerance;
    const double from = std::exchange(tolerance, next_tighter(loosest.trials).tolerance);
    together.tightenings.push_back({together.run.failure, together.change, kind, from, tolerance});
  }
}

double saving(const ShortRun& from, const ShortRun& to, SystemKind kind) {
  const double whole = from.seconds();
  return whole > 0 ? (from.cost_of(kind).seconds() - to.cost_of(kind).seconds()) / whole : 0.0;
}

// Where some kinds keep the solver of the file, the quantities have to be unchanged with that too.
Study::Advice Study::advise(const Confirmation& confirmed) const {
  sim::Settings settings = job_.settings, found = confirmed.settings;
  settings.compare.reset();
  Advice advice;
  advice.file = run(settings);
  const auto is_good = [&](const ShortRun& tried) {
    return !tried.failure && change_of(tried).largest <= rules_.within;
  };
  advice.file_is_good = is_good(advice.file);
  std::vector<SystemKind> all;
  for (const SystemKind kind : sim::system_kinds) {
    if (!has(kind)) continue;
    all.push_back(kind);
    advice.savings.emplace_back(kind, saving(advice.file, confirmed.run, kind));
    if (advice.savings.back().second < sim::least_saving) continue;
    advice.kinds.push_back(kind);
    solver_of(settings, kind) = solver_of(found, kind);
  }
  const bool mixed = !advice.kinds.empty() && advice.kinds.size() < all.size();
  if (!advice.file_is_good || (mixed && !is_good(run(settings)))) advice.kinds = all;
  return advice;
}

}  // namespace hodge::tools
