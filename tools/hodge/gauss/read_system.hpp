// A dense system of equations as text: the number n of unknowns, then n rows of n coefficients,
// then n right-hand sides, all separated by white space; where lines end does not matter.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace hodge::tools {

struct DenseSystem {
  int n = 0;
  std::vector<double> matrix;  // n * n, by columns
  std::vector<double> right_side;
};

// Puts the next bytes at `to` and returns how many: fewer than `most` only at the end.
using ReadBytes = std::function<std::size_t(char* to, std::size_t most)>;

// `name` stands in the messages: a file, or <stdin>. ConfigError "NAME:LINE: what, what was
// expected" for n < 1, words that are no finite numbers, and too few or too many numbers; the
// errors of `read`. Memory grows with the numbers that are read, whatever n says.
DenseSystem read_system(const ReadBytes& read, const std::string& name);

}  // namespace hodge::tools
