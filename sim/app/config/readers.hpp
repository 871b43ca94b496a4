// Readers made of other readers: values of one kind in many places (schema.hpp).
#pragma once

#include <utility>

#include "sim/app/config/schema.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {

// A single value: parse(value) makes it, text(value) writes it, "" where there is none to
// write. The same text is the default that the reader describes.
template <typename T, typename Parse, typename Text>
ValueReader single(T& out, const ValueShape& shape, Parse parse, Text text) {
  return {shape.expected, [&out, parse](const ConfigValue& value) { out = parse(value); },
          [&out, shape, text] {
            ValueShape with_value = shape;
            with_value.value = text(out);
            return with_value;
          },
          [&out, text] { return text(out); }};
}

// A variable by way of another form of it, which make(form) returns a reader of. get() returns the
// form: none is not written, and described with the defaults of a new one. set(form, value)
// takes the form that was read, and its value in the file.
template <typename Form, typename Make, typename Get, typename Set>
ValueReader through(Make make, Get get, Set set) {
  const auto form_or_new = [get] {
    const std::optional<Form> form = get();
    return form ? *form : Form{};
  };
  Form plain = form_or_new();
  return {make(plain).expected,
          [=](const ConfigValue& value) {
            Form form = form_or_new();
            if (collect(value, [&] { make(form).read(value); })) set(form, value);
          },
          [=] {
            Form form = form_or_new();
            return make(form).describe();
          },
          [=] {
            std::optional<Form> form = get();
            return form ? make(*form).write() : std::string();
          }};
}

// A value that may be absent, which make(value) returns a reader of.
template <typename T, typename Make>
ValueReader optional_value(std::optional<T>& out, Make make) {
  const ValueReader reader = through<T>(
      make, [&out] { return out; }, [&out](const T& value, const ConfigValue&) { out = value; });
  return described(reader, [&out](ValueShape& shape) {
    if (!out) shape.value.clear();
  });
}

ValueShape list_shape(std::string expected, ValueShape item, std::string value);
std::string list_text(const std::vector<std::string>& items);  // maps stand in a line each
std::string entry_text(const std::string& key, const std::string& value);  // of a map, with '\n'

// A list; make(item) returns the reader of an item, which begins as `fresh`.
template <typename T, typename Make>
ValueReader list_of(std::vector<T>& out, std::string expected, Make make, T fresh = {}) {
  const auto write = [&out, make] {
    std::vector<std::string> items;
    for (T item : out) items.push_back(make(item).write());
    return list_text(items);
  };
  return {expected,
          [&out, expected, make, fresh](const ConfigValue& list) {
            if (!list.is(YamlNode::Kind::list)) throw list.wrong(expected);
            out.clear();
            while (out.size() < list.node.items.size()) {
              T item = fresh;
              const ConfigValue value = list.item(out.size());
              collect(value, [&] { make(item).read(value); });
              out.push_back(std::move(item));
            }
          },
          [&out, expected, make, fresh, write] {
            T item = fresh;
            return list_shape(expected, make(item).describe(), out.empty() ? "" : write());
          },
          write};
}

// Refuses what is no list of `dim` items, which one value per axis needs.
void check_axes(const ConfigValue& list, int dim, const std::string& expected,
                const std::string& wrong_length);

// A list of one value per axis; those beyond `dim` become the default. `wrong_length` is what a
// list of another length should have been; make(item) returns the reader of an item.
template <typename T, typename Make>
ValueReader each_axis(std::array<T, 3>& out, int dim, std::string expected,
                      std::string wrong_length, Make make) {
  const auto list = [=, &out](auto text_of) {
    std::vector<std::string> items;
    for (int d = 0; d < dim; ++d) items.push_back(text_of(make(out[d])));
    return list_text(items);
  };
  const ValueReader reader{
      expected,
      [=, &out](const ConfigValue& value) {
        check_axes(value, dim, expected, wrong_length);
        out = {};
        for (int d = 0; d < dim; ++d)
          collect(value.item(d), [&] { make(out[d]).read(value.item(d)); });
      },
      [=, &out] {
        const auto value_of = [](const ValueReader& item) { return item.describe().value; };
        return list_shape(expected, make(out[0]).describe(), list(value_of));
      },
      [=] { return list([](const ValueReader& item) { return item.write(); }); }};
  return of_length(reader, static_cast<std::size_t>(dim));
}

// A map whose keys are names that the file makes.
struct NamedValues {
  std::string expected;
  std::string pattern;  // of names, as ValueShape::name_pattern
  std::string example;
  bool in_quotes = false;  // whether names are written in quotes
  Check check_name;        // sees every key before the first value is read
};

// make(item) returns the reader of an item, whose member `name` is its key.
template <typename T, typename Make>
ValueReader named_values(std::vector<T>& out, const NamedValues& how, Make make) {
  return {how.expected,
          [&out, how, make](const ConfigValue& map) {
            if (!map.is(YamlNode::Kind::map)) throw map.wrong(how.expected);
            std::vector<ConfigValue> values;  // of good names
            const std::size_t earlier = out.size();
            for (const YamlEntry& entry : map.node.entries) {
              const std::string& name = entry.key.scalar;
              const ConfigValue value{entry.value, map.path_of(name), map.mistakes};
              const auto check = [&] { how.check_name({entry.key, map.path, map.mistakes}); };
              if (!collect(value, check)) continue;
              out.emplace_back().name = name;
              values.push_back(value);
            }
            for (std::size_t k = 0; k < values.size(); ++k)
              collect(values[k], [&] { make(out[earlier + k]).read(values[k]); });
          },
          [how, make] {
            T item{};
            return named_shape(make(item).describe(), how.pattern, how.example);
          },
          [&out, how, make] {
            std::string text;
            for (T item : out)
              text += entry_text(how.in_quotes ? double_quoted(item.name) : item.name,
                                 make(item).write());
            return text;
          }};
}

}  // namespace hodge::sim
