#include "tools/hodge/sweep/run_record.hpp"

#include <fstream>
#include <sstream>

#include "linalg/base/errors.hpp"
#include "sim/app/config/settings_yaml.hpp"

namespace hodge::tools {
namespace {

constexpr int numerical_failure = 3;

std::string text_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A configuration without the lines of the device, the directory and the name of the files.
std::string what_is_computed(const std::string& config) {
  std::istringstream lines(config);
  std::string kept;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("device:") && !line.starts_with("  directory:") &&
        !line.starts_with("  name:"))
      kept += line + "\n";
  return kept;
}

}  // namespace

sim::Json summary_in(const std::filesystem::path& directory) {
  const sim::Json summary =
      sim::Json::parse(text_in(directory / "summary.json"), nullptr, /*allow_exceptions=*/false);
  const bool whole = summary.is_object() && summary.contains("status") &&
                     summary.contains("exit_code") && summary.contains("end");
  return whole ? summary : sim::Json();
}

std::optional<sim::ChangedKey> changed_since(const std::filesystem::path& directory,
                                             const sim::Settings& settings) {
  const std::string before = text_in(directory / "config.yaml");
  if (before.empty()) return std::nullopt;
  return sim::first_change(before, sim::settings_to_yaml(settings));
}

bool is_finished(const std::filesystem::path& directory, const sim::Settings& settings) {
  const sim::Json summary = summary_in(directory);
  if (summary.is_null()) return false;
  const bool at_end = summary["status"] == "completed" && summary["end"] != "wall_clock";
  if (!at_end && summary["exit_code"] != numerical_failure) return false;
  return what_is_computed(text_in(directory / "config.yaml")) ==
         what_is_computed(sim::settings_to_yaml(settings));
}

}  // namespace hodge::tools
