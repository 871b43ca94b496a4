// A file that only ever holds whole rows: each text goes to the system in one piece as soon as it
// is there, and what a failing write has left behind is cut off.
//
// Errors: IoError; the file then ends with its last whole text.
#pragma once

#include <filesystem>
#include <string_view>

#include "linalg/files/file_descriptor.hpp"

namespace hodge::sim {

class RowFile {
 public:
  explicit RowFile(const std::filesystem::path& path);  // empty at first
  void append(std::string_view rows);
  bool empty() const { return file_.size() == 0; }

 private:
  FileDescriptor file_;
};

}  // namespace hodge::sim
