// Numbers in messages and files.
#pragma once

#include <charconv>
#include <string>
#include <system_error>

namespace hodge::linalg {

// The shortest decimal text that reads back to the same double.
inline std::string number_text(double value) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  return error == std::errc() ? std::string(digits, end) : std::string();
}

}  // namespace hodge::linalg
