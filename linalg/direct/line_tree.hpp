// The order in which the unknowns of a line of a separable system are eliminated: a fixed tree over
// blocks of layers, whose shape depends on the axis alone. So a solution has the same bits whoever
// has the blocks (line_elimination.hpp).
//
// A line is a chain: layer k has the excess e_k = (shift + factor lambda) w_k of its diagonal over
// its couplings, and the coupling factor k_{k+1} to the next layer. Eliminating a layer of a chain
// leaves a chain, with sums and products of positive numbers alone (W. K. Grassmann, M. I. Taksar &
// D. P. Heyman, Oper. Res. 33, 1985, 1107-1116): nothing cancels, however small an eigenvalue is.
//
//   blocks   the inner layers of each block are eliminated from its first to its last one, which
//            leaves these two, its ends
//   merges   of two neighbours in the tree the last layer of one and the first layer of the other
//            are eliminated, which leaves the ends of both together
//   root     the ends of the whole line, which are coupled where the axis is periodic
//
// and back. Every process has some consecutive blocks. The merges of its own blocks are its own;
// the others are made in rounds (line_parts.hpp): each joins what the groups of processes of the
// round before are left with.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "linalg/base/macros.hpp"
#include "linalg/matrices/separable_system.hpp"

namespace hodge::linalg {

// Blocks have `most` layers each. The last one has 2 to most + 1, or 1 where that is all.
struct LayerBlocks {
  int layers = 1, most = 1;

  HODGE_HD int count() const { return layers == 1 ? 1 : (layers + most - 2) / most; }
  HODGE_HD int first(int block) const { return block >= count() ? layers : block * most; }
};

// What a chain is made of: the excess is that of weight, and of the coupling to a value 0 beyond an
// end of the axis.
struct LineLayer {
  double weight, end, above;  // above: the coupling to the next layer; 0: there is none
};

// Eliminates the values at places b and c, between those at a and d. At the root a = b, c = d.
struct LineMerge {
  int a, b, c, d;
  int factors;  // which ones (line_passes.hpp)

  HODGE_HD bool is_root() const { return a == b; }
};

// A step of the calculation of factors, by a stack of chains of two layers.
struct LineOp {
  enum Kind : int { block, merge, root };
  Kind kind;
  int first, count;  // layers of a block
  double coupling;
  int factors;  // where they are kept; -1: nowhere
};

class LineTree {
 public:
  // cuts: the first block of each process, and the number of blocks. A process may have none.
  LineTree(const SeparableAxis& axis, int most_layers, std::span<const int> cuts, int rank);

  const LayerBlocks& blocks() const { return blocks_; }
  const std::vector<LineLayer>& layers() const { return layers_; }
  const std::vector<LineOp>& ops() const { return ops_; }
  int factors() const { return static_cast<int>(merge_keys_.size()) + 1; }

  // The own merges, in tasks of merges that follow one another; a stage of tasks needs those before
  // it. Places are the ends of own blocks.
  struct Stage {
    int first_task, tasks;
  };
  const std::vector<LineMerge>& merges() const { return merges_; }
  const std::vector<int>& tasks() const { return tasks_; }  // the first merge of each, and the end
  const std::vector<Stage>& stages() const { return stages_; }
  // The ends that the own merges leave, by their numbers among those of all blocks.
  const std::vector<int>& own_ends() const { return own_ends_; }

  // The merges of a round, the root as the last one of the last round. One process has one round,
  // of the highest merges.
  struct Round {
    // Of what each group of the round before is left with, the ends by their numbers among those of
    // all blocks. Places are those of the ends of all groups.
    std::vector<std::vector<int>> ends;
    std::vector<LineMerge> merges;
  };
  const std::vector<Round>& rounds() const { return rounds_; }

 private:
  struct Node {
    int first, end;  // blocks
    int key;         // nodes of one key have the same factors
    int level;
  };
  struct Joined {
    Node whole;
    int middle;  // the first block of the second node
  };

  void set_up_layers(const SeparableAxis& axis);
  int key_of_block(int block);
  int factors_of(int key);
  Node visit(int level, int index, std::span<const int> cuts, int rank);
  std::vector<int> ends_of(int level, int index, int first, int end, int most_level) const;
  void set_up_stages(std::vector<Joined> own, int first_block);
  void set_up_round(std::size_t number, std::vector<Joined> merges);
  int levels() const;

  LayerBlocks blocks_;
  std::vector<LineLayer> layers_;
  double around_ = 0;  // the coupling of the last layer with the first one
  std::vector<LineOp> ops_;
  std::map<std::vector<double>, int> block_keys_;
  std::map<std::tuple<int, int, double>, int> node_keys_;
  std::map<int, int> merge_keys_;            // of kept factors
  std::vector<std::vector<Joined>> joined_;  // by round; own ones first
  std::vector<LineMerge> merges_;
  std::vector<int> tasks_;
  std::vector<Stage> stages_;
  std::vector<int> own_ends_;
  std::vector<Round> rounds_;
};

}  // namespace hodge::linalg
