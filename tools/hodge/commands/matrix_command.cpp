#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "linalg/base/errors.hpp"
#include "linalg/matrices/transpose.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/matrix/info.hpp"
#include "tools/hodge/matrix/spy.hpp"
#include "tools/hodge/program/options.hpp"

namespace hodge::tools {
namespace {

struct MatrixArguments {
  std::filesystem::path file, output;
  std::string form = "general";
  int size = 800;
};

void say_written(const std::filesystem::path& file, const HostMatrix& a) {
  std::cout << fmt::format("{}: {} x {}, {} non-zeros\n", file.string(), a.rows(), a.cols(),
                           a.pattern().nonzeros());
}

int info(const MatrixArguments& arguments) {
  const MatrixFile file = read_matrix_file(arguments.file);
  std::cout << info_text(file.header, facts_of(*file.matrix), file.matrix->kernel());
  return 0;
}

int transpose(const MatrixArguments& arguments) {
  check_output(arguments.output, {arguments.file});
  const MatrixFile file = read_matrix_file(arguments.file);
  linalg::TransposedCsr<linalg::Host, double> transposed;
  transposed.setup(*file.matrix);
  linalg::write_matrix_market(arguments.output, transposed.matrix());
  say_written(arguments.output, transposed.matrix());
  return 0;
}

int convert(const MatrixArguments& arguments) {
  check_output(arguments.output, {arguments.file});
  const MatrixFile file = read_matrix_file(arguments.file);
  write_in_form(arguments.form, *file.matrix, arguments.file, arguments.output);
  say_written(arguments.output, *file.matrix);
  return 0;
}

int spy(const MatrixArguments& arguments) {
  if (!arguments.output.empty()) check_output(arguments.output, {arguments.file});
  const MatrixFile file = read_matrix_file(arguments.file);
  std::cout << text_picture(*file.matrix, 64);
  if (arguments.output.empty()) return 0;
  write_png(arguments.output, square_pixels(*file.matrix, arguments.size));
  std::cout << arguments.output.string() << "\n";
  return 0;
}

using Arguments = std::shared_ptr<MatrixArguments>;

CLI::App& add_action(CLI::App& matrix, std::function<int()>& action, const Arguments& arguments,
                     const char* name, const char* description,
                     int (*run)(const MatrixArguments&)) {
  CLI::App& command = *matrix.add_subcommand(name, description);
  add_files_option(command, arguments->file, "A Matrix Market file");
  set_action(command, action, arguments, run);
  return command;
}

}  // namespace

void add_matrix_command(CLI::App& app, std::function<int()>& action) {
  CLI::App* matrix = app.add_subcommand("matrix", "Look at Matrix Market files and convert them");
  matrix->require_subcommand(1);
  const auto arguments = std::make_shared<MatrixArguments>();
  add_action(*matrix, action, arguments, "info",
             "Size, symmetry, diagonal, bandwidth, norms, and which solver to try", info);
  CLI::App& to_transpose =
      add_action(*matrix, action, arguments, "transpose", "Write the transposed matrix", transpose);
  add_file_option(to_transpose, "--output", arguments->output, "The file to write")->required();
  CLI::App& to_convert = add_action(*matrix, action, arguments, "convert",
                                    "Write the matrix in another form", convert);
  add_file_option(to_convert, "--output", arguments->output, "The file to write")->required();
  to_convert.add_option("--to", arguments->form, "general, symmetric, skew or array")
      ->type_name("FORM")
      ->capture_default_str()
      ->check(one_of("form", {"general", "symmetric", "skew", "array"}));
  CLI::App& to_spy = add_action(*matrix, action, arguments, "spy",
                                "A picture of the pattern, here and as PNG", spy);
  add_file_option(to_spy, "--output", arguments->output, "The picture to write, PNG");
  to_spy.add_option("--size", arguments->size, "Pixels of its longer side")
      ->capture_default_str()
      ->check(CLI::Range(16, 8192));
}

}  // namespace hodge::tools
