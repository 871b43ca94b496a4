// The message of an error of a known type, for tests of what it says.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace hodge::test {

// Empty, and a failed test, if `action` throws nothing.
template <class Expected, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Expected& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace hodge::test
