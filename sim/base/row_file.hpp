// A file that always holds whole rows: each text is written at once in one piece, and the rest of a
// failed write is cut off.
//
// A row counts, in a checkpoint, when it is on the disk: synchronize() comes first. The system
// reports a failed synchronisation once and may have dropped the rows, so that after one no later
// synchronize() succeeds.
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
  // After the header where the file is empty. A file that was there keeps its columns: those of the
  // row that it does not have are left out, those that the row does not have are empty.
  void append(const CsvRow& row);
  bool empty() const { return whole_ == 0 && waiting_.empty(); }

  const std::filesystem::path& path() const { return path_; }
  void write_waiting();  // the rows that could not be written before
  void synchronize();  // rows and name, to the disk; an error too if the file is gone from its path
  void finish();       // both, and closes the file

  // The length of the file. Restoring cuts off the rows after it. Errors: ConfigError for a file
  // that is shorter, which is not changed.
  void visit_state(StateVisitor& visitor, const std::string& name);

 private:
  void go_back_to(long long bytes);
  std::string read_header() const;
  void cut_off_rest();

  std::filesystem::path path_;
  FileDescriptor file_;
  long long whole_;     // bytes of whole texts in the file
  std::string header_;  // of a file that was there, without '\n'
  std::string waiting_;
  bool name_is_durable_ = false, in_doubt_ = false;
};

}  // namespace hodge::sim
