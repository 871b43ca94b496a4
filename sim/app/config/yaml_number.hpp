// Numbers as every reader of YAML takes them for numbers.
#pragma once

#include <string>

#include "linalg/base/number_text.hpp"

namespace hodge::sim {

// The shortest digits that read back to the same double, with a point before the exponent: 1.0e-06.
// Without the point YAML 1.1 (PyYAML, editors) reads a text; the exponent has its sign in any case.
inline std::string yaml_number(double value) {
  std::string text = linalg::number_text(value);
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos)
    text.insert(exponent, ".0");
  return text;
}

}  // namespace hodge::sim
