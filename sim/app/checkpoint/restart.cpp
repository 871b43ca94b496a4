#include "sim/app/checkpoint/restart.hpp"

#include <fmt/format.h>

#include <array>

#include "linalg/base/errors.hpp"
#include "sim/app/checkpoint/changed_keys.hpp"
#include "sim/app/checkpoint/checkpoint_folder.hpp"
#include "sim/app/checkpoint/seal.hpp"
#include "sim/app/config/settings_yaml.hpp"

namespace hodge::sim {

namespace fs = std::filesystem;

namespace {

bool is_whole(const fs::path& path) {
  try {
    check_seal(path);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The other checkpoints of the same folder, newest first, from the first one before `damaged`.
std::string offer(const fs::path& damaged) {
  bool before = false;
  for (const fs::path& path : CheckpointFolder::holding(damaged).newest_first()) {
    if (before && is_whole(path))
      return fmt::format("; the one before is whole: --restart {}", path.string());
    before = before || path.filename() == damaged.filename();
  }
  return "; there is no whole one before it";
}

void require_same_run(const CheckpointReader& checkpoint, const Settings& settings) {
  const auto change = first_change(checkpoint.header().config, settings_to_yaml(settings));
  if (!change) return;
  throw ConfigError(fmt::format(
      "{} is {}, and the checkpoint {} was written with {}; a restart may change nothing but {}",
      change->key, change->now, checkpoint.path().string(), change->before,
      keys_that_may_change()));
}

}  // namespace

std::unique_ptr<CheckpointReader> open_checkpoint(const std::string& wanted,
                                                  const Settings& settings) {
  const fs::path path =
      wanted == "latest" ? CheckpointFolder(settings.output.directory).newest() : fs::path(wanted);
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    throw ConfigError(fmt::format("{} is no file, expected a checkpoint or latest", path.string()));
  std::unique_ptr<CheckpointReader> checkpoint;
  try {
    checkpoint = std::make_unique<CheckpointReader>(path);
  } catch (const IoError& damage) {
    throw IoError(damage.what() + offer(path));
  }
  require_same_run(*checkpoint, settings);
  return checkpoint;
}

bool continues_in_place(const CheckpointReader& checkpoint, const Settings& settings) {
  std::error_code error;
  return fs::equivalent(checkpoint.path().parent_path(),
                        CheckpointFolder(settings.output.directory).path(), error);
}

}  // namespace hodge::sim
