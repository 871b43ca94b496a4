// A measured profile beside published points: adds every point, the curves of the plot, and a row
// for the point that is farthest off.
#pragma once

#include <string>

#include "tools/hodge/validate/reference_table.hpp"
#include "tools/hodge/validate/report.hpp"

namespace hodge::tools {

struct PublishedProfile {
  std::string quantity{};      // "u on x = 0.5"
  std::string position = "y";  // what the positions are
  std::string value = "u";     // what the values are
  Profile points{};
  Bound bound{};  // absolute: of every point; none: shown, not judged
  std::string source{};
};

void compare_profile(Report& report, const std::string& run, const Profile& measured,
                     const PublishedProfile& published);

}  // namespace hodge::tools
