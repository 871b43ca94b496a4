// How loosely the linear systems of a case may be solved: a short run is repeated over tolerances
// and solvers, one kind of system at a time while the others are solved to the reference's
// tolerance, and its quantities are compared with those of the reference. All solves stop by their
// residuals, those of the pressure too.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "sim/base/median.hpp"
#include "sim/base/table.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/compare_settings.hpp"
#include "sim/model/system_settings.hpp"
#include "sim/processes/leading_flow.hpp"
#include "tools/hodge/program/job_text.hpp"

namespace hodge::tools {

// The cost of the systems of one kind.
struct SystemCost {
  long iterations = 0;
  std::vector<double> solves;  // seconds of each

  // The median times the number of solves, so that interruptions by other programs do not count.
  double seconds() const { return sim::median(solves) * static_cast<double>(solves.size()); }
};

// A few steps of a case without any output: what its quantities were at each step, and what its
// systems cost.
struct ShortRun {
  std::optional<std::string> failure;                     // why it ended early
  bool given_up = false;                                  // by its TimeLimit
  std::vector<double> steps;                              // dt of each
  std::vector<double> step_seconds;                       // how long each took
  std::vector<std::vector<sim::Quantity>> quantities;     // after each step
  std::array<SystemCost, sim::system_kinds.size()> cost;  // of each kind of system
  double max_divergence = 0;                              // at the end, 1/T

  const SystemCost& cost_of(sim::SystemKind kind) const {
    return cost[static_cast<std::size_t>(kind)];
  }
  // Of all steps; the median times their number, as SystemCost::seconds().
  double seconds() const {
    return sim::median(step_seconds) * static_cast<double>(step_seconds.size());
  }
};

// A run ends where the systems of a kind take longer.
struct TimeLimit {
  sim::SystemKind kind;
  double seconds;  // of all steps, as SystemCost::seconds()
};

// By all processes that the leader leads; null: by this one. Takes `count` steps, fewer where the
// case ends before; with `steps` given, of those sizes.
ShortRun short_run(sim::FlowLeader* leader, sim::Settings settings, const sim::Problem& problem,
                   long count, std::span<const double> steps = {},
                   std::optional<TimeLimit> limit = {});

// The largest change of a quantity from the reference: over the steps, as a fraction of the largest
// size of the quantity in the reference. Quantities that are zero there but for rounding are left
// out.
struct Change {
  double largest = 0;
  std::string quantity;  // whose change it is
};
Change change_from(const ShortRun& reference, const ShortRun& run);

// What the systems of a kind save of the whole steps, as a fraction; < 0: they take longer.
double saving(const ShortRun& from, const ShortRun& to, sim::SystemKind kind);

struct StudyRules {
  long steps = 20;
  double within = 1e-4;  // the change of a quantity that counts as none
  std::vector<double> tolerances{1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
  // A solver is given up that takes so many times as long as the fastest with the same tolerance;
  // absent: none is.
  std::optional<double> give_up = sim::default_give_up;
  // None is given up before: shorter runs scatter, and cost little.
  double least_limit = 0.1;  // seconds
};

// A solver at its loosest tolerance that leaves the quantities unchanged while all other systems
// are solved to the reference's.
struct LoosestTolerance {
  struct Trial {
    double tolerance, change;
  };
  sim::SystemSettings settings;
  double seconds = 0;         // of all systems of its kind in the short run
  std::vector<Trial> trials;  // that left the quantities unchanged, the loosest last
};

using FoundTolerances = std::vector<std::pair<sim::SystemKind, LoosestTolerance>>;

// 1e-06, 2.5e-05: with as few digits as possible.
std::string tolerance_text(double tolerance);

class Study {
 public:
  // Makes the reference run. Errors: NumericalError where it fails at every tolerance.
  Study(const Job& job, const StudyRules& rules, sim::FlowLeader* leader = nullptr);

  double reference_tolerance() const { return reference_tolerance_; }
  const ShortRun& reference() const { return reference_; }
  // Whether there are systems of the kind.
  bool has(sim::SystemKind kind) const { return !reference_.cost_of(kind).solves.empty(); }

  // Tries every solver of the kind at every tolerance until the quantities change or it is given
  // up; the configured solver comes first and is not. Each trial adds a row to the table. Returns
  // the solver that was fastest at its loosest tolerance, if any.
  std::optional<LoosestTolerance> find(sim::SystemKind kind, sim::Table& table) const;

  // Changes of several kinds add up: where those of all solvers together go too far, the kind whose
  // own change is the largest takes the next tighter tolerance.
  struct Tightening {
    std::optional<std::string> failure;  // of the run that was not good enough
    Change change;                       // or how far it went
    sim::SystemKind kind;
    double from, to;
  };
  // The whole short run with these solvers, tightened until the quantities are unchanged.
  struct Confirmation {
    sim::Settings settings;
    ShortRun run;
    Change change;
    std::vector<Tightening> tightenings;
  };
  std::optional<Confirmation> confirm(FoundTolerances found) const;

  // What is worth changing in the file.
  struct Advice {
    // The solvers to put there; empty: no change pays.
    std::vector<sim::SystemKind> kinds;
    // Otherwise the file's solvers have to be replaced, whatever that saves.
    bool file_is_good = true;
    // Of each kind that there is, of the file's whole steps.
    std::vector<std::pair<sim::SystemKind, double>> savings;
    ShortRun file;  // the short run with the file's solvers
  };
  Advice advise(const Confirmation& confirmed) const;

  Change change_of(const ShortRun& run) const { return change_from(reference_, run); }

 private:
  // Of the table of find().
  sim::Json row_of(const sim::SystemSettings& solver, sim::SystemKind kind, const ShortRun& tried,
                   const std::string& verdict) const;
  ShortRun run(const sim::Settings& settings, std::optional<TimeLimit> limit = {}) const;

  const Job& job_;
  sim::FlowLeader* leader_;
  StudyRules rules_;
  sim::Settings tight_;
  double reference_tolerance_;
  ShortRun reference_;
};

sim::SystemSettings& solver_of(sim::Settings& settings, sim::SystemKind kind);

}  // namespace hodge::tools
