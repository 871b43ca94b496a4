#include "sim/app/checkpoint/checkpoint_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "linalg/files/file_descriptor.hpp"

namespace hodge::sim {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view aside = ".superseded";

// The number behind the last _ of <name>_00001200.h5; nothing for other files.
std::optional<long> step_of(const fs::path& path) {
  const std::string stem = path.stem().string();
  const std::size_t begin = stem.rfind('_') + 1;  // 0 where there is none
  if (path.extension() != ".h5" || begin == 0 || begin == stem.size()) return std::nullopt;
  long step = 0;
  const char* const end = stem.data() + stem.size();
  const auto [rest, error] = std::from_chars(stem.data() + begin, end, step);
  if (error != std::errc() || rest != end || path.filename().string().starts_with('.'))
    return std::nullopt;
  return step;
}

// None where there is no folder yet.
std::vector<fs::path> files(const fs::path& folder) {
  return is_there(folder) ? entries_of(folder) : std::vector<fs::path>();
}

}  // namespace

CheckpointFolder CheckpointFolder::holding(const fs::path& checkpoint) {
  return CheckpointFolder(absolute_path(checkpoint).parent_path().parent_path());
}

fs::path CheckpointFolder::file(const std::string& run_name, long step) const {
  return path_ / fmt::format("{}_{:08}.h5", run_name, step);
}

std::vector<fs::path> CheckpointFolder::newest_first() const {
  std::vector<fs::path> paths;
  for (const fs::path& path : files(path_))
    if (step_of(path)) paths.push_back(path);
  std::sort(paths.begin(), paths.end(),
            [](const fs::path& a, const fs::path& b) { return *step_of(a) > *step_of(b); });
  return paths;
}

fs::path CheckpointFolder::newest() const {
  const std::vector<fs::path> paths = newest_first();
  if (!paths.empty()) return paths.front();
  throw ConfigError(fmt::format(
      "there is no checkpoint in {}: start without --restart, or name the run with --output",
      path_.string()));
}

void CheckpointFolder::make() const {
  make_directory(path_);
}

void CheckpointFolder::set_aside_those_after(const fs::path& checkpoint) const {
  const std::optional<long> step = step_of(checkpoint);
  for (const fs::path& path : newest_first()) {
    if (!step || *step_of(path) <= *step) continue;
    std::error_code error;
    fs::rename(path, path.string() + std::string(aside), error);
    if (error) throw io_error("rename", path, error.value());
  }
  // Before any row is cut off: a later checkpoint that a loss of power brought back would count it.
  synchronize_directory(path_);
}

void CheckpointFolder::remove_all_but(int newest, const std::string& run_name) const {
  const auto is_of_run = [&](const fs::path& path) {
    const auto step = step_of(path);
    return step && path.filename() == file(run_name, *step).filename();
  };
  std::vector<fs::path> paths = newest_first();
  std::erase_if(paths, [&](const fs::path& path) { return !is_of_run(path); });
  for (std::size_t i = static_cast<std::size_t>(newest); i < paths.size(); ++i)
    remove_file(paths[i]);
  for (const fs::path& path : files(path_)) {
    const bool is_aside = path.extension() == aside && is_of_run(path.stem());
    if (is_aside || is_of_run(name_behind(path).value_or(""))) remove_file(path);
  }
}

}  // namespace hodge::sim
