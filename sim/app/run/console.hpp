// What a run says: to the terminal or pipe, and the same plain lines to log.txt.
//
// A terminal that goes away or a pipe that nobody reads must not end a run: the first failed write
// silences it. A log that cannot be written is remembered for check_log(), so that a message on the
// way out of an error hides nothing.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "linalg/base/errors.hpp"
#include "linalg/files/file_descriptor.hpp"
#include "sim/app/run/verbosity.hpp"

namespace hodge::sim {

class Console {
 public:
  // `descriptor` stays the caller's; what a log already holds goes, unless it is continued. Throws
  // IoError if the log cannot be made.
  Console(int descriptor, const std::filesystem::path& log, bool continued = false,
          Verbosity verbosity = Verbosity::normal);
  ~Console();

  bool is_terminal() const { return is_terminal_; }
  bool is_verbose() const { return is_verbose_; }
  int width() const;  // of the terminal, in columns

  void line(std::string_view text);  // everywhere; may hold several lines
  void plain(std::string_view
                 text);  // where no line is redrawn: the log, and a console that is no terminal
  void log(std::string_view text);         // the log alone
  void redraw(std::string_view progress);  // a terminal's last line, cut to its width

  // Throws IoError if a line of the log has been lost.
  void check_log() const;

 private:
  void write(std::string_view text);
  void erase_progress();

  int descriptor_;
  bool is_verbose_;
  bool silenced_;
  bool is_terminal_;
  bool progress_shown_ = false;
  FileDescriptor log_;
  std::optional<IoError> log_error_;
};

}  // namespace hodge::sim
