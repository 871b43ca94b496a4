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
  const bool has_layers = !has_profile(settings.output) || of.agree_on("output.statistics.profile");
  return {settings.output.statistics ? "output.statistics" : "output.fields",
          "output.statistics.start", window_of_statistics(of.before), window_of_statistics(of.now),
          has_all && has_layers};
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

// Whether a file has averages at time t that those of now would replace.
bool would_replace(const Averages& averages, double t) {
  return t > averages.before.from && !go_on(averages, t);
}

// What profiles.csv has, as a restart sees it.
Averages averages_of_profile(const Configurations& of) {
  return {"output.statistics", "output.statistics.start", window_of_statistics(of.before),
          window_of_statistics(of.now), of.agree_on("output.statistics.profile")};
}

// The last part that a checkpoint knows.
int part_in(CheckpointReader& checkpoint, const char* name, bool has_one) {
  long part = has_one ? 1 : 0;
  if (checkpoint.has(name)) checkpoint.visit(name, part, {0, checkpoint.header().step + 1});
  return static_cast<int>(part);
}

int continued_profile(CheckpointReader& checkpoint, const Configurations& of,
                      const Settings& settings) {
  const bool had = value_at(of.before, "output.statistics.profile") != nullptr;
  const int part = part_in(checkpoint, profile_part_name, had);
  const bool goes_on = had && !would_replace(averages_of_profile(of), checkpoint.header().time);
  return part + (has_profile(settings.output) && !goes_on ? 1 : 0);
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

// In its directory a run has frames of one format.
void require_that_the_format_stays(const CheckpointReader& checkpoint, const Configurations& of,
                                   const Settings& settings) {
  const auto format = [](const YamlNode& config) {
    return value_text(config, "output.format") == "vtkhdf" ? "vtkhdf" : "xml";
  };
  const std::string before = format(of.before), now = format(of.now);
  if (before == now || !continues_in_place(checkpoint, settings)) return;
  throw KeyError(
      "output.format",
      fmt::format("output.format is {}, and the checkpoint {} was written with {}: a run "
                  "goes on in its directory with the format that it began with",
                  now, checkpoint.path().string(), before));
}

}  // namespace

ContinuedProbes continued_probes(CheckpointReader& checkpoint, const Settings& settings) {
  const Configurations of = configurations(checkpoint, settings);
  const bool had_probes = value_at(of.before, "probes") != nullptr;
  const double t = checkpoint.header().time;
  ContinuedProbes probes;
  probes.earlier_part = part_in(checkpoint, probe_part_name, had_probes);
  probes.rows = had_probes && agree_on_rows(of) && !would_replace(averages_of_probes(of), t);
  probes.averages = probes.rows && go_on(averages_of_probes(of), t);
  const bool begins_a_part = settings.probes.any() && !probes.rows;
  probes.part = probes.earlier_part + (begins_a_part ? 1 : 0);
  probes.profile_part = continued_profile(checkpoint, of, settings);
  return probes;
}

void require_that_output_goes_on(const CheckpointReader& checkpoint, const Settings& settings) {
  const Configurations of = configurations(checkpoint, settings);
  if (has_profile(settings.output) ||
      std::ranges::any_of(settings.output.fields, [](const std::string& field) {
        return find_statistic(field).has_value();
      }))
    require_that_they_go_on(checkpoint, averages_of_frames(of, settings));
  if (settings.probes.average_from) require_that_they_go_on(checkpoint, averages_of_probes(of));
  require_that_points_stay(checkpoint, of);
  require_that_the_format_stays(checkpoint, of, settings);
}

}  // namespace hodge::sim
