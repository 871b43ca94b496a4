#include "sim/app/config/probes_to_yaml.hpp"

#include <fmt/format.h>

#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::string point_text(const Point& point, int dim) {
  std::vector<std::string> coordinates;
  for (int d = 0; d < dim; ++d)
    coordinates.push_back(number_text(point[static_cast<std::size_t>(d)]));
  return fmt::format("[{}]", join(coordinates));
}

}  // namespace

std::string probes_to_yaml(const ProbeSettings& probes, int dim) {
  if (!probes.any()) return {};
  std::string text = fmt::format("probes:\n  fields: [{}]\n", join(probes.fields));
  if (probes.every) text += fmt::format("  every: {}\n", number_text(*probes.every));
  if (!probes.points.empty()) text += "  points:\n";
  for (const ProbePoint& point : probes.points)
    text += fmt::format("    \"{}\": {}\n", point.name, point_text(point.at, dim));
  if (!probes.lines.empty()) text += "  lines:\n";
  for (const ProbeLine& line : probes.lines) {
    text += fmt::format("    \"{}\": {{from: {}, to: {}, points: {}}}\n", line.name,
                        point_text(line.from, dim), point_text(line.to, dim), line.points);
  }
  if (probes.average_from)
    text += fmt::format("  averages: {{from: {}}}\n", number_text(*probes.average_from));
  return text;
}

}  // namespace hodge::sim
