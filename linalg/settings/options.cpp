#include "linalg/settings/options.hpp"

#include <algorithm>
#include <utility>

#include "linalg/base/errors.hpp"

namespace hodge::linalg {

std::string text_of(const OptionValue& value) {
  if (const int* whole = std::get_if<int>(&value)) return std::to_string(*whole);
  if (const double* number = std::get_if<double>(&value)) return number_text(*number);
  return std::get<std::string>(value);
}

bool Option::allows(const OptionValue& other) const {
  if (const std::string* word = std::get_if<std::string>(&other))
    return std::find(names.begin(), names.end(), *word) != names.end();
  const int* whole = std::get_if<int>(&other);
  if (is_text() || (whole == nullptr && std::holds_alternative<int>(default_value))) return false;
  return range.contains(whole != nullptr ? *whole : std::get<double>(other));
}

std::string Option::expected() const {
  if (std::holds_alternative<int>(default_value)) return "a whole number" + range.text();
  std::string list;
  for (const std::string& one : names) list += (list.empty() ? "" : ", ") + one;
  if (is_text()) return "one of " + list;
  return "a number" + range.text() + (or_number ? ", or " + list : "");
}

namespace {

template <class T>
void give(T& member, const OptionValue& value) {
  member = std::get<T>(value);
}
void give(std::optional<double>& member, const OptionValue& value) {
  const double* number = std::get_if<double>(&value);
  member = number != nullptr ? std::optional(*number) : std::nullopt;
}

}  // namespace

template <class T>
Option& OptionList::take(T& member, Option option) {
  if (const auto given = given_.find(option.name); given != given_.end()) {
    option.value = given->second;
    const bool is_quoted =
        option.is_text() || (option.or_number && std::holds_alternative<std::string>(option.value));
    const char* const quote = is_quoted ? "'" : "";
    if (!option.allows(option.value))
      throw ConfigError(option.name + " is " + quote + option.value_text() + quote + ", expected " +
                        option.expected());
    if (const int* whole = std::get_if<int>(&option.value); whole != nullptr)
      if (!std::holds_alternative<int>(option.default_value))
        option.value = static_cast<double>(*whole);
    give(member, option.value);
  }
  return options_.emplace_back(std::move(option));
}
template Option& OptionList::take(int&, Option);
template Option& OptionList::take(double&, Option);
template Option& OptionList::take(std::optional<double>&, Option);
template Option& OptionList::take(std::string&, Option);

const Option* find_option(const std::vector<Option>& options, const std::string& name) {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const Option& option) { return option.name == name; });
  return found == options.end() ? nullptr : &*found;
}

std::string options_text(const std::vector<Option>& options) {
  std::string text;
  for (const bool with_names : {true, false})
    for (const Option& option : options)
      if (option.is_used && option.is_text() == with_names)
        text += (text.empty() ? "" : ", ") + option.name + " " + option.value_text();
  return text;
}

std::string brief_text(const std::vector<Option>& options) {
  using enum Brief;
  std::string text;
  for (const Option& option : options) {
    const bool if_changed = option.brief == named_if_changed || option.brief == value_if_changed;
    if (!option.is_used || (if_changed && option.value == option.default_value)) continue;
    const bool is_named = option.brief == named || option.brief == named_if_changed;
    const std::string word = " " + (is_named ? option.name + " " : "") + option.value_text();
    text = option.brief == value_in_front ? word + text : text + word;
  }
  return text;
}

}  // namespace hodge::linalg
