#include "tools/hodge/validate/reference_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "linalg/base/errors.hpp"
#include "tools/hodge/program/python.hpp"

namespace hodge::tools {
namespace {

std::vector<std::string> split_at_commas(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

double parse_number(const std::string& text, const std::string& file) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw ConfigError(fmt::format("{}: '{}' is no number", file, text));
  }
  return value;
}

std::size_t find_column(const std::vector<std::string>& names, const std::string& column,
                        const std::string& file) {
  const auto found = std::find(names.begin(), names.end(), column);
  if (found == names.end()) {
    throw ConfigError(
        fmt::format("{}: no column {}, known: {}", file, column, fmt::join(names, ", ")));
  }
  return static_cast<std::size_t>(found - names.begin());
}

// "Re400" in the column `suspect` marks u_Re400.
bool is_suspect(const std::vector<std::string>& names, const std::vector<std::string>& cells,
                const std::string& column) {
  const bool marked = names.back() == "suspect" && cells.size() == names.size();
  return marked && column.ends_with("_" + cells.back());
}

}  // namespace

std::filesystem::path reference_directory() {
  return shared_folder("reference", HODGE_REFERENCE_DIR);
}

Profile read_reference(const std::string& file, const std::string& column) {
  const std::filesystem::path path = reference_directory() / file;
  std::ifstream stream(path);
  if (!stream) throw IoError(fmt::format("the reference data {} cannot be read", path.string()));
  std::vector<std::string> names;
  Profile points;
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = split_at_commas(line);
    if (names.empty()) {
      names = cells;
      continue;
    }
    const std::size_t wanted = find_column(names, column, path.string());
    if (is_suspect(names, cells, column) || cells.size() <= wanted || cells[wanted].empty())
      continue;
    points.add(parse_number(cells[0], file), parse_number(cells[wanted], file));
  }
  return points;
}

double reference_value(const std::string& file, const std::string& column, double key) {
  const std::optional<double> value = value_at(read_reference(file, column), key);
  if (!value) throw ConfigError(fmt::format("{}: column {} has no value at {}", file, column, key));
  return *value;
}

}  // namespace hodge::tools
