// Settings that a file has and that change nothing: other settings, or what the problem has not,
// leave them without a use. They are no mistakes; whoever wrote them may expect something of them.
#pragma once

#include <string>
#include <vector>

#include "sim/app/config/yaml_tree.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// "file:line:column: warning: solvers.transport has no effect with scheme rk3", in the order of
// lines. `file` is what the settings were read from, `processes` how many run it; 0: not known.
std::vector<std::string> settings_without_effect(const YamlNode& file, const Settings& settings,
                                                 const Problem& problem, int processes = 0);

}  // namespace hodge::sim
