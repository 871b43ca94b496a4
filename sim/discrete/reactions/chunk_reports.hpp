// The report of reactions, made of those of their chunks: the report of one process, on all
// processes that share the chunks.
//
// One process stops at the first chunk that fails and has integrated those before it. Processes
// integrate all their chunks, since others may wait for them there, and leave out afterwards what
// one process would not have done. The process that has the cell in which a chunk failed says so
// to all.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "linalg/processes/lists.hpp"
#include "sim/discrete/reactions/shared_chunks.hpp"
#include "sim/model/reaction_settings.hpp"

namespace hodge::sim {

// Of one chunk; a failure has its text on one of the chunk's processes.
struct ChunkReport {
  int number = 0;  // of the chunk in the whole box
  ReactionReport of{};
};

namespace detail {

// Minus the number of the first chunk that failed (-infinity: none), and the largest counts of the
// chunks up to chunk `last`.
inline std::array<double, 4> largest_until(double last, std::span<const ChunkReport> chunks) {
  std::array<double, 4> largest{-std::numeric_limits<double>::infinity()};
  for (const ChunkReport& chunk : chunks) {
    if (chunk.number > last) continue;
    if (!chunk.of.ok) largest[0] = std::max(largest[0], -1.0 * chunk.number);
    largest[1] = std::max(largest[1], static_cast<double>(chunk.of.substeps));
    largest[2] = std::max(largest[2], static_cast<double>(chunk.of.rejected));
    largest[3] = std::max(largest[3], static_cast<double>(chunk.of.newton_iterations));
  }
  return largest;
}

}  // namespace detail

// Collective among `processes`.
inline ReactionReport report_together(std::span<const ChunkReport> chunks,
                                      linalg::Communicator& processes) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::array<double, 4> largest = detail::largest_until(infinity, chunks);
  processes.maximum(largest);
  const double failed = -largest[0];
  if (failed < infinity) {
    largest = detail::largest_until(failed, chunks);
    processes.maximum(largest);
  }
  ReactionReport report;
  report.ok = failed == infinity;
  report.substeps = static_cast<long>(largest[1]);
  report.rejected = static_cast<long>(largest[2]);
  report.newton_iterations = static_cast<long>(largest[3]);
  if (report.ok) return report;
  const auto found = std::ranges::find_if(
      chunks, [failed](const ChunkReport& chunk) { return chunk.number == failed; });
  if (found != chunks.end()) {
    report.failure = found->of.failure;
    report.bad_key = found->of.bad_key;
  }
  for (std::string* const text : {&report.failure, &report.bad_key}) {
    const auto all = linalg::gather_lists(processes, std::span<const char>(*text));
    text->assign(all.begin(), all.end());
  }
  return report;
}

}  // namespace hodge::sim
