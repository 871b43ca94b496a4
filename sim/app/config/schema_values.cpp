// The readers of single values and of lists of them.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <regex>
#include <type_traits>

#include "sim/app/config/readers.hpp"
#include "sim/app/config/yaml_number.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::string description(const YamlNode& value) {
  if (value.kind == YamlNode::Kind::null) return "empty";
  if (value.kind == YamlNode::Kind::list) return "a list";
  if (value.kind == YamlNode::Kind::map) return "a map";
  return value.quoted ? "the text " + quote(value.scalar) + " in quotes" : quote(value.scalar);
}

bool is_plain(const ConfigValue& value) {
  return value.is(YamlNode::Kind::scalar) && !value.node.quoted;
}

// The whole of `text` as a T, decimal and with a point whatever the locale. A '+' may lead.
template <typename T>
std::errc parse_whole(std::string_view text, T& out) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, out);
  return error == std::errc() && end != last ? std::errc::invalid_argument : error;
}

ValueShape range_shape(ValueShape::Kind kind, const Range& range) {
  const bool whole = kind == ValueShape::Kind::whole_number;
  return {.kind = kind,
          .expected = (whole ? "a whole number" : "a number") + range.text(),
          .range = range};
}

// Whole numbers are read as long, so that a range says more than the limits of int.
template <typename T>
T parse_in_range(const ConfigValue& value, const ValueShape& shape) {
  T number = 0;
  const std::errc error =
      is_plain(value) ? parse_whole(value.node.scalar, number) : std::errc::invalid_argument;
  if (error == std::errc::result_out_of_range && std::is_same_v<T, double>)
    throw value.error(" is {}, beyond the range of double precision, expected {}",
                      quote(value.node.scalar), shape.expected);
  if (error == std::errc::result_out_of_range) throw value.wrong("a whole number below 2^63");
  const auto real = static_cast<double>(number);
  if (error != std::errc() || !std::isfinite(real) || !shape.range.contains(real))
    throw value.wrong(shape.expected);
  return number;
}

// A value beyond its range is none that a file could give: it is not written.
template <typename T>
ValueReader number_in(T& out, ValueShape::Kind kind, const Range& range) {
  using Parsed = std::conditional_t<std::is_same_v<T, double>, double, long>;
  const ValueShape shape = range_shape(kind, range);
  return single(
      out, shape,
      [shape](const ConfigValue& value) {
        const auto number = parse_in_range<Parsed>(value, shape);
        if (number != static_cast<Parsed>(static_cast<T>(number)))
          throw value.wrong("a whole number below 2^31");
        return static_cast<T>(number);
      },
      [range](T value) -> std::string {
        if (!range.contains(static_cast<double>(value))) return "";
        if constexpr (std::is_same_v<T, double>) return yaml_number(value);
        return std::to_string(value);
      });
}

// A text for which good(text) holds.
template <typename Good, typename Text = std::identity>
ValueReader text_of(std::string& out, const ValueShape& shape, Good good, Text written = {}) {
  return single(
      out, shape,
      [shape, good](const ConfigValue& value) {
        if (!value.is(YamlNode::Kind::scalar) || !good(value.node.scalar))
          throw value.wrong(shape.expected);
        return value.node.scalar;
      },
      written);
}

int open_parentheses(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '(') -
                          std::count(text.begin(), text.end(), ')'));
}

// A formula such as max(x, 0) without quotes, of which a list in brackets makes two items: each has
// half of the parentheses.
bool was_cut_at_a_comma(const YamlNode& list) {
  int open = 0;
  bool any = false;
  for (const YamlNode& item : list.items) {
    open += open_parentheses(item.scalar);
    any = any || (!item.quoted && open_parentheses(item.scalar) != 0);
  }
  return any && open == 0;
}

}  // namespace

PlacedError ConfigValue::wrong(const std::string& expected) const {
  return error("{} is {}, expected {}", path.empty() ? "the configuration" : "", description(node),
               expected);
}

ValueShape list_shape(std::string expected, ValueShape item, std::string value) {
  item.value.clear();  // the default of the list is that of no single item
  return {.kind = ValueShape::Kind::list,
          .expected = std::move(expected),
          .value = std::move(value),
          .items = {std::move(item)}};
}

