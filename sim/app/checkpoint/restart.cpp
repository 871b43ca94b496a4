#include "sim/app/checkpoint/restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "linalg/base/errors.hpp"
#include "sim/app/checkpoint/checkpoint_folder.hpp"
#include "sim/app/checkpoint/other_output.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/config/yaml_number.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/base/file_names.hpp"
#include "sim/base/key_error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/times.hpp"

namespace hodge::sim {

namespace fs = std::filesystem;

namespace {

// What a restart may change: how long the run lasts, how exactly it is solved, what it writes.
constexpr std::array may_change{"time.end",    "time.steps", "time.wall_clock", "time.step",
                                "time.steady", "solvers",    "compare",         "output",
                                "probes",      "device",     "parallel"};

bool is_free(const std::string& key) {
  return std::find(may_change.begin(), may_change.end(), key) != may_change.end();
}

// Numbers are written in one way, because older checkpoints have 1e-06 for 1.0e-06.
std::string scalar_text(const YamlNode& node) {
  const char *begin = node.scalar.data(), *end = begin + node.scalar.size();
  double number = 0;
  const auto [rest, error] = std::from_chars(begin, end, number);
  const bool is_number = !node.quoted && error == std::errc() && rest == end;
  return is_number ? yaml_number(number) : one_line(node.scalar);
}

std::string text_of(const YamlNode* node) {
  if (node == nullptr) return "not given";
  std::vector<std::string> parts;
  switch (node->kind) {
    case YamlNode::Kind::null:
      return "empty";
    case YamlNode::Kind::scalar:
      return scalar_text(*node);
    case YamlNode::Kind::list:
      for (const YamlNode& item : node->items) parts.push_back(text_of(&item));
      return fmt::format("[{}]", fmt::join(parts, ", "));
    case YamlNode::Kind::map:
      for (const YamlEntry& entry : node->entries)
        parts.push_back(entry.key.scalar + ": " + text_of(&entry.value));
      return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }
  return {};
}

std::optional<ChangedKey> compare(const std::string& key, const YamlNode* before,
                                  const YamlNode* now) {
  const auto is_map = [](const YamlNode* n) { return n && n->kind == YamlNode::Kind::map; };
  if (is_free(key)) return std::nullopt;
  if (!is_map(before) || !is_map(now)) {
    if (text_of(before) == text_of(now)) return std::nullopt;
    return ChangedKey{key, text_of(before), text_of(now)};
  }
  const auto below = [&](const YamlEntry& entry) {
    const std::string& name = entry.key.scalar;
    return compare(key.empty() ? name : key + "." + name, before->find(name), now->find(name));
  };
  for (const YamlNode* side : {now, before})
    for (const YamlEntry& entry : side->entries)
      if (auto change = below(entry)) return change;
  return std::nullopt;
}

// A checkpoint at the end itself is none beyond it: then there is nothing left to do.
void require_an_end_ahead(const CheckpointReader& checkpoint, const Settings& settings) {
  const auto& [version, config, step, t] = checkpoint.header();
  const TimeSettings& time = settings.time;
  const std::string expected = "expected a later one, or a checkpoint before it";
  if (!has_reached(time.end, t, settings.output.frame_every.value_or(0)))
    throw KeyError("time.end",
                   fmt::format("time.end is {}, and the checkpoint {} is at t = {} already, {}",
                               time.end, checkpoint.path().string(), t, expected));
  if (time.max_steps && step > *time.max_steps)
    throw KeyError("time.steps",
                   fmt::format("time.steps is {}, and the checkpoint {} is at step {} already, {}",
                               *time.max_steps, checkpoint.path().string(), step, expected));
}

bool is_whole(const fs::path& path) {
  try {
    check_seal(path);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The other checkpoints of the same folder, newest first, from the first one before `damaged`.
std::string offer(const fs::path& damaged) {
  bool before = false;
  for (const fs::path& path : CheckpointFolder::holding(damaged).newest_first()) {
    if (before && is_whole(path))
      return fmt::format("; the one before is whole: --restart {}", path.string());
    before = before || path.filename() == damaged.filename();
  }
  return "; there is no whole one before it";
}

void require_same_run(const CheckpointReader& checkpoint, const Settings& settings) {
  const std::optional<ChangedKey> change =
      first_change(checkpoint.header().config, settings_to_yaml(settings));
  if (!change) return;
  throw ConfigError(fmt::format(
      "{} is {}, and the checkpoint {} was written with {}; a restart may change nothing but {}",
      change->key, change->now, checkpoint.path().string(), change->before,
      fmt::join(may_change, ", ")));
}

}  // namespace

const YamlNode* value_at(const YamlNode& tree, const std::string& key) {
  const YamlNode* node = &tree;
  for (std::size_t begin = 0; node != nullptr && begin < key.size();) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    node = node->find(key.substr(begin, end - begin));
    begin = end + 1;
  }
  return node;
}

std::string value_text(const YamlNode& tree, const std::string& key) {
  return text_of(value_at(tree, key));
}

std::span<const char* const> what_a_restart_may_change() {
  return may_change;
}

std::optional<ChangedKey> first_change(const std::string& before, const std::string& now) {
  const YamlNode old_tree = parse_yaml(before, "checkpoint", false);
  const YamlNode new_tree = parse_yaml(now, "settings", false);
  return compare("", &old_tree, &new_tree);
}

void visit_tables(StateVisitor& visitor, const Settings& settings) {
  if (settings.tables.empty()) return;
  std::string now;
  for (const TableFile& table : settings.tables)
    now += fmt::format("{} {}\n", table.digest, one_line(table.file));
  std::string stored = now;
  visitor.visit("tables", stored);
  if (stored == now) return;
  for (const TableFile& table : settings.tables)
    if (stored.find(table.digest) == std::string::npos)
      throw ConfigError(
          fmt::format("the table {} has changed since the checkpoint was written, expected its "
                      "content of then: a restart goes on with the same formulas",
                      one_line(table.file)));
  visitor.refuse("tables", "are those of another run");
}

std::unique_ptr<CheckpointReader> open_checkpoint(const std::string& wanted,
                                                  const Settings& settings) {
  const fs::path path =
      wanted == "latest" ? CheckpointFolder(settings.output.directory).newest() : fs::path(wanted);
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    throw ConfigError(fmt::format("{} is no file, expected a checkpoint or latest", path.string()));
  std::unique_ptr<CheckpointReader> checkpoint;
  try {
    checkpoint = std::make_unique<CheckpointReader>(path);
  } catch (const IoError& damage) {
    throw IoError(damage.what() + offer(path));
  }
  require_same_run(*checkpoint, settings);
  require_an_end_ahead(*checkpoint, settings);
  require_that_output_goes_on(*checkpoint, settings);
  visit_tables(*checkpoint, settings);
  return checkpoint;
}

std::string run_name_of(const CheckpointReader& checkpoint) {
  const YamlNode config = parse_yaml(checkpoint.header().config, "checkpoint", false);
  const YamlNode* const output = config.find("output");
  const YamlNode* const name = output == nullptr ? nullptr : output->find("name");
  const YamlNode* const of_case = config.find("case");
  return as_run_name(name != nullptr ? name->scalar : of_case != nullptr ? of_case->scalar : "");
}

bool continues_in_place(const CheckpointReader& checkpoint, const Settings& settings) {
  std::error_code error;
  return fs::equivalent(checkpoint.path().parent_path(),
                        CheckpointFolder(settings.output.directory).path(), error);
}

}  // namespace hodge::sim
