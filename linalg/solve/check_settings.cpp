// What LinearSolver refuses, and the memory that it takes.
#include <algorithm>
#include <string>
#include <vector>

#include "linalg/preconditioners/ssor_sai_settings.hpp"
#include "linalg/solve/refresh_policy.hpp"
#include "linalg/solve/solve.hpp"
#include "linalg/solvers/bicg.hpp"

namespace hodge::linalg {

namespace {

void require(Range range, double value, const std::string& name, const std::string& what) {
  if (range.contains(value)) return;
  throw ConfigError(name + " is " + number_text(value) + ", expected " + what + range.text());
}

// A method that needs a symmetric A needs a symmetric M too.
void check_together(const std::string& method, const std::optional<Option>& unsymmetric) {
  if (unsymmetric && find_solver(method).needs_symmetric)
    throw ConfigError(unsymmetric->name + " is '" + unsymmetric->value_text() + "' with " + method +
                      ", which needs a symmetric preconditioner; use another " + unsymmetric->name +
                      " or another method");
}

// A misspelt name would be ignored.
void check_names(const OptionValues& given) {
  const auto of_solvers = solver_options(), of_preconditioners = preconditioner_options();
  for (const auto& entry : given) {
    const std::string& name = entry.first;
    const auto has_name = [&](const OptionOfTable& one) { return one.option.name == name; };
    if (std::none_of(of_solvers.begin(), of_solvers.end(), has_name) &&
        std::none_of(of_preconditioners.begin(), of_preconditioners.end(), has_name))
      throw ConfigError("there is no setting '" + name + "'");
  }
}

}  // namespace

void check(const SolverSettings& s) {
  const std::optional<Option> unsymmetric = unsymmetric_option(s.preconditioner);
  check_names(s.preconditioner.options);
  check_names(s.options);
  (void)options_of_chain(s);
  check_together(s.method, unsymmetric);
  for (const std::string& name : s.fallback) check_together(name, unsymmetric);
  require(tolerance_range, s.tolerance, "tolerance", "a number");
  require(absolute_tolerance_range, s.absolute_tolerance, "absolute_tolerance", "a number");
  require(max_iterations_range, s.max_iterations, "max_iterations", "a whole number");
  if (s.max_seconds) require(max_seconds_range, *s.max_seconds, "max_seconds", "a number");
  (void)refresh_of(s.refresh);
}

std::string refusal_of_sharing(const SolverSettings& s, std::int64_t rows) {
  std::vector<std::string> methods{s.method};
  methods.insert(methods.end(), s.fallback.begin(), s.fallback.end());
  for (const std::string& name : methods)
    if (find_solver(name).dense && rows > largest_dense)
      return name + " of " + std::to_string(rows) +
             " unknowns is not shared by processes, each of which would factor the whole matrix "
             "(at "
             "most " +
             std::to_string(largest_dense) + "): take bicgstab, or cg of a symmetric matrix";
  const bool is_truncated =
      s.preconditioner.kind == "ssor_sai" && uses_preconditioner(s) &&
      settings_from<SsorSaiSettings>(s.preconditioner.options).form == "truncated";
  return is_truncated ? "ssor_sai of the form truncated is not shared by processes, each of which "
                        "would make it of the whole matrix: take the form factored"
                      : "";
}

bool stores_transpose(const SolverSettings& s, const std::string& method, const SystemSize& size) {
  if (size.symmetric || !find_solver(method).needs_transpose) return false;
  return !size.few_diagonals || settings_from<BicgSettings>(s.options).transpose == "stored" ||
         find_preconditioner(s.preconditioner.kind).needs_transposed_entries;
}

std::size_t solver_memory(const SolverSettings& s, const SystemSize& size, int systems,
                          Choices choices) {
  const bool shared = s.refresh == "every";
  const std::size_t preconditioner =
      find_preconditioner(s.preconditioner.kind).memory(s.preconditioner.options, size) +
      kept_values(s, choices).count() * size.nonzeros * size.value_size;
  const std::size_t transpose =
      stores_transpose(s, s.method, size) ? TransposedCsr<Host, double>::memory(size) : 0;
  return find_solver(s.method).memory(s.options, size) + transpose +
         static_cast<std::size_t>(shared ? 1 : systems) * preconditioner + size.vectors(2) +
         sizeof(double) * (static_cast<std::size_t>(s.max_iterations) + 1);
}

}  // namespace hodge::linalg
