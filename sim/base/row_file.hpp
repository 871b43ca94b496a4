// A file that always holds whole rows: each text is written at once in one piece, and the rest of a
// failed write is cut off.
//
// A row counts, in a checkpoint, when it is on the disk: synchronize() comes first. The system
// reports a failed synchronisation once and may have dropped the rows, so that after one no later
// synchronize() succeeds.
//
// Errors: IoError; the file then ends with its last whole text. The text that could not be written
// is kept: it is written with the next text and saved in a checkpoint, so that no row is lost. A
// file that others have shortened or lengthened is noticed before the next text is written to it,
// and when it is synchronised; it stays as it is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "linalg/files/file_descriptor.hpp"
#include "sim/base/csv_row.hpp"
#include "sim/base/state_visitor.hpp"

namespace hodge::sim {

// The step that a checkpoint was written at. The first column of a file of rows is `step` or `t`.
struct RowsUpTo {
  long step = 0;
  double time = 0;
  bool of_every_step = false;  // each step has a row; else some steps have one or several
};

// IoError where others have shortened or lengthened a file that is written: the next text would
// leave a gap of zeros, or overwrite theirs.
void require_own_size(const FileDescriptor& file, const std::filesystem::path& path);

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
  // Rows and name, to the disk. An error too if the file is gone from its path or has another size.
  void synchronize();
  void finish();  // both, and closes the file

  // The length of the file. Restoring changes nothing before go_back(), which cuts off the rows
  // behind that length. Errors: ConfigError for a file that is shorter; that of the visitor where
  // the length is not that of the rows up to `now`.
  void visit_state(StateVisitor& visitor, const std::string& name, const RowsUpTo& now);
  void go_back();
  // In place of restoring, of a file that the checkpoint does not know: go_back() leaves the
  // header.
  void begin_anew();
  bool has_row_of(const RowsUpTo& now);  // as the last one

 private:
  std::string read_header();
  bool ends_with_rows_up_to(const RowsUpTo& now);
  double key_of(const RowsUpTo& now) const;
  std::optional<double> last_key();
  long long begin_of_last_row();
  std::string text_at(long long begin, long long bytes);
  void cut_off_rest();

  std::filesystem::path path_;
  FileDescriptor file_;
  long long whole_;     // bytes of whole texts in the file
  std::string header_;  // of a file that was there, without '\n'
  std::string waiting_;
  bool name_is_durable_ = false, in_doubt_ = false;
};

}  // namespace hodge::sim
