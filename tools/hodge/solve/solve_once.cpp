#include <algorithm>
#include <cmath>

#include "linalg/files/atomic_file.hpp"
#include "linalg/space/device.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/solve/advice.hpp"
#include "tools/hodge/solve/device_system.hpp"

namespace hodge::tools {
namespace {

using linalg::SolveReport;
using sim::number_text;

std::string chosen_because(const std::string& asked, const Choice& choice) {
  return asked.empty() ? fmt::format(" (chosen: {})", choice.reason) : "";
}

void print_settings(const SolveArguments& arguments, const System& system,
                    const linalg::SolverSettings& settings) {
  const MatrixFacts& facts = system.facts;
  print_line("method",
             method_text(settings) + chosen_because(arguments.method, chosen_method(facts)));
  print_line("preconditioner", settings_text(settings.preconditioner) +
                                   chosen_because(arguments.preconditioner,
                                                  chosen_preconditioner(settings.method, facts)));
}

// The mean factor of the residual from one iteration to the next.
double convergence_rate(const SolveReport& report) {
  return std::pow(report.true_residual / report.initial_residual, 1.0 / report.iterations);
}

void print_report(const SolveReport& report) {
  std::string status = sim::outcome_text(report);
  print_line("status", report.converged() ? status : "NOT CONVERGED, " + status);
  if (!report.made.empty()) print_line("made", report.made);
  print_line("iterations", std::to_string(report.iterations));
  print_line("residual",
             fmt::format("initial {:.3e}, target {:.3e}, true {:.3e}, recurrence {:.3e}",
                         report.initial_residual, report.target, report.true_residual,
                         report.recurrence_residual));
  if (report.iterations > 1 && report.initial_residual > 0 && report.true_residual > 0) {
    print_line("rate", fmt::format("{:.4f} (mean factor of the residual an iteration)",
                                   convergence_rate(report)));
  }
  print_line("time", fmt::format("setup {:.3e} s, solve {:.3e} s", report.setup_seconds,
                                 report.solve_seconds));
}

void print_error(const std::vector<double>& x, const std::vector<double>& exact) {
  double largest = 0, scale = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, std::abs(x[i] - exact[i]));
    scale = std::max(scale, std::abs(exact[i]));
  }
  if (scale > 0) {
    print_line("error", fmt::format("{:.3e} (max |x - exact| / max |exact|)", largest / scale));
  }
}

void write_history(const std::filesystem::path& file, const SolveReport& report) {
  std::string text = "iteration,residual\n";
  for (std::size_t i = 0; i < report.history.size(); ++i) {
    text += fmt::format("{},{}\n", i, number_text(report.history[i]));
  }
  write_file_atomically(file, text);
  print_line("history", file.string());
}

template <class Space>
int solve_on(const SolveArguments& arguments, const System& system) {
  const linalg::SolverSettings settings = solver_settings(arguments, system.facts);
  check_memory<Space>(settings, system);
  const DeviceSystem<Space> device(system);
  print_system(arguments, system, *device.a);
  print_settings(arguments, system, settings);
  std::cout.flush();

  linalg::Vector<Space> x(system.facts.rows);
  linalg::LinearSolver<Space> solver(settings, system.facts.rows);
  const SolveReport report = solver.solve(*device.a, device.b, x, solve_options(arguments));
  print_report(report);
  if (!arguments.history.empty()) write_history(arguments.history, report);
  if (!report.converged()) {
    const std::string hint =
        report.advice.empty() ? advice(report, system.facts, arguments.constant_null_space()) : "";
    if (!arguments.output.empty()) print_line("solution", "not written: it is none");
    throw NumericalError(fmt::format("not converged: {}{}{}", linalg::describe(report),
                                     hint.empty() ? "" : "; ", hint));
  }
  const std::vector<double> solution = x.to_host();
  if (!system.solution.empty()) print_error(solution, system.solution);
  if (!arguments.output.empty()) {
    linalg::write_vector(arguments.output, solution);
    print_line("solution", arguments.output.string());
  }
  return 0;
}

}  // namespace

int solve_once(const SolveArguments& arguments, const System& system) {
  return linalg::on_device(arguments.device,
                           [&]<class Space>() { return solve_on<Space>(arguments, system); });
}

}  // namespace hodge::tools
