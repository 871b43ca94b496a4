// Functions of libc that open, read, write, rename, synchronise, close or ask for files, for a
// library that is loaded with LD_PRELOAD. Each asks judge() whether it fails, and records what it
// has done.
//
// Over 400 lines: a function of libc each.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>

#include "tests/preload/watch.hpp"

namespace hodge::preload {
namespace {

// The function of libc that has the name of ours.
template <class Function>
Function* real(Function*, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// Fails, or acts and records what was done: done(result of action).
template <class Result, class Action, class Done>
Result carry_out(const Call& call, Result failed, const Action& action, const Done& done) {
  const auto lock = one_at_a_time();
  if (const Verdict verdict = judge(call); verdict.fails) {
    errno = verdict.error == 0 ? EIO : verdict.error;
    return failed;
  }
  const Result result = action();
  const int reason = errno;
  if (result != failed) done(result);
  errno = reason;
  return result;
}

template <class Action>
int open_file(int at, const char* path, int flags, const Action& action) {
  const auto file = watched(at, path);
  if (!file) return action();
  const bool existed = has_name_unwatched(at, path);
  return carry_out({Kind::open, *file}, -1, action, [&](int descriptor) {
    record_open(*file, descriptor, !existed, (flags & O_TRUNC) != 0);
  });
}

template <class Action>
FILE* open_stream(const char* path, const char* mode, const Action& action) {
  const auto file = watched(AT_FDCWD, path);
  if (!file) return action();
  const bool existed = has_name_unwatched(AT_FDCWD, path);
  return carry_out({Kind::open, *file}, static_cast<FILE*>(nullptr), action, [&](FILE* stream) {
    record_open(*file, ::fileno(stream), !existed, mode[0] == 'w');
  });
}

template <class Action>
int change_names(int at, const char* path, Kind kind, const Action& action) {
  const auto file = watched(at, path);
  if (!file) return action();
  const Call call{kind, *file};
  return carry_out(call, -1, action, [&](int) { record_names(call); });
}

template <class Action>
int change_two_names(int at, const char* from, int new_at, const char* to, Kind kind,
                     const Action& action) {
  const auto file = watched(new_at, to);
  if (!file) return action();
  const Call call{kind, watched(at, from).value_or("elsewhere"), *file};
  return carry_out(call, -1, action, [&](int) { record_names(call); });
}

// action(data, bytes) writes at most so many; `offset` is -1 for the position of the descriptor.
template <class Action>
ssize_t write_bytes(int descriptor, const char* data, std::size_t bytes, off_t offset,
                    const Action& action) {
  const auto file = watched(descriptor);
  if (!file) {
    const ssize_t written = action(data, bytes);
    if (descriptor == STDOUT_FILENO && written > 0) {
      const auto lock = one_at_a_time();
      record_said({data, static_cast<std::size_t>(written)});
    }
    return written;
  }
  const auto lock = one_at_a_time();
  const Verdict verdict = judge({Kind::write, *file});
  if (verdict.fails && verdict.error != 0) {
    errno = verdict.error;
    return -1;
  }
  const ssize_t written = action(data, verdict.fails ? (bytes + 1) / 2 : bytes);
  const int reason = errno;
  if (written > 0) {
    const off_t first = offset >= 0 ? offset : ::lseek(descriptor, 0, SEEK_CUR) - written;
    record_write(descriptor, first, {data, static_cast<std::size_t>(written)});
  }
  errno = reason;
  return written;
}

// action(bytes) reads at most so many.
template <class Action>
ssize_t read_bytes(int descriptor, std::size_t bytes, const Action& action) {
  const auto file = watched(descriptor);
  if (!file) return action(bytes);
  const auto lock = one_at_a_time();
  const Verdict verdict = judge({Kind::read, *file});
  if (verdict.fails && verdict.error != 0) {
    errno = verdict.error;
    return -1;
  }
  return action(verdict.fails ? (bytes + 1) / 2 : bytes);
}

// A question about a file, or nothing where it is not watched.
template <class Action>
int ask(const std::optional<std::string>& file, const Action& action) {
  if (!file) return action();
  return carry_out({Kind::stat, *file}, -1, action, [](int) {});
}

template <class Entry, class Action>
Entry* list_entry(DIR* folder, const Action& action) {
  const auto path = watched(::dirfd(folder));
  if (!path) return action();
  return carry_out({Kind::list, *path}, static_cast<Entry*>(nullptr), action, [](Entry*) {});
}

std::string joined(const iovec* parts, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
  return text;
}

template <class Action>
int truncate_file(int descriptor, off_t bytes, const Action& action) {
  const auto file = watched(descriptor);
  if (!file) return action();
  return carry_out({Kind::truncate, *file}, -1, action,
                   [&](int) { record_truncate(descriptor, bytes); });
}

template <class Action>
int synchronize(int descriptor, const Action& action) {
  const auto file = watched(descriptor);
  if (!file) return action();
  return carry_out({Kind::sync, *file}, -1, action, [&](int) { record_sync(descriptor, *file); });
}

// A close that fails has closed all the same, as on Linux.
template <class Action>
int close_file(int descriptor, const Action& action) {
  const auto file = watched(descriptor);
  if (!file) return action();
  const auto lock = one_at_a_time();
  const Verdict verdict = judge({Kind::close, *file});
  const int result = action();
  if (!verdict.fails) return result;
  errno = verdict.error;
  return -1;
}

mode_t mode_in(int flags, va_list arguments) {
  const bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return creates ? va_arg(arguments, mode_t) : 0;
}

}  // namespace
}  // namespace hodge::preload

using namespace hodge::preload;

#define HODGE_REAL(name) static auto* const next = real(&::name, #name)

#define HODGE_OPEN(name)                                                              \
  int name(const char* path, int flags, ...) {                                        \
    HODGE_REAL(name);                                                                 \
    va_list arguments;                                                                \
    va_start(arguments, flags);                                                       \
    const mode_t mode = mode_in(flags, arguments);                                    \
    va_end(arguments);                                                                \
    return open_file(AT_FDCWD, path, flags, [&] { return next(path, flags, mode); }); \
  }

#define HODGE_OPENAT(name)                                                          \
  int name(int at, const char* path, int flags, ...) {                              \
    HODGE_REAL(name);                                                               \
    va_list arguments;                                                              \
    va_start(arguments, flags);                                                     \
    const mode_t mode = mode_in(flags, arguments);                                  \
    va_end(arguments);                                                              \
    return open_file(at, path, flags, [&] { return next(at, path, flags, mode); }); \
  }

#define HODGE_CREAT(name)                                                        \
  int name(const char* path, mode_t mode) {                                      \
    HODGE_REAL(name);                                                            \
    return open_file(AT_FDCWD, path, O_TRUNC, [&] { return next(path, mode); }); \
  }

#define HODGE_FOPEN(name)                                             \
  FILE* name(const char* path, const char* mode) {                    \
    HODGE_REAL(name);                                                 \
    return open_stream(path, mode, [&] { return next(path, mode); }); \
  }

#define HODGE_PWRITE(name)                                                                         \
  ssize_t name(int descriptor, const void* data, size_t bytes, off_t offset) {                     \
    HODGE_REAL(name);                                                                              \
    return write_bytes(                                                                            \
        descriptor, static_cast<const char*>(data), bytes, offset,                                 \
        [&](const char* from, std::size_t most) { return next(descriptor, from, most, offset); }); \
  }

#define HODGE_PREAD(name)                                                                 \
  ssize_t name(int descriptor, void* data, size_t bytes, off_t offset) {                  \
    HODGE_REAL(name);                                                                     \
    return read_bytes(descriptor, bytes,                                                  \
                      [&](size_t most) { return next(descriptor, data, most, offset); }); \
  }

#define HODGE_STAT(name, status)                                             \
  int name(const char* path, struct status* result) noexcept {               \
    HODGE_REAL(name);                                                        \
    return ask(watched(AT_FDCWD, path), [&] { return next(path, result); }); \
  }

#define HODGE_FSTAT(name, status)                                              \
  int name(int descriptor, struct status* result) noexcept {                   \
    HODGE_REAL(name);                                                          \
    return ask(watched(descriptor), [&] { return next(descriptor, result); }); \
  }

#define HODGE_FSTATAT(name, status)                                               \
  int name(int at, const char* path, struct status* result, int flags) noexcept { \
    HODGE_REAL(name);                                                             \
    return ask(watched(at, path), [&] { return next(at, path, result, flags); }); \
  }

#define HODGE_READDIR(name, entry)                                  \
  entry* name(DIR* folder) {                                        \
    HODGE_REAL(name);                                               \
    return list_entry<entry>(folder, [&] { return next(folder); }); \
  }

#define HODGE_FTRUNCATE(name)                                                         \
  int name(int descriptor, off_t bytes) noexcept {                                    \
    HODGE_REAL(name);                                                                 \
    return truncate_file(descriptor, bytes, [&] { return next(descriptor, bytes); }); \
  }

extern "C" {

HODGE_OPEN(open)
HODGE_OPEN(open64)
HODGE_OPENAT(openat)
HODGE_OPENAT(openat64)
HODGE_CREAT(creat)
HODGE_CREAT(creat64)
HODGE_FOPEN(fopen)
HODGE_FOPEN(fopen64)
HODGE_PWRITE(pwrite)
HODGE_PWRITE(pwrite64)
HODGE_FTRUNCATE(ftruncate)
HODGE_FTRUNCATE(ftruncate64)
HODGE_PREAD(pread)
HODGE_PREAD(pread64)
HODGE_STAT(stat, stat)
HODGE_STAT(stat64, stat64)
HODGE_STAT(lstat, stat)
HODGE_STAT(lstat64, stat64)
HODGE_FSTAT(fstat, stat)
HODGE_FSTAT(fstat64, stat64)
HODGE_FSTATAT(fstatat, stat)
HODGE_FSTATAT(fstatat64, stat64)
HODGE_READDIR(readdir, dirent)
HODGE_READDIR(readdir64, dirent64)

DIR* opendir(const char* path) {
  HODGE_REAL(opendir);
  const auto folder = watched(AT_FDCWD, path);
  if (!folder) return next(path);
  return carry_out(
      {Kind::open, *folder}, static_cast<DIR*>(nullptr), [&] { return next(path); }, [](DIR*) {});
}

ssize_t read(int descriptor, void* data, size_t bytes) {
  HODGE_REAL(read);
  return read_bytes(descriptor, bytes, [&](size_t most) { return next(descriptor, data, most); });
}

int access(const char* path, int mode) noexcept {
  HODGE_REAL(access);
  return ask(watched(AT_FDCWD, path), [&] { return next(path, mode); });
}

int faccessat(int at, const char* path, int mode, int flags) noexcept {
  HODGE_REAL(faccessat);
  return ask(watched(at, path), [&] { return next(at, path, mode, flags); });
}

ssize_t write(int descriptor, const void* data, size_t bytes) {
  HODGE_REAL(write);
  return write_bytes(
      descriptor, static_cast<const char*>(data), bytes, -1,
      [&](const char* from, std::size_t most) { return next(descriptor, from, most); });
}

// The parts are joined, so that half of them can be written.
ssize_t writev(int descriptor, const iovec* parts, int count) {
  const std::string text = joined(parts, count);
  return write(descriptor, text.data(), text.size());
}

int fsync(int descriptor) {
  HODGE_REAL(fsync);
  return synchronize(descriptor, [&] { return next(descriptor); });
}

int fdatasync(int descriptor) {
  HODGE_REAL(fdatasync);
  return synchronize(descriptor, [&] { return next(descriptor); });
}

int close(int descriptor) {
  HODGE_REAL(close);
  return close_file(descriptor, [&] { return next(descriptor); });
}

int fclose(FILE* stream) {
  HODGE_REAL(fclose);
  return close_file(::fileno(stream), [&] { return next(stream); });
}

int closedir(DIR* folder) {
  HODGE_REAL(closedir);
  return close_file(::dirfd(folder), [&] { return next(folder); });
}

int flock(int descriptor, int operation) noexcept {
  HODGE_REAL(flock);
  const auto file = watched(descriptor);
  if (!file) return next(descriptor, operation);
  return carry_out(
      {Kind::lock, *file}, -1, [&] { return next(descriptor, operation); }, [](int) {});
}

int rename(const char* from, const char* to) noexcept {
  HODGE_REAL(rename);
  return change_two_names(AT_FDCWD, from, AT_FDCWD, to, Kind::rename,
                          [&] { return next(from, to); });
}

int renameat(int at, const char* from, int new_at, const char* to) noexcept {
  HODGE_REAL(renameat);
  return change_two_names(at, from, new_at, to, Kind::rename,
                          [&] { return next(at, from, new_at, to); });
}

int renameat2(int at, const char* from, int new_at, const char* to, unsigned flags) noexcept {
  HODGE_REAL(renameat2);
  return change_two_names(at, from, new_at, to, Kind::rename,
                          [&] { return next(at, from, new_at, to, flags); });
}

int link(const char* from, const char* to) noexcept {
  HODGE_REAL(link);
  return change_two_names(AT_FDCWD, from, AT_FDCWD, to, Kind::link, [&] { return next(from, to); });
}

int linkat(int at, const char* from, int new_at, const char* to, int flags) noexcept {
  HODGE_REAL(linkat);
  return change_two_names(at, from, new_at, to, Kind::link,
                          [&] { return next(at, from, new_at, to, flags); });
}

int remove(const char* path) noexcept {
  HODGE_REAL(remove);
  return change_names(AT_FDCWD, path, Kind::remove, [&] { return next(path); });
}

int unlink(const char* path) noexcept {
  HODGE_REAL(unlink);
  return change_names(AT_FDCWD, path, Kind::remove, [&] { return next(path); });
}

int rmdir(const char* path) noexcept {
  HODGE_REAL(rmdir);
  return change_names(AT_FDCWD, path, Kind::remove, [&] { return next(path); });
}

int unlinkat(int at, const char* path, int flags) noexcept {
  HODGE_REAL(unlinkat);
  return change_names(at, path, Kind::remove, [&] { return next(at, path, flags); });
}

int mkdir(const char* path, mode_t mode) noexcept {
  HODGE_REAL(mkdir);
  return change_names(AT_FDCWD, path, Kind::mkdir, [&] { return next(path, mode); });
}

int mkdirat(int at, const char* path, mode_t mode) noexcept {
  HODGE_REAL(mkdirat);
  return change_names(at, path, Kind::mkdir, [&] { return next(at, path, mode); });
}

}  // extern "C"