std::string list_text(const std::vector<std::string>& items) {
  const bool are_maps = !items.empty() && items.front().starts_with('{');
  if (are_maps) return fmt::format("- {}\n", fmt::join(items, "\n- "));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string entry_text(const std::string& key, const std::string& value) {
  if (!value.ends_with('\n')) return fmt::format("{}: {}\n", key, value);
  std::string text = key + ":\n";
  for (std::size_t begin = 0, end = 0; begin < value.size(); begin = end) {
    end = value.find('\n', begin) + 1;
    text += "  " + value.substr(begin, end - begin);
  }
  return text;
}

void check_axes(const ConfigValue& list, int dim, const std::string& expected,
                const std::string& wrong_length) {
  if (!list.is(YamlNode::Kind::list)) throw list.wrong(expected);
  const auto count = list.node.items.size();
  const bool cut = was_cut_at_a_comma(list.node);
  if (static_cast<int>(count) == dim && !cut) return;
  throw list.error(" is a list of {}{}, expected {}{}", count,
                   static_cast<int>(count) == dim ? " with a formula that a comma cuts" : "",
                   wrong_length, cut ? "; a formula with commas stands in quotes" : "");
}

ValueReader number(double& out, Range range) {
  return number_in(out, ValueShape::Kind::number, range);
}

ValueReader number(std::optional<double>& out, Range range) {
  return optional_value(out, [range](double& value) { return number(value, range); });
}

ValueReader whole_number(int& out, Range range) {
  return number_in(out, ValueShape::Kind::whole_number, range);
}

ValueReader whole_number(std::optional<long>& out, Range range) {
  return optional_value(out, [range](long& value) {
    return number_in(value, ValueShape::Kind::whole_number, range);
  });
}

ValueReader yes_or_no(bool& out) {
  const ValueShape shape{.kind = ValueShape::Kind::yes_or_no, .expected = "true or false"};
  return single(
      out, shape,
      [shape](const ConfigValue& value) {
        const std::string& word = value.node.scalar;
        const bool good = is_plain(value) && (word == "true" || word == "false");
        if (!good) throw value.wrong(shape.expected);
        return word == "true";
      },
      [](bool value) { return value ? "true" : "false"; });
}

ValueReader text(std::string& out) {
  const ValueShape shape{.kind = ValueShape::Kind::text, .expected = "a text that is not empty"};
  return text_of(
      out, shape, [](const std::string& text) { return !text.empty(); },
      [](const std::string& value) { return value.empty() ? "" : double_quoted(value); });
}

ValueReader text_like(std::string& out, std::string expected, std::string pattern) {
  const ValueShape shape{.kind = ValueShape::Kind::text,
                         .expected = std::move(expected),
                         .pattern = std::move(pattern)};
  return text_of(out, shape, [pattern = shape.pattern](const std::string& text) {
    return std::regex_match(text, std::regex(pattern));
  });
}

ValueReader whole_numbers(std::vector<int>& out, Range range) {
  return list_of(out, "a list of whole numbers" + range.text(),
                 [range](int& item) { return whole_number(item, range); });
}

ValueReader one_of(std::string& out, std::string kind, std::vector<std::string> names) {
  const ValueShape shape{.kind = ValueShape::Kind::text,
                         .expected = fmt::format("a {}: {}", kind, join(names)),
                         .names = std::move(names)};
  return single(
      out, shape,
      [shape, kind = std::move(kind)](const ConfigValue& value) {
        const std::string& name = value.node.scalar;
        if (!value.is(YamlNode::Kind::scalar)) throw value.wrong(shape.expected);
        if (std::find(shape.names.begin(), shape.names.end(), name) == shape.names.end())
          throw value.error(": unknown {} {}, {}known: {}", kind, quote(name),
                            suggestion(name, shape.names), join(shape.names));
        return name;
      },
      std::identity());
}

ValueReader number_or_one_of(std::variant<int, double, std::string>& out, Range range,
                             std::vector<std::string> words) {
  const ValueShape number = range_shape(ValueShape::Kind::number, range);
  const std::string expected = number.expected + ", or " + join(words);
  const ValueShape shape{
      .kind = ValueShape::Kind::choice,
      .expected = expected,
      .range = range,
      .choices = {number, {.kind = ValueShape::Kind::text, .expected = expected, .names = words}}};
  using Value = std::variant<int, double, std::string>;
  return single(
      out, shape,
      [shape, words](const ConfigValue& value) -> Value {
        const std::string& word = value.node.scalar;
        const bool is_word = value.is(YamlNode::Kind::scalar) &&
                             std::find(words.begin(), words.end(), word) != words.end();
        if (is_word) return word;
        return parse_in_range<double>(value, shape);
      },
      [](const Value& value) -> std::string {
        if (const auto* word = std::get_if<std::string>(&value)) return *word;
        if (const auto* real = std::get_if<double>(&value)) return yaml_number(*real);
        return std::to_string(std::get<int>(value));
      });
}

ValueReader several_of(std::vector<std::string>& out, std::string kind,
                       std::vector<std::string> names) {
  std::string expected = fmt::format("a list of {}s: {}", kind, join(names));
  return list_of(out, std::move(expected),
                 [kind = std::move(kind), names = std::move(names)](std::string& item) {
                   return one_of(item, kind, names);
                 });
}

}  // namespace hodge::sim
