#include <CLI/CLI.hpp>

#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/completion/command_table.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools {
namespace {

struct CompletionArguments {
  const CLI::App* program = nullptr;
  std::string shell;
};

int print_completion(const CompletionArguments& arguments) {
  const std::vector<CommandEntry> table = command_table(*arguments.program);
  std::cout << (arguments.shell == "bash" ? bash_completion(table) : zsh_completion(table));
  return 0;
}

int print_manual(const CompletionArguments& arguments) {
  std::cout << manual_page(command_table(*arguments.program), exit_codes_text());
  return 0;
}

}  // namespace

void add_completion_commands(CLI::App& app, Action& action) {
  auto [completion, arguments] = add_command(
      app, action, "completion", "Print a script that completes commands and options in a shell",
      print_completion);
  arguments.program = &app;
  add_name_option(completion, "SHELL", arguments.shell,
                  "bash or zsh, as in: eval \"$(hodge completion bash)\"", "shell", {"bash", "zsh"})
      ->required();
  add_command(app, action, "man", "Print the manual page, for `man -l -`", print_manual)
      .arguments.program = &app;
}

}  // namespace hodge::tools
