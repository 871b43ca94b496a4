#include "sim/app/run/run_comparison.hpp"

#include <fmt/format.h>

#include <utility>

#include "sim/compare/ranking.hpp"
#include "sim/compare/solver_text.hpp"

namespace hodge::sim {
namespace {

std::string line_of(const ComparedSystem& system) {
  const RankedSolver best = ranking(std::span(&system, 1), system.kind).front();
  const std::string compared = fmt::format("step {}, {}: {} solvers compared", system.step,
                                           system.name, system.solves.size());
  if (best.failures > 0) return compared + ", none has converged";
  return fmt::format("{}, the fastest {} in {:.3g} ms", compared, solver_text(best.settings),
                     1e3 * best.total_seconds);
}

}  // namespace

RunComparison::RunComparison(Flow& flow, const Settings& settings, const ComparisonStart& start,
                             Console& console)
    : flow_(flow), console_(console) {
  if (!settings.compare) return;
  files_.emplace(start, *settings.compare);
  flow.compare_solvers(settings, this);
}

RunComparison::~RunComparison() {
  if (files_) flow_.compare_solvers({}, nullptr);
}

void RunComparison::add(ComparedSystem system) {
  const std::string line = line_of(system);
  console_.plain(line);
  console_.redraw(line);
  files_->add(std::move(system));
}

void RunComparison::report() const {
  if (files_) console_.line(files_->finish());
}

}  // namespace hodge::sim
