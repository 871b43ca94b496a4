// Who has which part of the lines, while processes that share the layers join what they are left
// with (line_tree.hpp). At first each process has all lines, of its own layers. In each round up to
// `joined_at_once` groups of the round before, that have layers side by side, become one:
//
//   round   groups                          a process has, of P processes
//   0       {0} {1} {2} ...                 all lines
//   1       {0 1 2 3} {4 5 6 7} ...         1/4
//   2       {0 ... 15} {16 ... 31} ...      1/16, a part of what it had
//
// Each group shares the lines out anew. So a process sends the values of 1 - 1/P of the lines, in
// 3 log4 P messages and log4 P rounds. By two groups a round it would be log2 P of both: fewer
// messages, but those of a round travel together, and every round waits for its messages and starts
// a kernel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hodge::linalg {

inline constexpr int joined_at_once = 4;

struct ProcessGroup {
  int first, end;
};

// The number of rounds until all processes are one group.
constexpr int rounds_of(int processes) {
  int rounds = 0;
  for (int size = 1; size < processes; size *= joined_at_once) ++rounds;
  return rounds;
}

// The group of a process after a round.
inline ProcessGroup group_of(int round, int process, int processes) {
  int size = 1;
  for (int r = 0; r < round; ++r) size *= joined_at_once;
  const int first = process / size * size;
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
  bool has(const LinePart& other) const { return first <= other.first && other.end <= end; }
};
inline LinePart common(const LinePart& a, const LinePart& b) {
  const int first = std::max(a.first, b.first);
  return {first, std::max(first, std::min(a.end, b.end))};
}

// Parts begin at multiples of so many lines, so that GPUs copy whole words.
inline constexpr int lines_at_once = 4;

// The parts of all processes after each round, from round 0 on. `lines`: such a multiple.
inline std::vector<std::vector<LinePart>> parts_of_lines(int lines, int processes) {
  const auto all = static_cast<std::size_t>(processes);
  std::vector<std::vector<LinePart>> parts(1, std::vector<LinePart>(all, {0, lines}));
  for (int round = 1; round <= rounds_of(processes); ++round) {
    const std::vector<LinePart> before = parts.back();
    parts.emplace_back(all);
    for (int first = 0; first < processes;) {
      const ProcessGroup group = group_of(round, first, processes);
      std::vector<std::size_t> members;
      for (; first < group.end; ++first) members.push_back(static_cast<std::size_t>(first));
      // So a part is within the part before, where the groups have the same size.
      std::ranges::stable_sort(members, {}, [&](std::size_t p) { return before[p].first; });
      const auto count = static_cast<long long>(members.size());
      const auto cut = [&](long long i) {
        return static_cast<int>(i * (lines / lines_at_once) / count) * lines_at_once;
      };
      for (long long i = 0; i < count; ++i)
        parts.back()[members[static_cast<std::size_t>(i)]] = {cut(i), cut(i + 1)};
    }
  }
  return parts;
}

}  // namespace hodge::linalg
