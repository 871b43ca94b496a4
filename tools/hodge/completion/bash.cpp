// Completion for bash: the command that the words before the cursor name, then the values of the
// option before the cursor, the command's options, its commands, or its files.
#include <fmt/format.h>

#include "tools/hodge/completion/command_table.hpp"

namespace hodge::tools {
namespace {

std::string words_of(const CommandEntry& command) {
  std::string words;
  for (const OptionEntry& option : command.options)
    for (const std::string& name : option.names) words += (words.empty() ? "" : " ") + name;
  return words;
}

std::string values_of(const OptionEntry& option) {
  if (option.kind == ValueKind::folder) return "-d";
  if (option.kind == ValueKind::file) return "-f";
  if (option.kind == ValueKind::choice)
    return fmt::format("-W '{}'", fmt::join(option.choices, " "));
  return "";
}

// What may stand where no option is begun.
std::string operands_of(const CommandEntry& command) {
  if (!command.commands.empty()) return fmt::format("-W '{}'", fmt::join(command.commands, " "));
  std::string values;
  for (const OptionEntry& positional : command.positionals)
    if (!values_of(positional).empty())
      values += (values.empty() ? "" : " ") + values_of(positional);
  return values;
}

// Names of files may have blanks: one word a line.
std::string offer(const std::string& kind) {
  return fmt::format("mapfile -t COMPREPLY < <(compgen {} -- \"$word\"); ", kind);
}

}  // namespace

std::string bash_completion(const std::vector<CommandEntry>& table) {
  std::string commands, values, options, operands;
  for (const CommandEntry& command : table) {
    if (!command.name.empty()) {
      const std::size_t last = command.name.rfind(' ');
      const bool is_top = last == std::string::npos;
      commands += fmt::format("      '{}') command='{}' ;;\n",
                              is_top ? " " + command.name : command.name, command.name);
    }
    for (const OptionEntry& option : command.options) {
      if (option.kind == ValueKind::none) continue;
      for (const std::string& name : option.names)
        values += fmt::format("    '{} {}') {}return ;;\n", command.name, name,
                              values_of(option).empty() ? "" : offer(values_of(option)));
    }
    options += fmt::format("      '{}') {};;\n", command.name,
                           offer(fmt::format("-W '{}'", words_of(command))));
    if (!operands_of(command).empty())
      operands += fmt::format("    '{}') {};;\n", command.name, offer(operands_of(command)));
  }
  return fmt::format(
      "# bash completion of hodge, made by `hodge completion bash`\n"
      "_hodge() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command= i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case \"$command ${{COMP_WORDS[i]}}\" in\n{}    esac\n  done\n"
      "  case \"$command $before\" in\n{}  esac\n"
      "  if [[ $word == -* ]]; then\n    case $command in\n{}    esac\n    return\n  fi\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
      "complete -o filenames -F _hodge hodge\n",
      commands, values, options, operands);
}

}  // namespace hodge::tools
