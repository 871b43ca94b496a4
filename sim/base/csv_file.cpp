#include "sim/base/csv_file.hpp"

#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "linalg/files/directories.hpp"
#include "sim/base/blake2b.hpp"

namespace hodge::sim {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

// Commas between quotes belong to a cell; the quotes do not.
void split(std::string_view line, std::vector<std::string>& cells) {
  cells.assign(1, {});
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  for (std::string& cell : cells) cell = trimmed(cell);
}

// Nothing for another text than a decimal number, and for inf and nan.
std::optional<double> number_of(std::string_view cell) {
  if (cell.starts_with('+')) cell.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  const bool good = error == std::errc() && end == cell.data() + cell.size();
  return good && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::string contents_of(const std::filesystem::path& path, long long most_bytes,
                        const std::string& what) {
  if (!is_a_file(path))
    throw ConfigError(
        fmt::format("{} is no file, expected {} (CSV)", one_line(path.string()), what));
  try {
    FileDescriptor file(path, O_RDONLY);
    if (file.bytes_on_disk() > most_bytes)
      throw ConfigError(fmt::format("{} has {} bytes, expected at most {}", one_line(path.string()),
                                    file.bytes_on_disk(), most_bytes));
    return file.read_to_end();
  } catch (const IoError& failure) {
    throw ConfigError(one_line(failure.what()));
  }
}

}  // namespace

CsvFile::CsvFile(const std::filesystem::path& path, long long most_bytes, const std::string& what)
    : name_(path.string()), contents_(contents_of(path, most_bytes, what)), rest_(contents_) {
  if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);  // the mark of UTF-8
}

bool CsvFile::next() {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    if (line_.empty() || line_.starts_with('#')) continue;
    split(line_, cells_);
    return true;
  }
  return false;
}

// A row with a mistake has numbers beside it.
bool CsvFile::names_columns() const {
  return std::ranges::none_of(cells_,
                              [](const std::string& cell) { return number_of(cell).has_value(); });
}

double CsvFile::value_of(std::size_t column) const {
  const std::optional<double> number = number_of(cells_[column]);
  if (!number) refuse("{} is no finite number, expected one", quote(cells_[column]));
  return *number;
}

void CsvFile::require_cells(std::size_t count) const {
  if (cells_.size() != count)
    refuse("the row has {} cells, expected {} as in the first line", cells_.size(), count);
}

std::string CsvFile::digest() const {
  return blake2b(contents_);
}

}  // namespace hodge::sim
