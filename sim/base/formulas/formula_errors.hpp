// What can be wrong with the text of a formula, in sentences.
#pragma once

#include <muParserError.h>

#include <string>

#include "linalg/base/errors.hpp"
#include "sim/base/formulas/names.hpp"

namespace hodge::sim {

// Characters that muParser would take, for strings, or cannot show.
void check_characters(const std::string& text);

ConfigError lonely_colon(const std::string& text);

ConfigError several_values(const std::string& text);

ConfigError formula_error(const std::string& text, const FormulaNames& names,
                          const mu::ParserError& error);

}  // namespace hodge::sim
