#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "sim/base/text.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/job.hpp"
#include "tools/hodge/program/job_text.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools {
namespace {

struct CheckArguments {
  std::vector<std::string> files, overrides;
};

void print_summary(const std::string& file, const Job& job) {
  std::cout << sim::one_line(file) + ": ok\n" + text_of(job_lines(job));
}

// Every file is checked, whatever the others are; the worst exit code is returned.
int check_command(const CheckArguments& arguments) {
  int worst = 0;
  for (const std::string& file : arguments.files) {
    const int code = guarded([&] {
      print_summary(file, load_job({file, arguments.overrides}));
      return 0;
    });
    worst = std::max(worst, code);
  }
  return worst;
}

}  // namespace

void add_check_command(CLI::App& app, std::function<int()>& action) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand("check", "Check configurations; nothing is written");
  add_files_option(*command, arguments->files, "Configurations, YAML files");
  add_set_option(*command, arguments->overrides);
  set_action(*command, action, arguments, check_command);
}

}  // namespace hodge::tools
