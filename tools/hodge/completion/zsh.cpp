// Completion for zsh: one call of _arguments for each command.
#include <fmt/format.h>

#include "tools/hodge/completion/command_table.hpp"

namespace hodge::tools {
namespace {

// One line, without what ends a quoted word or a part of a specification.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text.substr(0, text.find('\n'))) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result;
}

// A leading blank keeps options of compadd from the arguments of a function.
std::string action_of(const OptionEntry& option) {
  const std::string words = fmt::format("{}", fmt::join(option.choices, " "));
  if (option.kind == ValueKind::folder) return "_files -/";
  if (option.kind == ValueKind::setting) return " _hodge_offer_keys";
  if (option.kind == ValueKind::choice) return "(" + words + ")";
  if (option.kind != ValueKind::file) return " ";
  if (option.patterns.empty()) return "_files";
  return fmt::format(" _hodge_offer_files \"{}\" {}", fmt::join(option.patterns, " "), words);
}

// Files of some patterns, folders on the way to them, words; and the keys of the configuration on
// the command line, without one, or of a wrong one, those of any file.
constexpr const char* functions = R"zsh(_hodge_offer_files() {
  (( $# > 1 )) && compadd -- $@[2,-1]
  _path_files -g "$1"
  _path_files -/
}
_hodge_offer_keys() {
  local -a keys plain=("${(@Q)words}")
  compset -P '*=' && return 1
  keys=(${${(f)"$({ $_hodge_program keys ${plain[(r)*.(yaml|yml|YAML|YML)]} || $_hodge_program keys } 2>/dev/null)"}%% *})
  keys=(${keys:#(|*.)NAME(|.*)})
  compadd -S '=' -a keys
}
)zsh";

std::string specifications(const CommandEntry& command) {
  std::string text;
  for (const OptionEntry& option : command.options)
    for (const std::string& name : option.names) {
      text += fmt::format(" \\\n        '{}{}[{}]", option.repeats ? "*" : "", name,
                          plain(option.description));
      if (option.kind != ValueKind::none)
        text += fmt::format(":{}:{}", plain(option.value), action_of(option));
      text += "'";
    }
  for (const OptionEntry& positional : command.positionals)  // in their order; * takes all further
    text += fmt::format(" \\\n        '{}:{}:{}'", positional.repeats ? "*" : "",
                        plain(positional.names.front()), action_of(positional));
  return text;
}

const CommandEntry& entry_named(const std::vector<CommandEntry>& table, const std::string& name) {
  for (const CommandEntry& command : table)
    if (command.name == name) return command;
  return table.front();
}

// A function for each command: _hodge, _hodge_run, _hodge_matrix, _hodge_matrix_info.
std::string function_of(const CommandEntry& command) {
  std::string name = command.name.empty() ? "" : "_" + command.name;
  for (char& c : name)
    if (c == ' ') c = '_';
  return "_hodge" + name;
}

std::string function_text(const std::vector<CommandEntry>& table, const CommandEntry& command) {
  if (command.commands.empty())
    return fmt::format("{}() {{\n  _arguments -s{}\n}}\n", function_of(command),
                       specifications(command));
  std::string names, calls;
  for (const std::string& name : command.commands) {
    const CommandEntry& below =
        entry_named(table, (command.name.empty() ? "" : command.name + " ") + name);
    names += fmt::format("    '{}:{}'\n", name, plain(below.description));
    calls += fmt::format("        {}) {} ;;\n", name, function_of(below));
  }
  return fmt::format(
      "{}() {{\n"
      "{}  local state line\n"
      "  local -a commands=(\n{}  )\n"
      "  _arguments -C{} \\\n        '1: :->command' '*:: :->rest'\n"
      "  case $state in\n"
      "    command) _describe command commands ;;\n"
      "    rest)\n      case $line[1] in\n{}      esac ;;\n"
      "  esac\n}}\n",
      function_of(command), command.name.empty() ? "  _hodge_program=$words[1]\n" : "", names,
      specifications(command), calls);
}

}  // namespace

std::string zsh_completion(const std::vector<CommandEntry>& table) {
  std::string text = "#compdef hodge\n# zsh completion of hodge, made by `hodge completion zsh`\n";
  text += functions;
  for (const CommandEntry& command : table) text += function_text(table, command);
  // The file is the function _hodge itself where zsh loads it from its folder.
  return text +
         "if [ \"$funcstack[1]\" = _hodge ]; then _hodge \"$@\"; else compdef _hodge hodge; fi\n";
}

}  // namespace hodge::tools
