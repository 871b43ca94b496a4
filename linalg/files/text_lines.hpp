// Goes through a text line by line and word by word; error messages name the line.
//
// Lines end with LF or CR LF; words are separated by blanks and tabs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "linalg/base/errors.hpp"

namespace hodge {

class TextLines {
 public:
  // `name` is the file that messages are about; `text` has to outlive this object.
  TextLines(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {}

  // Goes to the next line; false at the end of the text.
  bool next() {
    if (text_.empty()) return false;
    const std::size_t end = text_.find('\n');
    line_ = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    rest_ = line_;
    ++line_number_;
    return true;
  }
  // The next line that is neither blank nor a comment (its first character being `comment`).
  bool next_with_content(char comment) {
    while (next()) {
      if (line_.starts_with(comment)) continue;
      if (!std::all_of(line_.begin(), line_.end(), is_blank)) return true;
    }
    return false;
  }

  // The next word of the line; empty where none is left.
  std::string_view word() {
    const char* first = rest_.data();
    const char* const end = first + rest_.size();
    while (first != end && is_blank(*first)) ++first;
    const char* last = first;
    while (last != end && !is_blank(*last)) ++last;
    rest_ = std::string_view(last, static_cast<std::size_t>(end - last));
    return std::string_view(first, static_cast<std::size_t>(last - first));
  }
  std::string_view line() const { return line_; }
  long long line_number() const { return line_number_; }
  std::size_t bytes_left() const { return text_.size(); }

  // Throws ConfigError "FILE:LINE: message" for the present line, or for another one.
  [[noreturn]] void fail(const std::string& message) const { fail_at(line_number_, message); }
  [[noreturn]] void fail_at(long long line_number, const std::string& message) const {
    throw ConfigError(name_ + ":" + std::to_string(line_number) + ": " + message);
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  std::string name_;
  std::string_view text_;  // below the present line
  std::string_view line_, rest_;
  long long line_number_ = 0;
};

// `text` between quotation marks, for a message: shortened if it is long, with '?' for characters
// that cannot be printed.
inline std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string shown(text.substr(0, longest));
  for (char& c : shown) {
    if (c < ' ' || c > '~') c = '?';
  }
  return "'" + shown + (text.size() > longest ? "...'" : "'");
}

}  // namespace hodge
