// Completion for bash: the command that the words before the cursor name, then the values of the
// option before the cursor, the command's options, its commands, or its files.
#include <fmt/format.h>

#include <set>

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
  std::set<std::string> known;  // several may be files of the same kind
  for (const OptionEntry& positional : command.positionals) {
    const std::string more = values_of(positional);
    if (known.insert(more).second) values += more;
  }
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
// Words come as they were typed, with their quotes; names that a file makes itself are not known.
constexpr const char* keys_function = R"sh(_hodge_offer_keys() {
  local file= key other
  for other in "${COMP_WORDS[@]}"; do
    case $other in
      \'*\' | \"*\") other=${other:1:-1} ;;
      *) IFS= read other <<<"$other" ;;
    esac
    [[ $other == '~/'* ]] && other=$HOME/${other:2}
    [[ ${other,,} == *.@(yaml|yml) ]] && file=$other
  done
  { "${COMP_WORDS[0]}" keys ${file:+"$file"} || "${COMP_WORDS[0]}" keys; } 2>/dev/null |
    while read -r key other; do
      [[ $key == "$word"* && .$key. != *.NAME.* ]] && printf '%s=\n' "$key"
    done
}
# Bash takes --set=time.end=5 apart at each '='.
_hodge_find_word() {
  local words=("") part i
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    part=${COMP_WORDS[i]}
    if [[ $part == =* || ( -n $part && ${COMP_WORDS[i-1]} == = ) ]]; then
      words[-1]+=$part
    else
      words+=("$part")
    fi
  done
  word=${words[-1]} before=${words[-2]}
  if [[ $word == --*=* && $word != "${COMP_WORDS[COMP_CWORD]}" ]]; then
    before=${word%%=*} word=${word#*=}
  fi
}
)sh";

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
      "  local word before command= i\n"
      "  _hodge_find_word\n"
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
