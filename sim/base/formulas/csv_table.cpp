#include "sim/base/formulas/csv_table.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "linalg/base/errors.hpp"
#include "linalg/files/file_descriptor.hpp"
#include "sim/base/blake2b.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr long long most_table_bytes = 1 << 28;

using Cells = std::vector<std::string>;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

// Commas between quotes belong to a cell; the quotes do not.
Cells table_cells(std::string_view line) {
  Cells cells(1);
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
  return cells;
}

// As decimal text, whatever the locale; nothing for another one, and for inf and nan.
std::optional<double> table_number(std::string_view cell) {
  if (cell.starts_with('+')) cell.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  const bool good = error == std::errc() && end == cell.data() + cell.size();
  return good && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

// Names of columns are no numbers, so a row with a mistake is none of them.
bool names_columns_of_table(const Cells& cells) {
  return std::ranges::none_of(
      cells, [](const std::string& cell) { return table_number(cell).has_value(); });
}

// Reads line by line, and knows where it is.
class TableReader {
 public:
  TableReader(std::string file, const CsvColumn& column) : column_(column) {
    table_.source.file = std::move(file);
  }

  CsvTable read(std::string_view text) {
    table_.source.digest = blake2b(text);
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // the mark of UTF-8
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      take(trimmed(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (table_.arguments.size() < 2)
      refuse("the table ends after {} rows, expected at least 2", table_.arguments.size());
    return std::move(table_);
  }

 private:
  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    throw ConfigError(fmt::format("{}:{}: ", one_line(table_.source.file), line_) +
                      fmt::format(format, std::forward<Args>(args)...));
  }

  void take(std::string_view line) {
    if (line.empty() || line.starts_with('#')) return;
    const Cells cells = table_cells(line);
    if (columns_ > 0) return take_row(cells);
    columns_ = cells.size();
    if (columns_ < 2)
      refuse("{} has one column, expected several with commas between them", quote(line));
    if (names_columns_of_table(cells)) {
      find_column(cells);
    } else {
      find_column({});
      take_row(cells);
    }
  }

  // `names` is empty where the file has none.
  void find_column(const Cells& names) {
    if (const int* number = std::get_if<int>(&column_)) {
      if (*number < 2 || *number > static_cast<int>(columns_))
        refuse("there is no column {} with values, expected 2 to {}", *number, columns_);
      chosen_ = static_cast<std::size_t>(*number) - 1;
      return;
    }
    const std::string& name = std::get<std::string>(column_);
    if (names.empty())
      refuse("the columns have no names, expected the number of one instead of {}", quote(name));
    const auto found = std::find(names.begin() + 1, names.end(), name);
    const Cells values(names.begin() + 1, names.end());
    if (found == names.end())
      refuse("there is no column {}, {}known columns: {}", quote(name), suggestion(name, values),
             one_line(join(values)));
    if (std::find(found + 1, names.end(), name) != names.end())
      refuse("there are several columns {}, expected one, or its number", quote(name));
    chosen_ = static_cast<std::size_t>(found - names.begin());
  }

  void take_row(const Cells& cells) {
    if (cells.size() != columns_)
      refuse("the row has {} cells, expected {} as in the first line", cells.size(), columns_);
    for (const std::string& cell : cells)
      if (!table_number(cell)) refuse("{} is no finite number, expected one", quote(cell));
    const double argument = *table_number(cells[0]);
    if (!table_.arguments.empty() && !(argument > table_.arguments.back()))
      refuse("the argument {} follows {}, expected a larger one in every row", cells[0],
             number_text(table_.arguments.back()));
    if (table_.arguments.size() == most_table_rows)
      refuse("there are more than {} rows, expected at most so many", most_table_rows);
    table_.arguments.push_back(argument);
    table_.values.push_back(*table_number(cells[chosen_]));
  }

  CsvColumn column_;
  CsvTable table_;
  long line_ = 0;
  std::size_t columns_ = 0, chosen_ = 0;
};

std::string table_text(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw ConfigError(
        fmt::format("{} is no file, expected a table (CSV)", one_line(path.string())));
  try {
    FileDescriptor file(path, O_RDONLY);
    if (file.bytes_on_disk() > most_table_bytes)
      throw ConfigError(fmt::format("{} has {} bytes, expected at most {}", one_line(path.string()),
                                    file.bytes_on_disk(), most_table_bytes));
    return file.read_to_end();
  } catch (const IoError& failure) {
    throw ConfigError(one_line(failure.what()));
  }
}

}  // namespace

std::string path_of_file(const std::filesystem::path& folder, const std::string& file) {
  return std::filesystem::absolute(folder / file).lexically_normal().string();
}

CsvTable read_csv_table(const std::filesystem::path& path, const CsvColumn& column) {
  return TableReader(path.string(), column).read(table_text(path));
}

}  // namespace hodge::sim
