#include "linalg/direct/line_tree.hpp"

#include <algorithm>
#include <utility>

#include "linalg/direct/line_parts.hpp"

namespace hodge::linalg {

namespace {

constexpr int levels_of_stage = 3, nodes_of_top = 8;  // a launch for each stage, one for the top

// Equal cells may differ by rounding; then all nodes of a level would have factors of their own.
SeparableAxis with_equal_cells(SeparableAxis axis) {
  if (!axis.is_uniform()) return axis;
  for (double& weight : axis.weights) weight = axis.weights[0];
  const double between = axis.couplings[axis.points() > 1 ? 1 : 0];
  for (double& k : axis.couplings)
    if (k > 0) k = k > 1.5 * between ? 2 * between : between;
  return axis;
}

}  // namespace

LineTree::LineTree(const SeparableAxis& axis, int most_layers, std::span<const int> cuts, int rank)
    : blocks_{axis.points(), most_layers} {
  set_up_layers(with_equal_cells(axis));
  const int processes = static_cast<int>(cuts.size()) - 1, count = rounds_of(processes),
            first_block = cuts[static_cast<std::size_t>(rank)];
  joined_.resize(static_cast<std::size_t>(count) + 1);
  visit(levels(), 0, cuts, rank);
  ops_.push_back({LineOp::root, 0, 0, around_, 0});
  int own_levels = levels();
  if (processes == 1) {
    // Of one process the highest levels are those of its round.
    own_levels = 0;
    while (blocks_.count() >> own_levels > nodes_of_top) own_levels += levels_of_stage;
    joined_.emplace_back();
    std::erase_if(joined_[0], [&](const Joined& merge) {
      if (merge.whole.level > own_levels) joined_[1].push_back(merge);
      return merge.whole.level > own_levels;
    });
  }
  const auto ends_between = [&](int first, int end) {
    return ends_of(levels(), 0, first, end, own_levels);
  };
  own_ends_ = ends_between(first_block, cuts[static_cast<std::size_t>(rank) + 1]);
  set_up_stages(joined_[0], first_block);
  for (std::size_t r = 1; r < joined_.size(); ++r) {
    Round& round = rounds_.emplace_back();
    for (const ProcessGroup& group : groups_joined(static_cast<int>(r), rank, processes))
      round.ends.push_back(ends_between(cuts[static_cast<std::size_t>(group.first)],
                                        cuts[static_cast<std::size_t>(group.end)]));
    set_up_round(r, joined_[r]);
  }
}

void LineTree::set_up_layers(const SeparableAxis& axis) {
  const auto n = static_cast<std::size_t>(axis.points());
  for (std::size_t k = 0; k < n; ++k)
    layers_.push_back({axis.weights[k], 0, k + 1 < n ? axis.couplings[k + 1] : 0});
  if (axis.periodic) {
    around_ = n > 1 ? axis.couplings[0] : 0;
  } else {
    layers_.front().end += axis.couplings.front();
    layers_.back().end += axis.couplings.back();
  }
}

int LineTree::levels() const {
  int levels = 0;
  while (1 << levels < blocks_.count()) ++levels;
  return levels;
}

int LineTree::key_of_block(int block) {
  std::vector<double> content;
  for (int k = blocks_.first(block); k < blocks_.first(block + 1); ++k) {
    const LineLayer& layer = layers_[static_cast<std::size_t>(k)];
    content.insert(content.end(), {layer.weight, layer.end});
    if (k + 1 < blocks_.first(block + 1)) content.push_back(layer.above);
  }
  const int next = static_cast<int>(block_keys_.size() + node_keys_.size());
  return block_keys_.emplace(std::move(content), next).first->second;
}

// Number 0 is that of the root.
int LineTree::factors_of(int key) {
  return merge_keys_.emplace(key, static_cast<int>(merge_keys_.size()) + 1).first->second;
}

// Node `index` of a level has the blocks from index 2^level on, and that of the other blocks alone
// where one of its halves has none.
LineTree::Node LineTree::visit(int level, int index, std::span<const int> cuts, int rank) {
  if (level == 0) {
    const int first = blocks_.first(index);
    ops_.push_back({LineOp::block, first, blocks_.first(index + 1) - first, 0, -1});
    return {index, index + 1, key_of_block(index), 0};
  }
  const Node left = visit(level - 1, 2 * index, cuts, rank);
  if ((2 * index + 1) << (level - 1) >= blocks_.count()) return left;
  const Node right = visit(level - 1, 2 * index + 1, cuts, rank);
  const double coupling = layers_[static_cast<std::size_t>(blocks_.first(right.first) - 1)].above;
  const int next = static_cast<int>(block_keys_.size() + node_keys_.size());
  const int key = node_keys_.emplace(std::tuple(left.key, right.key, coupling), next).first->second;
  const Node whole{left.first, right.end, key, level};
  const auto process = static_cast<int>(
      std::upper_bound(cuts.begin(), cuts.end() - 1, whole.first) - cuts.begin() - 1);
  const int processes = static_cast<int>(cuts.size()) - 1;
  int round = 0;  // after which a group has the whole node
  while (cuts[static_cast<std::size_t>(group_of(round, process, processes).end)] < whole.end)
    ++round;
  const ProcessGroup group = group_of(round, rank, processes);
  const bool is_needed = group.first <= process && process < group.end;
  if (is_needed) joined_[static_cast<std::size_t>(round)].push_back({whole, right.first});
  ops_.push_back({LineOp::merge, 0, 0, coupling, is_needed ? factors_of(key) : -1});
  return whole;
}

// The two ends of each of the largest nodes, up to a level, in these blocks.
std::vector<int> LineTree::ends_of(int level, int index, int first, int end, int most_level) const {
  const int begin = index << level, behind = std::min(blocks_.count(), (index + 1) << level);
  if (begin >= behind || behind <= first || end <= begin) return {};
  if (level <= most_level && first <= begin && behind <= end) return {2 * begin, 2 * behind - 1};
  std::vector<int> ends = ends_of(level - 1, 2 * index, first, end, most_level);
  for (const int place : ends_of(level - 1, 2 * index + 1, first, end, most_level))
    ends.push_back(place);
  return ends;
}

void LineTree::set_up_round(std::size_t number, std::vector<Joined> merges) {
  Round& round = rounds_.back();
  std::map<int, int> place;
  for (const std::vector<int>& ends : round.ends)
    for (const int end : ends) place.emplace(end, static_cast<int>(place.size()));
  std::ranges::stable_sort(merges, {}, [](const Joined& merge) { return merge.whole.level; });
  for (const auto& [whole, middle] : merges)
    round.merges.push_back({place.at(2 * whole.first), place.at(2 * middle - 1),
                            place.at(2 * middle), place.at(2 * whole.end - 1),
                            factors_of(whole.key)});
  if (number + 1 < joined_.size()) return;
  const int first = place.at(0), last = place.at(2 * blocks_.count() - 1);
  round.merges.push_back({first, first, last, last, 0});
}

void LineTree::set_up_stages(std::vector<Joined> own, int first_block) {
  std::ranges::stable_sort(own, {}, [](const Joined& merge) { return merge.whole.level; });
  tasks_.push_back(0);
  for (int below = 0; below < levels(); below += levels_of_stage) {
    const int to = below + levels_of_stage;
    std::map<int, std::vector<Joined>> tasks;  // by the node above
    for (const Joined& merge : own)
      if (below < merge.whole.level && merge.whole.level <= to)
        tasks[merge.whole.first >> to].push_back(merge);
    if (tasks.empty()) continue;
    stages_.push_back({static_cast<int>(tasks_.size()) - 1, static_cast<int>(tasks.size())});
    for (auto& [node, merges] : tasks) {
      for (const auto& [whole, middle] : merges)
        merges_.push_back({2 * (whole.first - first_block), 2 * (middle - first_block) - 1,
                           2 * (middle - first_block), 2 * (whole.end - first_block) - 1,
                           factors_of(whole.key)});
      tasks_.push_back(static_cast<int>(merges_.size()));
    }
  }
}

}  // namespace hodge::linalg
