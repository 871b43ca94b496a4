// What a configuration may hold, as tables: the keys of a map, each bound to the variable that it
// sets.
//
//   map_of({
//       required("end", number(time.end, above(0)), "the time to reach, T"),
//       optional("scheme", one_of(time.scheme, "time scheme", names_of(time_scheme_table())),
//                "of the time derivative"),
//   });
//
// The same table reads a file into the variables, says what a file may hold (value_shape.hpp), and
// writes the variables as a file that reads back to the same values: every key stands once.
//
// Reading: every map is checked whole before its first value is read: unknown keys, keys given
// twice, keys that are missing. Then the values are read in the order of the table, each with its
// type and its range. Errors: ConfigError `file:line:column: what, what was expected`, one line
// each. A reader throws its first one; maps and lists go on with their other values and collect
// the errors (mistakes.hpp). A check of a whole map or list runs only where no value in it is
// wrong; where it hangs on other values of the file, hangs_on() says so.
//
// Describing: the variables must hold the defaults.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/app/config/mistakes.hpp"
#include "sim/app/config/value_shape.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {

// A value of a file with the keys that lead to it, "grid.cells[0]", with which messages begin.
struct ConfigValue {
  const YamlNode& node;
  std::string path{};            // empty: the whole file
  Mistakes* mistakes = nullptr;  // those of the file; without: the first one is thrown

  std::optional<ConfigValue> find(const std::string& key) const;  // of a map
  ConfigValue item(std::size_t index) const;                      // of a list
  bool has(const std::string& key) const { return node.find(key) != nullptr; }
  bool is(YamlNode::Kind kind) const { return node.kind == kind; }

  std::string path_of(const std::string& key) const;  // "grid.cells"
  // Whether the value at a path of the file, one that holds it, or one in it is wrong.
  bool is_wrong_at(std::string_view other_path) const;

  // The error `place: path` and the message, which follows the path at once.
  template <typename... Args>
  PlacedError error(fmt::format_string<Args...> message, Args&&... args) const {
    return config_error(node.place, "{}{}", path,
                        fmt::format(message, std::forward<Args>(args)...));
  }
  // The error `place: path is 'abc', expected a number > 0`.
  PlacedError wrong(const std::string& expected) const;
  // The error `place: missing key 'end' in time, expected a number > 0`.
  PlacedError missing(const std::string& key, const std::string& expected) const;
  // Throws the error `place: path.key` and the message where the map has the key.
  template <typename... Args>
  void refuse(const std::string& key, fmt::format_string<Args...> message, Args&&... args) const {
    if (const auto value = find(key)) throw value->error(message, std::forward<Args>(args)...);
  }
};

using Check = std::function<void(const ConfigValue& value)>;  // of a value that was read

// Reads one value of the tree into the variable that it was made for, and writes that variable.
struct ValueReader {
  std::string expected;  // "a number > 0"
  std::function<void(const ConfigValue& value)> read;
  std::function<ValueShape()> describe = [] { return ValueShape{}; };
  // The YAML text of the variable: in one line, or as lines of a map or a list, each with its '\n'.
  // Empty: a file leaves the key out.
  std::function<std::string()> write = [] { return std::string(); };
};

struct Key {
  std::string name;
  ValueReader value;
  bool is_required = false;
  std::string description = {};  // one line, with the unit
};

Key required(std::string name, ValueReader value, std::string description = {});
Key optional(std::string name, ValueReader value, std::string description = {});

// Calls read(), and collects the error that it throws as one of the value. Returns whether there
// was none, nor one that was collected meanwhile.
bool collect(const ConfigValue& value, const std::function<void()>& read);

void read_map(const ConfigValue& map, const std::vector<Key>& keys);
ValueShape map_shape(const std::vector<Key>& keys);
std::string map_text(const std::vector<Key>& keys);  // "end: 1\nscheme: bdf2\n"

ValueReader number(double& out, Range range);
ValueReader number(std::optional<double>& out, Range range);
ValueReader whole_number(int& out, Range range);
ValueReader whole_number(std::optional<long>& out, Range range);
ValueReader yes_or_no(bool& out);
ValueReader text(std::string& out);  // not empty
// `pattern` is an ECMAScript regular expression for the whole text.
ValueReader text_like(std::string& out, std::string expected, std::string pattern);
ValueReader whole_numbers(std::vector<int>& out, Range range);
// `kind` is what the names are, for messages: "time scheme".
ValueReader one_of(std::string& out, std::string kind, std::vector<std::string> names);
// A number, or one of `words`.
ValueReader number_or_one_of(std::variant<int, double, std::string>& out, Range range,
                             std::vector<std::string> words);
ValueReader several_of(std::vector<std::string>& out, std::string kind,
                       std::vector<std::string> names);
// A map; `after` then sees it whole, for what several keys decide together.
ValueReader map_of(std::vector<Key> keys, Check after = {});

// A reader that is made when its value is read, described or written, for what hangs on values
// before it.
ValueReader later(std::string expected, std::function<ValueReader()> make);

// The reader with a check of what it has read, where that was right.
ValueReader checked(ValueReader reader, Check check);

// The reader of a value that can be judged only where others are right, given by their paths in the
// file, or after a point as keys of the same map: "grid.cells", ".kind". Elsewhere it is not read.
ValueReader hangs_on(std::vector<std::string> paths, ValueReader reader);

// The reader with a change of what it says of itself.
using ShapeChange = std::function<void(ValueShape& shape)>;
ValueReader described(ValueReader reader, ShapeChange change);
ValueReader with_default(ValueReader reader, std::string yaml);  // an empty one: there is none
ValueReader with_example(ValueReader reader, std::string yaml);
ValueReader of_length(ValueReader list, std::size_t length);

// The map without these mistakes, each named in one line:
// not exactly one of some keys: "has 2 shapes, expected ..."; `what` is "shapes";
ValueReader with_one_of(ValueReader map, std::vector<std::string> keys, std::string what,
                        std::string expected);
// a key beside one of others: "time.step.size fixes the step and time.step.cfl changes it, ...".
ValueReader never_with(ValueReader map, std::string key, std::string does,
                       std::vector<std::string> others, std::string they_do);

// The reader with a change of what it writes.
ValueReader written_if(ValueReader reader, std::function<bool()> condition);
ValueReader in_quotes(ValueReader text);
ValueReader in_one_line(ValueReader map);  // "{end: 1, scheme: bdf2}"; its values are in one line

// Of a map whose keys are names that the file makes.
ValueShape named_shape(const ValueShape& value, std::string name_pattern, std::string example);

}  // namespace hodge::sim
