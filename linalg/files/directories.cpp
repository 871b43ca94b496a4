#include "linalg/files/directories.hpp"

#include <unistd.h>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"

namespace hodge {

namespace fs = std::filesystem;

namespace {

template <class Look>
fs::file_status status_by(const Look& look, const fs::path& path) {
  return attempt_on("read", path, [&](std::error_code& error) {
    const fs::file_status found = look(path, error);
    if (found.type() == fs::file_type::not_found) error.clear();
    return found;
  });
}

}  // namespace

fs::file_status status_of(const fs::path& path) {
  return status_by([](const auto& of, auto& error) { return fs::status(of, error); }, path);
}

fs::file_status status_of_link(const fs::path& path) {
  return status_by([](const auto& of, auto& error) { return fs::symlink_status(of, error); }, path);
}

bool is_there(const fs::path& path) {
  return fs::exists(status_of(path));
}

bool may_be_there(const fs::path& path) noexcept {
  std::error_code unknown;
  return fs::exists(path, unknown) || unknown;
}

bool is_a_file(const fs::path& path) {
  return fs::is_regular_file(status_of(path));
}

bool is_a_directory(const fs::path& path) {
  return fs::is_directory(status_of(path));
}

bool is_link(const fs::path& path) {
  return fs::is_symlink(status_of_link(path));
}

bool are_the_same(const fs::path& a, const fs::path& b) {
  if (!is_there(a) || !is_there(b)) return false;
  const fs::path both = a.string() + " or " + b.string();
  return attempt_on("read", both,
                    [&](std::error_code& error) { return fs::equivalent(a, b, error); });
}

std::uintmax_t bytes_of_file(const fs::path& path) {
  return attempt_on("read", path,
                    [&](std::error_code& error) { return fs::file_size(path, error); });
}

fs::path absolute_path(const fs::path& path) {
  std::error_code error;
  fs::path whole = fs::absolute(path.empty() ? fs::path(".") : path, error);
  if (!error) return whole;
  throw IoError(path.string() + " is relative to the working directory, which is not there any " +
                "more (" + error.message() + "): change to another one, or give an absolute path");
}

fs::path canonical_path(const fs::path& path) {
  return attempt_on("find", path, [&](std::error_code& error) {
    return fs::weakly_canonical(absolute_path(path), error);
  });
}

std::vector<fs::path> entries_of(const fs::path& directory) {
  std::vector<fs::path> paths;
  attempt_on("read", directory, [&](std::error_code& error) {
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error))
      paths.push_back(entry->path());
    return true;
  });
  return paths;
}

void remove_file(const fs::path& path) {
  attempt_on("remove", path, [&](std::error_code& error) { return fs::remove(path, error); });
}

void make_directory(const fs::path& path) {
  std::vector<fs::path> missing;
  fs::path at = absolute_path(path);
  for (; !is_there(at); at = at.parent_path()) missing.push_back(at);
  const fs::path above = at.parent_path();
  attempt_on("make the directory", path,
             [&](std::error_code& error) { return fs::create_directories(path, error); });
  if (::access(above.c_str(), R_OK) == 0) synchronize_directory(above);
  for (const fs::path& made : missing) synchronize_directory(made.parent_path());
}

}  // namespace hodge
