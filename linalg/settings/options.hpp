// The settings that a single solver or preconditioner has, as a table in its own file:
//
//   struct NeumannSettings {
//     int degree = 2;
//     void list(OptionList& options) {
//       options.add("degree", degree, from_to(0, 20), "of its polynomial");
//     }
//   };
//
// The table is the only owner of names, ranges, defaults (the initial values of the members) and
// descriptions. Whatever reads, checks, writes or describes settings walks the table; users hand
// over values by name (OptionValues).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "linalg/settings/range.hpp"

namespace hodge::linalg {

using OptionValue = std::variant<int, double, std::string>;
using OptionValues = std::map<std::string, OptionValue>;

std::string text_of(const OptionValue& value);

// How the short text of a solver (brief_text) has an option: `omega 1.2`, or `truncated`.
enum class Brief { named_if_changed, named, value_if_changed, value, value_in_front };

struct Option {
  std::string name, text;            // the text: what it is, in one line
  OptionValue value, default_value;  // the value: as given, else the default
  Range range{};                     // of numbers
  std::vector<std::string> names{};  // of texts
  bool or_number = false;            // a name of `names`, or a number of `range`
  Brief brief = Brief::named_if_changed;

  std::vector<OptionValue> compared{};  // `hodge solve --compare` tries these values
  std::string unsymmetric{};  // the value with which M is nonsymmetric even if A is symmetric
  bool is_used = true;
  std::string only_with{};  // "form truncated": the option is used only with another one's value

  void only(bool used, std::string with) {
    is_used = used;
    only_with = std::move(with);
  }
  std::string value_text() const { return text_of(value); }
  bool is_text() const { return !names.empty() && !or_number; }
  bool allows(const OptionValue& other) const;
  // "a whole number from 1 to 2", "one of v, w, f", "a number > 0, or auto"
  std::string expected() const;
};

// Takes the options of a table one after the other, and gives them the values of a user; names that
// the table does not have are skipped. Errors: ConfigError for a value of another type or out of
// range.
class OptionList {
 public:
  explicit OptionList(const OptionValues& given) : given_(given) {}

  template <class Number>
  Option& add(const char* name, Number& member, Range range, const char* text, Brief brief = {}) {
    return take(member, {name, text, member, member, range, {}, false, brief});
  }
  Option& add(const char* name, std::string& member, std::vector<std::string> names,
              const char* text, Brief brief = {}) {
    return take(member, {name, text, member, member, {}, std::move(names), false, brief});
  }
  // A number, or `word` where the member is empty.
  Option& add(const char* name, std::optional<double>& member, Range range, const char* word,
              const char* text, Brief brief = {}) {
    const OptionValue value = member ? OptionValue(*member) : OptionValue(word);
    return take(member, {name, text, value, value, range, {word}, true, brief});
  }
  std::vector<Option> options() { return std::move(options_); }

 private:
  template <class T>
  Option& take(T& member, Option option);

  const OptionValues& given_;
  std::vector<Option> options_;
};

struct NoSettings {
  void list(OptionList&) {}
};

// The plain struct of a method, and its table, with the given values.
template <class Settings>
std::vector<Option> list_options(const OptionValues& given, Settings& settings) {
  OptionList list(given);
  settings.list(list);
  return list.options();
}
template <class Settings>
Settings settings_from(const OptionValues& given) {
  Settings settings;
  (void)list_options(given, settings);
  return settings;
}

// Null where there is none of this name.
const Option* find_option(const std::vector<Option>& options, const std::string& name);

// "form factored, order 2, omega 1.2": all options that are used, those with names first.
std::string options_text(const std::vector<Option>& options);
// " order 2 omega 1.2 truncated": what tells solvers apart.
std::string brief_text(const std::vector<Option>& options);

}  // namespace hodge::linalg
