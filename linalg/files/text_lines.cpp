#include "linalg/files/text_lines.hpp"

#include <algorithm>

#include "linalg/base/errors.hpp"

namespace hodge {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace

bool TextLines::next() {
  if (text_.empty()) return false;
  const std::size_t end = text_.find('\n');
  line_ = text_.substr(0, end);
  text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
  rest_ = line_;
  ++line_number_;
  return true;
}

bool TextLines::next_with_content(char comment) {
  while (next()) {
    if (line_.starts_with(comment)) continue;
    if (!std::all_of(line_.begin(), line_.end(), is_blank)) return true;
  }
  return false;
}

std::string_view TextLines::word() {
  const char* first = rest_.data();
  const char* const end = first + rest_.size();
  while (first != end && is_blank(*first)) ++first;
  const char* last = first;
  while (last != end && !is_blank(*last)) ++last;
  rest_ = std::string_view(last, static_cast<std::size_t>(end - last));
  return std::string_view(first, static_cast<std::size_t>(last - first));
}

void TextLines::fail_at(long long line_number, const std::string& message) const {
  throw ConfigError(name_ + ":" + std::to_string(line_number) + ": " + message);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string shown(text.substr(0, longest));
  for (char& c : shown) {
    if (c < ' ' || c > '~') c = '?';
  }
  return "'" + shown + (text.size() > longest ? "...'" : "'");
}

}  // namespace hodge
