// output: the run directory, when frames are written and what they hold.
#include <algorithm>

#include "sim/config/mean_fields.hpp"
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

void check_averages(const YamlNode& node, const std::string& path,
                    const std::vector<std::string>& fields) {
  const YamlNode* averages = node.find("averages");
  if (averages == nullptr || fields != without_means(fields)) return;
  throw config_error(averages->place,
                     "{0}.averages has no field to average, expected one such as mean_velocity in "
                     "{0}.fields",
                     path);
}

ValueReader checkpoint_section(CheckpointSettings& checkpoint) {
  const ValueReader map = map_of({optional("every", number(checkpoint.every, above(0))),
                                  optional("wall_every", number(checkpoint.wall_every, above(0))),
                                  optional("keep", whole_number(checkpoint.keep, at_least(1)))});
  const std::string expected = "none or a map with every, wall_every, keep";
  return {expected, [&checkpoint, map, expected](const YamlNode& node, const std::string& path) {
            checkpoint.enabled = node.kind == YamlNode::Kind::map;
            if (checkpoint.enabled) return map.read(node, path);
            if (node.kind != YamlNode::Kind::scalar || node.scalar != "none")
              throw wrong_value(node, path, expected);
          }};
}

}  // namespace

ValueReader output_section(OutputSettings& output, const std::vector<std::string>& fields) {
  const std::vector<std::string> known = with_means(fields);
  const auto check = [&output, known](const YamlNode& node, const std::string& path) {
    check_fields(node, path, known);
    check_averages(node, path, output.fields);
  };
  return map_of(
      {optional("directory", text(output.directory)),
       optional("frames", map_of({required("every", number(output.frame_every, above(0)))})),
       optional("fields", several_of(output.fields, "field", known)),
       optional("checkpoint", checkpoint_section(output.checkpoint)),
       optional("averages", map_of({required("from", number(output.average_from, at_least(0)))}))},
      check);
}

}  // namespace hodge::sim
