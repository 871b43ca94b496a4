// The manual page hodge(1), in the macros of man(7).
#include <fmt/format.h>

#include "linalg/version.hpp"
#include "tools/hodge/completion/command_table.hpp"

namespace hodge::tools {
namespace {

// A line must not begin with a control character; a hyphen is not a minus, by which people search.
std::string escaped(const std::string& text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    line_begins = c == '\n';
  }
  return result;
}

// The lines of a description that has several, each on its own.
std::string paragraph(const std::string& text) {
  std::string result;
  for (const char c : escaped(text))
    result += c == '\n' ? std::string("\n.br\n") : std::string(1, c);
  return result;
}

std::string option_text(const OptionEntry& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += (names.empty() ? "\\fB" : ", \\fB") + escaped(name) + "\\fR";
  const bool is_positional = !option.names.front().starts_with("-");
  if (!is_positional && !option.value.empty()) names += " \\fI" + escaped(option.value) + "\\fR";
  return fmt::format(".TP\n{}\n{}\n", names, paragraph(option.description));
}

std::string synopsis(const CommandEntry& command) {
  std::string text = ".B hodge " + escaped(command.name) + "\n";
  if (!command.options.empty()) text += "[\\fIoptions\\fR]\n";
  for (const OptionEntry& positional : command.positionals)
    text += fmt::format("\\fI{}\\fR{}\n", escaped(positional.names.front()),
                        positional.repeats ? "..." : "");
  return text;
}

}  // namespace

std::string manual_page(const std::vector<CommandEntry>& table, const std::string& epilogue) {
  std::string text = fmt::format(
      ".\\\" made by `hodge man`\n"
      ".TH HODGE 1 \"\" \"hodge {}\" \"\"\n"
      ".SH NAME\nhodge \\- incompressible flow on Cartesian grids, on the CPU and on the GPU\n"
      ".SH SYNOPSIS\n.B hodge\n\\fIcommand\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]\n"
      ".SH DESCRIPTION\n{}\n.SH OPTIONS\n",
      version, paragraph(table.front().description));
  for (const OptionEntry& option : table.front().options) text += option_text(option);
  text += ".SH COMMANDS\n";
  for (const CommandEntry& command : table) {
    if (command.name.empty() || !command.commands.empty()) continue;
    text += fmt::format(".SS {}\n{}.PP\n{}\n", escaped(command.name), synopsis(command),
                        paragraph(command.description));
    for (const OptionEntry& positional : command.positionals) text += option_text(positional);
    for (const OptionEntry& option : command.options) text += option_text(option);
  }
  return text + ".SH EXIT STATUS\n.nf\n" + escaped(epilogue) + ".fi\n";
}

}  // namespace hodge::tools
