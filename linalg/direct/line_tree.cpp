#include "linalg/direct/line_tree.hpp"

#include <algorithm>
#include <utility>

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

bool has_all(std::span<const int> cuts, std::size_t process, int first, int end) {
  return cuts[process] <= first && end <= cuts[process + 1];
}

}  // namespace

LineTree::LineTree(const SeparableAxis& axis, int most_layers, std::span<const int> cuts, int rank)
    : blocks_{axis.points(), most_layers} {
  set_up_layers(with_equal_cells(axis));
  const Node all = visit(levels(), 0, cuts, rank);
  ops_.push_back({LineOp::root, 0, 0, around_, 0});
  const int processes = static_cast<int>(cuts.size()) - 1;
  const int first_block = cuts[static_cast<std::size_t>(rank)];
  int own_levels = levels();
  if (processes == 1) {
    // Of one process the highest levels are the top.
    own_levels = 0;
    while (blocks_.count() >> own_levels > nodes_of_top) own_levels += levels_of_stage;
  } else {
    for (int p = 0; p < processes; ++p) {
      first_node_.push_back(static_cast<int>(place_of_end_.size()) / 2);
      find_nodes(levels(), 0, p, cuts, rank);
    }
    first_node_.push_back(static_cast<int>(place_of_end_.size()) / 2);
  }
  std::vector<Joined> own, top = others_;
  for (const Joined& merge : own_) (merge.whole.level <= own_levels ? own : top).push_back(merge);
  std::ranges::stable_sort(top, {}, [](const Joined& merge) { return merge.whole.level; });
  set_up_stages(own, first_block);
  const auto place = [&](int end) { return processes == 1 ? end : place_of_end_.at(end); };
  for (const auto& [whole, middle] : top)
    top_.push_back({place(2 * whole.first), place(2 * middle - 1), place(2 * middle),
                    place(2 * whole.end - 1), factors_of(whole.key)});
  const int a = place(2 * all.first), d = place(2 * all.end - 1);
  top_.push_back({a, a, d, d, 0});
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
  int owner = -1;
  for (std::size_t p = 0; p + 1 < cuts.size(); ++p)
    if (has_all(cuts, p, whole.first, whole.end)) owner = static_cast<int>(p);
  if (owner == rank)
    own_.push_back({whole, right.first});
  else if (owner < 0)
    others_.push_back({whole, right.first});
  ops_.push_back(
      {LineOp::merge, 0, 0, coupling, owner == rank || owner < 0 ? factors_of(key) : -1});
  return whole;
}

// The largest nodes of which a process has all blocks.
void LineTree::find_nodes(int level, int index, int process, std::span<const int> cuts, int rank) {
  const int first = index << level, end = std::min(blocks_.count(), (index + 1) << level);
  const auto p = static_cast<std::size_t>(process);
  if (first >= end || end <= cuts[p] || cuts[p + 1] <= first) return;
  if (!has_all(cuts, p, first, end)) {
    find_nodes(level - 1, 2 * index, process, cuts, rank);
    find_nodes(level - 1, 2 * index + 1, process, cuts, rank);
    return;
  }
  for (const int place : {2 * first, 2 * end - 1}) {
    const int next = static_cast<int>(place_of_end_.size());
    place_of_end_.emplace(place, next);
    if (process == rank) own_ends_.push_back(place - 2 * cuts[p]);
  }
}

void LineTree::set_up_stages(const std::vector<Joined>& own, int first_block) {
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
      std::ranges::stable_sort(merges, {}, [](const Joined& merge) { return merge.whole.level; });
      for (const auto& [whole, middle] : merges)
        merges_.push_back({2 * (whole.first - first_block), 2 * (middle - first_block) - 1,
                           2 * (middle - first_block), 2 * (whole.end - first_block) - 1,
                           factors_of(whole.key)});
      tasks_.push_back(static_cast<int>(merges_.size()));
    }
  }
}

}  // namespace hodge::linalg
