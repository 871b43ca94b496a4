// A CSV file of numbers that a user wrote, read line by line.
//
//   # height, m/s                    lines that begin with # and empty ones are left out
//   y,u,"v, measured"                cells between quotes may have commas
//   0,0,0.1
//
// Numbers have a decimal point, whatever the locale.
//
// Errors: ConfigError `file:line: what, expected ...`.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "linalg/base/errors.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {

class CsvFile {
 public:
  // `what` the file should be, in messages: "a table".
  CsvFile(const std::filesystem::path& path, long long most_bytes, const std::string& what);

  bool next();  // goes to the next line that counts; false at the end

  // Of the present line.
  const std::vector<std::string>& cells() const { return cells_; }
  std::string_view text() const { return line_; }
  long number() const { return number_; }
  bool names_columns() const;                 // no cell is a number
  double value_of(std::size_t column) const;  // refuses what is no finite number
  void require_cells(std::size_t count) const;

  const std::string& name() const { return name_; }
  std::string digest() const;  // BLAKE2b-256 of the file

  template <typename... Args>
  [[noreturn]] void refuse_at(long line, fmt::format_string<Args...> format, Args&&... args) const {
    throw ConfigError(fmt::format("{}:{}: ", one_line(name_), line) +
                      fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    refuse_at(number_, format, std::forward<Args>(args)...);
  }

 private:
  std::string name_, contents_;
  std::string_view rest_, line_;
  std::vector<std::string> cells_;
  long number_ = 0;
};

}  // namespace hodge::sim
