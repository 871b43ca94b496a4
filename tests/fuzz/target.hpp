// A fuzz target reads any bytes as one kind of input. What may come of them is an error of hodge
// (linalg/base/errors.hpp); every other exception, and what a sanitizer finds, is a defect.
//
// Built by Clang with HODGE_BUILD_FUZZERS the targets are programs of libFuzzer; otherwise
// replay.cpp runs each of them over its files in corpus/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "linalg/base/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace hodge::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Runs what may throw an error of hodge.
template <class Action>
int expect_errors_of_hodge(const Action& action) {
  try {
    action();
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace hodge::fuzz
