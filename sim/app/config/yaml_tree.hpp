// A YAML document as a plain tree of values, each of which knows where it was written.
//
// Accepts one YAML 1.2 document of maps, lists and scalars. Anchors and aliases are expanded into
// copies, so that a later override changes one place alone. Refused with ConfigError
// `file:line:column: ...`: syntax errors, tabs as indentation, a second document, explicit tags,
// more than 100000 values after expansion.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "sim/app/config/list_of.hpp"

namespace hodge::sim {

struct Place {
  std::shared_ptr<const std::string> source{};  // a file name, or an override as it was given
  int line = 0;                                 // from 1; 0: the source has no lines
  int column = 0;                               // from 1
  std::string text() const;                     // "file:line:column" or the source alone
};

struct YamlEntry;

struct YamlNode {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  Place place{};
  std::string scalar{};
  bool quoted = false;            // a scalar in quotes or a block scalar: text, never a number
  std::vector<YamlNode> items{};  // of a list
  ListOf<YamlEntry> entries{};    // of a map, in the order written, duplicates kept

  const YamlNode* find(std::string_view key) const;  // the first value of that key, or nullptr
};

struct YamlEntry {
  YamlNode key;
  YamlNode value;
};

// Wrong input at a place; what() begins with it.
struct PlacedError : ConfigError {
  PlacedError(Place where, const std::string& what) : ConfigError(what), place(std::move(where)) {}
  Place place;
};

// The error `place: message`, the message from a format and its arguments.
template <typename... Args>
PlacedError config_error(const Place& place, fmt::format_string<Args...> format, Args&&... args) {
  return {place, place.text() + ": " + fmt::format(format, std::forward<Args>(args)...)};
}

// Parses `text`, of which an empty one is a null; messages name `source`. With lines = false (a
// command line), places carry the source alone.
YamlNode parse_yaml(const std::string& text, const std::string& source, bool lines = true);

// Reads the file and parses it. ConfigError also where it cannot be read, is a directory, or is
// larger than 4 MB.
YamlNode load_yaml(const std::string& file);

// Changes to a configuration from the command line: `--set time.end=5` replaces or adds one value
// of the tree.
//
// The path is a list of keys with dots, the value is YAML (`grid.cells=[64,64]`); numbers as keys
// pick list items from 0 (`grid.cells.0=64`); the first number beyond the list adds an item.
// Whether a new key is allowed is judged when the tree is read. Errors, now and later, name the
// override itself, behind the option that gave it: `--set time.end=abc: ...`.
void apply_overrides(YamlNode& root, const std::vector<std::string>& assignments,
                     const std::string& option = "--set");

}  // namespace hodge::sim
