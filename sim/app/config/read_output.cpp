// output: the run directory, when frames are written and what they hold.
#include <algorithm>
#include <set>

#include "sim/app/config/sections.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/operators/output_fields.hpp"

namespace hodge::sim {
namespace {

// Frames are counted by multiples of `every`, which have to differ.
ValueReader frames_section(OutputSettings& output, const TimeSettings& time) {
  constexpr double most = 1e15;
  const auto check = [&output, &time](const ConfigValue& value) {
    if (time.end / *output.frame_every > most)
      throw value.error(" is {}, expected at least {}, of time.end = {}: {} frames are too many",
                        number_text(*output.frame_every), number_text(time.end / most),
                        number_text(time.end), number_text(most));
  };
  const ValueReader every = checked(duration(output.frame_every), check);
  return map_of({required("every", with_example(every, "1"), "time between frames, T")});
}

ValueReader checkpoint_section(CheckpointSettings& checkpoint) {
  const ValueReader map =
      map_of({optional("every", with_example(duration(checkpoint.every), "1"),
                       "time between checkpoints, T"),
              optional("wall_every", with_example(number(checkpoint.wall_every, above(0)), "600"),
                       "seconds of computing between checkpoints"),
              optional("keep", whole_number(checkpoint.keep, at_least(1)),
                       "how many of the newest checkpoints stay")});
  const std::string expected = "none or a map with every, wall_every, keep";
  return {expected,
          [&checkpoint, map, expected](const ConfigValue& value) {
            checkpoint.enabled = value.is(YamlNode::Kind::map);
            if (checkpoint.enabled) return map.read(value);
            if (!value.is(YamlNode::Kind::scalar) || value.node.scalar != "none")
              throw value.wrong(expected);
          },
          [map, expected] {
            std::string none;
            return ValueShape{
                .kind = ValueShape::Kind::choice,
                .expected = expected,
                .example = "{wall_every: 600, keep: 2}",
                .choices = {one_of(none, "word", {"none"}).describe(), map.describe()}};
          },
          [&checkpoint, map] { return checkpoint.enabled ? map.write() : "none"; }};
}

}  // namespace

ValueReader of_contents(ValueReader fields) {
  return hangs_on({"case", "parameters", "grid", "scalars"}, std::move(fields));
}

ValueReader field_list(std::vector<std::string>& out, const std::vector<std::string>& known) {
  const auto check = [known](const ConfigValue& fields) {
    if (fields.node.items.empty())
      throw fields.error(" is an empty list, expected at least one of {}", join(known));
    std::set<std::string> seen;
    for (const YamlNode& item : fields.node.items)
      if (!seen.insert(item.scalar).second)
        throw config_error(item.place, "{} names {} twice, expected once", fields.path,
                           quote(item.scalar));
  };
  return described(checked(several_of(out, "field", known), check), [](ValueShape& shape) {
    shape.fewest = 1;
    shape.items[0].other_names = true;
  });
}

ValueReader output_section(OutputSettings& output, const TimeSettings& time,
                           const std::vector<std::string>& fields) {
  const auto averages_are_said = [&output] { return output.average_from > 0; };
  const ValueReader averages = map_of({required("from", number(output.average_from, at_least(0)),
                                                "the time at which averages begin, T")});
  const ValueReader map = map_of(
      {optional("directory", with_example(text(output.directory), "output/run"),
                "where everything is written; default: output/ and the name of this file"),
       optional("frames", hangs_on({"time.end"}, frames_section(output, time)),
                "for ParaView; without this key the first and the last frame only"),
       optional("fields", of_contents(field_list(output.fields, with_means(fields))),
                "of the frames, scalars by their names; mean_velocity, ... are averages over time"),
       optional("precision", one_of(output.precision, "precision", {"single", "double"}),
                "of the values in frames; checkpoints are always double"),
       optional("checkpoint", checkpoint_section(output.checkpoint),
                "the whole state, from which --restart continues"),
       optional("averages", written_if(in_one_line(averages), averages_are_said),
                "of the fields mean_...")},
      [&output](const ConfigValue& value) {
        if (std::none_of(output.fields.begin(), output.fields.end(), averaged_field))
          value.refuse("averages",
                       " has no field to average, expected one such as mean_velocity in {}.fields",
                       value.path);
      });
  return described(map, [](ValueShape& shape) { shape.never_alone = {"averages"}; });
}

}  // namespace hodge::sim
