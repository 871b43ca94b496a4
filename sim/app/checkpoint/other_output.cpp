#include "sim/app/checkpoint/other_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "sim/app/checkpoint/restart.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/base/key_error.hpp"
#include "sim/base/times.hpp"
#include "sim/discrete/operators/output_fields.hpp"

namespace hodge::sim {
namespace {

// Two resolved configurations.
struct Configurations {
  YamlNode before, now;

  bool agree_on(const std::string& key) const {
    return value_text(before, key) == value_text(now, key);
  }
};

Configurations configurations(const CheckpointReader& checkpoint, const Settings& settings) {
  return {parse_yaml(checkpoint.header().config, "checkpoint", false),
          parse_yaml(settings_to_yaml(settings), "settings", false)};
}

double number_at(const YamlNode& tree, const std::string& key, double otherwise) {
  const YamlNode* const node = value_at(tree, key);
  return node == nullptr ? otherwise : std::strtod(node->scalar.c_str(), nullptr);
}

constexpr double never = std::numeric_limits<double>::infinity();

TimeWindow window_of_statistics(const YamlNode& tree) {
  const double from = number_at(tree, "output.averages.from", 0);
  return {number_at(tree, "output.statistics.start", from),
          number_at(tree, "output.statistics.end", never)};
}

TimeWindow window_of_probes(const YamlNode& tree) {
  return {number_at(tree, "probes.averages.from", never),
          number_at(tree, "probes.averages.to", never)};
}

struct Averages {
  const char *key, *begin;  // what asks for them, and what says when they begin
  TimeWindow before, now;
  bool has_all;  // the checkpoint has the sums of all that are asked for now
};

Averages averages_of_frames(const Configurations& of, const Settings& settings) {
  const std::vector<std::string>& fields = settings.output.fields;
  const YamlNode* const before = value_at(of.before, "output.fields");
  const bool has_all = std::ranges::all_of(fields, [&](const std::string& field) {
    return !find_statistic(field) ||
           (before != nullptr && std::ranges::count(before->items, field, &YamlNode::scalar) > 0);
  });
  return {settings.output.statistics ? "output.statistics" : "output.fields",
          "output.statistics.start", window_of_statistics(of.before), window_of_statistics(of.now),
          has_all};
}

bool agree_on_rows(const Configurations& of) {
  return of.agree_on("probes.points") && of.agree_on("probes.lines") &&
         of.agree_on("probes.fields");
}

Averages averages_of_probes(const Configurations& of) {
  return {"probes.averages", "probes.averages.from", window_of_probes(of.before),
          window_of_probes(of.now),
          agree_on_rows(of) && of.agree_on("probes.averages.covariances")};
}

// Whether the averages at time t are those that the checkpoint has the sums of.
bool go_on(const Averages& averages, double t) {
  const TimeWindow &before = averages.before, &now = averages.now;
  const bool same_end =
      before.to == now.to || (has_reached(before.to, t) && has_reached(now.to, t));
  return averages.has_all && before.from == now.from && same_end;
}

void require_that_they_go_on(const CheckpointReader& checkpoint, const Averages& averages) {
  const double t = checkpoint.header().time;
  if (has_reached(averages.now.from, t) || go_on(averages, t)) return;
  throw KeyError(
      averages.key,
      fmt::format("{} asks for averages from t = {} on, and the checkpoint {} at t = {} does not "
                  "have them: expected averages as they were, or {} at or after this time",
                  averages.key, averages.now.from, checkpoint.path().string(), t, averages.begin));
}

void require_that_points_stay(const CheckpointReader& checkpoint, const Configurations& of) {
  const YamlNode *const before = value_at(of.before, "probes.points"), *const now = value_at(
                                                                           of.now, "probes.points");
  if (before == nullptr || now == nullptr) return;
  for (const YamlEntry& point : now->entries) {
    const std::string key = "probes.points." + point.key.scalar;
    if (before->find(point.key.scalar) == nullptr || of.agree_on(key)) continue;
    throw KeyError(key, fmt::format("{} is {}, and the checkpoint {} has it at {}: expected "
                                    "another name for another point",
                                    key, value_text(of.now, key), checkpoint.path().string(),
                                    value_text(of.before, key)));
  }
}

}  // namespace

ContinuedProbes continued_probes(CheckpointReader& checkpoint, const Settings& settings) {
  const Configurations of = configurations(checkpoint, settings);
  const bool had_probes = value_at(of.before, "probes") != nullptr;
  long part = had_probes ? 1 : 0;
  if (checkpoint.has(probe_part_name))
    checkpoint.visit(probe_part_name, part, {0, checkpoint.header().step + 1});
  ContinuedProbes probes;
  probes.earlier_part = static_cast<int>(part);
  probes.rows = had_probes && agree_on_rows(of);
  probes.averages = probes.rows && go_on(averages_of_probes(of), checkpoint.header().time);
  const bool begins_a_part = settings.probes.any() && !probes.rows;
  probes.part = probes.earlier_part + (begins_a_part ? 1 : 0);
  return probes;
}

void require_that_output_goes_on(const CheckpointReader& checkpoint, const Settings& settings) {
  const Configurations of = configurations(checkpoint, settings);
  if (std::ranges::any_of(settings.output.fields, [](const std::string& field) {
        return find_statistic(field).has_value();
      }))
    require_that_they_go_on(checkpoint, averages_of_frames(of, settings));
  if (settings.probes.average_from) require_that_they_go_on(checkpoint, averages_of_probes(of));
  require_that_points_stay(checkpoint, of);
}

}  // namespace hodge::sim
