#include "sim/base/formulas/csv_table.hpp"

#include <algorithm>

#include "linalg/files/directories.hpp"
#include "sim/base/csv_file.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr long long most_table_bytes = 1 << 28;

class TableReader {
 public:
  TableReader(const std::filesystem::path& path, const CsvColumn& column)
      : file_(path, most_table_bytes, "a table"), column_(column) {
    table_.source = {file_.name(), file_.digest()};
  }

  CsvTable read() {
    while (file_.next()) columns_ == 0 ? take_first_line() : take_row();
    if (table_.arguments.size() < 2)
      file_.refuse("the table ends after {} rows, expected at least 2", table_.arguments.size());
    return std::move(table_);
  }

 private:
  void take_first_line() {
    columns_ = file_.cells().size();
    if (columns_ < 2)
      file_.refuse("{} has one column, expected several with commas between them",
                   quote(file_.text()));
    if (file_.names_columns()) {
      find_column(file_.cells());
    } else {
      find_column({});
      take_row();
    }
  }

  // `names` is empty where the file has none.
  void find_column(const std::vector<std::string>& names) {
    if (const int* number = std::get_if<int>(&column_)) {
      if (*number < 2 || *number > static_cast<int>(columns_))
        file_.refuse("there is no column {} with values, expected 2 to {}", *number, columns_);
      chosen_ = static_cast<std::size_t>(*number) - 1;
      return;
    }
    const std::string& name = std::get<std::string>(column_);
    if (names.empty())
      file_.refuse("the columns have no names, expected the number of one instead of {}",
                   quote(name));
    const auto found = std::find(names.begin() + 1, names.end(), name);
    const std::vector<std::string> values(names.begin() + 1, names.end());
    if (found == names.end())
      file_.refuse("there is no column {}, {}known columns: {}", quote(name),
                   suggestion(name, values), one_line(join(values)));
    if (std::find(found + 1, names.end(), name) != names.end())
      file_.refuse("there are several columns {}, expected one, or its number", quote(name));
    chosen_ = static_cast<std::size_t>(found - names.begin());
  }

  void take_row() {
    file_.require_cells(columns_);
    for (std::size_t column = 0; column < columns_; ++column) (void)file_.value_of(column);
    const double argument = file_.value_of(0);
    if (!table_.arguments.empty() && !(argument > table_.arguments.back()))
      file_.refuse("the argument {} follows {}, expected a larger one in every row",
                   file_.cells()[0], number_text(table_.arguments.back()));
    if (table_.arguments.size() == most_table_rows)
      file_.refuse("there are more than {} rows, expected at most so many", most_table_rows);
    table_.arguments.push_back(argument);
    table_.values.push_back(file_.value_of(chosen_));
  }

  CsvFile file_;
  CsvColumn column_;
  CsvTable table_;
  std::size_t columns_ = 0, chosen_ = 0;
};

}  // namespace

std::string path_of_file(const std::filesystem::path& folder, const std::string& file) {
  const std::filesystem::path from = folder.empty() ? "." : folder;  // "" has no absolute path
  return (absolute_path(from) / file).lexically_normal().string();
}

CsvTable read_csv_table(const std::filesystem::path& path, const CsvColumn& column) {
  return TableReader(path, column).read();
}

}  // namespace hodge::sim
