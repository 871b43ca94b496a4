#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/app/job.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr const char* may_change =
    "while a run goes on only velocities of sides, conditions of scalars, scalars.NAME.source, "
    "force and the parameters in these may change, and of cases but custom only those of scalars";

bool mentions(const std::string& formula, const std::string& name) {
  const auto is_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t at = 0; (at = formula.find(name, at)) != std::string::npos; ++at) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_of_name(formula[at - 1]);
    if (begins && (end == formula.size() || !is_of_name(formula[end]))) return true;
  }
  return false;
}

// Two resolved configurations. Parameters of a case that its file describes are those of its
// formulas; the parameters of other cases are sizes that their code computes with.
class Difference {
 public:
  explicit Difference(bool described_in_file) : described_in_file_(described_in_file) {}

  // The first value that differs though it may not, or holds a parameter that does.
  std::optional<std::string> found(const YamlNode& before, const YamlNode& after) {
    if (const YamlNode* const was = before.find("parameters"), * const is =
                                                                   after.find("parameters");
        was != nullptr && is != nullptr)
      for (const YamlEntry& entry : is->entries) {
        const YamlNode* const old = was->find(entry.key.scalar);
        if (old == nullptr || old->scalar != entry.value.scalar)
          parameters_.insert(entry.key.scalar);
      }
    if (!described_in_file_ && !parameters_.empty()) return "parameters." + *parameters_.begin();
    return in(before, after, "");
  }

 private:
  static bool is_free(const std::string& path) {
    if (path == "parameters" || path == "initial") return true;
    if (path.starts_with("force[")) return true;
    if (path.starts_with("boundaries.")) return !path.ends_with(".pressure") && has_dots(path, 2);
    return path.starts_with("scalars.") &&
           (path.ends_with(".source") || path.ends_with(".boundaries") ||
            path.ends_with(".initial"));
  }
  static bool has_dots(const std::string& path, long count) {
    return std::ranges::count(path, '.') == count;
  }

  std::optional<std::string> in(const YamlNode& before, const YamlNode& after,
                                const std::string& path) {
    if (is_free(path)) return std::nullopt;
    const bool is_side = path.starts_with("boundaries.");  // `wall` is {kind: wall}
    if (before.kind != after.kind) return is_side ? std::nullopt : std::optional(path);
    if (before.scalar != after.scalar && !is_side) return path;
    for (const std::string& name : parameters_)
      if (before.kind == YamlNode::Kind::scalar && mentions(after.scalar, name)) return path;
    if (before.items.size() != after.items.size()) return path;
    for (std::size_t i = 0; i < before.items.size(); ++i)
      if (auto at = in(before.items[i], after.items[i], fmt::format("{}[{}]", path, i))) return at;
    return in_entries(before, after, path);
  }

  std::optional<std::string> in_entries(const YamlNode& before, const YamlNode& after,
                                        const std::string& path) {
    std::set<std::string> keys;
    for (const YamlNode* const map : {&before, &after})
      for (const YamlEntry& entry : map->entries) keys.insert(entry.key.scalar);
    for (const std::string& key : keys) {
      const std::string there = path.empty() ? key : path + "." + key;
      const YamlNode *const was = before.find(key), *const is = after.find(key);
      if (was != nullptr && is != nullptr) {
        if (auto at = in(*was, *is, there)) return at;
      } else if (!is_free(there)) {
        return there;
      }
    }
    return std::nullopt;
  }

  bool described_in_file_;
  std::set<std::string> parameters_;  // that differ
};

// The conditions are the same: what a flow takes over is their formulas alone.
std::optional<std::string> other_condition(const Problem& before, const Problem& after) {
  for (const auto [axis, side] : sides_of_box(3)) {
    const Side &was = before.boundaries.sides[axis][side], &is = after.boundaries.sides[axis][side];
    const std::string key = "boundaries." + side_name(axis, side);
    if (was.kind != is.kind) return key + ".kind";
    if (was.flow_rate.has_value() != is.flow_rate.has_value()) return key + ".flow_rate";
    for (std::size_t k = 0; k < before.scalars.size(); ++k)
      if (before.scalars[k].sides[axis][side].kind != after.scalars[k].sides[axis][side].kind)
        return "scalars." + before.scalars[k].name + "." + key;
  }
  return std::nullopt;
}

Job checked_with(const Job& job, const std::vector<std::string>& assignments) {
  Job other = job;
  apply_overrides(other.file, assignments, "set");
  other.settings = settings_from_yaml(other.file, job.settings.run_name(), job.cases);
  other.settings.inputs = job.settings.inputs;
  other.settings.device = job.settings.device;
  other.settings.output = job.settings.output;
  const auto refuse = [&](const std::string& key) {
    return ConfigError(fmt::format("{} cannot change, {}", key, may_change));
  };
  const auto tree = [](const Settings& settings) {
    return std::make_shared<const YamlNode>(
        parse_yaml(settings_to_yaml(settings), "its configuration", false));
  };
  const auto before = job.resolved ? job.resolved : tree(job.settings);
  other.resolved = tree(other.settings);
  const bool described_in_file = job.settings.custom.described_in_file;
  if (const auto key = Difference(described_in_file).found(*before, *other.resolved))
    throw refuse(*key);
  other.problem = std::ranges::find(job.cases, other.settings.case_name, &CaseSchema::name)
                      ->make(other.settings);
  if (const auto key = other_condition(job.problem, other.problem)) throw refuse(*key);
  with_places(other, [&] { check_case(other.settings, other.problem); });
  other.problem.treatment = job.problem.treatment;
  return other;
}

}  // namespace

Job with_other_formulas(const Job& job, const std::vector<std::string>& assignments) {
  const std::string all = one_line(fmt::format("set {}", fmt::join(assignments, ", ")));
  try {
    return checked_with(job, assignments);
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    throw ConfigError(text.starts_with("set ") ? text : all + ": " + text);
  }
}

}  // namespace hodge::sim
