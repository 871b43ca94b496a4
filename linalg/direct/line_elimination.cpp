#include "linalg/direct/line_elimination.hpp"

#include <algorithm>
#include <type_traits>

#include "linalg/direct/host_lines.hpp"
#include "linalg/processes/message_count.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

// K z = e_0 - w / W, with the mean 0 by weight, of an axis without values at its ends.
std::vector<double> layer_0_spread(const SeparableAxis& axis) {
  const auto n = static_cast<std::size_t>(axis.points());
  double whole = 0;
  for (const double weight : axis.weights) whole += weight;
  std::vector<double> flow;  // to the next layer
  double left = 1;
  for (std::size_t k = 0; k + 1 < n; ++k) flow.push_back(left -= axis.weights[k] / whole);
  if (axis.periodic && n > 1) {
    double drop = 0, resistance = 1 / axis.couplings[0];
    for (std::size_t k = 0; k + 1 < n; ++k) {
      drop += flow[k] / axis.couplings[k + 1];
      resistance += 1 / axis.couplings[k + 1];
    }
    for (double& value : flow) value -= drop / resistance;
  }
  std::vector<double> z{0};
  double mean = 0;
  for (std::size_t k = 0; k + 1 < n; ++k) {
    z.push_back(z[k] - flow[k] / axis.couplings[k + 1]);
    mean += axis.weights[k + 1] * z[k + 1] / whole;
  }
  for (double& value : z) value -= mean;
  return z;
}

int own_blocks(const SharedBlocks& blocks) {
  const auto rank = static_cast<std::size_t>(blocks.processes->rank());
  return blocks.first[rank + 1] - blocks.first[rank];
}

}  // namespace

template <class Space, class T>
LineElimination<Space, T>::LineElimination(const SeparableAxis& axis, bool has_constant,
                                           const Amplitudes<T>& amplitudes,
                                           const SharedBlocks& blocks)
    : processes_(blocks.processes),
      rank_(processes_->rank()),
      sides_(amplitudes.sides()),
      part_((amplitudes.systems() + processes_->size() - 1) / processes_->size()),
      tree_(axis, layers_of_block<Space>, blocks.first, rank_),
      first_block_(blocks.first),
      layers_(std::span<const LineLayer>(tree_.layers())),
      ops_(std::span<const LineOp>(tree_.ops())),
      merges_(std::span<const LineMerge>(tree_.merges())),
      top_(std::span<const LineMerge>(tree_.top())),
      tasks_(std::span<const int>(tree_.tasks())),
      own_ends_(std::span<const int>(tree_.own_ends())) {
  const auto systems = static_cast<std::size_t>(amplitudes.systems());
  factors_ = Buffer<double, Space>(systems * values_of_factors *
                                   static_cast<std::size_t>(tree_.factors()));
  view_ = {layers_.data(),
           ops_.data(),
           static_cast<int>(ops_.size()),
           tree_.blocks(),
           first_block_[static_cast<std::size_t>(rank_)],
           own_blocks(blocks),
           amplitudes.systems(),
           factors_.data()};
  if (works_in_chunks<Space>(amplitudes))
    scratch_ = LineScratch<T>(view_.blocks.first(view_.first_block + view_.own_blocks) -
                                  view_.blocks.first(view_.first_block),
                              view_.systems);
  else
    ends_ = Buffer<T, Space>(2 * static_cast<std::size_t>(view_.own_blocks * sides_) * systems);
  if (is_shared()) set_up_messages();
  if (has_constant) set_up_constant(axis);
}

template <class Space, class T>
void LineElimination<Space, T>::set_up_messages() {
  const std::vector<int>& first = tree_.first_node();
  const auto rank = static_cast<std::size_t>(rank_), sides = static_cast<std::size_t>(sides_),
             systems = static_cast<std::size_t>(view_.systems);
  const auto part_of = [&](std::size_t p) {
    const std::size_t part = static_cast<std::size_t>(part_), before = std::min(p * part, systems);
    return std::pair(before, std::min(part, systems - before));
  };
  const auto rows = [&](std::size_t p) {
    return 2 * sides * static_cast<std::size_t>(first[p + 1] - first[p]);
  };
  const std::size_t own = part_of(rank).second;
  packed_ = Buffer<T, Space>(rows(rank) * systems);
  top_values_ = Buffer<T, Space>(2 * sides * static_cast<std::size_t>(first.back()) * own);
  for (std::size_t p = 0; p + 1 < first.size(); ++p) {
    const auto [before, count] = part_of(p);
    sent_.push_back({packed_.data() + rows(rank) * before, rows(rank) * count});
    received_.push_back(
        {top_values_.data() + 2 * sides * static_cast<std::size_t>(first[p]) * own, rows(p) * own});
  }
  outgoing_.reserve(first.size());
  incoming_.reserve(first.size());
}

template <class Space, class T>
void LineElimination<Space, T>::set_up_constant(const SeparableAxis& axis) {
  const auto layers = static_cast<std::size_t>(axis.points());
  constant_ = Buffer<double, Space>(2 * layers);
  z_ = Buffer<double, Space>(std::span<const double>(layer_0_spread(axis)));
  for (std::size_t p = 0; p + 1 < first_block_.size(); ++p)
    constant_bytes_.push_back(2 * sizeof(double) *
                              static_cast<std::size_t>(view_.blocks.first(first_block_[p + 1]) -
                                                       view_.blocks.first(first_block_[p])));
}

