// What a new file of a case begins with (`hodge init`): the values that the case cannot do without,
// and those that suit it better than the defaults. Small grids, so that the first run is short.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace hodge::cases {

struct StarterValue {
  const char* path;   // "time.step.max"
  const char* value;  // as YAML
};

struct Starter {
  const char* name;  // of the case
  std::vector<StarterValue> values;
};

// An entry a case.
std::span<const Starter> starter_table();

const Starter& find_starter(std::string_view name);

}  // namespace hodge::cases
