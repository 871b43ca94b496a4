// The bodies of line_passes.hpp.
#pragma once

#include <cstddef>
#include <type_traits>

#include "linalg/base/macros.hpp"
#include "linalg/direct/amplitude_groups.hpp"
#include "linalg/direct/block_walk.hpp"
#include "linalg/direct/line_passes.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

// Blocks of so many layers are worked on in registers, others in slower memory.
inline constexpr int layers_in_registers = 8, most_layers_of_block = 9;
// Of a tree of 2^24 blocks.
inline constexpr int most_chains = 26;

struct MergedChains {
  LineEnds ends;
  MergeFactors factors;
};

HODGE_HD inline MergedChains merged(const LineEnds& a, const LineEnds& b, double coupling) {
  const double below = a.last + a.between, above = b.first + b.between,
               inverse = 1 / (below * above + coupling * (below + above)),
               bb = (above + coupling) * inverse, bc = coupling * inverse,
               cc = (below + coupling) * inverse;
  return {{a.first + a.between * (bb * a.last + bc * b.first),
           b.last + b.between * (bc * a.last + cc * b.first), a.between * bc * b.between},
          {bb, bc, cc, a.between, b.between}};
}

// A singular system: the first layer has the value 0 and takes what the other right sides leave.
HODGE_HD inline MergeFactors root_factors(const LineEnds& all, double around) {
  const double coupling = all.between + around,
               determinant = all.first * all.last + coupling * (all.first + all.last);
  if (determinant > 0.0)
    return {(all.last + coupling) / determinant, coupling / determinant,
            (all.first + coupling) / determinant, 0, 0};
  return {0, 0, coupling > 0.0 ? 1 / coupling : 0.0, 0, 0};
}

HODGE_HD inline void store_factors(const LineView& view, int set, int system,
                                   const MergeFactors& f) {
  const auto systems = static_cast<std::size_t>(view.systems);
  double* const to = view.factors + systems * values_of_factors * static_cast<std::size_t>(set) +
                     static_cast<std::size_t>(system);
  to[0] = f.bb;
  to[systems] = f.bc;
  to[2 * systems] = f.cc;
  to[3 * systems] = f.left;
  to[4 * systems] = f.right;
}

HODGE_HD inline MergeFactors factors_at(const LineView& view, int set, int system) {
  const auto systems = static_cast<std::size_t>(view.systems);
  const double* const from = view.factors +
                             systems * values_of_factors * static_cast<std::size_t>(set) +
                             static_cast<std::size_t>(system);
  return {from[0], from[systems], from[2 * systems], from[3 * systems], from[4 * systems]};
}

// Ends of nodes become sums; those of the root stay what they are.
HODGE_HD inline void store_factors_of_sums(const LineView& view, int system) {
  for (int i = 0; i < view.op_count; ++i)
    if (view.ops[i].kind == LineOp::root)
      store_factors(view, view.ops[i].factors, system, {1, 0, 1, 0, 0});
    else if (view.ops[i].factors >= 0)
      store_factors(view, view.ops[i].factors, system, {0, 1, 0, 1, 1});
}

HODGE_HD inline void calculate_factors_of(const LineView& view, int system, double value) {
  LineEnds chains[most_chains];
  int last = -1;
  for (int i = 0; i < view.op_count; ++i) {
    const LineOp op = view.ops[i];
    if (op.kind == LineOp::block) {
      const LineLayer* const layers = view.layers + op.first;
      BlockWalk walk(view.shift, view.factor, value, layers[0]);
      if (op.count > 1) walk.begin(layers[0], layers[1]);
      for (int k = 1; k + 1 < op.count; ++k) walk.eliminate(layers[k], layers[k + 1]);
      chains[++last] = walk.ends(op.count);
    } else if (op.kind == LineOp::merge) {
      const MergedChains both = merged(chains[last - 1], chains[last], view.factor * op.coupling);
      chains[--last] = both.ends;
      if (op.factors >= 0) store_factors(view, op.factors, system, both.factors);
    } else {
      store_factors(view, op.factors, system, root_factors(chains[0], view.factor * op.coupling));
    }
  }
}