template <class Space, class T>
void LineElimination<Space, T>::prepare(const Amplitudes<T>& amplitudes, const SpectralShift& by) {
  if (by == prepared_) return;
  prepared_ = by;
  view_.shift = by.shift;
  view_.factor = by.factor;
  calculate_factors<Space>(view_, amplitudes);
}

template <class Space, class T>
void LineElimination<Space, T>::solve(const Amplitudes<T>& amplitudes, const SpectralShift& by) {
  prepare(amplitudes, by);
  double* const constant = by.shift == 0 && constant_.size() > 0 ? constant_.data() : nullptr;
  if (works_in_chunks<Space>(amplitudes)) {
    const HostLines<T> lines{view_, tree_, amplitudes, packed_.data(), part_, constant};
    if (is_shared()) {
      if (view_.own_blocks > 0) reduce_lines(lines, scratch_);
      solve_top();
    }
    if (view_.own_blocks > 0) fill_lines(lines, scratch_);
  } else {
    reduce_blocks<Space>(view_, amplitudes, ends());
    run_stages(false);
    solve_top();
    run_stages(true);
    fill_blocks<Space>(view_, amplitudes, ends(), constant);
  }
  if (constant == nullptr) return;
  if (is_shared()) {
    const CountedMessages counted(MessageKind::gathers,
                                  constant_bytes_[static_cast<std::size_t>(rank_)]);
    Space::gather_parts(*processes_, reinterpret_cast<std::byte*>(constant), constant_bytes_);
  }
  finish_constant<Space>(view_, amplitudes, constant, z_.data());
}

template <class Space, class T>
void LineElimination<Space, T>::run_stages(bool back) {
  const auto& stages = tree_.stages();
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const LineTree::Stage& stage = stages[back ? stages.size() - 1 - i : i];
    run_merges<Space>(view_, merges_.data(), tasks_.data() + stage.first_task, stage.tasks, back,
                      ends());
  }
}

template <class Space, class T>
void LineElimination<Space, T>::solve_top() {
  const auto count = static_cast<int>(top_.size());
  if (!is_shared()) return run_top<Space>(view_, top_.data(), count, ends());
  const auto own = static_cast<int>(own_ends_.size());
  const bool packs = ends_.size() > 0;
  if (packs) pack_ends<Space>(ends(), own_ends_.data(), own, part_, false, packed_.data());
  exchange(false);
  const int first = std::min(rank_ * part_, view_.systems);
  run_top<Space>(
      view_, top_.data(), count,
      LineValues<T>{top_values_.data(), sides_, first, std::min(part_, view_.systems - first)});
  exchange(true);
  if (packs) pack_ends<Space>(ends(), own_ends_.data(), own, part_, true, packed_.data());
}

// The ends of own nodes go to those who have a part of the systems, or come back from them.
template <class Space, class T>
void LineElimination<Space, T>::exchange(bool back) {
  const auto &from = back ? received_ : sent_, &to = back ? sent_ : received_;
  outgoing_.clear();
  incoming_.clear();
  for (int p = 0; p < processes_->size(); ++p) {
    const auto &out = from[static_cast<std::size_t>(p)], &in = to[static_cast<std::size_t>(p)];
    if (p == rank_) {
      if (out.size() > 0) Space::copy(out.data(), in.data(), out.size_bytes());
      continue;
    }
    if (out.size() > 0) outgoing_.push_back({p, std::as_bytes(out)});
    if (in.size() > 0) incoming_.push_back({p, std::as_writable_bytes(in)});
  }
  const CountedMessages counted(MessageKind::all_to_all, outgoing_);
  Space::start_exchange(*processes_, outgoing_, incoming_);
  Space::finish_exchange(*processes_);
}

template <class Space>
std::size_t elimination_memory(const SeparableAxis& axis, bool has_constant, const LineCount& lines,
                               std::size_t value_size) {
  const int blocks = LayerBlocks{axis.points(), layers_of_block<Space>}.count();
  const std::vector<int> all{0, blocks};
  const LineTree tree(axis, layers_of_block<Space>, all, 0);
  const std::size_t factors = values_of_factors * static_cast<std::size_t>(tree.factors()),
                    layers = tree.layers().size(),
                    ends = std::is_same_v<Space, Host> && lines.is_real
                               ? 0
                               : 2 * static_cast<std::size_t>(blocks) * lines.sides;
  return layers * sizeof(LineLayer) + tree.ops().size() * sizeof(LineOp) +
         (tree.merges().size() + tree.top().size()) * sizeof(LineMerge) +
         tree.tasks().size() * sizeof(int) +
         lines.systems * (factors * sizeof(double) + ends * value_size) +
         (has_constant ? 3 * layers * sizeof(double) : 0);
}

#define HODGE_LINE_ELIMINATION(Space, T) template class LineElimination<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_LINE_ELIMINATION)
#define HODGE_ELIMINATION_MEMORY(Space)                                                        \
  template std::size_t elimination_memory<Space>(const SeparableAxis&, bool, const LineCount&, \
                                                 std::size_t);
HODGE_FOR_EACH_SPACE(HODGE_ELIMINATION_MEMORY)

}  // namespace hodge::linalg
