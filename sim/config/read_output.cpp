// output: the run directory, when frames are written and what they hold.
#include <algorithm>

#include "sim/config/mean_fields.hpp"
#include "sim/config/output_fields.hpp"
#include "sim/config/sections.hpp"
#include "sim/config/text.hpp"

namespace hodge::sim {
namespace {

void check_fields(const YamlNode& node, const std::string& path) {
  const YamlNode* fields = node.find("fields");
  if (fields == nullptr) return;
  if (fields->items.empty()) {
    throw config_error(fields->place, "{}.fields is an empty list, expected at least one of {}",
                       path, join(names_of(output_field_table())));
  }
  for (auto item = fields->items.begin(); item != fields->items.end(); ++item) {
    const auto same = [&](const YamlNode& other) { return other.scalar == item->scalar; };
    if (std::find_if(fields->items.begin(), item, same) == item) continue;
    throw config_error(item->place, "{}.fields names {} twice, expected once", path,
                       quote(item->scalar));
  }
}

}  // namespace

ValueReader output_section(OutputSettings& output) {
  return map_of(
      {optional("directory", text(output.directory)),
       optional("frames", map_of({required("every", number(output.frame_every, above(0)))})),
       optional("fields",
                several_of(output.fields, "field", with_means(names_of(output_field_table())))),
       optional("averages", map_of({required("from", number(output.average_from, at_least(0)))}))},
      check_fields);
}

}  // namespace hodge::sim
