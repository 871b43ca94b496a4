// Directories and their files. Errors: IoError with the path and the reason of the system.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "linalg/files/atomic_file.hpp"
#include "linalg/files/file_descriptor.hpp"

namespace hodge::sim {

// operation(std::error_code&), whose error is thrown: "cannot VERB PATH: ...".
template <class Operation>
auto attempt_on(std::string_view verb, const std::filesystem::path& path, Operation operation) {
  std::error_code error;
  auto result = operation(error);
  if (error) throw io_error(verb, path, error.value());
  return result;
}

inline std::vector<std::filesystem::path> entries_of(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> paths;
  attempt_on("read", directory, [&](std::error_code& error) {
    for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error))
      paths.push_back(entry->path());
    return true;
  });
  return paths;
}

inline void remove_file(const std::filesystem::path& path) {
  attempt_on("remove", path,
             [&](std::error_code& error) { return std::filesystem::remove(path, error); });
}

// And its parents. Their names are on the disk when this returns, also that of the last one that
// was there before: a process that was killed may have made it. (Its parent may be closed to us.)
inline void make_directory(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> missing;
  std::error_code ignored;
  std::filesystem::path at = path;
  for (; !at.empty() && !std::filesystem::exists(at, ignored); at = at.parent_path())
    missing.push_back(at);
  attempt_on("make the directory", path, [&](std::error_code& error) {
    return std::filesystem::create_directories(path, error);
  });
  const std::filesystem::path above =
      std::filesystem::absolute(at.empty() ? "." : at).parent_path();
  if (::access(above.c_str(), R_OK) == 0) synchronize_directory(above);
  for (const std::filesystem::path& made : missing) synchronize_directory(made.parent_path());
}

}  // namespace hodge::sim
