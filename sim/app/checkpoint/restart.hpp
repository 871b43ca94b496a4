// The checks before a restart: which checkpoint, whether it is whole, and whether it belongs to the
// run that the settings describe. Nothing is written.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sim/app/checkpoint/checkpoint.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/base/input_file.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// What a run is made of.
struct RunRecord {
  std::string config;                  // as settings_to_yaml writes it
  std::optional<InputFiles> inputs{};  // that it names; none: not known
};

struct RunChange {
  std::string file;         // of the same name with other contents; empty: a key has changed
  std::string key;          // "grid.cells"
  std::string before, now;  // its values, on one line; "not given"
};

// The keys that a restart may change, with all keys below them.
std::span<const char* const> what_a_restart_may_change();

// The first difference between two runs, apart from those of the keys in `free`. Files that have
// moved, with the same contents, are no difference.
std::optional<RunChange> first_change(
    const RunRecord& before, const RunRecord& now,
    std::span<const char* const> free = what_a_restart_may_change());

// The value at a key with dots; null where it is not given.
const YamlNode* value_at(const YamlNode& tree, const std::string& key);

// Its text on one line, the same for values that say the same; "not given".
std::string value_text(const YamlNode& tree, const std::string& key);

// The digest of the state that a run may begin with, by the name that the configuration gives it.
using DigestOfState = std::function<std::string(const std::string& path)>;

// `wanted` is a file, or "latest": the newest in the run directory of the settings. The state that
// the run began with is not needed any more: it may be gone or have changed, and is asked for only
// where the settings give it another name.
//
// Errors: ConfigError where there is none, it is of another format, it lies beyond the end that the
// settings ask for, or the settings differ from its own in more than a restart may change, with the
// first such key, or a file that they name has changed; IoError where it is damaged, with the
// newest whole one before it.
std::unique_ptr<CheckpointReader> open_checkpoint(const std::string& wanted,
                                                  const Settings& settings,
                                                  const DigestOfState& digest_of_state);

// What the files of the run that wrote the checkpoint are called. Earlier versions called them as
// the case.
std::string run_name_of(const CheckpointReader& checkpoint);

// The files of the settings, and those that only the start of the run has read.
InputFiles inputs_of_restart(const CheckpointReader& checkpoint, const Settings& settings);

// Whether the run goes on in the directory that the checkpoint lies in.
bool continues_in_place(const CheckpointReader& checkpoint, const Settings& settings);

}  // namespace hodge::sim
