// Goes through a text line by line and word by word; error messages name the line.
//
// Lines end with LF or CR LF; words are separated by blanks and tabs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hodge {

class TextLines {
 public:
  // `name` is the file that messages are about; `text` has to outlive this object.
  TextLines(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {}

  // Goes to the next line; false at the end of the text.
  bool next();
  // The next line that is neither blank nor a comment (its first character being `comment`).
  bool next_with_content(char comment);

  // The next word of the line; empty where none is left.
  std::string_view word();
  std::string_view line() const { return line_; }
  long long line_number() const { return line_number_; }
  std::size_t bytes_left() const { return text_.size(); }

  // Throws ConfigError "FILE:LINE: message" for the present line, or for another one.
  [[noreturn]] void fail(const std::string& message) const { fail_at(line_number_, message); }
  [[noreturn]] void fail_at(long long line_number, const std::string& message) const;

 private:
  std::string name_;
  std::string_view text_;  // below the present line
  std::string_view line_, rest_;
  long long line_number_ = 0;
};

// `text` between quotation marks, for a message: shortened if it is long, with '?' for characters
// that cannot be printed.
std::string in_quotes(std::string_view text);

}  // namespace hodge
