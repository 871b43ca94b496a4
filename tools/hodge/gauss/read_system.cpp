#include "tools/hodge/gauss/read_system.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>

#include "linalg/files/text_lines.hpp"
#include "linalg/space/space.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools {
namespace {

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// Words of a stream with the lines that they stand on.
class Words {
 public:
  Words(const ReadBytes& read, const std::string& name)
      : read_(read), name_(name), buffer_(1 << 20, 0) {}

  // The next word, valid until the next call; empty at the end.
  std::string_view next() {
    while (more() && is_space(buffer_[at_]))
      if (buffer_[at_++] == '\n') ++line_;
    word_.clear();
    while (more() && !is_space(buffer_[at_])) {
      word_ += buffer_[at_++];
      if (word_.size() > longest) fail("a word of more than 4096 characters, expected numbers");
    }
    return word_;
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw wrong_input("{}:{}: {}", sim::one_line(name_), line_, message);
  }

 private:
  bool more() {
    if (at_ < filled_) return true;
    if (at_end_) return false;
    filled_ = read_(buffer_.data(), buffer_.size());
    at_end_ = filled_ < buffer_.size();
    at_ = 0;
    return filled_ > 0;
  }

  static constexpr std::size_t longest = 4096;  // word

  const ReadBytes& read_;
  const std::string name_;
  std::string buffer_, word_;
  std::size_t at_ = 0, filled_ = 0;
  bool at_end_ = false;
  long long line_ = 1;
};

// The number that the whole word is; none for anything else. Too large a number is infinite, too
// small a one zero.
std::optional<double> number_of(std::string_view as_written) {
  const std::string with_e = with_c_exponent(as_written);
  std::string_view word = with_e;
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || error == std::errc::invalid_argument) return {};
  if (error == std::errc::result_out_of_range)
    value = std::strtod(std::string(word).c_str(), nullptr);
  return value;
}

int read_size(Words& words) {
  const std::string expected = "expected the number of unknowns, an integer >= 1";
  const std::string_view word = words.next();
  if (word.empty()) words.fail("the text is empty, " + expected);
  int n = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  const bool whole = end == word.data() + word.size();
  if (whole && error == std::errc::result_out_of_range)
    words.fail(fmt::format("{} unknowns are more than a matrix can have here, at most {}", word,
                           std::numeric_limits<int>::max()));
  if (!whole || error != std::errc() || n < 1)
    words.fail(fmt::format("{}, {}", sim::quote(word), expected));
  return n;
}

std::string place(int n, int row, int column) {
  return row < n ? fmt::format("row {}, column {}", row + 1, column + 1)
                 : fmt::format("right-hand side {}", column + 1);
}

// `row` n is the right-hand side.
double read_number(Words& words, int n, int row, int column) {
  const std::string_view word = words.next();
  if (word.empty()) {
    const auto square = static_cast<long long>(n) * n;
    const long long found = static_cast<long long>(row) * n + column;
    words.fail(
        fmt::format("the text ends before {}: {} numbers follow the {}, expected {} x {} "
                    "coefficients and {} right-hand sides, {} numbers",
                    place(n, row, column), found, n, n, n, n, square + n));
  }
  const std::optional<double> value = number_of(word);
  if (!value || !std::isfinite(*value))
    words.fail(
        fmt::format("{} at {}, expected a finite number", sim::quote(word), place(n, row, column)));
  return *value;
}

}  // namespace

DenseSystem read_system(const ReadBytes& read, const std::string& name) {
  Words words(read, name);
  DenseSystem system;
  system.n = read_size(words);
  std::vector<double> rows;
  for (int i = 0; i < system.n; ++i)
    for (int j = 0; j < system.n; ++j) rows.push_back(read_number(words, system.n, i, j));
  for (int i = 0; i < system.n; ++i)
    system.right_side.push_back(read_number(words, system.n, system.n, i));
  const std::string_view extra = words.next();
  if (!extra.empty())
    words.fail(
        fmt::format("{0} after the last right-hand side, expected the end: {1} unknowns have "
                    "{1} x {1} coefficients and {1} right-hand sides",
                    sim::quote(extra), system.n));
  const auto n = static_cast<std::size_t>(system.n);
  system.matrix.resize(rows.size());
  linalg::Host::transpose(system.n, system.n, rows.data(), n, system.matrix.data(), n);
  return system;
}

}  // namespace hodge::tools
