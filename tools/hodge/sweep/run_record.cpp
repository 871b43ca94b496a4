#include "tools/hodge/sweep/run_record.hpp"

#include <array>
#include <sstream>

#include "linalg/base/errors.hpp"
#include "linalg/files/directories.hpp"
#include "linalg/files/read_file.hpp"
#include "sim/app/checkpoint/checkpoint_folder.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/initial/initial_state.hpp"

namespace hodge::tools {
namespace {

constexpr int numerical_failure = 3;

// Empty where there is no such file.
std::string text_in(const std::filesystem::path& path) {
  return is_there(path) ? read_file(path) : "";
}

// Does not change what is computed.
constexpr std::array free_where_finished{"device", "output.directory", "output.name"};

// What the summary says, or while there is none the newest checkpoint.
std::optional<sim::InputFiles> inputs_in(const std::filesystem::path& directory) {
  const sim::Json summary = summary_in(directory);
  if (summary.is_null()) try {
      return sim::CheckpointReader(sim::CheckpointFolder(directory).newest()).header().inputs;
    } catch (const Error&) {
      return std::nullopt;
    }
  if (!summary.contains("inputs")) return std::nullopt;
  sim::InputFiles inputs;
  for (const auto& [file, digest] : summary["inputs"].items())
    if (digest.is_string()) inputs.push_back({file, digest});
  return inputs;
}

sim::RunRecord record_in(const std::filesystem::path& directory) {
  return {text_in(directory / "config.yaml"), inputs_in(directory)};
}

// A state to begin with that is gone is not known to have changed.
sim::RunRecord record_of(const sim::Settings& settings) {
  sim::InputFiles inputs = settings.inputs;
  const std::string& from = settings.initial_from.path;
  if (!from.empty() && is_there(from)) inputs.push_back({from, sim::digest_of_state(from)});
  return {sim::settings_to_yaml(settings), inputs};
}

}  // namespace

sim::Json summary_in(const std::filesystem::path& directory) {
  const sim::Json summary =
      sim::Json::parse(text_in(directory / "summary.json"), nullptr, /*allow_exceptions=*/false);
  const bool whole = summary.is_object() && summary.contains("status") &&
                     summary.contains("exit_code") && summary.contains("end");
  return whole ? summary : sim::Json();
}

std::optional<sim::RunChange> changed_since(const std::filesystem::path& directory,
                                            const sim::Settings& settings) {
  const sim::RunRecord before = record_in(directory);
  if (before.config.empty()) return std::nullopt;
  return sim::first_change(before, record_of(settings));
}

bool is_finished(const std::filesystem::path& directory, const sim::Settings& settings) {
  const sim::Json summary = summary_in(directory);
  if (summary.is_null()) return false;
  const bool at_end = summary["status"] == "completed" && summary["end"] != "wall_clock";
  if (!at_end && summary["exit_code"] != numerical_failure) return false;
  const sim::RunRecord before = record_in(directory), now = record_of(settings);
  const bool are_known = before.inputs || now.inputs->empty();
  return are_known && !before.config.empty() &&
         !sim::first_change(before, now, free_where_finished);
}

}  // namespace hodge::tools
