// The commands and options of the program as plain data, read from CLI11's tables, for shell
// completion and the manual page.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace hodge::tools {

// What may stand where a value is expected.
enum class ValueKind { none, text, file, folder, choice, setting };  // setting: time.end=5

struct OptionEntry {
  std::vector<std::string> names;  // "-q", "--quiet"; of a positional its name, "FILE"
  std::string value;               // "DIR"; empty where it takes none
  ValueKind kind = ValueKind::none;
  std::vector<std::string> choices;
  std::vector<std::string> patterns;  // of the files that are offered, "*.[hH]5"; without: all
  bool repeats = false;
  std::string description;
};

struct CommandEntry {
  std::string name;  // "matrix info"; empty for the program itself
  std::string description;
  std::vector<OptionEntry> options{}, positionals{};
  std::vector<std::string> commands{};  // below it: "info", ...
};

// The program first, then its commands, each followed by those below it.
std::vector<CommandEntry> command_table(const CLI::App& program);

// A script for `eval` or for the shell's folder of completions; a manual page for man(1).
std::string bash_completion(const std::vector<CommandEntry>& table);
std::string zsh_completion(const std::vector<CommandEntry>& table);
std::string manual_page(const std::vector<CommandEntry>& table, const std::string& epilogue);

}  // namespace hodge::tools
