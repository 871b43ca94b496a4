// The readers of single values and of lists of them.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/app/config/schema.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::string description(const YamlNode& value) {
  switch (value.kind) {
    case YamlNode::Kind::null:
      return "empty";
    case YamlNode::Kind::list:
      return "a list";
    case YamlNode::Kind::map:
      return "a map";
    default:
      return value.quoted ? fmt::format("the text {} in quotes", quote(value.scalar))
                          : quote(value.scalar);
  }
}

// The whole of `text` as a T, decimal and with a point whatever the locale. A '+' may lead.
template <typename T>
std::errc parse_whole(std::string_view text, T& out) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, out);
  return error == std::errc() && end != last ? std::errc::invalid_argument : error;
}

double parse_number(const YamlNode& value, const std::string& path, const Range& range) {
  const std::string expected = "a number" + range.text();
  if (value.kind != YamlNode::Kind::scalar || value.quoted) {
    throw wrong_value(value, path, expected);
  }
  double number = 0;
  const std::errc error = parse_whole(value.scalar, number);
  if (error == std::errc::result_out_of_range) {
    throw config_error(value.place, "{} is {}, beyond the range of double precision, expected {}",
                       path, quote(value.scalar), expected);
  }
  if (error != std::errc() || !std::isfinite(number) || !range.contains(number)) {
    throw wrong_value(value, path, expected);
  }
  return number;
}

long parse_integer(const YamlNode& value, const std::string& path, const Range& range) {
  const std::string expected = "a whole number" + range.text();
  if (value.kind != YamlNode::Kind::scalar || value.quoted) {
    throw wrong_value(value, path, expected);
  }
  long number = 0;
  const std::errc error = parse_whole(value.scalar, number);
  if (error == std::errc::result_out_of_range) {
    throw wrong_value(value, path, "a whole number below 2^63");
  }
  if (error != std::errc() || !range.contains(static_cast<double>(number))) {
    throw wrong_value(value, path, expected);
  }
  return number;
}

// An int's own bound, said only where it is what stops the value.
int parse_int(const YamlNode& value, const std::string& path, const Range& range) {
  const long number = parse_integer(value, path, range);
  if (number != static_cast<int>(number)) {
    throw wrong_value(value, path, "a whole number below 2^31");
  }
  return static_cast<int>(number);
}

std::string item_path(const std::string& path, std::size_t index) {
  return fmt::format("{}[{}]", path, index);
}

std::string parse_name(const YamlNode& value, const std::string& path, const std::string& kind,
                       const std::vector<std::string>& names) {
  if (value.kind != YamlNode::Kind::scalar) {
    throw wrong_value(value, path, fmt::format("a {}: {}", kind, join(names)));
  }
  if (std::find(names.begin(), names.end(), value.scalar) == names.end()) {
    throw unknown_name(value, path, kind, names);
  }
  return value.scalar;
}

std::string yaml_text(double value) {
  return number_text(value);
}
std::string yaml_text(int value) {
  return std::to_string(value);
}
std::string yaml_text(const std::string& value) {
  return value;
}

template <typename T>
std::string yaml_text(const std::vector<T>& values) {
  std::vector<std::string> texts;
  for (const T& value : values) texts.push_back(yaml_text(value));
  return texts.empty() ? "[]" : fmt::format("[{}]", join(texts));
}

// A list of values, each read by read_item(item, its path) and shaped as `item`.
template <typename T, typename ReadItem>
ValueReader list_of(std::vector<T>& out, std::string expected, const ValueShape& item,
                    ReadItem read_item) {
  return {expected,
          [&out, expected, read_item](const YamlNode& value, const std::string& path) {
            if (value.kind != YamlNode::Kind::list) throw wrong_value(value, path, expected);
            out.clear();
            for (const YamlNode& list_item : value.items) {
              out.push_back(read_item(list_item, item_path(path, out.size())));
            }
          },
          [&out, expected, item] {
            ValueShape shape;
            shape.kind = ValueShape::Kind::list;
            shape.expected = expected;
            shape.items = {item};
            if (!out.empty()) shape.value = yaml_text(out);
            return shape;
          }};
}

ValueShape number_shape(ValueShape::Kind kind, const Range& range) {
  ValueShape shape;
  shape.kind = kind;
  shape.range = range;
  const bool whole = kind == ValueShape::Kind::whole_number;
  shape.expected = (whole ? "a whole number" : "a number") + range.text();
  return shape;
}

