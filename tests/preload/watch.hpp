// What the functions of intercept.cpp do around a call of libc: the call may be counted and made to
// fail (failures.cpp), and it may be recorded (recorder.cpp).
//
// Only calls that concern files below the folder HODGE_WATCHED are looked at. Everything is set by
// the environment, read once, at the first call:
//
//   HODGE_WATCHED        the folder, a canonical absolute path
//   HODGE_WATCHED_RANK   of processes that mpirun starts, only the one of this rank is looked at
//   HODGE_WATCHED_ALONE  if set, the programs that this one starts are not looked at
//   HODGE_CALLS          a file that gets a line for each call: "main 17 write out/history.csv".
//                        The calls of the main thread are counted from 1, those of all other
//                        threads together too.
//   HODGE_FAIL           "main 17 5": this call fails with errno 5; "main 17 5 on": and so do all
//                        later ones of this thread. Instead of an errno, 0: a write takes and
//                        a read gives half of its bytes; -1: the process is killed before the call.
//   HODGE_RECORD         a file that gets what changes the folder, with the data (recorder.cpp)
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace hodge::preload {

// stat: any question about a path or an open file. list: the next entry of a directory.
enum class Kind {
  open,
  write,
  sync,
  close,
  rename,
  remove,
  mkdir,
  truncate,
  link,
  lock,
  read,
  stat,
  list
};

const char* name_of(Kind kind);

// Paths are relative to the watched folder, "." for the folder itself.
struct Call {
  Kind kind;
  std::string path;
  std::string second_path = "";  // of rename and link: the new name
};

// Nothing where the file is not below the watched folder.
std::optional<std::string> watched(int folder, const char* path);
std::optional<std::string> watched(int descriptor);

// A lock that is held from before a call until it has been recorded: records are in the order of
// the calls.
std::unique_lock<std::mutex> one_at_a_time();

struct Verdict {
  bool fails = false;
  int error = 0;  // of a write or a read: 0 takes half of the bytes
};

// Counts the call. `fails` where it is the one that has to.
Verdict judge(const Call& call);

// What the recorder writes down; `offset` is that of the first byte.
void record_open(const std::string& path, int descriptor, bool created, bool emptied);
void record_write(int descriptor, off_t offset, std::string_view data);
void record_truncate(int descriptor, off_t bytes);
void record_sync(int descriptor, const std::string& path);
void record_names(const Call& call);
void record_said(std::string_view text);  // on standard output

// System calls that are not watched: is there such a name; of an open file; adds text to a file.
bool has_name_unwatched(int folder, const char* path);
bool status_unwatched(int descriptor, struct stat& status);
void append_unwatched(const char* file, std::string_view text);

}  // namespace hodge::preload
