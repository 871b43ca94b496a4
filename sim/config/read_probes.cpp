// probes: the points and lines, the fields and the times of probe files.
#include <algorithm>

#include "sim/config/mean_fields.hpp"
#include "sim/config/sections.hpp"
#include "sim/config/text.hpp"
#include "sim/grid/grid.hpp"

namespace hodge::sim {
namespace {

constexpr int most_points = 10000;  // of a line
constexpr std::size_t longest_name = 64;

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
ValueReader named_probes(const ProbeSettings& probes, const std::string& expected, Read read) {
  return {expected, [&probes, expected, read](const YamlNode& map, const std::string& path) {
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
          }};
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
  return {expected, [&out, &grid, expected](const YamlNode& node, const std::string& path) {
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
          }};
}

ValueReader points_section(ProbeSettings& probes, const GridSettings& grid) {
  const auto read = [&probes, &grid](const std::string& name, const YamlNode& value,
                                     const std::string& path) {
    ProbePoint point{name, {}};
    point_in(point.at, grid).read(value, path);
    probes.points.push_back(point);
  };
  return named_probes(probes, "a map of points, as {centre: [0.5, 0.5]}", read);
}

ValueReader lines_section(ProbeSettings& probes, const GridSettings& grid) {
  const auto read = [&probes, &grid](const std::string& name, const YamlNode& value,
                                     const std::string& path) {
    ProbeLine line{.name = name};
    read_map(value, path,
             {required("from", point_in(line.from, grid)), required("to", point_in(line.to, grid)),
              optional("points", whole_number(line.points, from_to(2, most_points)))});
    if (line.from == line.to) {
      throw config_error(value.find("to")->place, "{} ends where it begins, expected two points",
                         path);
    }
    probes.lines.push_back(line);
  };
  return named_probes(
      probes, "a map of lines, as {middle: {from: [0, 0.5], to: [1, 0.5], points: 50}}", read);
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

// Averages of probes have a file of their own, and the number of a body is nothing to interpolate.
std::vector<std::string> fields_with_values(std::vector<std::string> fields) {
  fields = without_means(std::move(fields));
  fields.erase(std::remove(fields.begin(), fields.end(), "solid"), fields.end());
  return fields;
}

}  // namespace

ValueReader probes_section(ProbeSettings& probes, const GridSettings& grid,
                           const TimeSettings& time,
                           const std::vector<std::string>& output_fields) {
  const std::string expected = "a map with points or lines";
  const std::vector<std::string> fields = fields_with_values(output_fields);
  return {expected,
          [&probes, &grid, &time, fields, expected](const YamlNode& node, const std::string& path) {
            read_map(
                node, path,
                {optional("fields", several_of(probes.fields, "field", fields)),
                 optional("every", number(probes.every, above(0))),
                 optional("points", points_section(probes, grid)),
                 optional("lines", lines_section(probes, grid)),
                 optional("averages",
                          map_of({required("from", number(probes.average_from, at_least(0)))}))});
            check_fields(node, path);
            if (node.find("fields") == nullptr) probes.fields = fields;
            check_averages(node, probes, time.end);
            if (!probes.any()) {
              throw config_error(node.place, "{} has neither points nor lines, expected {}", path,
                                 expected);
            }
          }};
}

}  // namespace hodge::sim
