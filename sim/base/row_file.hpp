// A file that only ever holds whole rows: each text goes to the system in one piece as soon as it
// is there, and what a failing write has left behind is cut off.
//
// Errors: IoError; the file then ends with its last whole text, and what could not be written
// waits: it goes out with the next text, and into a checkpoint, so that no row is lost.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "linalg/files/file_descriptor.hpp"
#include "sim/base/state_visitor.hpp"

namespace hodge::sim {

class RowFile {
 public:
  enum class Start { empty, with_what_is_there };

  RowFile(std::filesystem::path path, Start start = Start::empty);
  void append(std::string_view rows);
  bool empty() const { return file_.size() == 0 && waiting_.empty(); }

  const std::filesystem::path& path() const { return path_; }
  void synchronize();  // to the disk

  // How far the file has come. Restoring drops the rows after that; a file that is shorter is a
  // ConfigError, and is left as it is.
  void visit_state(StateVisitor& visitor, const std::string& name);

 private:
  void go_back_to(long long bytes);

  std::filesystem::path path_;
  FileDescriptor file_;
  std::string waiting_;
};

}  // namespace hodge::sim
