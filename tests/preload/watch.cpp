#include "tests/preload/watch.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

namespace hodge::preload {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_other_rank() {
  const std::string rank = variable("HODGE_WATCHED_RANK");
  return !rank.empty() && rank != variable("OMPI_COMM_WORLD_RANK");
}

// A program that replaces itself keeps its number; those that it starts have others.
bool is_child() {
  constexpr const char* number = "HODGE_WATCHED_ALONE_BY";
  if (variable("HODGE_WATCHED_ALONE").empty()) return false;
  ::setenv(number, std::to_string(::getpid()).c_str(), 0);
  return variable(number) != std::to_string(::getpid());
}

// When the library is loaded: before another program is started.
[[gnu::constructor]] void look_at_process() {
  (void)is_child();
}

const std::string& folder() {
  static const std::string path = [] {
    return is_other_rank() || is_child() ? "" : variable("HODGE_WATCHED");
  }();
  return path;
}

std::string target_of_link(const std::string& link) {
  char target[PATH_MAX];
  const ssize_t length = ::readlink(link.c_str(), target, sizeof target);
  return length < 0 ? "" : std::string(target, static_cast<std::size_t>(length));
}

std::string path_of(int descriptor) {
  return target_of_link("/proc/self/fd/" + std::to_string(descriptor));
}

std::optional<std::string> below_the_folder(const std::string& path) {
  const std::string& top = folder();
  if (top.empty() || !path.starts_with(top)) return std::nullopt;
  if (path.size() == top.size()) return ".";
  if (path[top.size()] != '/') return std::nullopt;
  return path.substr(top.size() + 1);
}

// Without . and .., links are taken as they are: the tests make none.
std::string normal(const std::string& path) {
  std::string result;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string part = path.substr(at, end - at);
    at = end + 1;
    if (part == "..")
      result.resize(result.find_last_of('/') == std::string::npos ? 0 : result.find_last_of('/'));
    else if (!part.empty() && part != ".")
      result += "/" + part;
  }
  return result;
}

}  // namespace

const char* name_of(Kind kind) {
  constexpr const char* names[] = {"open",   "write", "sync",     "close", "rename",
                                   "remove", "mkdir", "truncate", "link",  "lock",
                                   "read",   "stat",  "list"};
  return names[static_cast<int>(kind)];
}

std::optional<std::string> watched(int at, const char* path) {
  if (folder().empty() || path == nullptr) return std::nullopt;
  std::string whole = path;
  if (!whole.starts_with('/'))
    whole = (at == AT_FDCWD ? target_of_link("/proc/self/cwd") : path_of(at)) + "/" + whole;
  return below_the_folder(normal(whole));
}

std::optional<std::string> watched(int descriptor) {
  if (folder().empty()) return std::nullopt;
  return below_the_folder(path_of(descriptor));
}

std::unique_lock<std::mutex> one_at_a_time() {
  static std::mutex mutex;
  return std::unique_lock(mutex);
}

bool has_name_unwatched(int at, const char* path) {
  struct stat status {};
  return ::syscall(SYS_newfstatat, at, path, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

bool status_unwatched(int descriptor, struct stat& status) {
  return ::syscall(SYS_fstat, descriptor, &status) == 0;
}

void append_unwatched(const char* file, std::string_view text) {
  const long fd = ::syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND, 0600);
  while (fd >= 0 && !text.empty()) {
    const long written = ::syscall(SYS_write, fd, text.data(), text.size());
    if (written <= 0) ::_exit(99);  // a test must not go on with half a record
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fd >= 0) ::syscall(SYS_close, fd);
}

}  // namespace hodge::preload
