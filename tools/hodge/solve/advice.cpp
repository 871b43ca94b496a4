#include "tools/hodge/solve/advice.hpp"

#include <fmt/format.h>

#include "linalg/solve/registry.hpp"
#include "sim/base/text.hpp"

namespace hodge::tools {
namespace {

using linalg::Breakdown;
using linalg::SolveStatus;

std::string for_indefinite_operator(const MatrixFacts& facts) {
  if (facts.diagonal_negative == facts.rows && facts.rows > 0) {
    return "every diagonal entry is negative, so A may be negative definite: solve -A x = -b, or "
           "take "
           "gmres or bicgstab";
  }
  return "cg and its relatives need a positive definite A: take gmres or bicgstab";
}

std::string for_breakdown(Breakdown breakdown, const MatrixFacts& facts) {
  switch (breakdown) {
    case Breakdown::not_symmetric:
      return "methods for such a matrix: " + sim::join(linalg::general_methods());
    case Breakdown::indefinite_operator:
      return for_indefinite_operator(facts);
    case Breakdown::indefinite_preconditioner:
      return "take --preconditioner none, or gmres or bicgstab, which need no positive definite "
             "one";
    case Breakdown::bad_diagonal:
      return fmt::format(
          "{} diagonal entries are missing and {} are zero: take --preconditioner none",
          facts.diagonal_missing, facts.diagonal_zero);
    case Breakdown::singular_preconditioner:
      return "take an even --degree, or another preconditioner";
    case Breakdown::rho_zero:
    case Breakdown::alpha_infinite:
    case Breakdown::omega_zero:
    case Breakdown::shadow_step_zero:
      return facts.full_diagonal()
                 ? "gmres has no such breakdown; another preconditioner may help too"
                 : "gmres has no such breakdown, gauss neither";
    default:
      return "";
  }
}

}  // namespace

std::string advice(const linalg::SolveReport& report, const MatrixFacts& facts,
                   bool null_space_removed) {
  if (report.converged()) return "";
  if (!report.advice.empty()) return report.advice;
  const std::string specific = for_breakdown(report.breakdown, facts);
  if (!specific.empty()) return specific;
  if (facts.constant_null_space() && !null_space_removed) {
    return "the rows of A sum to zero, so A is singular: try --null-space constant";
  }
  const bool chose_omega = report.preconditioner_settings.find("omega auto") != std::string::npos;
  if (report.preconditioner == "ssor_sai" && !chose_omega && facts.far_from_m_matrix()) {
    return "many entries have the sign of the diagonal, where a fixed omega may be too large: try "
           "--omega auto, or --preconditioner jacobi";
  }
  if (report.status == SolveStatus::max_iterations) {
    return "allow more with --max-iterations, or take a stronger preconditioner (--compare tries "
           "all)";
  }
  if (report.status == SolveStatus::stagnated) {
    return "no more digits can be had this way: take a larger --tolerance, another method, or "
           "gauss";
  }
  return "--compare tries every method and preconditioner";
}

}  // namespace hodge::tools
