#include "sim/app/output/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "linalg/files/file_descriptor.hpp"
#include "sim/app/output/checksums.hpp"
#include "sim/app/output/vtkhdf_file.hpp"

namespace hodge::sim {

namespace fs = std::filesystem;

namespace {

// The lock, and what a process that was killed before its manifest was written may have left.
bool is_of_no_run(const fs::path& path) {
  return path.filename() == RunLock::file_name || name_behind(path) == Manifest::file_name;
}

// Calls f(path, its name in a manifest) for everything in the folders that the manifest names.
template <class F>
void for_each_entry(const fs::path& directory, const Manifest& manifest, F f) {
  for (const std::string& folder : manifest.folders_in(directory)) {
    if (!is_a_directory(directory / folder)) continue;
    for (const fs::path& path : entries_of(directory / folder))
      f(path, (fs::path(folder) / path.filename()).generic_string());
  }
}

void refuse_links(const fs::path& directory, const Manifest& listed) {
  for (const std::string& folder : listed.folders_in(directory))
    if (!folder.empty() && is_link(directory / folder))
      throw ConfigError(
          fmt::format("{} is a link, and nothing is removed through links: remove the link, or "
                      "choose another directory with --output",
                      (directory / folder).string()));
}

// A file that the run will write and that no run has listed is somebody else's.
void refuse_files_of_others(const fs::path& directory, const Manifest& listed,
                            const Manifest& planned) {
  for_each_entry(directory, planned, [&](const fs::path& path, const std::string& name) {
    const bool is_file = !is_link(path) && is_a_file(path);
    if (!planned.lists(name) || (is_file && listed.lists(name))) return;
    throw ConfigError(
        fmt::format("{} is in the way: it is no file of the run in {} and would be overwritten; "
                    "move it, or choose another directory with --output",
                    path.string(), directory.string()));
  });
}

// Removes names in the folder itself: a link that was put in its place in between is not followed.
// A folder of pieces goes with its files.
void remove_in(const fs::path& directory, const std::string& folder, const Manifest& listed) {
  const fs::path path = folder.empty() ? directory : directory / folder;
  if (!is_a_directory(path)) return;
  const FileDescriptor opened(path, O_RDONLY | O_DIRECTORY | (folder.empty() ? 0 : O_NOFOLLOW));
  for (const fs::path& entry : entries_of(path)) {
    const std::string name = (fs::path(folder) / entry.filename()).generic_string();
    if (!listed.lists(name) && !listed.lists_temporary(name)) continue;
    const bool removed = ::unlinkat(opened.number(), entry.filename().c_str(), 0) == 0;
    if (!removed && errno != ENOENT) throw io_error("remove", entry, errno);
  }
  synchronize_directory(path);
  if (folder.find('/') == std::string::npos) return;
  std::error_code has_files_of_others;
  fs::remove(path, has_files_of_others);
}

// Files whose writing was cut off by a kill.
void remove_temporary(const fs::path& directory, const Manifest& manifest) {
  for_each_entry(directory, manifest, [&](const fs::path& path, const std::string& name) {
    const fs::path folder = fs::path(name).parent_path();
    const bool is_linked = !folder.empty() && is_link(directory / folder);
    if (manifest.lists_temporary(name) && !is_linked) remove_file(path);
  });
}

bool has_nothing_of_a_run(const fs::path& directory) {
  return std::ranges::all_of(entries_of(directory), is_of_no_run);
}

void check_contents(const fs::path& path, bool overwrite, const Manifest& planned) {
  if (has_nothing_of_a_run(path)) return;
  if (!overwrite)
    throw ConfigError(fmt::format(
        "the output directory {} is not empty: choose another with --output, add --overwrite to "
        "replace the run in it, or --restart latest to go on with it",
        path.string()));
  const auto listed = Manifest::read(path);
  if (!listed)
    throw ConfigError(fmt::format(
        "{} is no run directory: it has no {}, which lists the files that --overwrite may remove; "
        "choose another with --output, or empty it yourself",
        path.string(), Manifest::file_name));
  refuse_links(path, *listed);
  refuse_files_of_others(path, *listed, planned);
}

}  // namespace

void RunDirectory::check(const fs::path& path, bool overwrite, const Manifest& planned) {
  const fs::file_status status = status_of(path);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) throw io_error("write into", path, ENOTDIR);
  if (are_the_same(path, "/"))
    throw ConfigError(
        fmt::format("the output directory {} is the root of the file system, expected a directory "
                    "for a run: choose one with --output",
                    path.string()));
  RunLock::require_free(path);
  check_contents(path, overwrite, planned);
}

std::optional<RunLock> RunDirectory::lock_existing(const fs::path& path) {
  if (!is_there(path / Manifest::file_name) && !is_there(path / "checkpoints")) return std::nullopt;
  return RunLock(path);
}

RunDirectory::RunDirectory(fs::path path, bool overwrite, const RunContents& contents,
                           std::optional<RunLock> lock)
    : path_(std::move(path)), lock_(std::move(lock)) {
  if (!lock_) {
    check(path_, overwrite, contents.manifest);
    make_directory(path_);
    lock_.emplace(path_);
  }
  check_contents(path_, overwrite, contents.manifest);
  if (const auto listed = Manifest::read(path_)) {
    Checksums::remove(path_, *listed);
    for (const std::string& folder : listed->folders_in(path_)) remove_in(path_, folder, *listed);
  }
  begin(contents.manifest);
  save_config(contents.config);
}

RunDirectory RunDirectory::continued(fs::path path, const Manifest& planned,
                                     std::optional<RunLock> lock) {
  RunDirectory directory(std::move(path), std::move(lock));
  if (!directory.lock_) directory.lock_.emplace(directory.path_);
  const auto listed = Manifest::read(directory.path_);
  if (listed) {
    refuse_files_of_others(directory.path_, *listed, planned);
    Checksums::remove(directory.path_, *listed);
  }
  directory.begin(listed ? listed->with(planned) : planned);
  return directory;
}

void RunDirectory::begin(const Manifest& manifest) {
  remove_temporary(path_, manifest);
  manifest.write(path_);
  make_directory(path_);
  if (!manifest.collection().ends_with(VtkhdfFile::extension)) make_directory(path_ / "frames");
}

void RunDirectory::save_config(const std::string& config) const {
  write_file_atomically(path_ / "config.yaml", config);
}

}  // namespace hodge::sim
