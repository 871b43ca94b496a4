// output: the run directory, when frames are written and what they hold.
#include <algorithm>
#include <memory>
#include <optional>
#include <regex>
#include <set>

#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/base/file_names.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/operators/output_fields.hpp"

namespace hodge::sim {
namespace {

constexpr const char* region_name_pattern = "^[A-Za-z0-9_]{1,64}$";

// Frames are counted by multiples of their interval, which have to differ.
void check_number_of_frames(const ConfigValue& value, double every, double end) {
  constexpr double most = 1e15;
  if (end / every > most)
    throw value.error(" is {}, expected at least {}, of time.end = {}: {} frames are too many",
                      number_text(every), number_text(end / most), number_text(end),
                      number_text(most));
}

ValueReader frames_section(OutputSettings& output, const TimeSettings& time) {
  const auto check = [&output, &time](const ConfigValue& value) {
    check_number_of_frames(value, *output.frame_every, time.end);
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

ValueReader statistics_section(StatisticsSettings& statistics, const TimeSettings& time) {
  const auto check = [&statistics, &time](const ConfigValue& value) {
    if (statistics.start >= time.end)
      throw value.find("start")->error(" is {}, expected a time before time.end = {}",
                                       number_text(statistics.start), number_text(time.end));
    if (statistics.end && *statistics.end <= statistics.start)
      throw value.find("end")->error(" is {}, expected a time after {}.start = {}",
                                     number_text(*statistics.end), value.path,
                                     number_text(statistics.start));
  };
  const ValueReader profile =
      written_if(with_default(one_of(statistics.profile, "axis", {"x", "y", "z"}), ""),
                 [&statistics] { return !statistics.profile.empty(); });
  return map_of({required("start", with_example(number(statistics.start, at_least(0)), "10"),
                          "the time at which they begin, T"),
                 optional("end", number(statistics.end, above(0)),
                          "the time at which they end, T; default: with the run"),
                 optional("profile", profile,
                          "an axis; profiles.csv then has them along it, averaged over the others, "
                          "which must be periodic")},
                check);
}

// Whether a name is one is known with the problem (flow/checks.hpp).
ValueReader surfaces(std::vector<std::string>& out) {
  const auto check = [](const ConfigValue& names) {
    std::set<std::string> seen;
    for (const YamlNode& item : names.node.items)
      if (!seen.insert(item.scalar).second)
        throw config_error(item.place, "{} names {} twice, expected once", names.path,
                           quote(item.scalar));
  };
  const ValueReader list = list_of(
      out, "a list of names of sides and bodies, as [y_lower, wing]", [](std::string& name) {
        return text_like(name, "the name of a side or a body", "^[A-Za-z0-9_]+$");
      });
  return written_if(checked(list, check), [&out] { return !out.empty(); });
}

// Names become those of files, which some disks tell apart without regard to case.
void check_region_name(const std::vector<OutputRegion>& others, const ConfigValue& key) {
  static const std::regex pattern(region_name_pattern);
  const std::string& name = key.node.scalar;
  if (!key.is(YamlNode::Kind::scalar) || !std::regex_match(name, pattern))
    throw key.error(": {} is no name of a region, expected up to 64 letters, digits and '_'",
                    quote(name));
  for (const OutputRegion& other : others)
    if (edit_distance(other.name, name) == 0)
      throw key.error(": there is another region {}, expected names that differ in more than case",
                      quote(other.name));
}

void check_corners(const OutputRegion& region, int dim, const ConfigValue& value) {
  int planes = 0;
  for (int d = 0; d < dim; ++d) {
    planes += region.lower[d] == region.upper[d] ? 1 : 0;
    if (region.upper[d] < region.lower[d])
      throw value.find("upper")->error(
          " is below {}.lower along {}, expected a box, or a plane of equal coordinates",
          value.path, axis_names[d]);
  }
  if (planes == dim)
    throw value.find("upper")->error(" is {}.lower, expected a box or a plane; probes have points",
                                     value.path);
}

ValueReader region_section(OutputRegion& region, const TimeSettings& time,
                           const GridSettings& grid) {
  const auto check = [&region, &grid](const ConfigValue& value) {
    check_corners(region, grid.dim, value);
  };
  const auto few = [&region, &time](const ConfigValue& value) {
    check_number_of_frames(value, region.every, time.end);
  };
  return in_one_line(
      map_of({required("lower", point_in(region.lower, grid), "its lower corner, L"),
              required("upper", point_in(region.upper, grid),
                       "its upper corner, L; equal to `lower` along an axis: a plane of cells"),
              required("every", with_example(checked(number(region.every, above(0)), few), "1"),
                       "time between its frames, T")},
             check));
}

ValueReader regions_section(OutputSettings& output, const TimeSettings& time,
                            const GridSettings& grid) {
  const NamedValues how{
      .expected = "a map of regions, as {wake: {lower: [1, 0], upper: [2, 1], every: 1}}",
      .pattern = region_name_pattern,
      .example = "",
      .check_name = [&output](const ConfigValue& key) { check_region_name(output.regions, key); }};
  const auto make = [&time, &grid](OutputRegion& region) {
    return region_section(region, time, grid);
  };
  return written_if(hangs_on({"time.end", "grid.cells", "grid.lower", "grid.upper"},
                             named_values(output.regions, how, make)),
                    [&output] { return !output.regions.empty(); });
}

ValueReader name_of_run(std::string& name) {
  const auto check = [](const ConfigValue& value) {
    if (as_run_name(value.node.scalar) != value.node.scalar) throw value.wrong(run_name_expected);
  };
  return described(checked(text(name), check), [](ValueShape& shape) {
    shape.expected = run_name_expected;
    shape.pattern = run_name_pattern;
    shape.example = "cavity";
  });
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

namespace {

// output.encoding has what both keys say: appended, inline, or vtkhdf.
ValueReader format_of_frames(std::string& encoding) {
  const auto format = std::make_shared<std::string>("xml");
  const ValueReader names = one_of(*format, "format", {"xml", "vtkhdf"});
  return {names.expected,
          [&encoding, format, names](const ConfigValue& value) {
            names.read(value);
            if (*format == "vtkhdf") encoding = *format;
          },
          [format, names] { return names.describe(); },
          [&encoding] { return std::string(encoding == "vtkhdf" ? encoding : "xml"); }};
}

bool is_stretched(const GridSettings& grid) {
  return std::any_of(grid.axes.begin(), grid.axes.begin() + grid.dim,
                     [](const AxisSettings& axis) { return axis.stretching != "uniform"; });
}

void check_format(const ConfigValue& output, const OutputSettings& settings,
                  const GridSettings& grid) {
  const std::optional<ConfigValue> format = output.find("format");
  if (!format || format->node.scalar != "vtkhdf") return;
  output.refuse("encoding", " is for format xml: vtkhdf packs its values, expected no such key");
  if (settings.pieces == "always")
    output.refuse("pieces", " is always, and format vtkhdf is one file, expected auto or never");
  if (is_stretched(grid))
    throw format->error(
        " is vtkhdf, and the grid is stretched: VTKHDF has uniform grids alone, "
        "expected xml");
}

}  // namespace

ValueReader output_section(OutputSettings& output, const TimeSettings& time,
                           const GridSettings& grid, const std::vector<std::string>& fields) {
  const auto averages_are_said = [&output] { return output.average_from > 0; };
  const ValueReader averages = map_of({required("from", number(output.average_from, at_least(0)),
                                                "the time at which averages begin, T")});
  const ValueReader statistics = optional_value(
      output.statistics,
      [&time](StatisticsSettings& out) { return in_one_line(statistics_section(out, time)); });
  const ValueReader map = map_of(
      {optional("directory", with_example(text(output.directory), "output/run"),
                "where everything is written; default: output/ and the name of this file"),
       optional("name", name_of_run(output.name),
                "of the frames and checkpoints; default: the name of this file"),
       optional("frames", hangs_on({"time.end"}, frames_section(output, time)),
                "for ParaView; without this key the first and the last frame only"),
       optional("fields", of_contents(field_list(output.fields, with_statistics(fields))),
                "of the frames, scalars by their names; mean_..., rms_..., reynolds_stress and "
                "flux_... are statistics over time"),
       optional(
           "surfaces", surfaces(output.surfaces),
           "sides of the box and bodies, by their names: pressure, friction and fluxes on them, "
           "written with the frames"),
       optional("regions", regions_section(output, time, grid),
                "parts of the box with frames of their own, by name"),
       optional("precision", one_of(output.precision, "precision", {"single", "double"}),
                "of the values in frames; checkpoints are always double"),
       optional("format", hangs_on({"grid"}, format_of_frames(output.encoding)),
                "of frames: xml, a file for each and a .pvd that lists them; vtkhdf, one file for "
                "VTK 9.3 and ParaView 5.12 or newer, on uniform grids"),
       optional(
           "encoding",
           written_if(one_of(output.encoding, "encoding", {"appended", "inline"}),
                      [&output] { return output.encoding != "vtkhdf"; }),
           "of frames: raw bytes, or text (base64), a third larger and many times slower to read"),
       optional("pieces", one_of(output.pieces, "choice", {"auto", "always", "never"}),
                "of frames by several processes: a file for each process; auto: from 2^26 cells "
                "on"),
       optional("checkpoint", checkpoint_section(output.checkpoint),
                "the whole state, from which --restart continues"),
       optional("averages", written_if(in_one_line(averages), averages_are_said),
                "of the fields mean_...; statistics says the same, and an end"),
       optional("statistics", statistics,
                "when means, rms, stresses and fluxes are taken; without `profile` and such fields "
                "in `fields` the usual ones are added")},
      [&output, &grid, fields](const ConfigValue& value) {
        check_format(value, output, grid);
        if (value.has("statistics"))
          value.refuse("averages", " and {}.statistics say both when averages begin, expected one",
                       value.path);
        if (std::any_of(output.fields.begin(), output.fields.end(), find_statistic)) return;
        value.refuse("averages",
                     " has no field to average, expected one such as mean_velocity in {}.fields",
                     value.path);
        if (!output.statistics || !output.statistics->profile.empty()) return;
        const std::vector<std::string> usual = usual_statistics(fields);
        output.fields.insert(output.fields.end(), usual.begin(), usual.end());
      });
  return described(map, [](ValueShape& shape) { shape.never_alone = {"averages"}; });
}

}  // namespace hodge::sim
