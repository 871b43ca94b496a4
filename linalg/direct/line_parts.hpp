// Who has which part of the lines, while processes that share the layers join what they are left
// with (line_tree.hpp). At first each process has all lines, of its own layers. In each round up to
// `joined_at_once` groups of the round before, that have layers side by side, become one:
//
//   round   groups                          a process has
//   0       {0} {1} {2} ...                 all lines
//   1       {0 1 2 3} {4 5 6 7} ...         1/4
//   2       {0 ... 15} {16 ... 31} ...      1/16, a part of what it had
//
// So it sends the values of 1 - 1/P of the lines, in 3 log4 P messages and log4 P rounds. By two
// groups a round it would be log2 P of both: fewer messages, but those of a round travel together,
// and every round waits for its messages and starts a kernel.
//
// Groups are equal but for the last one, which may have fewer processes. Where others stand beside
// it, these share the lines among them, and its own processes get back the values at their ends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hodge::linalg {

inline constexpr int joined_at_once = 4;

struct ProcessGroup {
  int first, end;
};

constexpr int size_of_group(int round) {
  return round == 0 ? 1 : joined_at_once * size_of_group(round - 1);
}
// The number of rounds until all processes are one group.
constexpr int rounds_of(int processes) {
  int rounds = 0;
  while (size_of_group(rounds) < processes) ++rounds;
  return rounds;
}
// The group of a process after a round.
constexpr ProcessGroup group_of(int round, int process, int processes) {
  const int size = size_of_group(round), first = process / size * size;
  return {first, std::min(first + size, processes)};
}

// The groups of the round before that become the group of this process.
inline std::vector<ProcessGroup> groups_joined(int round, int process, int processes) {
  const ProcessGroup whole = group_of(round, process, processes);
  std::vector<ProcessGroup> groups;
  for (int first = whole.first; first < whole.end; first = groups.back().end)
    groups.push_back(group_of(round - 1, first, processes));
  return groups;
}

// Lines first, first + 1, ... end - 1.
struct LinePart {
  int first = 0, end = 0;

  int size() const { return end - first; }
};
inline LinePart common(const LinePart& a, const LinePart& b) {
  const int first = std::max(a.first, b.first);
  return {first, std::max(first, std::min(a.end, b.end))};
}

// Parts begin at multiples of so many lines, so that GPUs copy whole words.
inline constexpr int lines_at_once = 4;

// The part of a process after a round. `lines`: such a multiple.
inline LinePart part_of_lines(int lines, int round, int process, int processes) {
  if (round == 0) return {0, lines};
  const LinePart had = part_of_lines(lines, round - 1, process, processes);
  const ProcessGroup whole = group_of(round, process, processes);
  const int size = size_of_group(round - 1), equal = (whole.end - whole.first) / size,
            own = (process - whole.first) / size;
  if (equal == 0) return had;                       // the last group alone
  if (own == equal) return {had.first, had.first};  // beside others
  const auto cut = [&](int i) {
    return had.first +
           static_cast<int>(1LL * i * (had.size() / lines_at_once) / equal) * lines_at_once;
  };
  return {cut(own), cut(own + 1)};
}

}  // namespace hodge::linalg
