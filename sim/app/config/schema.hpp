// What a configuration may hold, as tables: the keys of a map, each with the reader of its value.
//
//   read_map(node, "time", {
//       required("end", number(time.end, above(0)), "the time to reach, T"),
//       optional("scheme", one_of(time.scheme, "time scheme", names_of(time_scheme_table())),
//                "of the time derivative"),
//   });
//
// Every map is checked whole before its first value is read: unknown keys, keys given twice, keys
// that are missing. Then the values are read in the order of the table, each with its type and its
// range. Errors: ConfigError `file:line:column: what, what was expected`, one line each.
//
// A reader also describes the values that it takes (value_shape.hpp). What it reads into holds the
// default when it is asked.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/app/config/value_shape.hpp"
#include "sim/app/config/yaml_tree.hpp"

namespace hodge::sim {

// Reads one value of the tree into the variable that it was made for. Messages name `path`.
struct ValueReader {
  std::string expected;  // "a number > 0"
  std::function<void(const YamlNode& value, const std::string& path)> read;
  std::function<ValueShape()> describe = [] { return ValueShape{}; };
};

struct Key {
  std::string name;
  ValueReader value;
  bool is_required = false;
  std::string description = {};  // one line, with the unit
};

Key required(std::string name, ValueReader value, std::string description = {});
Key optional(std::string name, ValueReader value, std::string description = {});

void read_map(const YamlNode& node, const std::string& path, const std::vector<Key>& keys);

ValueReader number(double& out, Range range);
ValueReader number(std::optional<double>& out, Range range);
ValueReader whole_number(int& out, Range range);
ValueReader whole_number(std::optional<long>& out, Range range);
ValueReader text(std::string& out);  // not empty
ValueReader numbers(std::vector<double>& out, Range range);
ValueReader whole_numbers(std::vector<int>& out, Range range);
// `kind` is what the names are, for messages: "time scheme".
ValueReader one_of(std::string& out, std::string kind, std::vector<std::string> names);
ValueReader several_of(std::vector<std::string>& out, std::string kind,
                       std::vector<std::string> names);
// A map; `after` then sees it whole, for what several keys decide together.
using MapCheck = std::function<void(const YamlNode& map, const std::string& path)>;
ValueReader map_of(std::vector<Key> keys, MapCheck after = {});

// A reader that is made when its value is read or described, for what hangs on values before it.
ValueReader later(std::string expected, std::function<ValueReader()> make);

// The reader with a change of what it says of itself.
using ShapeChange = std::function<void(ValueShape& shape)>;
ValueReader described(ValueReader reader, ShapeChange change);
ValueReader with_default(ValueReader reader, std::string yaml);  // an empty one: there is none
ValueReader with_example(ValueReader reader, std::string yaml);
ValueReader of_length(ValueReader list, std::size_t length);
ValueReader of_length(ValueReader list, std::size_t fewest, std::size_t most);

ValueShape map_shape(const std::vector<Key>& keys);
// Of a map whose keys are names that the file makes.
ValueShape named_shape(const ValueShape& value, std::string name_pattern, std::string example);

// The error `place: path is 'abc', expected a number > 0`.
ConfigError wrong_value(const YamlNode& value, const std::string& path,
                        const std::string& expected);

// The error for a name that no table has, with the nearest one and all of them.
ConfigError unknown_name(const YamlNode& value, const std::string& path, const std::string& kind,
                         const std::vector<std::string>& names);

// The names of a registry: any range of structs with a member `name`.
template <typename Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

}  // namespace hodge::sim
