// A file to begin with: the values that a case needs or is better with (Case::starter) as they
// stand, and other settings behind a '#': with the default of this very file, so that the run stays
// the same without the '#', or with an example, which the comment says, where there is no default.
//
// Whichever one of these lines loses its '#', the file is a right one.
#pragma once

#include <span>
#include <string>

#include "cases/registry.hpp"
#include "sim/app/config/case_schema.hpp"

namespace hodge::tools {

enum class StarterForm {
  brief,  // what one edits first, on a screen
  whole,  // every setting
};

// `file` is the name that the text will be under.
std::string starter_text(const cases::Case& entry, std::span<const sim::CaseSchema> schemas,
                         const std::string& file, StarterForm form);

}  // namespace hodge::tools
