#include "sim/app/run/step_records.hpp"

#include <algorithm>
#include <string_view>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "sim/app/output/manifest.hpp"
#include "sim/app/run/run_rows.hpp"
#include "sim/base/try_all.hpp"
#include "sim/base/wall_clock.hpp"
#include "sim/flow/quantity_plan.hpp"

namespace hodge::sim {
namespace {

using Number = std::optional<double>;

// Exact solutions are evaluated on the host: on grids beyond this many cells that would take longer
// than the step itself, so that their errors are taken at frames alone.
constexpr long long cells_with_errors_every_step = 1 << 14;

// The columns of the fields whose exact solution is known; empty where errors were not asked for.
void add_errors(const Problem& problem, const std::optional<ErrorNorms>& errors, CsvRow& row) {
  const auto add = [&](const std::string& field, double l2, double max) {
    row.push_back({field + "_error_l2", errors ? Number(l2) : Number()});
    row.push_back({field + "_error_max", errors ? Number(max) : Number()});
  };
  const ErrorNorms known = errors.value_or(ErrorNorms{});
  if (problem.exact) add("velocity", known.velocity_l2, known.velocity_max);
  std::size_t next = 0;
  for (const ScalarProblem& scalar : problem.scalars) {
    if (!scalar.exact) continue;
    const FieldErrors of = errors ? known.scalars[next++] : FieldErrors{};
    add(scalar.name, of.l2, of.max);
  }
}

// The sums over a step, or empty cells without one.
void add_solves(const std::vector<std::string>& systems, const FinishedStep* step, CsvRow& row) {
  for (const std::string& system : systems) {
    int iterations = 0;
    double seconds = 0;
    for (std::size_t i = 0; step && i < step->report.solves.size(); ++i) {
      const SolveSummary& solve = step->report.solves[i];
      if (solve.system != system) continue;
      iterations += solve.iterations;
      seconds += solve.seconds;
    }
    row.push_back({system + "_iterations", step ? std::optional(iterations) : std::nullopt});
    row.push_back({system + "_seconds", step ? Number(seconds) : Number(), "{:.6g}"});
  }
}

}  // namespace

CsvRow history_row(const Flow& flow, const Problem& problem, const Diagnostics& now,
                   const FinishedStep* step) {
  const auto of_step = [&](double value) { return step ? Number(value) : Number(); };
  CsvRow row{{"step", flow.step()},
             {"t", flow.time()},
             {"dt", of_step(step ? step->report.dt : 0)},
             {"cfl", of_step(step ? step->cfl : 0)},
             {"kinetic_energy", now.kinetic_energy},
             {"max_speed", now.max_speed},
             {"max_divergence", now.max_divergence}};
  // How fast the fields change: nothing is known of that before the first step.
  if (!problem.prescribed_velocity) row.push_back({"max_du_dt", of_step(now.velocity_rate)});
  for (std::size_t k = 0; k < problem.scalars.size(); ++k)
    row.push_back({"max_d" + problem.scalars[k].name + "_dt", of_step(now.scalar_rates[k])});
  const bool wants_errors =
      !step || step->frame_due || flow.grid().cell_count() <= cells_with_errors_every_step;
  add_errors(problem, wants_errors ? flow.error_norms() : std::nullopt, row);
  for (const Quantity& quantity : flow.quantities()) row.push_back({quantity.name, quantity.value});
  add_solves(flow.systems(), step, row);
  row.push_back({"step_seconds", of_step(step ? step->seconds : 0), "{:.6g}"});
  return row;
}

StepRecords::StepRecords(Flow& flow, const Settings& settings, const Problem& problem,
                         const RunDirectory& directory, const RecordsStart& start,
                         TimeBudget& budget)
    : flow_(flow),
      problem_(problem),
      budget_(budget),
      directory_(directory.path()),
      history_(directory_ / "history.csv", start.files),
      force_scales_{flow.grid().dim(), problem.density, settings.forces},
      continued_(start.probes),
      statistics_(settings.output.statistics) {
  if (settings.probes.any())
    probes_.emplace(directory.path(), settings.probes,
                    flow.make_sampler(sampled_points(settings.probes), settings.probes.fields),
                    start.files, start.probes);
  if (!settings.output.surfaces.empty())
    surfaces_.emplace(directory_, flow, settings.output, start.files);
  if (problem.solids.empty() || problem.prescribed_velocity) return;
  forces_.emplace(directory_ / "forces.csv", start.files);
  std::vector<BodyForce> none;
  for (const std::string& body : solid_names(problem.solids)) {
    none.push_back({.body = body});
    const auto frame = std::ranges::find(flow.body_frames(), body, &BodyFrame::name);
    if (frame != flow.body_frames().end() && frame->box) none.back().control.emplace();
  }
  if (forces_->empty()) forces_->append(csv_header(forces_row(0, 0, none, force_scales_)));
}

void StepRecords::record(const Diagnostics& now, const FinishedStep* step) {
  const auto add_history = [&] {
    const CsvRow row =
        timed(budget_.diagnostics, [&] { return history_row(flow_, problem_, now, step); });
    note_limited(row, step);
    timed(budget_.output, [&] { history_.append(row); });
  };
  const auto add_forces = [&] {
    if (!forces_ || !step) return;
    now_on_bodies_ = timed(budget_.diagnostics, [&] { return flow_.forces(); });
    timed(budget_.output, [&] {
      forces_->append(forces_row(flow_.step(), flow_.time(), now_on_bodies_, force_scales_));
    });
  };
  const auto add_probes = [&] {
    if (probes_) timed(budget_.output, [&] { probes_->record(flow_.step(), flow_.time()); });
  };
  const auto add_surfaces = [&] {
    if (surfaces_) timed(budget_.output, [&] { surfaces_->record(flow_.time()); });
  };
  try_all(add_history, add_forces, add_probes, add_surfaces);
}

void StepRecords::record_end() {
  if (probes_) timed(budget_.output, [&] { probes_->record_end(flow_.step(), flow_.time()); });
}

// Shares below a thousandth change no figure of the flow, and where the fluid moves less than a
// millionth of a cell in a step the velocity is rounding.
void StepRecords::note_limited(const CsvRow& history, const FinishedStep* step) {
  constexpr double least_share = 1e-3, least_cfl = 1e-6;
  constexpr std::string_view prefix = limited_prefix;
  if (!step || step->cfl < least_cfl) return;
  for (const CsvCell& cell : history) {
    if (!cell.column.starts_with(prefix)) continue;
    const double share = number_in(cell.text).value_or(0);
    if (share < least_share) continue;
    const std::string side = cell.column.substr(prefix.size());
    auto found = std::ranges::find(limited_, side, &LimitedEntering::side);
    if (found == limited_.end()) found = limited_.insert(found, {.side = side});
    if (share > found->share) *found = {side, share, flow_.time()};
  }
}

void StepRecords::write_averages() {
  if (probes_) probes_->write_averages();
  if (!statistics_ || statistics_->profile.empty() || !(flow_.time() > statistics_->start)) return;
  const std::optional<LayerSums> sums = flow_.layer_sums();
  if (!sums) return;
  const Fluid fluid{problem_.viscosity, problem_.density};
  const Profiles profiles = profiles_of(*sums, flow_.grid(), fluid);
  write_file_atomically(
      directory_ / probe_file("profiles", std::to_string(continued_.profile_part)),
      profiles_text(profiles, sums->plan.axis, fluid));
  const std::string& why = sums->plan.without_exchange;
  walls_ = {profiles.results,
            why.empty() ? wall_text(profiles) : "profiles.csv has no budget: " + why + "\n"};
}

void StepRecords::write_surfaces() {
  if (surfaces_) surfaces_->write(flow_.step(), flow_.time());
}

void StepRecords::write_waiting() {
  if (surfaces_) surfaces_->write_waiting();
}

std::vector<RowFile*> StepRecords::files() {
  std::vector<RowFile*> files{&history_};
  if (forces_) files.push_back(&*forces_);
  if (surfaces_)
    for (RowFile* file : surfaces_->row_files()) files.push_back(file);
  if (!probes_) return files;
  for (RowFile* file : probes_->row_files()) files.push_back(file);
  return files;
}

void StepRecords::synchronize() {
  write_waiting();
  for (RowFile* file : files()) file->synchronize();
}

void StepRecords::finish() {
  for (RowFile* file : files()) file->finish();
}

void StepRecords::visit_state(StateVisitor& visitor) {
  if (surfaces_) {
    StateGroup group(visitor, "surface_means");
    surfaces_->visit_means(group, flow_.time());
  }
  if (!probes_) return;
  StateGroup group(visitor, "probes");
  probes_->visit_state(group, flow_.time());
  if (visitor.restores()) probes_->continue_from(flow_.time());
}

void StepRecords::visit_files(StateVisitor& visitor) {
  for (RowFile* file : files()) {
    RowsUpTo rows = now();
    rows.of_every_step = file == &history_ || (forces_ && file == &*forces_);
    // Files of probes that begin with this run have no rows in the checkpoint.
    const bool of_surface = file->path().parent_path().filename() == surfaces_folder;
    const bool begins = of_surface ? surfaces_->begins(*file) : !continued_.rows;
    if (visitor.restores() && begins && !rows.of_every_step) continue;
    file->visit_state(visitor, "files/" + name_of(*file), rows);
  }
  for (RowFile& file : ended_rows_) file.visit_state(visitor, "files/" + name_of(file), now());
  StateGroup group(visitor, "surfaces");
  if (surfaces_) surfaces_->visit_state(group, flow_.step(), flow_.time());
  for (SurfaceFrames& frames : ended_surfaces_)
    frames.visit_state(group, flow_.step(), flow_.time());
}

void StepRecords::go_back() {
  for (RowFile* file : files()) file->go_back();
  if (surfaces_) surfaces_->go_back();
  if (probes_) probes_->look_for_rows_of(now());
}

void StepRecords::begin_surfaces_without(const CheckpointReader& checkpoint) {
  if (surfaces_)
    surfaces_->begin_without([&](const std::string& name) { return checkpoint.has(name); });
}

std::string StepRecords::name_of(const RowFile& file) const {
  return file.path().lexically_relative(directory_).generic_string();
}

bool StepRecords::writes(const std::string& name) {
  return std::ranges::any_of(files(), [&](const RowFile* file) { return name_of(*file) == name; });
}

void StepRecords::leave_rows(StateVisitor& run, const std::string& name) {
  RowFile& file = ended_rows_.emplace_back(directory_ / name, RowFile::Start::with_what_is_there);
  file.visit_state(run, "files/" + name, now());
  file.go_back();
  file.finish();
}

void StepRecords::leave_surface(StateVisitor& run, const std::string& name) {
  StateGroup surfaces(run, "surfaces");
  SurfaceFrames& frames = ended_surfaces_.emplace_back(directory_, name);
  frames.visit_state(surfaces, flow_.step(), flow_.time());
  frames.go_back();
}

void StepRecords::leave_other_files(CheckpointReader& checkpoint) {
  const Manifest listed = Manifest::read(directory_).value_or(Manifest());
  StateGroup run(checkpoint, "run");
  for (const std::string& name : checkpoint.names_between("run/files/", "/bytes"))
    if (!writes(name) && listed.lists(name) && is_there(directory_ / name)) leave_rows(run, name);
  for (const std::string& name : checkpoint.names_between("run/surfaces/", "/written"))
    if (listed.lists(surface_collection(name)) && !(surfaces_ && surfaces_->writes(name)))
      leave_surface(run, name);
  for (const char* folder : {"", "lines"}) {
    if (!is_a_directory(directory_ / folder)) continue;
    for (const std::filesystem::path& path : entries_of(directory_ / folder)) {
      const std::string name = path.lexically_relative(directory_).generic_string();
      const bool is_later =
          name.ends_with(".csv") && part_of_probe_file(name) > continued_.earlier_part;
      if (is_later && listed.lists(name) && !writes(name)) remove_file(path);
    }
  }
}

}  // namespace hodge::sim
