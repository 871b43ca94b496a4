#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "linalg/files/open_input.hpp"
#include "linalg/space/device.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/gauss/read_system.hpp"
#include "tools/hodge/gauss/solve_system.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools {
namespace {

struct GaussArguments {
  std::string file, device = "auto", pivot = "fused";
};

DenseSystem read_from(const std::string& file) {
  const bool is_named = !file.empty() && file != "-";
  FileDescriptor in = is_named ? open_input(file, "a text file") : standard_input();
  return read_system([&](char* to, std::size_t most) { return in.read_into(to, most); },
                     is_named ? file : "<stdin>");
}

// A user counts columns from 1.
void require_regular(const linalg::LuReport& report) {
  if (report.singular_column >= 0)
    throw failure(
        "the matrix is singular: no pivot is left in column {}, which depends on the columns "
        "before it",
        report.singular_column + 1);
  if (report.invalid_column >= 0)
    throw failure("the elimination overflows in column {}: scale the equations",
                  report.invalid_column + 1);
}

void warn_if_nearly_singular(const linalg::LuReport& report) {
  if (!report.near_singular<double>()) return;
  std::cerr << fmt::format(
      "hodge gauss: warning: the matrix is singular to working precision: condition number about "
      "{:.1e}, smallest pivot in column {}; the solution may not have one correct digit\n",
      1.0 / report.reciprocal_condition, report.weakest_column + 1);
}

// Finite numbers that solve nothing would be the worst of answers.
void require_solution(const DenseSolution& solution) {
  require_regular(solution.report);
  if (!std::ranges::all_of(solution.x, [](double value) { return std::isfinite(value); }))
    throw NumericalError("the solution overflows: the matrix is too near to a singular one");
  if (!solution.is_solution())
    throw failure(
        "the numbers that were found do not solve the system (backward error {:.1e}): entries are "
        "too large or too small for floating-point numbers, or grew by {:.1e} in the elimination; "
        "scale the equations or the unknowns",
        solution.backward_error, solution.report.pivot_growth);
}

int gauss_command(const GaussArguments& arguments) {
  (void)linalg::chosen_gpu(arguments.device);  // before a long text is read
  const DenseSystem system = read_from(arguments.file);
  const DenseSolution solution = linalg::on_device(arguments.device, [&]<class Space>() {
    return solve_system<Space>(system, arguments.pivot);
  });
  require_solution(solution);
  warn_if_nearly_singular(solution.report);
  std::string text;
  for (const double value : solution.x)
    fmt::format_to(std::back_inserter(text), "{:.10e}\n", value);
  std::cout << text;
  return 0;
}

}  // namespace

void add_gauss_command(CLI::App& app, Action& action) {
  auto [command, arguments] =
      add_command(app, action, "gauss",
                  "Solve a dense system given as text: n, then n rows, then the right-hand side",
                  gauss_command);
  command.add_option("FILE", arguments.file, "The text; without a name the standard input is read")
      ->check(not_empty());
  add_name_option(command, "--pivot", arguments.pivot,
                  "Search for pivots: fused (in the kernel of a panel) or thrust (Thrust's "
                  "max_element per column, as published; slower)",
                  "search for pivots", {"fused", "thrust"});
  add_device_option(command, arguments.device, "auto, cpu, cuda or cuda:N");
}

}  // namespace hodge::tools
