// Goes through a file line by line and word by word; error messages name the line.
//
// Lines end with LF or CR LF and have at most 1 MiB, unless the reader says otherwise; words are
// separated by blanks and tabs. The memory is that of a few lines, however long the file is,
// unpacked or not. Errors of reading: IoError, those of file_reader.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "linalg/base/errors.hpp"
#include "linalg/files/file_reader.hpp"

namespace hodge {

class TextLines {
 public:
  static constexpr std::size_t mebibyte = 1 << 20;

  explicit TextLines(const std::filesystem::path& path, std::size_t longest = mebibyte)
      : name_(path.string()), file_(path), longest_(longest), buffer_(mebibyte, '\0') {}

  // Goes to the next line; false at the end of the file. The line before is gone then.
  bool next() {
    std::size_t end = text_.find('\n');
    while (end == std::string_view::npos && text_.size() <= longest_ && read_more())
      end = text_.find('\n');
    if (text_.empty()) return false;
    ++line_number_;
    line_ = text_.substr(0, end);
    if (line_.size() > longest_)
      fail("the line has more than " + std::to_string(longest_ / mebibyte) +
           " MiB, expected a text file");
    is_whole_ = end != std::string_view::npos;
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    rest_ = line_;
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
  bool is_whole() const { return is_whole_; }  // the present line ends with a line feed
  std::size_t bytes_on_disk() const { return file_.bytes_on_disk(); }

  // Throws ConfigError "FILE:LINE: message" for the present line, or for another one.
  [[noreturn]] void fail(const std::string& message) const { fail_at(line_number_, message); }
  [[noreturn]] void fail_at(long long line_number, const std::string& message) const {
    throw ConfigError(name_ + ":" + std::to_string(line_number) + ": " + message);
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  // Moves what is left to the front and fills the room behind it, which is at least as long. False
  // at the end.
  bool read_more() {
    if (at_end_) return false;
    const std::size_t left = text_.size();
    std::copy(text_.begin(), text_.end(), buffer_.begin());
    if (2 * left > buffer_.size()) buffer_.resize(2 * buffer_.size());
    const std::size_t room = buffer_.size() - left;
    const std::size_t count = file_.read(buffer_.data() + left, room);
    at_end_ = count < room;
    text_ = std::string_view(buffer_).substr(0, left + count);
    return count > 0;
  }

  std::string name_;
  FileReader file_;
  std::size_t longest_;  // line
  std::string buffer_;
  std::string_view text_;  // of the buffer, below the present line
  bool at_end_ = false, is_whole_ = true;
  std::string_view line_, rest_;
  long long line_number_ = 0;
};

// A word as C writes numbers where it may be one of Fortran in double precision: 1.5d+03
// is 1.5e+03.
inline std::string with_c_exponent(std::string_view word) {
  std::string number(word);
  const std::size_t d = number.find_first_of("dD");
  if (d != std::string::npos && d > 0) number[d] = 'e';
  return number;
}

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
