#include "linalg/files/atomic_file.hpp"
#include "linalg/space/device.hpp"
#include "sim/base/table.hpp"
#include "sim/compare/ranking.hpp"
#include "tools/hodge/solve/candidates.hpp"
#include "tools/hodge/solve/device_system.hpp"

namespace hodge::tools {
namespace {

using sim::Json;
using sim::Table;

Table comparison_table() {
  return Table("comparison", "All pairs",
               {{"method", "method"},
                {"preconditioner", "preconditioner"},
                {"iterations", "iterations"},
                {"seconds", "seconds", "{:.3e}"},
                {"setup_seconds", "setup", "{:.3e}"},
                {"solve_seconds", "solve", "{:.3e}"},
                {"true_residual", "|b-Ax|/|b|", "{:.2e}"},
                {"status", "status"}});
}

Json row_of(const linalg::SolverSettings& settings) {
  return {{"method", method_text(settings)},
          {"preconditioner", settings_text(settings.preconditioner)}};
}

Json row_of(const linalg::SolverSettings& settings, const linalg::SolveReport& report) {
  Json row = row_of(settings);
  row["converged"] = report.converged();
  row["iterations"] = report.iterations;
  row["seconds"] = sim::total_seconds(report);
  row["setup_seconds"] = report.setup_seconds;
  row["solve_seconds"] = report.solve_seconds;
  if (report.rhs_norm > 0) row["true_residual"] = report.true_residual / report.rhs_norm;
  row["status"] = sim::outcome_text(report);
  return row;
}

template <class Space>
class Comparison {
 public:
  Comparison(const SolveArguments& arguments, const System& system)
      : arguments_(arguments), system_(system), device_(system), x_(system.facts.rows) {}

  const DeviceSystem<Space>& device() const { return device_; }

  Json measure(const linalg::SolverSettings& settings) {
    try {
      check_memory<Space>(settings, system_);
      linalg::LinearSolver<Space> solver(settings, system_.facts.rows);
      return row_of(settings, sim::measure_solve<Space>(
                                  solver, {*device_.a, device_.b, solve_options(arguments_)}, x_,
                                  [](linalg::Vector<Space>& x) { x.fill(0.0); })
                                  .report);
    } catch (const MemoryError& error) {
      Json row = row_of(settings);
      row["converged"] = false;
      row["status"] = error.what();
      return row;
    }
  }

  // The first solve of a process also pays for threads and kernels that are brought up.
  void warm_up(linalg::SolverSettings settings) {
    settings.max_iterations = 2;
    (void)measure(settings);
  }

 private:
  const SolveArguments& arguments_;
  const System& system_;
  DeviceSystem<Space> device_;
  linalg::Vector<Space> x_;
};

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
  Comparison<Space> comparison(arguments, system);
  print_system(arguments, system, *comparison.device().a);
  for (const std::string& reason : chosen.left_out) print_line("left out", reason);
  std::cout << std::endl;
  if (chosen.settings.empty()) {
    throw NumericalError(fmt::format("nothing to compare: {}", fmt::join(chosen.left_out, "; ")));
  }
  comparison.warm_up(chosen.settings.front());
  Table table = comparison_table();
  for (const auto& settings : chosen.settings) table.add(comparison.measure(settings));
  table.sort(comes_first);
  std::cout << table.text();
  if (!arguments.csv.empty()) write_file_atomically(arguments.csv, table.csv());
  if (table.rows().front().at("converged").get<bool>()) return 0;
  throw NumericalError(fmt::format("none of the {} pairs has converged", chosen.settings.size()));
}

}  // namespace

int compare_solvers(const SolveArguments& arguments, const System& system) {
  return linalg::on_device(arguments.device,
                           [&]<class Space>() { return compare_on<Space>(arguments, system); });
}

}  // namespace hodge::tools
