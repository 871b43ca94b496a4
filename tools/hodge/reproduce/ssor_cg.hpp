// The reproduction ssor_cg, a part of ssor_sai.
#pragma once

#include "tools/hodge/reproduce/reproduction.hpp"

namespace hodge::tools::reproduce {

std::vector<Claim> ssor_cg(const Findings& findings);

}  // namespace hodge::tools::reproduce
