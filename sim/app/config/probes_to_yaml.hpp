// The section `probes` as a configuration file has it; nothing where there are no probes.
#pragma once

#include <string>

#include "sim/model/probe_settings.hpp"

namespace hodge::sim {

// `dim` is the number of coordinates that are written.
std::string probes_to_yaml(const ProbeSettings& probes, int dim);

}  // namespace hodge::sim
