// Brings values at points of a box from the processes that have them to those that want them, on
// the host. One message between two processes, of the points that the one has and the other wants.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "linalg/processes/communicator.hpp"
#include "linalg/processes/message_count.hpp"
#include "sim/discrete/fields/pieces.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/discrete/processes/part_boxes.hpp"

namespace hodge::sim {

namespace detail {

// f(where values of a row along axis 0 begin in a list of the points of `list`, how many), of all
// rows of `points`, which are in it.
template <int Dim, class F>
void for_each_run(const Box<Dim>& list, const Box<Dim>& points, std::size_t components, F f) {
  if (points.size() == 0) return;
  Box<Dim> beginnings = points;
  beginnings.upper[0] = beginnings.lower[0] + 1;
  const std::size_t count = components * static_cast<std::size_t>(points.extent(0));
  for_each_on_host(beginnings,
                   [&](const Index<Dim>& c) { f(components * place_in_list(list, c), count); });
}

// The values at some points of those of a list.
template <int Dim, class T>
std::vector<T> values_at(const Box<Dim>& points, const Box<Dim>& list, std::size_t components,
                         std::span<const T> values) {
  std::vector<T> found;
  found.reserve(components * static_cast<std::size_t>(points.size()));
  for_each_run(list, points, components, [&](std::size_t first, std::size_t count) {
    const auto run = values.subspan(first, count);
    found.insert(found.end(), run.begin(), run.end());
  });
  return found;
}

}  // namespace detail

// have[p], want[p]: the points of process p. `own` and `wanted` are lists of this process's points,
// axis 0 fastest, with `components` values each. No two processes have the same point; what nobody
// has stays as it is. Collective.
template <int Dim, class T>
void move_points(linalg::Communicator& processes, std::size_t components,
                 const PartBoxes<Dim>& have, std::span<const T> own, const PartBoxes<Dim>& want,
                 std::span<T> wanted) {
  const auto rank = static_cast<std::size_t>(processes.rank());
  const auto values_of = [&](const Box<Dim>& box) {
    return components * static_cast<std::size_t>(box.size());
  };
  std::vector<std::vector<T>> sent(have.size()), received(have.size());
  std::vector<linalg::OutgoingMessage> outgoing;
  std::vector<linalg::IncomingMessage> incoming;
  for (std::size_t p = 0; p < have.size(); ++p) {
    const Box<Dim> given = common_points(have[rank], want[p]);
    sent[p] = detail::values_at(given, have[rank], components, own);
    if (p == rank) continue;
    received[p].resize(values_of(common_points(have[p], want[rank])));
    if (!sent[p].empty())
      outgoing.push_back({static_cast<int>(p), std::as_bytes(std::span(sent[p]))});
    if (!received[p].empty())
      incoming.push_back({static_cast<int>(p), std::as_writable_bytes(std::span(received[p]))});
  }
  const linalg::CountedMessages counted(linalg::MessageKind::all_to_all, outgoing);
  processes.start_exchange(outgoing, incoming);
  processes.finish_exchange();
  for (std::size_t p = 0; p < have.size(); ++p) {
    auto next = p == rank ? sent[p].begin() : received[p].begin();
    detail::for_each_run(want[rank], common_points(have[p], want[rank]), components,
                         [&](std::size_t first, std::size_t count) {
                           const auto end = next + static_cast<std::ptrdiff_t>(count);
                           std::copy(next, end,
                                     wanted.begin() + static_cast<std::ptrdiff_t>(first));
                           next = end;
                         });
  }
}

}  // namespace hodge::sim
