#include "tools/hodge/solve/candidates.hpp"

#include <fmt/format.h>

#include "linalg/solve/registry.hpp"

namespace hodge::tools {
namespace {

using linalg::PreconditionerSettings;

// A dense factorisation of more unknowns takes minutes and gigabytes.
constexpr int largest_dense = 5000;

// All but `none` divide by the diagonal.
bool applies(const linalg::PreconditionerEntry& entry, const MatrixFacts& facts) {
  return facts.full_diagonal() || entry.name == std::string("none");
}

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
    if (!applies(entry, facts)) continue;
    for (const auto& variant : variants(arguments, entry)) all.push_back(variant);
  }
  return all;
}

std::string reason_against(const linalg::SolverEntry& method, const MatrixFacts& facts) {
  if (method.needs_symmetric && !facts.symmetric()) return "the matrix is not symmetric";
  if (method.direct && facts.rows > largest_dense) {
    return fmt::format("{} unknowns are too many for a dense matrix (at most {})", facts.rows,
                       largest_dense);
  }
  return "";
}

}  // namespace

Candidates candidates(const SolveArguments& arguments, const MatrixFacts& facts) {
  Candidates chosen;
  if (!facts.full_diagonal()) {
    chosen.left_out.push_back(
        fmt::format("preconditioners: {} diagonal entries are missing, {} zero",
                    facts.diagonal_missing, facts.diagonal_zero));
  }
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

}  // namespace hodge::tools
