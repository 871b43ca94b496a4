// What a value of a configuration may be, as data: readers describe themselves with it
// (schema.hpp), and the JSON schema and the starter files are made of it.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "linalg/settings/range.hpp"
#include "sim/app/config/list_of.hpp"

namespace hodge::sim {

using linalg::above;
using linalg::at_least;
using linalg::between;
using linalg::from_to;
using linalg::Range;

struct KeyShape;

// Of a map: where `key` has one of these values, the key `needed` is there, too.
struct NeededKey {
  std::string key;
  std::vector<std::string> values;
  std::string needed;
};

struct ValueShape {
  // A formula may be a number, too. `any` is what no reader has said more of.
  enum class Kind { any, number, whole_number, formula, text, yes_or_no, list, map, choice };
  Kind kind = Kind::any;
  std::string expected{};  // in words, as messages have it
  std::string value{};     // as YAML: what it is where the file says nothing; empty: not known
  std::string example{};   // as YAML: for what has no default

  Range range{};                     // of numbers, and of the items of lists that are numbers
  std::vector<std::string> names{};  // of a text: it is one of these
  bool other_names = false;          // or another name, which the file itself makes
  std::string pattern{};             // of a text: an ECMAScript regular expression

  std::vector<ValueShape> items{};  // of a list: the shape of all its items, once
  std::size_t fewest = 0, most = std::numeric_limits<std::size_t>::max();

  ListOf<KeyShape> keys{};                // of a map
  std::vector<ValueShape> named{};        // of a map: the shape of values under other keys, once
  std::string name_pattern{};             // of those keys
  std::vector<std::string> one_key_of{};  // exactly one of these keys is there
  std::vector<std::pair<std::string, std::string>> never_both{};  // of two keys
  std::vector<NeededKey> needed_keys{};
  std::vector<std::string> never_alone{};  // keys that another one needs: none to begin a file with

  std::vector<ValueShape> choices{};  // any of these
};

struct KeyShape {
  std::string name, description;
  bool is_required = false;
  ValueShape value;
};

}  // namespace hodge::sim
