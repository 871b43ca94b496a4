#include "sim/app/checkpoint/restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/files/directories.hpp"
#include "sim/app/checkpoint/checkpoint_folder.hpp"
#include "sim/app/checkpoint/other_output.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/config/yaml_number.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/base/file_names.hpp"
#include "sim/base/input_files.hpp"
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

class Comparison {
 public:
  Comparison(const InputFiles& files_before, const InputFiles& files_now,
             std::span<const char* const> free)
      : files_before_(files_before), files_now_(files_now), free_(free) {}

  std::optional<RunChange> compare(const std::string& key, const YamlNode* before,
                                   const YamlNode* now) const {
    const auto is_map = [](const YamlNode* n) { return n && n->kind == YamlNode::Kind::map; };
    if (std::ranges::find(free_, key) != free_.end()) return std::nullopt;
    if (!is_map(before) || !is_map(now)) {
      if (are_same(text_of(before), text_of(now))) return std::nullopt;
      return RunChange{"", key, text_of(before), text_of(now)};
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

 private:
  bool are_same(const std::string& before, const std::string& now) const {
    return before == now || with_digests(before, files_before_) == with_digests(now, files_now_);
  }

  const InputFiles &files_before_, &files_now_;
  std::span<const char* const> free_;
};

// Of the files that stand in the configuration: a constant may come from a table, too.
InputFiles files_in(const std::string& config, const InputFiles& files) {
  InputFiles named;
  std::ranges::copy_if(files, std::back_inserter(named), [&](const InputFile& input) {
    return config.find(input.file) != std::string::npos;
  });
  return named;
}

// A checkpoint at the end itself is none beyond it: then there is nothing left to do.
void require_an_end_ahead(const CheckpointReader& checkpoint, const Settings& settings) {
  const auto& [version, config, step, t, inputs] = checkpoint.header();
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

// With the digest of the state to begin with, where it has another name than in the checkpoint.
InputFiles inputs_now(const InputFiles& before, const Settings& settings,
                      const DigestOfState& digest_of_state) {
  InputFiles now = settings.inputs;
  const std::string& from = settings.initial_from.path;
  if (from.empty() || std::ranges::count(before, one_line(from), &InputFile::file) > 0) return now;
  try {
    now.push_back({from, digest_of_state(from)});
  } catch (const Error&) {  // it is another name of nothing: the key has changed
  }
  return now;
}

void require_same_run(const CheckpointReader& checkpoint, const Settings& settings,
                      const DigestOfState& digest_of_state) {
  RunRecord before{checkpoint.header().config, checkpoint.header().inputs};
  RunRecord now{settings_to_yaml(settings)};
  if (before.inputs) now.inputs = inputs_now(*before.inputs, settings, digest_of_state);
  const std::optional<RunChange> change = first_change(before, now);
  if (!change) return;
  if (!change->file.empty())
    throw ConfigError(
        fmt::format("{} has changed since the checkpoint {} was written, expected its contents of "
                    "then: a restart goes on with the same files",
                    change->file, checkpoint.path().string()));
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

std::optional<RunChange> first_change(const RunRecord& before, const RunRecord& now,
                                      std::span<const char* const> free) {
  const bool are_known = before.inputs && now.inputs;
  const InputFiles files_before = are_known ? *before.inputs : InputFiles();
  const InputFiles files_now = are_known ? *now.inputs : InputFiles();
  if (const auto file = changed_file(files_before, files_now)) return RunChange{*file, "", "", ""};
  const YamlNode old_tree = parse_yaml(before.config, "checkpoint", false);
  const YamlNode new_tree = parse_yaml(now.config, "settings", false);
  if (auto change = Comparison(files_before, files_now, free).compare("", &old_tree, &new_tree))
    return change;
  if (const auto file = new_file(files_before, files_in(now.config, files_now)))
    return RunChange{*file, "", "", ""};
  return std::nullopt;
}

std::unique_ptr<CheckpointReader> open_checkpoint(const std::string& wanted,
                                                  const Settings& settings,
                                                  const DigestOfState& digest_of_state) {
  const fs::path path =
      wanted == "latest" ? CheckpointFolder(settings.output.directory).newest() : fs::path(wanted);
  if (!is_a_file(path))
    throw ConfigError(fmt::format("{} is no file, expected a checkpoint or latest", path.string()));
  std::unique_ptr<CheckpointReader> checkpoint;
  try {
    checkpoint = std::make_unique<CheckpointReader>(path);
  } catch (const IoError& damage) {
    throw IoError(damage.what() + offer(path));
  }
  require_same_run(*checkpoint, settings, digest_of_state);
  require_an_end_ahead(*checkpoint, settings);
  require_that_output_goes_on(*checkpoint, settings);
  return checkpoint;
}

std::string run_name_of(const CheckpointReader& checkpoint) {
  const YamlNode config = parse_yaml(checkpoint.header().config, "checkpoint", false);
  const YamlNode* const output = config.find("output");
  const YamlNode* const name = output == nullptr ? nullptr : output->find("name");
  const YamlNode* const of_case = config.find("case");
  return as_run_name(name != nullptr ? name->scalar : of_case != nullptr ? of_case->scalar : "");
}

InputFiles inputs_of_restart(const CheckpointReader& checkpoint, const Settings& settings) {
  InputFiles inputs = settings.inputs;
  if (!checkpoint.header().inputs) return inputs;
  const YamlNode config = parse_yaml(checkpoint.header().config, "checkpoint", false);
  const YamlNode* const from = value_at(config, "initial.from");
  for (InputFile input : *checkpoint.header().inputs) {
    const bool is_state = from != nullptr && input.file == one_line(from->scalar);
    if (is_state) input.file = settings.initial_from.path;  // it may have moved
    if (is_state || std::ranges::count(inputs, input.digest, &InputFile::digest) == 0)
      inputs.push_back(std::move(input));
  }
  return inputs;
}

bool continues_in_place(const CheckpointReader& checkpoint, const Settings& settings) {
  return are_the_same(checkpoint.path().parent_path(),
                      CheckpointFolder(settings.output.directory).path());
}

}  // namespace hodge::sim
