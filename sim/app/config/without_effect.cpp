#include "sim/app/config/without_effect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "sim/app/config/solver_to_yaml.hpp"
#include "sim/base/formulas/names.hpp"
#include "sim/base/text.hpp"
#include "sim/time/stability.hpp"

namespace hodge::sim {
namespace {

struct Facts {
  const YamlNode& file;
  const Settings& settings;
  const Problem& problem;
  int processes;
};

// Why the value at a key has no effect, "with scheme rk3"; empty: it has one.
struct Rule {
  std::string key;  // "solvers.transport"
  std::function<std::string()> why;
};

// The value at the keys of maps, one below the other.
const YamlNode* find(const YamlNode& file, const std::string& key) {
  const YamlNode* node = &file;
  for (std::size_t begin = 0; node != nullptr && begin <= key.size();) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    node = node->find(key.substr(begin, end - begin));
    begin = end + 1;
  }
  return node;
}

std::string when(bool condition, const char* why) {
  return condition ? why : "";
}

// Why no system of a kind is solved.
std::string unsolved(const Facts& facts, SystemKind kind) {
  const std::string& scheme = facts.settings.time.scheme;
  const bool of_scalars = kind == SystemKind::scalars;
  if (of_scalars && facts.problem.scalars.empty()) return "without scalars";
  if (!of_scalars && facts.problem.prescribed_velocity) return "with a prescribed_velocity";
  const TimeScheme& of =
      of_scalars ? scheme_of_scalars(facts.settings, facts.problem) : find_time_scheme(scheme);
  if (kind != SystemKind::pressure && !of.solves_transport()) return "with scheme " + scheme;
  return {};
}

const SystemSettings& solver_of(const Settings& settings, SystemKind kind) {
  if (kind == SystemKind::pressure) return settings.pressure;
  return kind == SystemKind::transport ? settings.transport : settings.scalars;
}

void add_solvers(const Facts& facts, std::vector<Rule>& rules) {
  for (const SystemKind kind : system_kinds) {
    const auto why = [facts, kind] { return unsolved(facts, kind); };
    const std::string section = std::string("solvers.") + name_of(kind);
    rules.push_back({section, why});
    rules.push_back({std::string("compare.") + name_of(kind), why});
    const SystemSettings& solver = solver_of(facts.settings, kind);
    for (const char* key : {".preconditioner", ".refresh"})
      rules.push_back({section + key, [&solver] {
                         return is_preconditioned(solver) ? "" : "with method " + solver.method;
                       }});
    rules.push_back({section + ".refresh", [&solver] {
                       return when(solver.preconditioner.kind == "none",
                                   "with preconditioner none");
                     }});
  }
  rules.push_back({"solvers.pressure.refresh",
                   [] { return std::string("on the pressure, whose matrix does not change"); }});
}

void add_scalars(const Facts& facts, std::vector<Rule>& rules) {
  for (const CustomScalar& scalar : facts.settings.custom.scalars) {
    const std::string key = "scalars." + scalar.name;
    rules.push_back({key + ".neutral", [&scalar] {
                       return when(scalar.buoyancy == std::array<double, 3>{}, "without buoyancy");
                     }});
    rules.push_back({key + ".buoyancy", [facts] {
                       return when(facts.problem.prescribed_velocity.has_value(),
                                   "with a prescribed_velocity");
                     }});
  }
}

void add_names(const std::string& text, std::set<std::string>& names) {
  std::string name;
  for (const char c : text + " ") {
    if (is_letter(c) || (!name.empty() && c >= '0' && c <= '9'))
      name += c;
    else if (!name.empty())
      names.insert(std::exchange(name, {}));
  }
}

// The names in all values of a tree.
void add_names(const YamlNode& node, std::set<std::string>& names) {
  add_names(node.scalar, names);
  for (const YamlNode& item : node.items) add_names(item, names);
  for (const YamlEntry& entry : node.entries) add_names(entry.value, names);
}

using Found = std::vector<std::pair<Place, std::string>>;  // with the line to tell

// In the case custom parameters are for formulas.
void add_unused_parameters(const Facts& facts, Found& found) {
  const YamlNode* const parameters = facts.file.find("parameters");
  if (!facts.settings.custom.described_in_file || parameters == nullptr) return;
  std::set<std::string> used;
  add_names(facts.file, used);
  for (const auto& [name, value] : parameters->entries)
    if (!used.contains(name.scalar))
      found.emplace_back(
          value.place,
          fmt::format("parameters.{} has no effect: no formula names it", name.scalar));
}

std::vector<Rule> rules_of(const Facts& facts) {
  std::vector<Rule> rules{
      {"convection",
       [facts] {
         return when(is_at_rest(facts.problem), "where the prescribed_velocity is 0 everywhere");
       }},
      {"forces", [facts] { return when(facts.problem.solids.empty(), "without solids"); }},
      {"parallel", [facts] { return when(facts.processes == 1, "with one process"); }}};
  add_solvers(facts, rules);
  add_scalars(facts, rules);
  return rules;
}

}  // namespace

std::vector<std::string> settings_without_effect(const YamlNode& file, const Settings& settings,
                                                 const Problem& problem, int processes) {
  const Facts facts{file, settings, problem, processes};
  Found found;
  add_unused_parameters(facts, found);
  std::set<std::string> told;
  for (const Rule& rule : rules_of(facts)) {
    const YamlNode* const value = find(file, rule.key);
    const std::string why = value == nullptr ? "" : rule.why();
    const bool is_told =
        told.contains(rule.key) || told.contains(rule.key.substr(0, rule.key.find_last_of('.')));
    if (why.empty() || is_told) continue;
    told.insert(rule.key);
    found.emplace_back(value->place, fmt::format("{} has no effect {}", rule.key, why));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    const auto order = [](const Place& at) { return std::tuple(at.line == 0, at.line, at.column); };
    return order(a.first) < order(b.first);
  });
  std::vector<std::string> lines;
  for (const auto& [place, text] : found)
    lines.push_back(fmt::format("{}: warning: {}", place.text(), text));
  return lines;
}

}  // namespace hodge::sim
