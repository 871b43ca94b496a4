// What `hodge --version` prints.
#pragma once

#include <string>

namespace hodge::tools {

std::string version_text();

}  // namespace hodge::tools
