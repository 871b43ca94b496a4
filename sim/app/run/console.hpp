// What a run says: to the terminal or pipe, and the same plain lines to log.txt.
//
// A terminal that goes away or a pipe that nobody reads must not end a run: the first failed write
// silences the console. An error of the log is kept for check_log(), so that it does not replace
// the error that ends a run.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string_view>

#include "linalg/base/errors.hpp"
#include "linalg/files/file_descriptor.hpp"

namespace hodge::sim {

// How much a run says on the terminal; the log of a quiet run is that of any other.
enum class Verbosity {
  quiet,    // errors only
  normal,   // progress: one line that is redrawn, or plain lines every few seconds
  verbose,  // one plain line per step, with the residuals of its solves
};

class Console {
 public:
  // The caller keeps `descriptor` open. An existing log is emptied unless `continued`: then it goes
  // on after its last whole line. Errors: IoError where the log cannot be made.
  Console(int descriptor, const std::filesystem::path& log, bool continued = false,
          Verbosity verbosity = Verbosity::normal);
  ~Console();

  bool is_terminal() const { return is_terminal_; }
  bool is_verbose() const { return is_verbose_; }
  int width() const;  // of the terminal, in columns

  // To the terminal or pipe and to the log; may hold several lines.
  void line(std::string_view text);
  // To the log, and to the console unless it is a terminal, which shows the redrawn line instead.
  void plain(std::string_view text);
  void log(std::string_view text);         // to the log alone; by any thread
  void redraw(std::string_view progress);  // a terminal's last line, cut to its width

  // Throws IoError if a line of the log has been lost.
  void check_log() const;
  // The same; the log is then closed, on the disk and at its path.
  void finish_log();

 private:
  void write(std::string_view text);
  void erase_progress();
  void cut_log();

  int descriptor_;
  bool is_verbose_;
  bool silenced_;
  bool is_terminal_;
  bool progress_shown_ = false;
  mutable std::mutex log_mutex_;  // guards what follows
  FileDescriptor log_;
  std::filesystem::path log_path_;
  std::optional<IoError> log_error_;
};

}  // namespace hodge::sim