template <class Space, class Groups>
void calculate_factors_of_groups(const LineView& view, const Groups& lines, int groups) {
  for_each<Space>(view.systems, [=] HODGE_LAMBDA(int system) {
    if (system < view.lines)
      calculate_factors_of(view, system, lines.value(system % groups, system / groups));
    else
      store_factors_of_sums(view, system);
  });
}

template <class Space, class T>
void calculate_factors(const LineView& view, const Amplitudes<T>& amplitudes) {
  with_groups(amplitudes, [&](const auto& lines) {
    calculate_factors_of_groups<Space>(view, lines, amplitudes.groups());
  });
}

HODGE_HD inline std::size_t place_in(int place, int sides, int systems) {
  return static_cast<std::size_t>(place) * static_cast<std::size_t>(sides) *
         static_cast<std::size_t>(systems);
}
template <class T>
HODGE_HD T* row_of(const LineValues<T>& values, int place, int side) {
  if (values.rows != nullptr) return values.rows[place * values.sides + side];
  return values.values + place_in(place * values.sides + side, 1, values.systems);
}

// A block for a group: whole blocks with Count layers, any other with 0.
template <int Count, class Groups, class T>
HODGE_HD void reduce_block(const LineView& view, const Groups& lines, int groups, int number,
                           int block, const LineValues<T>& ends) {
  constexpr int sides = Groups::sides, amplitudes = Groups::systems * sides;
  const int first = view.blocks.first(view.first_block + block),
            count = Count > 0 ? Count : view.blocks.first(view.first_block + block + 1) - first,
            own = first - view.blocks.first(view.first_block);
  const LineLayer* const layers = view.layers + first;
  const auto group = lines.group(number);
  double at_first[amplitudes], f[amplitudes] = {};
  group.load(own, at_first);
  if (count > 1) {
    group.load(own + 1, f);
    BlockWalk walks[Groups::systems];
    for (int j = 0; j < Groups::systems; ++j) {
      walks[j] = BlockWalk(view.shift, view.factor, lines.value(number, j), layers[0]);
      walks[j].begin(layers[0], layers[1]);
    }
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int k = 1; k < (Count > 0 ? Count : count) - 1; ++k) {
      double next[amplitudes];
      group.load(own + k + 1, next);
      for (int j = 0; j < Groups::systems; ++j) {
        const LayerStep step = walks[j].eliminate(layers[k], layers[k + 1]);
        for (int i = j * sides; i < (j + 1) * sides; ++i) {
          at_first[i] += step.to_first * f[i];
          f[i] = next[i] + step.to_next * f[i];
        }
      }
    }
  }
  T* const to = ends.values + place_in(2 * block, sides, view.systems) + number;
  const std::size_t to_last = place_in(1, sides, view.systems);
  for (int j = 0; j < Groups::systems; ++j)
    for (int i = 0; i < sides; ++i) {
      const std::size_t at = place_in(i, 1, view.systems) + static_cast<std::size_t>(groups) * j;
      to[at] = static_cast<T>(at_first[j * sides + i]);
      to[to_last + at] = static_cast<T>(f[j * sides + i]);
    }
  if (view.spread == nullptr || number != 0) return;
  double sum = 0, spread = 0;
  for (int k = 0; k < count; ++k) {
    group.load(own + k, f);
    sum += f[0];
    spread += view.spread[first + k] * f[0];
  }
  to[view.lines] = static_cast<T>(sum);
  to[to_last + static_cast<std::size_t>(view.lines)] = static_cast<T>(spread);
}

