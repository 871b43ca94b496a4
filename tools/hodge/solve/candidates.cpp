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

// Unless the arguments say otherwise: orders 1 and 2, factored and truncated.
std::vector<PreconditionerSettings> ssor_sai_variants(const SolveArguments& arguments,
                                                      const PreconditionerSettings& given) {
  std::vector<PreconditionerSettings> variants;
  for (const int order : {1, 2}) {
    if (arguments.order && *arguments.order != order) continue;
    for (const char* form : {"factored", "truncated"}) {
      if (!arguments.form.empty() && arguments.form != form) continue;
      PreconditionerSettings variant = given;
      variant.order = order;
      variant.form = form;
      variants.push_back(variant);
    }
  }
  return variants;
}

std::vector<PreconditionerSettings> preconditioners(const SolveArguments& arguments,
                                                    const MatrixFacts& facts) {
  std::vector<PreconditionerSettings> all;
  for (const auto& entry : linalg::preconditioner_table()) {
    if (!arguments.preconditioner.empty() && arguments.preconditioner != entry.name) continue;
    if (!applies(entry, facts)) continue;
    PreconditionerSettings given = solver_settings(arguments, facts).preconditioner;
    given.kind = entry.name;
    const auto variants = given.kind == "ssor_sai" ? ssor_sai_variants(arguments, given)
                                                   : std::vector<PreconditionerSettings>{given};
    all.insert(all.end(), variants.begin(), variants.end());
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
