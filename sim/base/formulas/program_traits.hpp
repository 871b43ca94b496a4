// What a program depends on, found from its instructions alone.
#pragma once

#include <span>

#include "sim/base/formulas/instructions.hpp"

namespace hodge::sim {

ProgramTraits program_traits(std::span<const Instruction> program);

}  // namespace hodge::sim
