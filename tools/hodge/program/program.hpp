// What the program `hodge` prints and exits with.
//
//   0 done   2 wrong input   3 numerical failure   4 the machine (disk, memory, device)
//   128 + n ended by signal n
//
// Every error is one line on stderr.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <iostream>
#include <string>
#include <utility>

#include "linalg/base/errors.hpp"

namespace hodge::tools {

// On the standard output.
template <class... Values>
void say(fmt::format_string<Values...> text, Values&&... values) {
  std::cout << fmt::format(text, std::forward<Values>(values)...);
}

// throw wrong_input("{}: a {} x {} matrix, expected a square one", file, rows, cols);
template <class... Values>
ConfigError wrong_input(fmt::format_string<Values...> text, Values&&... values) {
  return ConfigError(fmt::format(text, std::forward<Values>(values)...));
}
template <class... Values>
NumericalError failure(fmt::format_string<Values...> text, Values&&... values) {
  return NumericalError(fmt::format(text, std::forward<Values>(values)...));
}

// Prints the message on stderr and returns the code.
int fail(int code, const std::string& message);

// Returns the code, or 4 where standard output could not be written. A closed pipe is no failure.
int after_output(int code);

// Runs the action and returns its exit code; an exception becomes one line on stderr and its code.
int guarded(const std::function<int()>& action);

}  // namespace hodge::tools
