#include <CLI/CLI.hpp>

#include "linalg/matrices/convert.hpp"
#include "linalg/matrices/transpose.hpp"
#include "linalg/space/device.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/matrix/matrix.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/outputs.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools {
namespace {

struct MatrixArguments {
  std::filesystem::path file, output;
  std::string form = "general", device = "cpu";
  int size = 800;
  bool overwrite = false;
};

void say_written(const std::filesystem::path& file, const HostMatrix& a) {
  say("{}: {} x {}, {} non-zeros\n", file.string(), a.rows(), a.cols(), a.pattern().nonzeros());
}

int info(const MatrixArguments& arguments) {
  std::cout << info_text(read_matrix_file(arguments.file));
  return 0;
}

int transpose(const MatrixArguments& arguments) {
  check_outputs({arguments.output}, {arguments.file}, arguments.overwrite);
  (void)linalg::chosen_gpu(arguments.device);  // before a large file is read
  const MatrixFile file = read_matrix_file(arguments.file);
  const auto result = linalg::on_device(arguments.device, [&]<class Space>() {
    linalg::TransposedCsr<Space, double> transposed;
    transposed.setup(*linalg::copy_to<Space, double>(*file.matrix));
    return linalg::copy_to<linalg::Host, double>(transposed.matrix());
  });
  linalg::write_matrix_market(arguments.output, *result);
  say_written(arguments.output, *result);
  return 0;
}

int convert(const MatrixArguments& arguments) {
  check_outputs({arguments.output}, {arguments.file}, arguments.overwrite);
  const MatrixFile file = read_matrix_file(arguments.file);
  write_in_form(arguments.form, *file.matrix, arguments.file, arguments.output);
  say_written(arguments.output, *file.matrix);
  return 0;
}

int spy(const MatrixArguments& arguments) {
  check_outputs({arguments.output}, {arguments.file}, arguments.overwrite);
  const MatrixFile file = read_matrix_file(arguments.file);
  std::cout << text_picture(*file.matrix, 64);
  if (arguments.output.empty()) return 0;
  write_png(arguments.output, *file.matrix, arguments.size);
  std::cout << arguments.output.string() << "\n";
  return 0;
}

}  // namespace

void add_matrix_command(CLI::App& app, Action& action) {
  CLI::App& matrix = *app.add_subcommand("matrix", "Look at Matrix Market files and convert them");
  matrix.require_subcommand(1);
  const auto add = [&](const char* name, const char* description, auto run) {
    const auto command = add_command(matrix, action, name, description, run);
    add_files_option(command.app, command.arguments.file, "A Matrix Market file");
    return command;
  };
  add("info", "Size, symmetry, diagonal, bandwidth, norms, and which solver to try", info);
  const auto to_transpose = add("transpose", "Write the transposed matrix", transpose);
  const auto to_convert = add("convert", "Write the matrix in another form", convert);
  for (const auto& [command, arguments] : {to_transpose, to_convert})
    add_output_file_option(command, "--output", arguments.output, "The file to write")->required();
  add_device_option(to_transpose.app, to_transpose.arguments.device,
                    "Where it is computed: cpu (count and scatter), cuda or cuda:N (sort)");
  to_convert.app.add_option("--to", to_convert.arguments.form, "general, symmetric, skew or array")
      ->type_name("FORM")
      ->capture_default_str()
      ->check(one_of("form", {"general", "symmetric", "skew", "array"}));
  const auto to_spy = add("spy", "A picture of the pattern, here and as PNG", spy);
  add_output_file_option(to_spy.app, "--output", to_spy.arguments.output,
                         "The picture to write, PNG");
  to_spy.app.add_option("--size", to_spy.arguments.size, "Pixels of its longer side")
      ->capture_default_str()
      ->check(CLI::Range(16, 8192));
  for (const auto& [command, arguments] : {to_transpose, to_convert, to_spy})
    add_overwrite_option(command, arguments.overwrite);
}

}  // namespace hodge::tools
