#include "sim/app/compare/comparison_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <sstream>
#include <utility>

#include "linalg/cost/byte_model.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "linalg/files/read_file.hpp"
#include "sim/app/compare/comparison_text.hpp"
#include "sim/base/csv_row.hpp"
#include "sim/base/median.hpp"
#include "sim/base/text.hpp"
#include "sim/compare/ranking.hpp"
#include "sim/compare/solver_text.hpp"

namespace hodge::sim {
namespace {

template <class Value>
std::optional<Value> only_if(bool known, const Value& value) {
  return known ? std::optional(value) : std::nullopt;
}

// A solve whose set-up failed has no residual.
std::optional<double> if_known(bool ran, double residual) {
  return only_if(ran && std::isfinite(residual), residual);
}

// Where the report has no breakdown and no fallback there is nothing to say.
std::string reason_of(const ComparedSolve& solve) {
  if (!solve.not_run.empty()) return csv_quoted(solve.not_run);
  if (!solve.given_up.empty()) return csv_quoted(solve.given_up);
  const linalg::SolveReport& report = solve.report;
  if (report.attempts.size() > 1) return csv_quoted(linalg::describe(report));
  if (report.converged() && report.rounding > 0) return csv_quoted("the residual is rounding");
  const bool broke_down = report.breakdown != linalg::Breakdown::none;
  return broke_down ? csv_quoted(linalg::to_string(report.breakdown)) : "";
}

std::string status_of(const ComparedSolve& solve) {
  if (!solve.not_run.empty()) return "not_run";
  return solve.given_up.empty() ? linalg::to_string(solve.report.status) : "given_up";
}

// Of compare.csv.
CsvRow row_of(const ComparedSystem& system, const ComparedSolve& solve) {
  const linalg::SolveReport& report = solve.report;
  const bool ran = solve.not_run.empty(), counted = ran && solve.bytes > 0;
  const double share =
      linalg::share_of_copy(solve.bytes, report.solve_seconds, system.copy_bandwidth);
  return {{"step", system.step},
          {"t", system.time},
          {"kind", name_of(system.kind)},
          {"system", system.name},
          {"rows", system.rows},
          {"nonzeros", system.nonzeros},
          {"method", method_text(solve.settings)},
          {"preconditioner", preconditioner_text(solve.settings.preconditioner)},
          {"configured", solve.configured ? "yes" : "no"},
          {"status", status_of(solve)},
          {"reason", reason_of(solve)},
          {"iterations", only_if(ran, report.iterations)},
          {"rhs_norm", system.rhs_norm},
          {"rhs_mean", system.rhs_mean},
          {"target", only_if(ran && std::isfinite(report.true_residual), report.target)},
          {"initial_residual", if_known(ran, report.initial_residual)},
          {"recurrence_residual", if_known(ran, report.recurrence_residual)},
          {"true_residual", if_known(ran, report.true_residual)},
          {"reference", system.reference},
          {"reference_residual", only_if(!system.reference.empty(), system.reference_residual)},
          {"difference", solve.difference},
          {"max_divergence", solve.max_divergence},
          {"setup_seconds", only_if(ran, solve.setup_seconds), "{:.6g}"},
          {"solve_seconds", only_if(ran, report.solve_seconds), "{:.6g}"},
          {"seconds", only_if(ran, solve.seconds), "{:.6g}"},
          {"bytes", only_if(counted, solve.bytes), "{:.6g}"},
          {"share_of_copy", only_if(counted, share), "{:.4g}"}};
}

// Of compare_history.csv: one for each residual.
std::string history_rows(const ComparedSystem& system, const ComparedSolve& solve) {
  std::string text;
  const std::string solver =
      fmt::format("{},{},{},{}", system.step, system.name, method_text(solve.settings),
                  preconditioner_text(solve.settings.preconditioner));
  for (std::size_t i = 0; i < solve.report.history.size(); ++i)
    text += fmt::format("{},{},{}\n", solver, i, solve.report.history[i]);
  return text;
}

// Of compare_guess.csv.
CsvRow row_of(const ComparedSystem& system, const ComparedGuess& guess) {
  return {{"step", system.step},
          {"kind", name_of(system.kind)},
          {"system", system.name},
          {"guess", guess.guess},
          {"configured", guess.configured ? "yes" : "no"},
          {"status", linalg::to_string(guess.report.status)},
          {"initial_residual", guess.report.initial_residual},
          {"iterations", guess.report.iterations},
          {"make_seconds", guess.make_seconds, "{:.6g}"},
          {"seconds", guess.seconds, "{:.6g}"}};
}

std::string line_of(const ComparedSystem& system) {
  const RankedSolver best = ranking(std::span(&system, 1), system.kind).front();
  const auto given_up = std::count_if(system.solves.begin(), system.solves.end(),
                                      [](const auto& solve) { return !solve.given_up.empty(); });
  std::string compared = fmt::format("step {}, {}: {} solvers compared", system.step, system.name,
                                     system.solves.size());
  if (given_up > 0) compared += fmt::format(", {} given up", given_up);
  if (best.failures > 0) return compared + ", none has converged";
  return fmt::format("{}, the fastest {} in {:.3g} ms", compared, solver_text(best.settings),
                     1e3 * best.total_seconds);
}

// The rows of a file up to the first whose first column, the step, is beyond `last` or no number: a
// loss of power can leave such a row, but only after those that a checkpoint counts.
std::string rows_until(const std::string& text, long last) {
  std::string kept;
  std::istringstream lines(text);
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line) && !lines.eof();) {
    char* end = nullptr;
    const long step = std::strtol(line.c_str(), &end, 10);
    if (step > last || end == line.c_str() || *end != ',') break;
    kept += line + "\n";
  }
  return kept;
}

