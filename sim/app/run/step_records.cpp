#include "sim/app/run/step_records.hpp"

#include <exception>

#include "sim/base/wall_clock.hpp"

namespace hodge::sim {
namespace {

// Exact solutions are evaluated on the host: on grids beyond this many cells that would take longer
// than the step itself, so that their errors are taken at frames alone.
constexpr long long cells_with_errors_every_step = 1 << 14;

// The columns of the fields whose exact solution is known; empty where errors were not asked for.
void add_errors(const Problem& problem, const std::optional<ErrorNorms>& errors,
                std::vector<HistoryRow::Value>& values) {
  using Norm = std::optional<double>;
  const auto add = [&](const std::string& field, Norm l2, Norm max) {
    values.push_back({field + "_error_l2", l2});
    values.push_back({field + "_error_max", max});
  };
  if (problem.exact)
    add("velocity", errors ? Norm(errors->velocity_l2) : Norm(),
        errors ? Norm(errors->velocity_max) : Norm());
  std::size_t known = 0;
  for (const ScalarProblem& scalar : problem.scalars) {
    if (!scalar.exact) continue;
    const ScalarErrors* of = errors ? &errors->scalars[known++] : nullptr;
    add(scalar.name, of ? Norm(of->l2) : Norm(), of ? Norm(of->max) : Norm());
  }
}

// How fast the fields change: nothing is known of that before the first step.
void add_rates(const Problem& problem, const Diagnostics* after_step,
               std::vector<HistoryRow::Value>& values) {
  using Rate = std::optional<double>;
  if (!problem.prescribed_velocity)
    values.push_back({"max_du_dt", after_step ? Rate(after_step->velocity_rate) : Rate()});
  for (std::size_t k = 0; k < problem.scalars.size(); ++k)
    values.push_back({"max_d" + problem.scalars[k].name + "_dt",
                      after_step ? Rate(after_step->scalar_rates[k]) : Rate()});
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
      problem_(problem),
      history_(RowFile(directory.history(), start)) {
  if (settings.probes.any())
    probes_.emplace(directory.path(), settings.probes,
                    flow.make_sampler(sampled_points(settings.probes), settings.probes.fields),
                    start);
  if (problem.solids.empty() || problem.prescribed_velocity) return;
  forces_.emplace(RowFile(directory.forces(), start), solid_names(problem.solids),
                  ForcesWriter::Scales{flow.grid().dim(), problem.density, settings.forces});
}

void StepRecords::record_start(const Diagnostics& diagnostics, TimeBudget& budget) {
  FirstError error;
  error.of([&] { append_history(nullptr, diagnostics, budget); });
  error.of([&] { record_probes(budget); });
  error.rethrow();
}

void StepRecords::record(const FinishedStep& step, TimeBudget& budget) {
  FirstError error;
  error.of([&] { append_history(&step, step.diagnostics, budget); });
  error.of([&] { append_forces(budget); });
  error.of([&] { record_probes(budget); });
  error.rethrow();
}

void StepRecords::record_end(TimeBudget& budget) {
  if (!probes_) return;
  const WallClock clock;
  probes_->record_end(flow_.step(), flow_.time());
  budget.output += clock.seconds();
}

// The columns in their order; without a step, of the start.
HistoryRow StepRecords::history_row(const FinishedStep* step, const Diagnostics& now) const {
  HistoryRow row;
  row.step = flow_.step();
  row.time = flow_.time();
  row.values = {{"dt"},
                {"cfl"},
                {"kinetic_energy", now.kinetic_energy},
                {"max_divergence", now.max_divergence}};
  add_rates(problem_, step ? &now : nullptr, row.values);
  const bool wants_errors =
      !step || step->frame_due || flow_.grid().cell_count() <= cells_with_errors_every_step;
  add_errors(problem_, wants_errors ? flow_.error_norms() : std::nullopt, row.values);
  for (const Quantity& quantity : flow_.quantities())
    row.values.push_back({quantity.name, quantity.value});
  if (!step) {
    for (const std::string& system : flow_.systems()) row.solves.push_back({.system = system});
    return row;
  }
  row.values[0].value = step->report.dt;
  row.values[1].value = step->cfl;
  row.step_seconds = step->seconds;
  for (const SolveSummary& solve : step->report.solves)
    row.solves.push_back({solve.system, solve.iterations, solve.seconds});
  return row;
}

void StepRecords::append_history(const FinishedStep* step, const Diagnostics& now,
                                 TimeBudget& budget) {
  WallClock clock;
  const HistoryRow row = history_row(step, now);
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
