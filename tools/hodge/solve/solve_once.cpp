#include <algorithm>
#include <cmath>

#include "linalg/files/atomic_file.hpp"
#include "linalg/preconditioners/ssor_sai_settings.hpp"
#include "linalg/processes/all_processes.hpp"
#include "linalg/solve/registry.hpp"
#include "linalg/space/device.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/solve/solve.hpp"

namespace hodge::tools {
namespace {

using linalg::SolveReport;

void print_settings(const SolveArguments& arguments, const System& system,
                    const linalg::SolverSettings& settings) {
  const auto print = [](const char* name, const std::string& text, const std::string& asked,
                        const Choice& choice) {
    print_line(name, asked.empty() ? fmt::format("{} (chosen: {})", text, choice.reason) : text);
  };
  print("method", method_text(settings), arguments.method, chosen_method(system.facts));
  print("preconditioner", settings_text(settings.preconditioner), arguments.preconditioner,
        chosen_preconditioner(settings.method, system.facts));
}

void print_report(const SolveReport& report) {
  std::string status = linalg::outcome_text(report);
  print_line("status", report.converged() ? status : "NOT CONVERGED, " + status);
  if (!report.made.empty()) print_line("made", report.made);
  print_line("iterations", std::to_string(report.iterations));
  print_line("residual",
             std::isnan(report.true_residual)
                 ? "not computed: the set-up failed"
                 : fmt::format("initial {:.3e}, target {:.3e}, true {:.3e}, recurrence {:.3e}",
                               report.initial_residual, report.target, report.true_residual,
                               report.recurrence_residual));
  if (report.iterations > 1 && report.initial_residual > 0 && report.true_residual > 0)
    print_line("rate", fmt::format("{:.4f} (mean factor of the residual an iteration)",
                                   std::pow(report.true_residual / report.initial_residual,
                                            1.0 / report.iterations)));
  print_line("time", fmt::format("setup {:.3e} s, solve {:.3e} s", report.setup_seconds,
                                 report.solve_seconds));
}

void print_error(const std::vector<double>& x, const std::vector<double>& exact) {
  if (const auto error = relative_difference(x, exact))
    print_line("error", fmt::format("{:.3e} (max |x - exact| / max |exact|)", *error));
}

void write_history(const std::filesystem::path& file, const SolveReport& report) {
  std::string text = "iteration,residual\n";
  for (std::size_t i = 0; i < report.history.size(); ++i)
    text += fmt::format("{},{}\n", i, sim::number_text(report.history[i]));
  write_file_atomically(file, text);
  print_line("history", file.string());
}

std::string for_indefinite_operator(const MatrixFacts& facts) {
  if (facts.diagonal_negative == facts.rows && facts.rows > 0)
    return "every diagonal entry is negative, so A may be negative definite: solve -A x = -b, or "
           "take gmres or bicgstab";
  return "cg and its relatives need a positive definite A: take gmres or bicgstab";
}

std::string for_breakdown(linalg::Breakdown breakdown, const MatrixFacts& facts) {
  using linalg::Breakdown;
  switch (breakdown) {
    case Breakdown::not_symmetric:
      return "methods for such a matrix: " + sim::join(linalg::general_methods());
    case Breakdown::not_separable:
      return "methods for such a matrix: " + sim::join(linalg::methods_of_any_matrix());
    case Breakdown::indefinite_operator:
      return for_indefinite_operator(facts);
    case Breakdown::indefinite_preconditioner:
      return "take --preconditioner none, or gmres or bicgstab, which need no positive definite "
             "one";
    case Breakdown::bad_diagonal:
      return fmt::format(
          "{} diagonal entries are missing and {} are zero: take --preconditioner none",
          facts.diagonal_missing, facts.diagonal_zero);
    case Breakdown::beyond_range:
      return "scale the equations or the unknowns";
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

// What to try when a solve has failed: one sentence; empty where nothing better is known. A method
// that fails on a singular matrix is not mended by another method.
std::string advice(const SolveReport& report, const linalg::PreconditionerSettings& preconditioner,
                   const MatrixFacts& facts, bool null_space_removed) {
  using linalg::SolveStatus;
  const bool of_the_set_up = std::isnan(report.true_residual);
  const bool of_the_method = report.breakdown == linalg::Breakdown::not_symmetric ||
                             report.breakdown == linalg::Breakdown::not_separable;
  if (facts.constant_null_space() && !null_space_removed && !of_the_set_up && !of_the_method)
    return singular_by_constants;
  if (!report.advice.empty()) return "";  // which describe() says
  const std::string specific = for_breakdown(report.breakdown, facts);
  if (!specific.empty()) return specific;
  const bool fixed_omega =
      preconditioner.kind == "ssor_sai" &&
      linalg::settings_from<linalg::SsorSaiSettings>(preconditioner.options).omega.has_value();
  if (fixed_omega && facts.far_from_m_matrix())
    return "many entries have the sign of the diagonal, where a fixed omega may be too large: try "
           "--omega auto, or --preconditioner jacobi";
  if (report.status == SolveStatus::max_iterations)
    return "allow more with --max-iterations, or take a stronger preconditioner (--compare tries "
           "all)";
  if (report.status == SolveStatus::stagnated)
    return "no more digits can be had this way: take a larger --tolerance, another method, or "
           "gauss";
  return "--compare tries every method and preconditioner";
}

}  // namespace

template <class Space>
int solve_and_report(const SolveArguments& arguments, const System& system,
                     const DeviceSystem<Space>& device, const WholeVector<Space>& whole) {
  const linalg::SolverSettings settings = solver_settings(arguments, system.facts);
  device.print(arguments, system);
  print_settings(arguments, system, settings);
  std::cout.flush();

  linalg::Vector<Space> x(device.start.size());
  x = device.start;
  linalg::LinearSolver<Space> solver(settings, x.size());
  const SolveReport report = solver.solve(*device.a, device.b, x, device.options);
  print_report(report);
  const bool is_first = linalg::all_processes().rank() == 0;
  if (!arguments.history.empty() && is_first) write_history(arguments.history, report);
  if (!report.converged()) {
    const std::string hint =
        advice(report, settings.preconditioner, system.facts, arguments.constant_null_space());
    if (!arguments.output.empty()) print_line("solution", "not written: it is none");
    throw failure("not converged: {}{}{}", linalg::describe(report), hint.empty() ? "" : "; ",
                  hint);
  }
  const std::vector<double> solution = whole(x);
  if (!is_first) return 0;
  if (!system.solution.empty()) print_error(solution, system.solution);
  if (!arguments.output.empty()) {
    linalg::write_vector(arguments.output, solution);
    print_line("solution", arguments.output.string());
  }
  return 0;
}

#define HODGE_SOLVE_AND_REPORT(Space)                                                             \
  template int solve_and_report(const SolveArguments&, const System&, const DeviceSystem<Space>&, \
                                const WholeVector<Space>&);
HODGE_SOLVE_AND_REPORT(linalg::Host)
#if HODGE_HAS_CUDA
HODGE_SOLVE_AND_REPORT(linalg::Cuda)
#endif
#undef HODGE_SOLVE_AND_REPORT

int solve_once(const SolveArguments& arguments, const System& system) {
  return linalg::on_device(arguments.device, [&]<class Space>() {
    check_memory<Space>(solver_settings(arguments, system.facts), system);
    return solve_and_report<Space>(arguments, system, DeviceSystem<Space>(arguments, system),
                                   [](const linalg::Vector<Space>& x) { return x.to_host(); });
  });
}

}  // namespace hodge::tools
