// The checks before a restart: which checkpoint, whether it is whole, and whether it belongs to the
// run that the settings describe. Nothing is written.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sim/app/checkpoint/checkpoint.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

struct ChangedKey {
  std::string key;          // "grid.cells"
  std::string before, now;  // its values, on one line; "not given"
};

// The keys that a restart may change, with all keys below them.
std::span<const char* const> what_a_restart_may_change();

// The first difference of two resolved configurations, as settings_to_yaml writes them, apart from
// those that a restart may make.
std::optional<ChangedKey> first_change(const std::string& before, const std::string& now);

// The value at a key with dots; null where it is not given.
const YamlNode* value_at(const YamlNode& tree, const std::string& key);

// Its text on one line, the same for values that say the same; "not given".
std::string value_text(const YamlNode& tree, const std::string& key);

// The tables that formulas read, with the digests of their files. Errors, where they are restored:
// ConfigError for one that has changed. Runs without tables have no such part.
void visit_tables(StateVisitor& visitor, const Settings& settings);

// `wanted` is a file, or "latest": the newest in the run directory of the settings.
//
// Errors: ConfigError where there is none, it is of another format, it lies beyond the end that the
// settings ask for, or the settings differ from its own in more than a restart may change, with the
// first such key; IoError where it is damaged, with the newest whole one before it.
std::unique_ptr<CheckpointReader> open_checkpoint(const std::string& wanted,
                                                  const Settings& settings);

// What the files of the run that wrote the checkpoint are called. Earlier versions called them as
// the case.
std::string run_name_of(const CheckpointReader& checkpoint);

// Whether the run goes on in the directory that the checkpoint lies in.
bool continues_in_place(const CheckpointReader& checkpoint, const Settings& settings);

}  // namespace hodge::sim
