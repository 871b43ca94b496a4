#include "tools/hodge/completion/command_table.hpp"

#include <CLI/CLI.hpp>
#include <cctype>

#include "tools/hodge/program/options.hpp"

namespace hodge::tools {
namespace {

ValueKind kind_of(const CLI::Option& option, const OptionEntry& entry) {
  if (option.get_items_expected_max() == 0) return ValueKind::none;
  if (!entry.patterns.empty()) return ValueKind::file;
  if (!entry.choices.empty()) return ValueKind::choice;
  if (entry.value.starts_with("KEY=")) return ValueKind::setting;
  for (const std::string& name : {entry.value, option.get_name(true)}) {
    if (name.starts_with("DIR")) return ValueKind::folder;
    if (name.find("FILE") != std::string::npos || name.find(".mtx") != std::string::npos)
      return ValueKind::file;
  }
  return ValueKind::text;
}

// The letters of a pattern in both cases: "*.[hH]5".
std::string in_any_case(const std::string& pattern) {
  std::string any;
  for (const char c : pattern) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalpha(letter) == 0)
      any += c;
    else
      any += {'[', static_cast<char>(std::tolower(letter)), static_cast<char>(std::toupper(letter)),
              ']'};
  }
  return any;
}

OptionEntry entry_of(CLI::Option& option) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  if (option.get_positional()) entry.names = {option.get_name(true)};
  for (const std::string& offer : offers_of(option)) {
    if (offer.starts_with('*'))
      entry.patterns.push_back(in_any_case(offer));
    else
      entry.choices.push_back(offer);
  }
  entry.repeats = option.get_items_expected_max() > 1 ||
                  option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  entry.description = option.get_description();
  if (option.get_items_expected_max() > 0) {
    const std::string type = option.get_type_name();  // "TEXT:DEVICE" with the name of a check
    entry.value = type.substr(type.rfind(':') + 1);
  }
  entry.kind = kind_of(option, entry);
  return entry;
}

void add_commands(const CLI::App& app, const std::string& name, std::vector<CommandEntry>& table) {
  CommandEntry entry{.name = name, .description = app.get_description()};
  // CLI11 gives the checks of an option to no constant reader.
  for (CLI::Option* option : const_cast<CLI::App&>(app).get_options())
    if (!option->get_group().empty())  // --help shows it
      (option->get_positional() ? entry.positionals : entry.options).push_back(entry_of(*option));
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* command : commands) entry.commands.push_back(command->get_name());
  table.push_back(std::move(entry));
  for (const CLI::App* command : commands)
    add_commands(*command, (name.empty() ? "" : name + " ") + command->get_name(), table);
}

}  // namespace

std::vector<CommandEntry> command_table(const CLI::App& program) {
  std::vector<CommandEntry> table;
  add_commands(program, "", table);
  return table;
}

}  // namespace hodge::tools
