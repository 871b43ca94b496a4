#include "sim/compare/solver_text.hpp"

#include <fmt/format.h>

#include "linalg/solve/registry.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {

std::string method_text(const linalg::SolverSettings& settings) {
  return settings.method == "gmres" ? fmt::format("gmres({})", settings.restart) : settings.method;
}

std::string preconditioner_text(const linalg::PreconditionerSettings& p) {
  if (p.kind == "neumann") return fmt::format("neumann degree {}", p.degree);
  if (p.kind == "multigrid")
    return fmt::format("multigrid {} {} {} {}", p.cycle, p.smoother, p.smoothings, p.precision);
  if (p.kind != "ssor_sai") return p.kind;
  std::string text = fmt::format("ssor_sai order {} omega {}", p.order, number_text(p.omega));
  if (p.form == "truncated") text += " truncated";
  if (p.form == "truncated" && p.alpha < 1) text += " alpha " + number_text(p.alpha);
  return text;
}

std::string solver_text(const linalg::SolverSettings& settings) {
  if (linalg::find_solver(settings.method).direct) return settings.method;
  return method_text(settings) + " + " + preconditioner_text(settings.preconditioner);
}

std::string outcome_text(const linalg::SolveReport& report) {
  std::string text = linalg::to_string(report.status);
  if (report.breakdown == linalg::Breakdown::none) return text;
  text += fmt::format(": {}", linalg::to_string(report.breakdown));
  if (report.bad_row >= 0) text += fmt::format(" (row {})", report.bad_row + 1);
  return text;
}

bool same_solver(const linalg::SolverSettings& a, const linalg::SolverSettings& b) {
  return solver_text(a) == solver_text(b);
}

}  // namespace hodge::sim
