#include <algorithm>
#include <cmath>

#include "linalg/files/atomic_file.hpp"
#include "linalg/solve/registry.hpp"
#include "linalg/space/device.hpp"
#include "sim/base/table.hpp"
#include "sim/compare/ranking.hpp"
#include "tools/hodge/solve/solve.hpp"

namespace hodge::tools {
namespace {

using linalg::PreconditionerSettings;
using sim::Json;

// One for each combination of the values that comparisons try, unless the arguments have a value.
std::vector<PreconditionerSettings> variants(const SolveArguments& arguments,
                                             const linalg::PreconditionerEntry& entry) {
  std::vector<PreconditionerSettings> all{{entry.name, arguments.options}};
  for (const linalg::Option& option : entry.options({})) {
    // A word that only another preconditioner takes, such as `auto`, is left to that one.
    const auto given = arguments.options.find(option.name);
    if (given == arguments.options.end() || option.is_text()) continue;
    if (std::holds_alternative<std::string>(given->second) && !option.allows(given->second))
      all.front().options.erase(option.name);
  }
  for (const linalg::Option& option : entry.options({})) {
    if (option.compared.empty() || arguments.options.contains(option.name)) continue;
    std::vector<PreconditionerSettings> with_option;
    for (PreconditionerSettings& variant : all)
      for (const linalg::OptionValue& value : option.compared) {
        variant.options[option.name] = value;
        with_option.push_back(variant);
      }
    all = with_option;
  }
  return all;
}

std::vector<PreconditionerSettings> preconditioners(const SolveArguments& arguments,
                                                    const MatrixFacts& facts) {
  std::vector<PreconditionerSettings> all;
  for (const auto& entry : linalg::preconditioner_table()) {
    if (!arguments.preconditioner.empty() && arguments.preconditioner != entry.name) continue;
    if (entry.needs_box) continue;  // left out as the method of that name is
    // All but `none` divide by the diagonal.
    if (!facts.full_diagonal() && entry.name != std::string("none")) continue;
    for (const auto& variant : variants(arguments, entry)) all.push_back(variant);
  }
  return all;
}

std::string reason_against(const linalg::SolverEntry& method, const MatrixFacts& facts) {
  if (method.needs_symmetric && !facts.symmetric()) return "the matrix is not symmetric";
  if (method.needs_separable) return "a file does not say which separable system it has";
  if (method.needs_box) return "a file does not name the box that its rows lie in";
  if (method.dense && facts.rows > linalg::largest_dense)
    return fmt::format("{} unknowns are too many for a dense matrix (at most {})", facts.rows,
                       linalg::largest_dense);
  return "";
}

// The pairs of method and preconditioner that are tried.
struct Candidates {
  std::vector<linalg::SolverSettings> settings;
  std::vector<std::string> left_out;  // why, a line each
};

// Every entry of the registries that applies to the matrix, each preconditioner with a few sensible
// settings. A method or preconditioner that the arguments name limits the pairs to it, and settings
// that they give stand in place of the sensible ones.
Candidates candidates(const SolveArguments& arguments, const MatrixFacts& facts) {
  Candidates chosen;
  if (!facts.full_diagonal())
    chosen.left_out.push_back(
        fmt::format("preconditioners: {} diagonal entries are missing, {} zero",
                    facts.diagonal_missing, facts.diagonal_zero));
  const auto all_preconditioners = preconditioners(arguments, facts);
  for (const auto& method : linalg::solver_table()) {
    const std::string name = method.name;
    if (!arguments.method.empty() && arguments.method != name) continue;
    const std::string against = reason_against(method, facts);
    if (!against.empty()) {
      chosen.left_out.push_back(name + ": " + against);
      continue;
    }
    linalg::SolverSettings settings = solver_settings(arguments, facts);
    settings.method = name;
    settings.preconditioner = {};
    if (method.direct) {  // nothing to precondition
      chosen.settings.push_back(settings);
      continue;
    }
    for (const auto& preconditioner : all_preconditioners) {
      settings.preconditioner = preconditioner;
      chosen.settings.push_back(settings);
    }
  }
  return chosen;
}

template <class Space>
Json measured_row(const linalg::SolverSettings& settings, const System& system,
                  const DeviceSystem<Space>& device, linalg::Vector<Space>& x) {
  Json row{{"method", method_text(settings)},
           {"preconditioner", settings_text(settings.preconditioner)},
           {"converged", false}};
  try {
    check_memory<Space>(settings, system);
    linalg::LinearSolver<Space> solver(settings, system.facts.rows);
    const linalg::SolveReport report =
        sim::measure_solve<Space>(solver, {*device.a, device.b, device.options}, x,
                                  [&](linalg::Vector<Space>& start) { start = device.start; })
            .report;
    row["converged"] = report.converged();
    if (!report.made.empty()) row["made"] = report.made;
    row["iterations"] = report.iterations;
    row["seconds"] = sim::total_seconds(report);
    row["setup_seconds"] = report.setup_seconds;
    row["solve_seconds"] = report.solve_seconds;
    const double relative = report.true_residual / report.rhs_norm;
    if (std::isfinite(relative)) row["true_residual"] = relative;
    row["status"] = linalg::outcome_text(report);
  } catch (const MemoryError& error) {
    row["status"] = error.what();
  }
  return row;
}

// Converged ones first, the fastest at the top; the failed ones keep their order.
bool comes_first(const Json& a, const Json& b) {
  const auto failures = [](const Json& row) { return row.at("converged").get<bool>() ? 0 : 1; };
  const auto seconds = [&](const Json& row) {
    return failures(row) == 0 ? row.at("seconds").get<double>() : 0.0;
  };
  return sim::ranks_before(failures(a), seconds(a), failures(b), seconds(b));
}

template <class Space>
int compare_on(const SolveArguments& arguments, const System& system) {
  const Candidates chosen = candidates(arguments, system.facts);
  const DeviceSystem<Space> device(arguments, system);
  device.print(arguments, system);
  for (const std::string& reason : chosen.left_out) print_line("left out", reason);
  const bool has_multigrid =
      std::ranges::any_of(chosen.settings, [](const linalg::SolverSettings& settings) {
        return settings.preconditioner.kind == "multigrid";
      });
  if (has_multigrid)  // a matrix from a file has none
    print_line("multigrid", "without a grid: aggregates of rows stand for the coarser cells");
  std::cout << std::endl;
  if (chosen.settings.empty())
    throw failure("nothing to compare: {}", fmt::join(chosen.left_out, "; "));
  linalg::Vector<Space> x(system.facts.rows);
  // The first solve of a process also pays for threads and kernels that are brought up.
  linalg::SolverSettings warm_up = chosen.settings.front();
  warm_up.max_iterations = 2;
  (void)measured_row(warm_up, system, device, x);
  sim::Table table("comparison", "All pairs",
                   {{"method", "method"},
                    {"preconditioner", "preconditioner"},
                    {"made", "made of A"},
                    {"iterations", "iterations"},
                    {"seconds", "seconds", "{:.3e}"},
                    {"setup_seconds", "setup", "{:.3e}"},
                    {"solve_seconds", "solve", "{:.3e}"},
                    {"true_residual", "|b-Ax|/|b|", "{:.2e}"},
                    {"status", "status"}});
  for (const auto& settings : chosen.settings) table.add(measured_row(settings, system, device, x));
  table.sort(comes_first);
  std::cout << table.text();
  if (!arguments.csv.empty()) write_file_atomically(arguments.csv, table.csv());
  if (table.rows().front().at("converged").get<bool>()) return 0;
  const bool is_singular = system.facts.constant_null_space() && !arguments.constant_null_space();
  throw failure("none of the {} pairs has converged{}", chosen.settings.size(),
                is_singular ? fmt::format("; {}", singular_by_constants) : "");
}

}  // namespace

int compare_solvers(const SolveArguments& arguments, const System& system) {
  return linalg::on_device(arguments.device,
                           [&]<class Space>() { return compare_on<Space>(arguments, system); });
}

}  // namespace hodge::tools
