// What can be wrong with the text of a formula, in sentences.
#pragma once

#include <muParserError.h>

#include <cstddef>
#include <string>
#include <vector>

#include "linalg/base/errors.hpp"
#include "sim/base/formulas/names.hpp"

namespace hodge::sim {

// A name that no formula knows; the message lists those that any formula may have. Who knows what
// may stand at this place lists them anew.
struct UnknownName : ConfigError {
  UnknownName(const std::string& text, std::string token, std::size_t at,
              const std::vector<std::string>& known);
  std::string token;
  std::size_t at;  // from 0
};

// Characters that muParser cannot show, outside of texts in quotes, and quotes without an end.
void check_characters(const std::string& text);

inline bool is_quote(char c) {
  return c == '"' || c == '\'';
}

ConfigError lonely_colon(const std::string& text);

ConfigError wrong_call(const std::string& text, const std::string& what);

ConfigError several_values(const std::string& text);

ConfigError formula_error(const std::string& text, const FormulaNames& names,
                          const mu::ParserError& error);

}  // namespace hodge::sim
