// Small pieces of text for messages: one line whatever the user wrote, near names, lists of names,
// exact numbers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/base/number_text.hpp"

namespace hodge::sim {

// 'text' in quotes, cut at 60 characters, control characters written as escapes: always one line.
std::string quote(std::string_view text);

// As quote(), without the quotes and uncut: for file names and messages of other libraries.
std::string one_line(std::string_view text);

// "text" as YAML and JSON quote it.
std::string double_quoted(std::string_view text);

// "text" as CSV quotes it.
std::string csv_quoted(std::string text);

// "a, b, c"; "none" for an empty list.
std::string join(std::span<const std::string> names);

// The smallest number of insertions, deletions, substitutions and swaps of neighbours that turns a
// into b, without regard to case (optimal string alignment; Damerau 1964).
int edit_distance(std::string_view a, std::string_view b);

// The name most like `wrong`, or empty where none is near enough to be meant.
std::string nearest_name(std::string_view wrong, std::span<const std::string> names);

// "did you mean 'tolerance'? " or, with no near name, nothing.
std::string suggestion(std::string_view wrong, std::span<const std::string> names);

// The names of a table: any range of structs with a member `name`.
template <typename Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
}

// The row of this name. Errors: ConfigError with the known names of this kind: "time scheme".
template <typename Table>
const auto& find_by_name(const Table& table, const char* kind, const std::string& name) {
  for (const auto& row : table)
    if (name == row.name) return row;
  throw ConfigError("unknown " + std::string(kind) + " '" + name + "'; known are " +
                    join(names_of(table)));
}

using linalg::number_text;

}  // namespace hodge::sim
