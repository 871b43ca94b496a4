// Writes down what changes the watched folder, for tests/faults/power_cut.hpp.
//
// A record is a line, followed by `bytes` bytes of data and a newline where it has data:
//
//   open FILE CREATED EMPTIED PATH     FILE: a number that stays with the file when it is renamed
//   write FILE OFFSET bytes
//   truncate FILE SIZE
//   sync FILE                          sync_folder PATH
//   rename PATH / to PATH              two lines; link likewise
//   remove PATH                        mkdir PATH
//   say bytes                          standard output
#include <sys/stat.h>

#include <cstdlib>
#include <map>
#include <utility>

#include "tests/preload/watch.hpp"

namespace hodge::preload {
namespace {

const char* record_file() {
  static const char* const file = std::getenv("HODGE_RECORD");
  return file;
}

void put(const std::string& line) {
  append_unwatched(record_file(), line + "\n");
}

void put(std::string line, std::string_view data) {
  line += " " + std::to_string(data.size()) + "\n";
  append_unwatched(record_file(), line.append(data) + "\n");
}

// The number of a file. An inode that is used again gets a new one.
int file_number(int descriptor, bool created = false) {
  static std::map<std::pair<dev_t, ino_t>, int> numbers;
  static int last = 0;
  struct stat status {};
  if (!status_unwatched(descriptor, status)) return 0;
  int& number = numbers[{status.st_dev, status.st_ino}];
  if (number == 0 || created) number = ++last;
  return number;
}

bool is_folder(int descriptor) {
  struct stat status {};
  return status_unwatched(descriptor, status) && S_ISDIR(status.st_mode);
}

}  // namespace

void record_open(const std::string& path, int descriptor, bool created, bool emptied) {
  if (record_file() == nullptr || is_folder(descriptor)) return;
  put("open " + std::to_string(file_number(descriptor, created)) + (created ? " 1" : " 0") +
      (emptied ? " 1 " : " 0 ") + path);
}

void record_write(int descriptor, off_t offset, std::string_view data) {
  if (record_file() == nullptr) return;
  put("write " + std::to_string(file_number(descriptor)) + " " + std::to_string(offset), data);
}

void record_truncate(int descriptor, off_t bytes) {
  if (record_file() == nullptr) return;
  put("truncate " + std::to_string(file_number(descriptor)) + " " + std::to_string(bytes));
}

void record_sync(int descriptor, const std::string& path) {
  if (record_file() == nullptr) return;
  if (is_folder(descriptor))
    put("sync_folder " + path);
  else
    put("sync " + std::to_string(file_number(descriptor)));
}

void record_names(const Call& call) {
  if (record_file() == nullptr) return;
  put(std::string(name_of(call.kind)) + " " + call.path);
  if (!call.second_path.empty()) put("to " + call.second_path);
}

void record_said(std::string_view text) {
  if (record_file() != nullptr) put("say", text);
}

}  // namespace hodge::preload
