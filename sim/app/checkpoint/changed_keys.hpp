// The differences of two resolved configurations, apart from those that a restart may make.
#pragma once

#include <optional>
#include <string>

namespace hodge::sim {

struct ChangedKey {
  std::string key;          // "grid.cells"
  std::string before, now;  // its values, on one line; "not given"
};

// The first difference of two files as settings_to_yaml writes them.
std::optional<ChangedKey> first_change(const std::string& before, const std::string& now);

// "time.end, time.steps, ...": each key stands for all keys below it too.
std::string keys_that_may_change();

}  // namespace hodge::sim