template <class T>
HODGE_HD void join_ends(const LineView& view, const LineMerge& merge, const LineValues<T>& of,
                        int side, int system) {
  const MergeFactors m = factors_at(view, merge.factors, of.first + system);
  const double b = static_cast<double>(row_of(of, merge.b, side)[system]),
               c = static_cast<double>(row_of(of, merge.c, side)[system]);
  T &first = row_of(of, merge.a, side)[system], &last = row_of(of, merge.d, side)[system];
  first = static_cast<T>(static_cast<double>(first) + m.left * (m.bb * b + m.bc * c));
  last = static_cast<T>(static_cast<double>(last) + m.right * (m.bc * b + m.cc * c));
}

template <class T>
HODGE_HD void separate_ends(const LineView& view, const LineMerge& merge, const LineValues<T>& of,
                            int side, int system) {
  const MergeFactors m = factors_at(view, merge.factors, of.first + system);
  const bool are_sums = of.first + system >= view.lines && !merge.is_root();
  const T first = row_of(of, merge.a, side)[system], last = row_of(of, merge.d, side)[system];
  T &b = row_of(of, merge.b, side)[system], &c = row_of(of, merge.c, side)[system];
  const double p = static_cast<double>(b) + m.left * static_cast<double>(first),
               q = static_cast<double>(c) + m.right * static_cast<double>(last);
  b = are_sums ? last : static_cast<T>(m.bb * p + m.bc * q);
  c = are_sums ? first : static_cast<T>(m.bc * p + m.cc * q);
}

template <class Space, class T>
void run_merges(const LineView& view, const LineMerge* merges, const int* task, int tasks,
                MergePass pass, const LineValues<T>& values) {
  if (values.systems == 0) return;
  const Box<2> box{{{0, 0}}, {{values.systems, tasks * values.sides}}};
  for_each<Space>(box, [=] HODGE_LAMBDA(const Index<2>& c) {
    const int number = c[1] / values.sides, side = c[1] % values.sides;
    const int begin = task[number], end = task[number + 1];
    if (pass != MergePass::separate)
      for (int m = begin; m < end; ++m)
        if (!merges[m].is_root()) join_ends(view, merges[m], values, side, c[0]);
    if (pass != MergePass::join)
      for (int m = end; m-- > begin;) separate_ends(view, merges[m], values, side, c[0]);
  });
}

template <int Count, class Groups, class T>
HODGE_HD void fill_block(const LineView& view, const Groups& lines, int groups, int number,
                         int block, const LineValues<T>& ends) {
  constexpr int sides = Groups::sides, amplitudes = Groups::systems * sides,
                most = Count > 0 ? Count : most_layers_of_block;
  const int first = view.blocks.first(view.first_block + block),
            count = Count > 0 ? Count : view.blocks.first(view.first_block + block + 1) - first,
            own = first - view.blocks.first(view.first_block);
  const LineLayer* const layers = view.layers + first;
  const auto group = lines.group(number);
  double y[most][amplitudes];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int k = 1; k < (Count > 0 ? Count : count) - 1; ++k) group.load(own + k, y[k]);
  const T* const from = ends.values + place_in(2 * block, sides, view.systems) + number;
  const std::size_t to_last = place_in(1, sides, view.systems);
  for (int j = 0; j < Groups::systems; ++j) {
    double to_first[most], to_next[most], last[sides];
    for (int i = 0; i < sides; ++i) {
      const std::size_t at = place_in(i, 1, view.systems) + static_cast<std::size_t>(groups) * j;
      y[0][j * sides + i] = static_cast<double>(from[at]);
      last[i] = static_cast<double>(from[to_last + at]);
    }
    if (count == 1) continue;
    BlockWalk walk(view.shift, view.factor, lines.value(number, j), layers[0]);
    walk.begin(layers[0], layers[1]);
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int k = 1; k < (Count > 0 ? Count : count) - 1; ++k) {
      const LayerStep step = walk.eliminate(layers[k], layers[k + 1]);
      to_first[k] = step.to_first;
      to_next[k] = step.to_next;
      for (int i = j * sides; i < (j + 1) * sides; ++i) {
        if (k + 2 < count) y[k + 1][i] += step.to_next * y[k][i];
        y[k][i] *= step.inverse;
      }
    }
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int k = (Count > 0 ? Count : count) - 1; k > 0; --k)
      for (int i = 0; i < sides; ++i) {
        const int at = j * sides + i;
        if (k + 1 == count)
          y[k][at] = last[i];
        else
          y[k][at] += to_first[k] * y[0][at] + to_next[k] * y[k + 1][at];
      }
  }
  if (view.spread != nullptr && number == 0) {
    const double sum = static_cast<double>(from[view.lines]),
                 spread = static_cast<double>(from[to_last + static_cast<std::size_t>(view.lines)]);
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int k = 0; k < (Count > 0 ? Count : count); ++k)
      y[k][0] += beyond_layer_0(view, sum, spread, first + k);
  }
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int k = 0; k < (Count > 0 ? Count : count); ++k) group.store(own + k, y[k]);
}

