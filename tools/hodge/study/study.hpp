// How loosely the linear systems of a case may be solved: a short run is repeated over tolerances
// and solvers, one kind of system at a time while the others are solved to the reference's
// tolerance, and its quantities are compared with those of the reference. All solves stop by their
// residuals, those of the pressure too.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/table.hpp"
#include "tools/hodge/program/job.hpp"
#include "tools/hodge/study/short_run.hpp"

namespace hodge::tools {

struct StudyRules {
  long steps = 20;
  double within = 1e-4;  // the change of a quantity that counts as none
  std::vector<double> tolerances{1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};  // tightest first
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
  Study(const Job& job, const StudyRules& rules);

  double reference_tolerance() const { return reference_tolerance_; }
  const ShortRun& reference() const { return reference_; }
  // Whether there are systems of the kind.
  bool has(sim::SystemKind kind) const { return !reference_.cost_of(kind).solves.empty(); }

  // Tries every solver of the kind at every tolerance until the quantities change; each trial adds
  // a row to the table. Returns the solver that was fastest at its loosest tolerance, if any.
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

  ShortRun configured()
      const;  // the short run with the file's solvers, in the steps of the reference
  Change change_of(const ShortRun& run) const { return change_from(reference_, run); }

 private:
  ShortRun run(const sim::Settings& settings) const;

  const Job& job_;
  StudyRules rules_;
  sim::Settings tight_;
  double reference_tolerance_;
  ShortRun reference_;
};

sim::SystemSettings& solver_of(sim::Settings& settings, sim::SystemKind kind);

sim::Table study_table();

}  // namespace hodge::tools
