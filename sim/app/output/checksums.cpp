#include "sim/app/output/checksums.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "linalg/files/file_descriptor.hpp"
#include "linalg/files/read_file.hpp"
#include "sim/app/output/surface_files.hpp"
#include "sim/app/output/vtkhdf_file.hpp"
#include "sim/base/input_files.hpp"

namespace hodge::sim {

namespace fs = std::filesystem;

namespace {

// Logs of other processes end after that of the first one; frames have checksums of their own.
bool has_checksum(const std::string& name) {
  return name != Checksums::file_name && !name.starts_with("log.rank") && !name.ends_with(".vtp") &&
         !name.ends_with(VtkhdfFile::extension);
}

// The names of the files that are there, in their order.
std::vector<std::string> files_with_checksum(const fs::path& directory, const Manifest& manifest) {
  std::vector<std::string> names{std::string(Manifest::file_name)};
  for (const char* folder : {"", "lines", surfaces_folder}) {
    if (!is_a_directory(directory / folder)) continue;
    for (const fs::path& path : entries_of(directory / folder)) {
      const std::string name = (fs::path(folder) / path.filename()).generic_string();
      if (manifest.lists(name) && has_checksum(name)) names.push_back(name);
    }
  }
  std::ranges::sort(names);
  return names;
}

std::map<std::string, std::string> read_checksums(const fs::path& path) {
  const std::string text = read_file(path);
  std::map<std::string, std::string> digests;
  try {
    for (const InputFile& file : inputs_from_text(text)) digests[file.file] = file.digest;
  } catch (const IoError& error) {
    throw IoError(fmt::format("{} is damaged: {}", path.string(), error.what()));
  }
  return digests;
}

}  // namespace

void Checksums::write(const fs::path& run_directory) {
  const auto manifest = Manifest::read(run_directory);
  if (!manifest) throw io_error("read", run_directory / Manifest::file_name, ENOENT);
  InputFiles files;
  for (const std::string& name : files_with_checksum(run_directory, *manifest)) {
    FileDescriptor file(run_directory / name, O_RDONLY);
    file.synchronize();
    files.push_back({name, digest_of_rest(file).digest});
  }
  write_file_atomically(run_directory / file_name, inputs_text(files));
}

void Checksums::remove(const fs::path& run_directory, const Manifest& manifest) {
  const std::string name(file_name);
  if (!are_in(run_directory) || !manifest.lists(name)) return;
  remove_file(run_directory / name);
  synchronize_directory(run_directory);
}

bool Checksums::are_in(const fs::path& run_directory) {
  return fs::exists(status_of_link(run_directory / file_name));
}

std::vector<std::string> Checksums::changes(const fs::path& run_directory,
                                            const Manifest& manifest) {
  const std::map<std::string, std::string> digests = read_checksums(run_directory / file_name);
  std::vector<std::string> found;
  const auto add = [&](const std::string& name, const std::string& what) {
    found.push_back(fmt::format("{} {}", (run_directory / name).string(), what));
  };
  for (const auto& [name, digest] : digests) {
    if (!is_there(run_directory / name)) {
      add(name, "is missing: the run left it");
      continue;
    }
    FileDescriptor file(run_directory / name, O_RDONLY);
    if (digest_of_rest(file).digest != digest) add(name, "has changed since the run ended");
  }
  for (const std::string& name : files_with_checksum(run_directory, manifest))
    if (!digests.contains(name)) add(name, fmt::format("has no checksum in {}", file_name));
  return found;
}

}  // namespace hodge::sim
