// output: the run directory, when frames are written and what they hold.
#include <algorithm>

#include "sim/config/sections.hpp"
#include "sim/config/text.hpp"

namespace hodge::sim {
namespace {

void check_fields(const YamlNode& node, const std::string& path,
                  const std::vector<std::string>& known) {
  const YamlNode* fields = node.find("fields");
  if (fields == nullptr) return;
  if (fields->items.empty()) {
    throw config_error(fields->place, "{}.fields is an empty list, expected at least one of {}",
                       path, join(known));
  }
  for (auto item = fields->items.begin(); item != fields->items.end(); ++item) {
    const auto same = [&](const YamlNode& other) { return other.scalar == item->scalar; };
    if (std::find_if(fields->items.begin(), item, same) == item) continue;
    throw config_error(item->place, "{}.fields names {} twice, expected once", path,
                       quote(item->scalar));
  }
}

}  // namespace

ValueReader output_section(OutputSettings& output, const std::vector<std::string>& fields) {
  const auto check = [fields](const YamlNode& node, const std::string& path) {
    check_fields(node, path, fields);
  };
  return map_of(
      {optional("directory", text(output.directory)),
       optional("frames", map_of({required("every", number(output.frame_every, above(0)))})),
       optional("fields", several_of(output.fields, "field", fields))},
      check);
}

}  // namespace hodge::sim