constexpr const char *rows_name = "compare.csv", *histories_name = "compare_history.csv",
                     *guesses_name = "compare_guess.csv";

RowFile row_file(const std::filesystem::path& path, std::optional<long> last_kept_step,
                 const std::string& columns) {
  std::string rows;
  if (last_kept_step && is_there(path)) rows = rows_until(read_file(path), *last_kept_step);
  write_file_atomically(path, columns + rows);
  return RowFile(path, RowFile::Start::with_what_is_there);
}

}  // namespace

void leave_comparison(const std::filesystem::path& directory, long last_step,
                      const std::function<bool(const std::string& name)>& is_own) {
  for (const char* name : {rows_name, histories_name, guesses_name}) {
    const std::filesystem::path path = directory / name;
    if (!is_own(name) || !is_there(path)) continue;
    const std::string text = read_file(path);
    const std::string kept = text.substr(0, text.find('\n')) + "\n" + rows_until(text, last_step);
    if (kept != text) write_file_atomically(path, kept);
  }
}

ComparisonFiles::ComparisonFiles(const std::filesystem::path& directory,
                                 std::optional<long> last_kept_step,
                                 const CompareSettings& settings,
                                 std::function<void(const std::string&)> say)
    : say_(std::move(say)),
      summary_(directory / "compare.md"),
      rows_(row_file(directory / rows_name, last_kept_step,
                     csv_header(row_of({}, ComparedSolve{})))) {
  if (settings.histories)
    histories_.emplace(row_file(directory / histories_name, last_kept_step,
                                "step,system,method,preconditioner,iteration,residual\n"));
  if (settings.guesses)
    guesses_.emplace(row_file(directory / guesses_name, last_kept_step,
                              csv_header(row_of({}, ComparedGuess{}))));
}

void ComparisonFiles::add(ComparedSystem system) {
  if (say_) say_(line_of(system));
  std::string rows, histories, guesses;
  for (ComparedSolve& solve : system.solves) {
    rows += csv_line(row_of(system, solve));
    if (histories_) histories += history_rows(system, solve);
    solve.report.history = {};
  }
  for (ComparedGuess& guess : system.guesses) {
    guesses += csv_line(row_of(system, guess));
    guess.report.history = {};
  }
  append(rows_, rows);
  if (histories_) append(*histories_, histories);
  if (guesses_) append(*guesses_, guesses);
  if (system.kept) system.kept->report.history = {};
  systems_.push_back(std::move(system));
}

void ComparisonFiles::append(RowFile& file, const std::string& rows) {
  try {
    file.append(rows);
  } catch (const IoError& error) {
    if (!error_) error_ = error;
  }
}

void ComparisonFiles::check() const {
  if (error_) throw *error_;
}

void ComparisonFiles::finish_step(long step, double seconds) {
  if (!systems_.empty() && systems_.back().step == step) step_seconds_.push_back(seconds);
}

std::vector<RowFile*> ComparisonFiles::files() {
  std::vector<RowFile*> files{&rows_};
  if (histories_) files.push_back(&*histories_);
  if (guesses_) files.push_back(&*guesses_);
  return files;
}

void ComparisonFiles::synchronize() {
  for (RowFile* file : files()) {
    file->write_waiting();
    file->synchronize();
  }
}

std::string ComparisonFiles::finish() const {
  // The median leaves out interruptions by other programs, and what the first step sets up.
  const double seconds = median(step_seconds_) * static_cast<double>(step_seconds_.size());
  write_file_atomically(summary_, comparison_markdown(systems_, seconds));
  return comparison_text(systems_, seconds);
}

}  // namespace hodge::sim
