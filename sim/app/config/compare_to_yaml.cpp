#include "sim/app/config/compare_to_yaml.hpp"

#include <fmt/format.h>

#include "sim/app/config/solver_to_yaml.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::string number_line(const char* key, const std::optional<long>& value) {
  return value ? fmt::format("  {}: {}\n", key, *value) : "";
}

std::string entry_text(const SystemSettings& entry) {
  std::string text = method_to_yaml(entry);
  text.pop_back();
  return fmt::format("{}, max_iterations: {}}}", text, entry.max_iterations);
}

std::string list_text(const char* key, const std::vector<SystemSettings>& list) {
  std::string text = fmt::format("  {}:{}\n", key, list.empty() ? " []" : "");
  for (const SystemSettings& entry : list) text += "    - " + entry_text(entry) + "\n";
  return text;
}

}  // namespace

std::string compare_to_yaml(const std::optional<CompareSettings>& compare) {
  if (!compare) return "";
  std::string text = "compare:\n";
  if (!compare->steps.empty())
    text += fmt::format("  steps: [{}]\n", fmt::join(compare->steps, ", "));
  text += number_line("every", compare->every) + number_line("from", compare->from) +
          number_line("to", compare->to);
  text += list_text("pressure", compare->pressure) + list_text("transport", compare->transport) +
          list_text("scalars", compare->scalars);
  if (compare->max_seconds)
    text += fmt::format("  max_seconds: {}\n", number_text(*compare->max_seconds));
  return text +
         fmt::format("  histories: {}\n  guesses: {}\n", compare->histories, compare->guesses);
}

}  // namespace hodge::sim
