#include "linalg/direct/line_elimination.hpp"

#include <span>
#include <type_traits>

#include "linalg/direct/host_lines.hpp"
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
      sides_(amplitudes.sides()),
      tree_(axis, layers_of_block<Space>, blocks.first, processes_->rank()),
      layers_(std::span<const LineLayer>(tree_.layers())),
      ops_(std::span<const LineOp>(tree_.ops())),
      merges_(std::span<const LineMerge>(tree_.merges())),
      tasks_(std::span<const int>(tree_.tasks())) {
  const auto systems = static_cast<std::size_t>(systems_with_sums(amplitudes.systems()));
  factors_ = Buffer<double, Space>(systems * values_of_factors *
                                   static_cast<std::size_t>(tree_.factors()));
  view_ = {.layers = layers_.data(),
           .ops = ops_.data(),
           .op_count = static_cast<int>(ops_.size()),
           .blocks = tree_.blocks(),
           .first_block = blocks.first[static_cast<std::size_t>(processes_->rank())],
           .own_blocks = own_blocks(blocks),
           .lines = amplitudes.systems(),
           .systems = static_cast<int>(systems),
           .factors = factors_.data()};
  if (has_constant) spread_ = Buffer<double, Space>(std::span<const double>(layer_0_spread(axis)));
  std::size_t rows = static_cast<std::size_t>(2 * view_.own_blocks * sides_);
  if (works_in_chunks<Space>(amplitudes)) {
    scratch_ = LineScratch<T>(view_.blocks.first(view_.first_block + view_.own_blocks) -
                                  view_.blocks.first(view_.first_block),
                              view_.lines);
    if (processes_->size() == 1) return;
    rows = tree_.own_ends().size();
  }
  ends_ = Buffer<T, Space>(rows * systems);
  rounds_.emplace(*processes_, tree_, view_.systems, sides_, own_rows());
}

// Where the own ends are in ends_.
template <class Space, class T>
std::vector<T*> LineElimination<Space, T>::own_rows() {
  const std::size_t of_end = static_cast<std::size_t>(sides_ * view_.systems);
  const bool all_ends = ends_.size() == 2 * static_cast<std::size_t>(view_.own_blocks) * of_end;
  std::vector<T*> rows;
  for (const int end : tree_.own_ends()) {
    const std::size_t place =
        all_ends ? static_cast<std::size_t>(end - 2 * view_.first_block) : rows.size();
    rows.push_back(ends_.data() + place * of_end);
  }
  return rows;
}

template <class Space, class T>
void LineElimination<Space, T>::prepare(const Amplitudes<T>& amplitudes, const SpectralShift& by) {
  if (by == prepared_) return;
  prepared_ = by;
  view_.shift = by.shift;
  view_.factor = by.factor;
  view_.spread = by.shift == 0 ? spread_.data() : nullptr;
  calculate_factors<Space>(view_, amplitudes);
}

template <class Space, class T>
void LineElimination<Space, T>::solve(const Amplitudes<T>& amplitudes, const SpectralShift& by) {
  prepare(amplitudes, by);
  if (works_in_chunks<Space>(amplitudes)) {
    const HostLines<T> lines{view_, tree_, amplitudes, ends_.data()};
    if (rounds_) {
      if (view_.own_blocks > 0) reduce_lines(lines, scratch_);
      rounds_->solve(view_);
    }
    if (view_.own_blocks > 0) fill_lines(lines, scratch_);
    return;
  }
  reduce_blocks<Space>(view_, amplitudes, ends());
  run_stages(false);
  rounds_->solve(view_);
  run_stages(true);
  fill_blocks<Space>(view_, amplitudes, ends());
}

template <class Space, class T>
void LineElimination<Space, T>::run_stages(bool back) {
  const auto& stages = tree_.stages();
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const LineTree::Stage& stage = stages[back ? stages.size() - 1 - i : i];
    run_merges<Space>(view_, merges_.data(), tasks_.data() + stage.first_task, stage.tasks,
                      back ? MergePass::separate : MergePass::join, ends());
  }
}

template <class Space>
std::size_t elimination_memory(const SeparableAxis& axis, bool has_constant, const LineCount& lines,
                               std::size_t value_size) {
  const int blocks = LayerBlocks{axis.points(), layers_of_block<Space>}.count();
  const std::vector<int> all{0, blocks};
  const LineTree tree(axis, layers_of_block<Space>, all, 0);
  const std::size_t layers = tree.layers().size(),
                    systems = static_cast<std::size_t>(
                        systems_with_sums(static_cast<int>(lines.systems))),
                    factors = values_of_factors * static_cast<std::size_t>(tree.factors());
  std::size_t bytes = layers * sizeof(LineLayer) + tree.ops().size() * sizeof(LineOp) +
                      tree.merges().size() * sizeof(LineMerge) + tree.tasks().size() * sizeof(int) +
                      systems * factors * sizeof(double) +
                      (has_constant ? layers * sizeof(double) : 0);
  if (std::is_same_v<Space, Host> && lines.is_real) return bytes;
  bytes += 2 * static_cast<std::size_t>(blocks) * lines.sides * systems * value_size;
  return bytes + tree.own_ends().size() * lines.sides * sizeof(void*) +
         tree.rounds()[0].merges.size() * sizeof(LineMerge) + 2 * sizeof(int);
}

#define HODGE_LINE_ELIMINATION(Space, T) template class LineElimination<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_LINE_ELIMINATION)
#define HODGE_ELIMINATION_MEMORY(Space)                                                        \
  template std::size_t elimination_memory<Space>(const SeparableAxis&, bool, const LineCount&, \
                                                 std::size_t);
HODGE_FOR_EACH_SPACE(HODGE_ELIMINATION_MEMORY)

}  // namespace hodge::linalg
