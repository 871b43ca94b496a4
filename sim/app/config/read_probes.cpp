// probes: the points and lines, the fields and the times of probe files.
#include <algorithm>

#include "sim/app/config/read_point.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/discrete/operators/output_fields.hpp"

namespace hodge::sim {
namespace {

constexpr int most_points = 10000;  // of a line
constexpr std::size_t longest_name = 64;
constexpr const char* plain_name = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$";

// Names become parts of columns and of file names.
bool is_plain_name(const YamlNode& key) {
  const auto is_letter_or_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const std::string& name = key.scalar;
  return key.kind == YamlNode::Kind::scalar && !name.empty() && name.size() <= longest_name &&
         is_letter_or_digit(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
           return is_letter_or_digit(c) || c == '_' || c == '-';
         });
}

bool is_taken(const ProbeSettings& probes, const std::string& name) {
  const auto same = [&](const auto& probe) { return probe.name == name; };
  return std::any_of(probes.points.begin(), probes.points.end(), same) ||
         std::any_of(probes.lines.begin(), probes.lines.end(), same);
}

// A map whose keys are the names of new probes; read(name, value, path) reads one of them.
template <typename Read>
ValueReader named_probes(const ProbeSettings& probes, const std::string& expected,
                         const std::function<ValueShape()>& describe, Read read) {
  return {expected,
          [&probes, expected, read](const YamlNode& map, const std::string& path) {
            const bool good = map.kind == YamlNode::Kind::map && !map.entries.empty();
            if (!good) throw wrong_value(map, path, expected);
            for (const auto& [key, value] : map.entries) {
              if (!is_plain_name(key)) {
                throw config_error(key.place,
                                   "{}: {} is no name of a probe, expected up to {} letters, "
                                   "digits, '_' and '-', a letter or digit first",
                                   path, quote(key.scalar), longest_name);
              }
              if (is_taken(probes, key.scalar)) {
                throw config_error(key.place,
                                   "{}: there is another probe {}, expected a name of its own "
                                   "for every point and line",
                                   path, quote(key.scalar));
              }
              read(key.scalar, value, path + "." + key.scalar);
            }
          },
          describe};
}

std::string box_text(const GridSettings& grid) {
  std::vector<std::string> lower, upper;
  for (int d = 0; d < grid.dim; ++d) {
    lower.push_back(number_text(grid.axes[d].lower));
    upper.push_back(number_text(grid.axes[d].upper));
  }
  return fmt::format("[{}] to [{}]", join(lower), join(upper));
}

// A point of the box, its sides included.
ValueReader point_in(Point& out, const GridSettings& grid) {
  const std::string expected = fmt::format("a point in the box from {}", box_text(grid));
  const auto describe = [&out, &grid] { return with_default(point(out, grid), "").describe(); };
  return {expected,
          [&out, &grid, expected](const YamlNode& node, const std::string& path) {
            std::vector<double> coordinates;
            numbers(coordinates, {}).read(node, path);
            if (coordinates.size() != static_cast<std::size_t>(grid.dim)) {
              throw config_error(node.place, "{} is a list of {}, expected {} as grid.cells has",
                                 path, coordinates.size(), grid.dim);
            }
            for (int d = 0; d < grid.dim; ++d) {
              const auto i = static_cast<std::size_t>(d);
              const bool inside = coordinates[i] >= grid.axes[d].lower &&  //
                                  coordinates[i] <= grid.axes[d].upper;
              if (!inside) {
                throw config_error(node.items[i].place, "{}[{}] is {}, expected {}", path, d,
                                   quote(node.items[i].scalar), expected);
              }
              out[i] = coordinates[i];
            }
          },
          describe};
}

std::string middle(const GridSettings& grid) {
  std::vector<std::string> at;
  for (int d = 0; d < grid.dim; ++d)
    at.push_back(number_text(0.5 * (grid.axes[d].lower + grid.axes[d].upper)));
  return fmt::format("[{}]", join(at));
}

std::string example_line(const GridSettings& grid) {
  std::vector<std::string> from, to;
  for (int d = 0; d < grid.dim; ++d) {
    from.push_back(number_text(grid.axes[d].lower));
    to.push_back(number_text(grid.axes[d].upper));
  }
  return fmt::format("{{diagonal: {{from: [{}], to: [{}], points: 50}}}}", join(from), join(to));
}

ValueReader points_section(ProbeSettings& probes, const GridSettings& grid) {
  const auto read = [&probes, &grid](const std::string& name, const YamlNode& value,
                                     const std::string& path) {
    ProbePoint point{name, {}};
    point_in(point.at, grid).read(value, path);
    probes.points.push_back(point);
  };
  const auto describe = [&grid] {
    Point at{};
    return named_shape(point_in(at, grid).describe(), plain_name,
                       fmt::format("{{centre: {}}}", middle(grid)));
  };
  return named_probes(probes, "a map of points, as {centre: [0.5, 0.5]}", describe, read);
}

std::vector<Key> line_keys(ProbeLine& line, const GridSettings& grid) {
  return {required("from", point_in(line.from, grid), "its first point, L"),
          required("to", point_in(line.to, grid), "its last point, L"),
          optional("points", whole_number(line.points, from_to(2, most_points)),
                   "so many equally spaced ones, both ends among them")};
}

ValueReader lines_section(ProbeSettings& probes, const GridSettings& grid) {
  const auto read = [&probes, &grid](const std::string& name, const YamlNode& value,
                                     const std::string& path) {
    ProbeLine line{.name = name};
    read_map(value, path, line_keys(line, grid));
    if (line.from == line.to) {
      throw config_error(value.find("to")->place, "{} ends where it begins, expected two points",
                         path);
    }
    probes.lines.push_back(line);
  };
  const auto describe = [&grid] {
    ProbeLine line;
    return named_shape(map_shape(line_keys(line, grid)), plain_name, example_line(grid));
  };
  return named_probes(probes,
                      "a map of lines, as {middle: {from: [0, 0.5], to: [1, 0.5], points: 50}}",
                      describe, read);
}

void check_fields(const YamlNode& node, const std::string& path) {
  const YamlNode* fields = node.find("fields");
  if (fields == nullptr) return;
  if (fields->items.empty()) {
    throw config_error(fields->place, "{}.fields is an empty list, expected at least one field",
                       path);
  }
  for (auto item = fields->items.begin(); item != fields->items.end(); ++item) {
    const auto same = [&](const YamlNode& other) { return other.scalar == item->scalar; };
    if (std::find_if(fields->items.begin(), item, same) == item) continue;
    throw config_error(item->place, "{}.fields names {} twice, expected once", path,
                       quote(item->scalar));
  }
}

void check_averages(const YamlNode& node, const ProbeSettings& probes, double end) {
  if (!probes.average_from || *probes.average_from < end) return;
  throw config_error(node.find("averages")->find("from")->place,
                     "probes.averages.from is {}, expected a time before time.end = {}",
                     number_text(*probes.average_from), number_text(end));
}

std::vector<Key> probe_keys(ProbeSettings& probes, const GridSettings& grid,
                            const std::vector<std::string>& fields) {
  const ValueReader from = with_example(number(probes.average_from, at_least(0)), "0");
  return {
      optional("fields",
               with_default(fields_of_the_file(several_of(probes.fields, "field", fields)), ""),
               "default: all of them; scalars by their names"),
      optional("every", number(probes.every, above(0)),
               "a row at the first step at or after each multiple of it, T; default: a row a "
               "step"),
      optional("points", points_section(probes, grid), "names with a point in the box each"),
      optional("lines", lines_section(probes, grid), "names with a line in the box each"),
      optional("averages", map_of({required("from", from, "the time at which averages begin, T")}),
               "averages and fluctuations, in averages.csv")};
}

}  // namespace

ValueReader probes_section(ProbeSettings& probes, const GridSettings& grid,
                           const TimeSettings& time,
                           const std::vector<std::string>& output_fields) {
  const std::string expected = "a map with points or lines";
  const std::vector<std::string> fields = fields_of_probes(output_fields);
  return {expected,
          [&probes, &grid, &time, fields, expected](const YamlNode& node, const std::string& path) {
            read_map(node, path, probe_keys(probes, grid, fields));
            check_fields(node, path);
            if (node.find("fields") == nullptr) probes.fields = fields;
            check_averages(node, probes, time.end);
            if (!probes.any()) {
              throw config_error(node.place, "{} has neither points nor lines, expected {}", path,
                                 expected);
            }
          },
          [&grid, fields] {
            ProbeSettings none;
            ValueShape shape = map_shape(probe_keys(none, grid, fields));
            shape.example = fmt::format("{{points: {{centre: {}}}, every: 0.1}}", middle(grid));
            return shape;
          }};
}

}  // namespace hodge::sim
