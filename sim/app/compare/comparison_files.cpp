#include "sim/app/compare/comparison_files.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>
#include <utility>

#include "linalg/cost/byte_model.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/read_file.hpp"
#include "sim/app/compare/comparison_text.hpp"
#include "sim/base/text.hpp"
#include "sim/compare/solver_text.hpp"

namespace hodge::sim {
namespace {

constexpr const char* header =
    "step,t,kind,system,rows,nonzeros,method,preconditioner,configured,status,reason,iterations,"
    "rhs_norm,rhs_mean,target,initial_residual,recurrence_residual,true_residual,"
    "reference,reference_residual,difference,max_divergence,setup_seconds,solve_seconds,seconds,"
    "bytes,share_of_copy\n";
constexpr const char* history_header = "step,system,method,preconditioner,iteration,residual\n";

constexpr const char* guess_header =
    "step,kind,system,guess,configured,status,initial_residual,iterations,make_seconds,seconds\n";

std::string optional_number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string preconditioner_of(const ComparedSolve& solve) {
  return preconditioner_text(solve.settings.preconditioner);
}

// status,reason
std::string outcome_columns(const ComparedSolve& solve) {
  if (!solve.not_run.empty()) return "not_run," + csv_quoted(solve.not_run);
  const linalg::SolveReport& report = solve.report;
  std::string reason;
  if (report.breakdown != linalg::Breakdown::none) reason = linalg::to_string(report.breakdown);
  if (report.attempts.size() > 1) reason = linalg::describe(report);
  return fmt::format("{},{}", linalg::to_string(report.status),
                     reason.empty() ? "" : csv_quoted(reason));
}

// bytes,share_of_copy
std::string traffic_columns(const ComparedSystem& system, const ComparedSolve& solve) {
  if (!(solve.bytes > 0)) return ",";
  return fmt::format(
      "{:.6g},{:.4g}", solve.bytes,
      linalg::share_of_copy(solve.bytes, solve.report.solve_seconds, system.copy_bandwidth));
}

std::string measured_columns(const ComparedSystem& system, const ComparedSolve& solve) {
  const std::string reference =
      system.reference.empty() ? ","
                               : fmt::format("{},{}", system.reference, system.reference_residual);
  const std::string mean = optional_number(system.rhs_mean);
  if (!solve.not_run.empty())
    return fmt::format(",{},{},,,,,{},,,,,,,", system.rhs_norm, mean, reference);
  const linalg::SolveReport& r = solve.report;
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{:.6g},{:.6g},{:.6g},{}", r.iterations,
                     system.rhs_norm, mean, r.target, r.initial_residual, r.recurrence_residual,
                     r.true_residual, reference, optional_number(solve.difference),
                     optional_number(solve.max_divergence), solve.setup_seconds, r.solve_seconds,
                     solve.seconds, traffic_columns(system, solve));
}

std::string row(const ComparedSystem& system, const ComparedSolve& solve) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", system.step, system.time,
                     name_of(system.kind), system.name, system.rows, system.nonzeros,
                     method_text(solve.settings), preconditioner_of(solve),
                     solve.configured ? "yes" : "no", outcome_columns(solve),
                     measured_columns(system, solve));
}

std::string history_rows(const ComparedSystem& system, const ComparedSolve& solve) {
  std::string text;
  const std::string solver = fmt::format("{},{},{},{}", system.step, system.name,
                                         method_text(solve.settings), preconditioner_of(solve));
  for (std::size_t i = 0; i < solve.report.history.size(); ++i)
    text += fmt::format("{},{},{}\n", solver, i, solve.report.history[i]);
  return text;
}

std::string guess_rows(const ComparedSystem& system) {
  std::string text;
  for (const ComparedGuess& guess : system.guesses)
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{:.6g},{:.6g}\n", system.step, name_of(system.kind), system.name,
        guess.guess, guess.configured ? "yes" : "no", linalg::to_string(guess.report.status),
        guess.report.initial_residual, guess.report.iterations, guess.make_seconds, guess.seconds);
  return text;
}

// The rows of a file whose first column, the step, is at most `last`.
std::string rows_until(const std::string& text, long last) {
  std::string kept;
  std::istringstream lines(text);
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line);)
    if (std::strtol(line.c_str(), nullptr, 10) <= last) kept += line + "\n";
  return kept;
}

RowFile row_file(const ComparisonStart& start, const char* name, const char* columns) {
  const std::filesystem::path path = start.directory / name;
  std::string rows;
  if (start.last_kept_step && std::filesystem::exists(path))
    rows = rows_until(read_file(path), *start.last_kept_step);
  write_file_atomically(path, columns + rows);
  return RowFile(path, RowFile::Start::with_what_is_there);
}

}  // namespace

ComparisonFiles::ComparisonFiles(const ComparisonStart& start, const CompareSettings& settings)
    : summary_(start.directory / "compare.md"), rows_(row_file(start, "compare.csv", header)) {
  if (settings.histories)
    histories_.emplace(row_file(start, "compare_history.csv", history_header));
  if (settings.guesses) guesses_.emplace(row_file(start, "compare_guess.csv", guess_header));
}

void ComparisonFiles::add(ComparedSystem system) {
  std::string rows, histories;
  for (ComparedSolve& solve : system.solves) {
    rows += row(system, solve);
    if (histories_) histories += history_rows(system, solve);
    solve.report.history = {};
  }
  rows_.append(rows);
  if (histories_) histories_->append(histories);
  if (guesses_) guesses_->append(guess_rows(system));
  for (ComparedGuess& guess : system.guesses) guess.report.history = {};
  if (system.kept) system.kept->report.history = {};
  systems_.push_back(std::move(system));
}

std::string ComparisonFiles::finish() const {
  write_file_atomically(summary_, comparison_markdown(systems_));
  return comparison_text(systems_);
}

}  // namespace hodge::sim
