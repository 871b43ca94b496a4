// What tests/preload/recorder.cpp has written down.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace hodge::tests {

struct Record {
  std::string kind;  // open, write, truncate, sync, sync_folder, rename, link, remove, mkdir, say
  int file = 0;
  long at = 0;  // offset of a write, size of a truncate
  bool created = false, emptied = false;
  std::string path, new_path;
  std::string data;
};

inline std::string rest_of(std::istream& line) {
  std::string text;
  std::getline(line >> std::ws, text);
  return text;
}

inline std::string data_of(std::istream& file, std::size_t bytes) {
  std::string data(bytes, '\0');
  file.read(data.data(), static_cast<std::streamsize>(bytes));
  file.get();  // the newline
  return data;
}

inline std::vector<Record> read_records(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<Record> records;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    Record record;
    std::size_t bytes = 0;
    line >> record.kind;
    if (record.kind == "to") {
      records.back().new_path = rest_of(line);
      continue;
    }
    if (record.kind == "open")
      line >> record.file >> record.created >> record.emptied;
    else if (record.kind == "write")
      line >> record.file >> record.at >> bytes;
    else if (record.kind == "truncate")
      line >> record.file >> record.at;
    else if (record.kind == "sync")
      line >> record.file;
    else if (record.kind == "say")
      line >> bytes;
    record.path = rest_of(line);
    if (bytes > 0) record.data = data_of(file, bytes);
    records.push_back(record);
  }
  if (records.empty()) throw std::runtime_error("nothing was recorded in " + path);
  return records;
}

}  // namespace hodge::tests
