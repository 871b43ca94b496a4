#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "linalg/solve/registry.hpp"
#include "linalg/space/device.hpp"
#include "sim/app/config/schema.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/outputs.hpp"
#include "tools/hodge/solve/solve.hpp"

namespace hodge::tools {
namespace {

int solve_command(const SolveArguments& arguments) {
  check(arguments);
  if (linalg::all_processes().size() > 1) return solve_in_processes(arguments);
  check_outputs(arguments);
  (void)linalg::chosen_gpu(arguments.device);  // before a large file is read
  const System system = read_system(arguments);
  return arguments.compare ? compare_solvers(arguments, system) : solve_once(arguments, system);
}

linalg::OptionValue number_or_word(const std::string& text, const linalg::Option& option) {
  if (std::find(option.names.begin(), option.names.end(), text) != option.names.end()) return text;
  double number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error == std::errc() && end == last) return number;
  throw CLI::ValidationError(option_flag(option.name),
                             fmt::format("'{}', expected {}", text, option.expected()));
}

// An option of the command line for each setting of a solver or preconditioner.
void add_setting_options(CLI::App& command, SolveArguments& arguments,
                         const std::vector<linalg::OptionOfTable>& table) {
  for (const linalg::OptionOfTable& entry : table) {
    const linalg::Option& option = entry.option;
    const std::string flag = option_flag(option.name);
    const std::string text =
        fmt::format("{}: {}, {}", fmt::join(entry.owners, ", "), option.text, option.expected());
    if (option.or_number) {
      command
          .add_option_function<std::string>(
              flag,
              [&arguments, option](const std::string& value) {
                arguments.options[option.name] = number_or_word(value, option);
              },
              text)
          ->type_name("NUMBER|" + fmt::format("{}", fmt::join(option.names, "|")));
      continue;
    }
    const auto add = [&]<class T>(const T&) {
      return command.add_option_function<T>(
          flag,
          [&arguments, name = option.name](const T& value) { arguments.options[name] = value; },
          text);
    };
    CLI::Option* added = std::visit(add, option.default_value);
    if (!option.names.empty()) added->type_name("NAME")->check(one_of(option.name, option.names));
  }
}

void add_method_options(CLI::App& command, SolveArguments& arguments) {
  add_name_option(command, "--method", arguments.method, "A solver of `hodge solvers`", "solver",
                  sim::names_of(linalg::solver_table()));
  add_name_option(command, "--preconditioner", arguments.preconditioner,
                  "Another name of that list", "preconditioner",
                  sim::names_of(linalg::preconditioner_table()));
  add_setting_options(command, arguments, linalg::solver_options());
  add_setting_options(command, arguments, linalg::preconditioner_options());
}

void add_stopping_options(CLI::App& command, SolveArguments& arguments) {
  command.add_option("--tolerance", arguments.tolerance, "Stop at |b - A x| <= tolerance |b|")
      ->capture_default_str();
  command.add_option("--absolute-tolerance", arguments.absolute_tolerance,
                     "... or at this |b - A x|, whichever is larger");
  command.add_option("--max-iterations", arguments.max_iterations, "At most so many iterations")
      ->capture_default_str();
  add_name_option(command, "--null-space", arguments.null_space,
                  "constant: A 1 = 0, and the mean is taken out of b and x", "null space",
                  {"none", "constant"});
}

}  // namespace

void add_solve_command(CLI::App& app, Action& action) {
  auto [command, arguments] = add_command(
      app, action, "solve", "Solve A x = b, read from Matrix Market files", solve_command);
  add_file_option(command, "A", arguments.matrix, "The matrix")->required();
  add_file_option(command, "b", arguments.right_side, "The right side; without it, A times ones");
  add_file_option(command, "--start", arguments.start,
                  "The x to start from, a Matrix Market array; without it zeros");
  add_method_options(command, arguments);
  std::vector<std::string> kernels{"automatic"};
  for (const auto& kernel : linalg::spmv_kernel_table()) kernels.push_back(kernel.name);
  add_name_option(command, "--kernel", arguments.product.kernel,
                  "The kernel of the products with A (`hodge bench spmv` times them)", "kernel",
                  kernels);
  add_stopping_options(command, arguments);
  add_device_option(command, arguments.device, "auto, cpu, cuda or cuda:N");
  add_output_file_option(command, "--output", arguments.output, "Write x, a Matrix Market array");
  add_output_file_option(command, "--history", arguments.history,
                         "Write the residual of every iteration as CSV");
  command.add_flag("--compare", arguments.compare,
                   "Solve with every method and preconditioner that applies (those named above, if "
                   "any) and print a table, fastest first");
  add_output_file_option(command, "--csv", arguments.csv, "Write the table of --compare as CSV");
  add_overwrite_option(command, arguments.overwrite);
}

}  // namespace hodge::tools
