#include "tools/hodge/init/sample_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/text.hpp"

namespace hodge::tools {
namespace {

using sim::KeyShape;
using sim::ValueShape;
using Kind = sim::ValueShape::Kind;

std::string sample_number(const sim::Range& range) {
  if (range.contains(1)) return "1";
  if (std::isfinite(range.lower) && std::isfinite(range.upper))
    return sim::number_text(0.5 * (range.lower + range.upper));
  return sim::number_text(std::isfinite(range.lower) ? range.lower + 1 : range.upper - 1);
}

std::string sample_list(const ValueShape& shape) {
  if (shape.fewest == 0 || shape.items.empty()) return "[]";
  const std::vector<std::string> items(shape.fewest, sample_value(shape.items[0]));
  return fmt::format("[{}]", sim::join(items));
}

// The keys that it needs; where it needs none those that have defaults.
std::string sample_map(const ValueShape& shape) {
  const bool needs_keys = std::any_of(shape.keys.begin(), shape.keys.end(),
                                      [](const KeyShape& key) { return key.is_required; });
  std::vector<std::string> entries;
  for (const KeyShape& key : shape.keys)
    if (needs_keys ? key.is_required : !key.value.value.empty())
      entries.push_back(key.name + ": " + sample_value(key.value));
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

}  // namespace

std::string sample_value(const ValueShape& shape) {
  if (!shape.value.empty()) return shape.value;
  if (!shape.example.empty()) return shape.example;
  switch (shape.kind) {
    case Kind::number:
    case Kind::whole_number:
      return sample_number(shape.range);
    case Kind::formula:
      return "0";
    case Kind::text:
      return shape.names.empty() ? "name" : shape.names.front();
    case Kind::yes_or_no:
      return "false";
    case Kind::list:
      return sample_list(shape);
    case Kind::map:
      return sample_map(shape);
    case Kind::choice:
      return sample_value(shape.choices.front());
    case Kind::any:
      break;
  }
  return "";
}

}  // namespace hodge::tools
