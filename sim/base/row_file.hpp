// A file that always holds whole rows: each text is written at once in one piece, and the rest of a
// failed write is cut off.
//
// Errors: IoError; the file then ends with its last whole text. The text that could not be written
// is kept: it is written with the next text and saved in a checkpoint, so that no row is lost.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "linalg/files/file_descriptor.hpp"
#include "sim/base/csv_row.hpp"
#include "sim/base/state_visitor.hpp"

namespace hodge::sim {

class RowFile {
 public:
  enum class Start { empty, with_what_is_there };

  RowFile(std::filesystem::path path, Start start = Start::empty);
  void append(std::string_view rows);
  void append(const CsvRow& row);  // after the header where the file is empty
  bool empty() const { return file_.size() == 0 && waiting_.empty(); }

  const std::filesystem::path& path() const { return path_; }
  void synchronize();  // to the disk

  // The length of the file. Restoring cuts off the rows after it. Errors: ConfigError for a file
  // that is shorter, which is not changed.
  void visit_state(StateVisitor& visitor, const std::string& name);

 private:
  void go_back_to(long long bytes);

  std::filesystem::path path_;
  FileDescriptor file_;
  std::string waiting_;
};

}  // namespace hodge::sim
