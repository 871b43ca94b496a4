#include "sim/run/step_records.hpp"

#include <exception>

#include "sim/run/wall_clock.hpp"

namespace hodge::sim {

namespace {

// Exact solutions are evaluated on the host: on grids beyond this many cells that would take longer
// than the step itself, so that their errors are taken at frames alone.
constexpr long long cells_with_errors_every_step = 1 << 14;

std::vector<std::string> exact_fields(const Problem& problem) {
  std::vector<std::string> fields;
  if (problem.exact) fields.push_back("velocity");
  for (const ScalarProblem& scalar : problem.scalars)
    if (scalar.exact) fields.push_back(scalar.name);
  return fields;
}

// Does everything that it is given and throws the first error at the end.
class FirstError {
 public:
  template <class Action>
  void of(Action action) {
    try {
      action();
    } catch (const IoError&) {
      if (!error_) error_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::exception_ptr error_;
};

}  // namespace

StepRecords::StepRecords(Flow& flow, const Settings& settings, const Problem& problem,
                         const RunDirectory& directory, RowFile::Start start)
    : flow_(flow),
      directory_(directory.path()),
      exact_velocity_(problem.exact.has_value()),
      history_(RowFile(directory.history(), start), exact_fields(problem)) {
  if (settings.probes.any())
    probes_.emplace(directory.path(), settings.probes,
                    flow.make_sampler(sampled_points(settings.probes), settings.probes.fields),
                    start);
  if (problem.solids.empty() || problem.prescribed_velocity) return;
  forces_.emplace(RowFile(directory.forces(), start), solid_names(problem.solids),
                  ForcesWriter::Scales{flow.grid().dim(), problem.density, settings.forces});
}

void StepRecords::record_start(TimeBudget& budget) {
  record_probes(budget);
}

void StepRecords::record(const FinishedStep& step, TimeBudget& budget) {
  FirstError error;
  error.of([&] { append_history(step, budget); });
  error.of([&] { append_forces(budget); });
  error.of([&] { record_probes(budget); });
  error.rethrow();
}

void StepRecords::append_history(const FinishedStep& step, TimeBudget& budget) {
  HistoryRow row;
  row.step = flow_.step();
  row.time = flow_.time();
  row.dt = step.report.dt;
  row.cfl = step.cfl;
  row.kinetic_energy = step.diagnostics.kinetic_energy;
  row.max_divergence = step.diagnostics.max_divergence;
  row.step_seconds = step.seconds;
  for (const SolveSummary& solve : step.report.solves)
    row.solves.push_back({solve.system, solve.iterations, solve.seconds});
  WallClock clock;
  if (step.frame_due || flow_.grid().cell_count() <= cells_with_errors_every_step) {
    if (const auto errors = flow_.error_norms()) {
      if (exact_velocity_) row.errors.push_back({errors->velocity_l2, errors->velocity_max});
      for (const ScalarErrors& scalar : errors->scalars)
        row.errors.push_back({scalar.l2, scalar.max});
    }
  }
  row.quantities = flow_.quantities();
  budget.diagnostics += clock.seconds();
  clock.restart();
  history_.append(row);
  budget.output += clock.seconds();
}

void StepRecords::append_forces(TimeBudget& budget) {
  if (!forces_) return;
  WallClock clock;
  const std::vector<BodyForce> forces = flow_.forces();
  budget.diagnostics += clock.seconds();
  clock.restart();
  forces_->append(flow_.step(), flow_.time(), forces);
  budget.output += clock.seconds();
}

void StepRecords::record_probes(TimeBudget& budget) {
  if (!probes_) return;
  const WallClock clock;
  probes_->record(flow_.step(), flow_.time());
  budget.output += clock.seconds();
}

void StepRecords::write_averages() const {
  if (probes_) probes_->write_averages();
}

std::vector<RowFile*> StepRecords::files() {
  std::vector<RowFile*> files{&history_.file()};
  if (forces_) files.push_back(&forces_->file());
  if (!probes_) return files;
  for (RowFile* file : probes_->row_files()) files.push_back(file);
  return files;
}

void StepRecords::synchronize() {
  for (RowFile* file : files()) file->synchronize();
}

void StepRecords::visit_state(StateVisitor& visitor) {
  StateGroup group(visitor, "probes");
  if (probes_) probes_->visit_state(group);
}

void StepRecords::visit_files(StateVisitor& visitor) {
  for (RowFile* file : files())
    file->visit_state(visitor,
                      "files/" + file->path().lexically_relative(directory_).generic_string());
}

}  // namespace hodge::sim
