// What two resolved configurations differ in, apart from what a restart may change.
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

// "time.end, time.steps, ...": keys with all that is below them.
std::string keys_that_may_change();

}  // namespace hodge::sim