// Of a number that has a value already: the default, unless it is none that a file could give.
template <typename T>
ValueShape number_shape(ValueShape::Kind kind, const Range& range, const T& value) {
  ValueShape shape = number_shape(kind, range);
  if (range.contains(static_cast<double>(value))) shape.value = yaml_text(value);
  return shape;
}

ValueShape name_shape(const std::string& kind, const std::vector<std::string>& names) {
  ValueShape shape;
  shape.kind = ValueShape::Kind::text;
  shape.expected = "a " + kind;
  shape.names = names;
  return shape;
}

}  // namespace

ConfigError wrong_value(const YamlNode& value, const std::string& path,
                        const std::string& expected) {
  const std::string what = path.empty() ? "the configuration" : path;
  return config_error(value.place, "{} is {}, expected {}", what, description(value), expected);
}

ConfigError unknown_name(const YamlNode& value, const std::string& path, const std::string& kind,
                         const std::vector<std::string>& names) {
  return config_error(value.place, "{}: unknown {} {}, {}known: {}", path, kind,
                      quote(value.scalar), suggestion(value.scalar, names), join(names));
}

ValueReader number(double& out, Range range) {
  return {"a number" + range.text(),
          [&out, range](const YamlNode& value, const std::string& path) {
            out = parse_number(value, path, range);
          },
          [&out, range] { return number_shape(ValueShape::Kind::number, range, out); }};
}

ValueReader number(std::optional<double>& out, Range range) {
  return {"a number" + range.text(),
          [&out, range](const YamlNode& value, const std::string& path) {
            out = parse_number(value, path, range);
          },
          [range] { return number_shape(ValueShape::Kind::number, range); }};
}

ValueReader whole_number(int& out, Range range) {
  return {"a whole number" + range.text(),
          [&out, range](const YamlNode& value, const std::string& path) {
            out = parse_int(value, path, range);
          },
          [&out, range] { return number_shape(ValueShape::Kind::whole_number, range, out); }};
}

ValueReader whole_number(std::optional<long>& out, Range range) {
  return {"a whole number" + range.text(),
          [&out, range](const YamlNode& value, const std::string& path) {
            out = parse_integer(value, path, range);
          },
          [range] { return number_shape(ValueShape::Kind::whole_number, range); }};
}

ValueReader text(std::string& out) {
  const std::string expected = "a text that is not empty";
  return {expected,
          [&out, expected](const YamlNode& value, const std::string& path) {
            const bool good = value.kind == YamlNode::Kind::scalar && !value.scalar.empty();
            if (!good) throw wrong_value(value, path, expected);
            out = value.scalar;
          },
          [&out, expected] {
            ValueShape shape;
            shape.kind = ValueShape::Kind::text;
            shape.expected = expected;
            shape.value = out;
            return shape;
          }};
}

ValueReader numbers(std::vector<double>& out, Range range) {
  return list_of(out, "a list of numbers" + range.text(),
                 number_shape(ValueShape::Kind::number, range),
                 [range](const YamlNode& item, const std::string& path) {
                   return parse_number(item, path, range);
                 });
}

ValueReader whole_numbers(std::vector<int>& out, Range range) {
  return list_of(out, "a list of whole numbers" + range.text(),
                 number_shape(ValueShape::Kind::whole_number, range),
                 [range](const YamlNode& item, const std::string& path) {
                   return parse_int(item, path, range);
                 });
}

ValueReader one_of(std::string& out, std::string kind, std::vector<std::string> names) {
  std::string expected = fmt::format("a {}: {}", kind, join(names));
  return {std::move(expected),
          [&out, kind, names](const YamlNode& value, const std::string& path) {
            out = parse_name(value, path, kind, names);
          },
          [&out, kind, names] {
            ValueShape shape = name_shape(kind, names);
            shape.value = out;
            return shape;
          }};
}

ValueReader several_of(std::vector<std::string>& out, std::string kind,
                       std::vector<std::string> names) {
  std::string expected = fmt::format("a list of {}s: {}", kind, join(names));
  return list_of(out, std::move(expected), name_shape(kind, names),
                 [kind, names](const YamlNode& item, const std::string& path) {
                   return parse_name(item, path, kind, names);
                 });
}

}  // namespace hodge::sim
