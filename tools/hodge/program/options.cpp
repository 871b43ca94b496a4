#include "tools/hodge/program/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "sim/app/config/settings_yaml.hpp"
#include "sim/base/text.hpp"
#include "sim/model/compare_settings.hpp"

namespace hodge::tools {

void add_device_option(CLI::App& command, std::string& device, const std::string& description) {
  const auto check = [](const std::string& name) -> std::string {
    if (sim::is_device_name(name)) return "";
    const std::string meant =
        sim::nearest_name(name, std::vector<std::string>{"auto", "cpu", "cuda"});
    return fmt::format("{}expected auto, cpu, cuda or cuda:N, not {}",
                       meant.empty() ? "" : fmt::format("did you mean '{}'? ", meant),
                       sim::quote(name));
  };
  command.add_option("--device", device, description)
      ->check(CLI::Validator(check, "DEVICE", "auto cpu cuda"));
}

void add_set_option(CLI::App& command, std::vector<std::string>& overrides) {
  command
      .add_option("--set", overrides, "Change a value of the file, as time.end=5; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_give_up_option(CLI::App& command,
                        const std::function<void(std::optional<double>)>& give_up) {
  const auto take = [give_up](const std::string& text) {
    give_up(text == "never" ? std::nullopt : std::optional(std::stod(text)));
  };
  const auto check = [](const std::string& text) -> std::string {
    char* end = nullptr;
    const double times = std::strtod(text.c_str(), &end);
    if (text == "never" ||
        (end != text.c_str() && *end == '\0' && times > 1 && std::isfinite(times)))
      return "";
    return fmt::format("expected a number > 1 or never, not {}", sim::quote(text));
  };
  command
      .add_option_function<std::string>(
          "--give-up", take,
          fmt::format("Give up a solver that takes so many times as long as the fastest, {:g} by "
                      "default; or never",
                      sim::default_give_up))
      ->check(CLI::Validator(check, "TIMES"));
}

std::string exit_codes_text() {
  return "\nExit codes:\n"
         "  0    done\n"
         "  2    wrong input: the command line, a file, a value; nothing has been written\n"
         "  3    numerical failure: a solver that does not converge, a blow-up, a singular system\n"
         "  4    the machine: disk, memory, device\n"
         "  130  ended by SIGINT (Ctrl-C), 143 by SIGTERM, 129 by SIGHUP, 138 by SIGUSR1, 152 by\n"
         "       SIGXCPU: after the step, with a last frame\n"
         "With several files or a sweep: the largest code of all. Every error is one line on "
         "stderr.\n";
}

CLI::Validator one_of(const std::string& what, std::vector<std::string> names) {
  const std::vector<std::string> listed = names;
  const auto check = [what, names = std::move(names)](const std::string& name) -> std::string {
    if (std::ranges::find(names, name) != names.end()) return "";
    return fmt::format("unknown {} {}, {}known: {}", what, sim::quote(name),
                       sim::suggestion(name, names), sim::join(names));
  };
  // The name of a validator is not shown: offers_of() reads it.
  return CLI::Validator(check, "", fmt::format("{}", fmt::join(listed, " ")));
}

std::vector<std::string> offers_of(CLI::Option& option) {
  std::vector<std::string> offers;
  try {
    std::istringstream names(option.get_validator(0)->get_name());
    for (std::string name; names >> name;) offers.push_back(name);
  } catch (const CLI::OptionNotFound&) {  // it has no validator
  }
  return offers;
}

bool takes_configurations(CLI::Option& option) {
  const std::vector<std::string> offers = offers_of(option);
  return std::ranges::count(offers, "*.yaml") > 0;
}

CLI::Option* add_name_option(CLI::App& command, const char* name, std::string& value,
                             const char* description, const std::string& what,
                             std::vector<std::string> names) {
  return command.add_option(name, value, description)
      ->type_name("NAME")
      ->check(one_of(what, std::move(names)));
}

CLI::Validator not_empty(const std::string& offers) {
  const auto check = [](const std::string& name) -> std::string {
    return name.empty() ? "expected a name, not an empty text" : "";
  };
  return CLI::Validator(check, "", offers);
}

}  // namespace hodge::tools
