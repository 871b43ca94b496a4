// probes: the points and lines, the fields and the times of probe files.
#include <map>
#include <memory>
#include <regex>
#include <set>

#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/operators/output_fields.hpp"

namespace hodge::sim {
namespace {

constexpr int most_points = 10000;  // of a line
constexpr const char* plain_name = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$";

using Names = std::set<std::string>;  // of points and lines

// Names become parts of columns and of file names.
void check_name(Names& taken, const ConfigValue& key) {
  static const std::regex pattern(plain_name);
  const std::string& name = key.node.scalar;
  if (!key.is(YamlNode::Kind::scalar) || !std::regex_match(name, pattern))
    throw key.error(
        ": {} is no name of a probe, expected up to 64 letters, digits, '_' and '-', a letter or "
        "digit first",
        quote(name));
  if (!taken.insert(name).second)
    throw key.error(
        ": there is another probe {}, expected a name of its own for every point and line",
        quote(name));
}

// A map whose keys are the names of new probes; make(probe) returns the reader of one of them.
template <typename Probe, typename Make>
ValueReader named_probes(std::vector<Probe>& out, const std::shared_ptr<Names>& taken,
                         const std::string& expected, const std::string& example, Make make) {
  const auto check = [taken](const ConfigValue& key) { check_name(*taken, key); };
  const ValueReader probes = named_values(out, {expected, plain_name, example, true, check}, make);
  return checked(probes, [expected](const ConfigValue& map) {
    if (map.node.entries.empty()) throw map.wrong(expected);
  });
}

}  // namespace

ValueReader point_in(Point& out, const GridSettings& grid) {
  const auto check = [&out, &grid](const ConfigValue& value) {
    for (int d = 0; d < grid.dim; ++d) {
      if (out[d] >= grid.axes[d].lower && out[d] <= grid.axes[d].upper) continue;
      const ConfigValue coordinate = value.item(d);
      throw coordinate.error(" is {}, expected a point in the box from {} to {}",
                             quote(coordinate.node.scalar), point_text(lower_corner(grid), grid),
                             point_text(upper_corner(grid), grid));
    }
  };
  return with_default(checked(point(out, grid), check), "");
}

namespace {

std::string example_line(const GridSettings& grid) {
  return fmt::format("{{diagonal: {{from: {}, to: {}, points: 50}}}}",
                     point_text(lower_corner(grid), grid), point_text(upper_corner(grid), grid));
}

ValueReader points_section(ProbeSettings& probes, const GridSettings& grid,
                           const std::shared_ptr<Names>& taken) {
  return named_probes(probes.points, taken, "a map of points, as {centre: [0.5, 0.5]}",
                      fmt::format("{{centre: {}}}", point_text(middle_of(grid), grid)),
                      [&grid](ProbePoint& probe) { return point_in(probe.at, grid); });
}

ValueReader line_section(ProbeLine& line, const GridSettings& grid) {
  const auto check = [&line](const ConfigValue& value) {
    if (line.from == line.to)
      throw config_error(value.node.find("to")->place,
                         "{} ends where it begins, expected two points", value.path);
  };
  return in_one_line(map_of({required("from", point_in(line.from, grid), "its first point, L"),
                             required("to", point_in(line.to, grid), "its last point, L"),
                             optional("points", whole_number(line.points, from_to(2, most_points)),
                                      "how many equally spaced points, both ends among them")},
                            check));
}

ValueReader lines_section(ProbeSettings& probes, const GridSettings& grid,
                          const std::shared_ptr<Names>& taken) {
  return named_probes(probes.lines, taken,
                      "a map of lines, as {middle: {from: [0, 0.5], to: [1, 0.5], points: 50}}",
                      example_line(grid),
                      [&grid](ProbeLine& line) { return line_section(line, grid); });
}

std::vector<Key> probe_keys(ProbeSettings& probes, const GridSettings& grid,
                            const std::vector<std::string>& fields) {
  const auto taken = std::make_shared<Names>();
  const ValueReader from = with_example(number(probes.average_from, at_least(0)), "0");
  return {
      optional("fields", with_default(of_contents(field_list(probes.fields, fields)), ""),
               "default: velocity, pressure, vorticity and all scalars, by their names"),
      optional("every", duration(probes.every),
               "time between rows, T: one at the first step at or after each multiple; default: "
               "every step"),
      optional("points", points_section(probes, grid, taken), "points in the box, by name"),
      optional("lines", lines_section(probes, grid, taken), "lines in the box, by name"),
      optional("averages",
               in_one_line(
                   map_of({required("from", from, "the time at which averages begin, T"),
                           optional("to", number(probes.average_to, above(0)),
                                    "the time at which they end, T; default: with the run"),
                           optional("covariances",
                                    written_if(yes_or_no(probes.covariances),
                                               [&probes] { return probes.covariances; }),
                                    "of velocities with each other, scalars and pressure: Reynolds "
                                    "stresses and turbulent fluxes")})),
               "averages and fluctuations, in averages.csv")};
}

// The columns of probes.csv are POINT_FIELD: a point a with b_c and a point a_b with c would have
// the same.
void check_columns(const ConfigValue& value, const ProbeSettings& probes, int dim) {
  const std::vector<std::string> columns = field_columns(probes.fields, dim);
  std::map<std::string, std::string> seen;  // by column, the point
  for (const ProbePoint& point : probes.points)
    for (const std::string& column : columns) {
      const auto [other, is_new] = seen.emplace(point.name + "_" + column, point.name);
      if (is_new) continue;
      throw value.error(
          ": the points {} and {} both have a column {} in probes.csv, expected names "
          "that keep them apart",
          quote(other->second), quote(point.name), other->first);
    }
}

}  // namespace

ValueReader probes_section(ProbeSettings& probes, const GridSettings& grid,
                           const TimeSettings& time,
                           const std::vector<std::string>& output_fields) {
  const std::vector<std::string> fields = fields_of_probes(output_fields),
                                 usual = usual_fields_of_probes(output_fields);
  const auto check = [&probes, &grid, &time, usual](const ConfigValue& value) {
    if (!value.has("fields")) probes.fields = usual;
    if (probes.average_from && !value.is_wrong_at("time") && *probes.average_from >= time.end)
      throw value.find("averages")
          ->find("from")
          ->error(" is {}, expected a time before time.end = {}", number_text(*probes.average_from),
                  number_text(time.end));
    if (probes.average_to && *probes.average_to <= *probes.average_from)
      throw value.find("averages")
          ->find("to")
          ->error(" is {}, expected a time after averages.from = {}",
                  number_text(*probes.average_to), number_text(*probes.average_from));
    check_columns(value, probes, grid.dim);
    if (!probes.any())
      throw value.error(" has neither points nor lines, expected a map with points or lines");
  };
  const ValueReader map = with_example(
      map_of(probe_keys(probes, grid, fields), check),
      fmt::format("{{points: {{centre: {}}}, every: 0.1}}", point_text(middle_of(grid), grid)));
  return written_if(map, [&probes] { return probes.any(); });
}

}  // namespace hodge::sim
