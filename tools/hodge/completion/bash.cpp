// Completion for bash: the command that the words before the cursor name, then the values of the
// option before the cursor, the command's options, its commands, or its files.
#include <fmt/format.h>

#include "tools/hodge/completion/command_table.hpp"

namespace hodge::tools {
namespace {

std::vector<std::string> option_names_of(const CommandEntry& command) {
  std::vector<std::string> names;
  for (const OptionEntry& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// The commands that print what may stand there, one word a line: names of files may have blanks.
std::string words_among(const std::vector<std::string>& words) {
  return words.empty() ? "" : fmt::format("compgen -W '{}' -- \"$word\"; ", fmt::join(words, " "));
}

std::string values_of(const OptionEntry& option) {
  if (option.kind == ValueKind::folder) return "compgen -d -- \"$word\"; ";
  if (option.kind == ValueKind::setting) return "_hodge_offer_keys; ";
  std::string values = words_among(option.choices);
  if (option.kind == ValueKind::file && option.patterns.empty())
    values += "compgen -f -- \"$word\"; ";
  for (const std::string& pattern : option.patterns)
    values += fmt::format("compgen -f -X '!{}' -- \"$word\"; ", pattern);
  if (!option.patterns.empty()) values += "compgen -d -- \"$word\"; ";  // on the way to a file
  return values;
}

// What may stand where no option is begun.
std::string operands_of(const CommandEntry& command) {
  std::string values = words_among(command.commands);
  for (const OptionEntry& positional : command.positionals) values += values_of(positional);
  return values;
}

std::string offer(const std::string& values) {
  return values.empty() ? "" : fmt::format("mapfile -t COMPREPLY < <({}); ", values);
}

// A key waits for its value: no blank behind it, and its '=' is no part of a file's name.
std::string offer_of(const OptionEntry& option) {
  const bool is_setting = option.kind == ValueKind::setting;
  return offer(values_of(option)) +
         (is_setting ? "compopt -o nospace +o filenames 2>/dev/null; return 0 ;;\n"
                     : "return ;;\n");
}

// The keys of the configuration on the command line; without one, or of a wrong one, of any file.
constexpr const char* keys_function = R"(_hodge_offer_keys() {
  local file= key other
  for other in "${COMP_WORDS[@]}"; do
    [[ $other == *.@(yaml|yml) ]] && file=$other
  done
  { "${COMP_WORDS[0]}" keys ${file:+"$file"} || "${COMP_WORDS[0]}" keys; } 2>/dev/null |
    while read -r key other; do
      [[ $key == "$word"* ]] && printf '%s=\n' "$key"
    done
}
)";

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
        values += fmt::format("    '{} {}') {}", command.name, name, offer_of(option));
    }
    options += fmt::format("      '{}') {};;\n", command.name,
                           offer(words_among(option_names_of(command))));
    if (!operands_of(command).empty())
      operands += fmt::format("    '{}') {};;\n", command.name, offer(operands_of(command)));
  }
  return fmt::format(
      "# bash completion of hodge, made by `hodge completion bash`\n{}"
      "_hodge() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command= i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case \"$command ${{COMP_WORDS[i]}}\" in\n{}    esac\n  done\n"
      "  case \"$command $before\" in\n{}  esac\n"
      "  if [[ $word == -* ]]; then\n    case $command in\n{}    esac\n    return\n  fi\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
      "complete -o filenames -F _hodge hodge\n",
      keys_function, commands, values, options, operands);
}

}  // namespace hodge::tools