// reduce_block() or fill_block() of all blocks; those of eight layers are worked on in registers.
template <bool fills, class Groups, class T>
struct EachBlock {
  // Of a GPU's multiprocessor, where registers suffice: 91 instead of 101 us at 256^3. With more
  // amplitudes they do not, and filling blocks of a periodic box takes 96 instead of 78 us.
  static constexpr int least_blocks = fills && Groups::systems * Groups::sides == 1 ? 3 : 0;

  LineView view;
  Groups lines;
  int groups;
  LineValues<T> ends;

  HODGE_HD void operator()(const Index<2>& c) const {
    const LayerBlocks& blocks = view.blocks;
    const int block = view.first_block + c[1];
    if (blocks.first(block + 1) - blocks.first(block) == layers_in_registers)
      run<layers_in_registers>(c);
    else
      run<0>(c);
  }
  template <int Count>
  HODGE_HD void run(const Index<2>& c) const {
    if constexpr (fills)
      fill_block<Count>(view, lines, groups, c[0], c[1], ends);
    else
      reduce_block<Count>(view, lines, groups, c[0], c[1], ends);
  }
};

template <class Space, bool fills, class T>
void run_on_blocks(const LineView& view, const Amplitudes<T>& amplitudes,
                   const LineValues<T>& ends) {
  if (view.own_blocks == 0) return;
  with_groups(amplitudes, [&](const auto& lines) {
    const int groups = amplitudes.groups();
    for_each<Space>(Box<2>{{{0, 0}}, {{groups, view.own_blocks}}},
                    EachBlock<fills, std::decay_t<decltype(lines)>, T>{view, lines, groups, ends});
  });
}

template <class Space, class T>
void reduce_blocks(const LineView& view, const Amplitudes<T>& amplitudes,
                   const LineValues<T>& ends) {
  run_on_blocks<Space, false>(view, amplitudes, ends);
}

template <class Space, class T>
void fill_blocks(const LineView& view, const Amplitudes<T>& amplitudes, const LineValues<T>& ends) {
  run_on_blocks<Space, true>(view, amplitudes, ends);
}

#define HODGE_LINE_PASSES(T)                                                              \
  template void calculate_factors<ThisSpace>(const LineView&, const Amplitudes<T>&);      \
  template void reduce_blocks<ThisSpace>(const LineView&, const Amplitudes<T>&,           \
                                         const LineValues<T>&);                           \
  template void run_merges<ThisSpace>(const LineView&, const LineMerge*, const int*, int, \
                                      MergePass, const LineValues<T>&);                   \
  template void fill_blocks<ThisSpace>(const LineView&, const Amplitudes<T>&, const LineValues<T>&);
HODGE_LINE_PASSES(double)
HODGE_LINE_PASSES(float)

}  // namespace hodge::linalg
