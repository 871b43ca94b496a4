#include "sim/app/output/run_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/file_descriptor.hpp"
#include "sim/app/checkpoint/checkpoint_folder.hpp"
#include "sim/base/directories.hpp"

namespace hodge::sim {

namespace fs = std::filesystem;

namespace {

// Of a path that does not exist: not_found, no error.
fs::file_status status_of(const fs::path& path) {
  return attempt_on("read", path, [&](std::error_code& error) {
    const fs::file_status found = fs::status(path, error);
    if (found.type() == fs::file_type::not_found) error.clear();
    return found;
  });
}

constexpr std::array files_of_a_run{"config.yaml",       "log.txt",     "history.csv",
                                    "summary.json",      "forces.csv",  "probes.csv",
                                    "averages.csv",      "compare.csv", "compare_history.csv",
                                    "compare_guess.csv", "compare.md"};

bool is_file_of_a_run(const fs::path& path) {
  return std::ranges::count(files_of_a_run, path.filename().string()) > 0 ||
         path.extension() == ".pvd" || is_temporary(path);
}

bool is_frame(const fs::path& path) {
  return path.extension() == ".vti" || path.extension() == ".vtr" || is_temporary(path);
}

bool is_line(const fs::path& path) {
  return path.extension() == ".csv" || is_temporary(path);
}

void remove_files(const fs::path& directory, bool (*belongs_to_a_run)(const fs::path&)) {
  if (!fs::is_directory(status_of(directory))) return;
  for (const fs::path& path : entries_of(directory)) {
    if (belongs_to_a_run(path) && !fs::is_directory(path)) remove_file(path);
  }
}

// Checkpoints are removed first: as long as one exists, so do the files that a restart from it
// continues. The collection is removed before its frames.
void remove_earlier_run(const fs::path& directory) {
  remove_files(directory / "checkpoints", is_checkpoint_file);
  remove_files(directory, is_file_of_a_run);
  remove_files(directory / "frames", is_frame);
  remove_files(directory / "lines", is_line);
}

}  // namespace

void RunDirectory::check(const fs::path& path, bool overwrite) {
  const fs::file_status status = status_of(path);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) throw io_error("write into", path, ENOTDIR);
  if (!overwrite && !entries_of(path).empty()) {
    throw ConfigError(fmt::format(
        "the output directory {} is not empty: choose another with --output, add --overwrite to "
        "replace the run in it, or --restart latest to go on with it",
        path.string()));
  }
}

RunDirectory::RunDirectory(fs::path path, bool overwrite, std::string_view config_text)
    : path_(std::move(path)) {
  check(path_, overwrite);
  make_directory(path_);
  remove_earlier_run(path_);
  make_directory(path_ / "frames");
  write_file_atomically(path_ / "config.yaml", config_text);
}

RunDirectory RunDirectory::continued(fs::path path, std::string_view config_text) {
  RunDirectory directory(std::move(path));
  for (const char* folder : {"", "frames", "lines"})
    remove_files(directory.path_ / folder, is_temporary);
  make_directory(directory.path_ / "frames");
  write_file_atomically(directory.path_ / "config.yaml", config_text);
  return directory;
}

}  // namespace hodge::sim
