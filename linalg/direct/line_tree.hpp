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
// the top of the tree joins the nodes that processes are left with.
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

  // The other merges that this process needs, the root last. Places are the ends of own blocks on
  // one process, else those of the nodes of all processes.
  const std::vector<LineMerge>& top() const { return top_; }
  // The first node of each process, and the number of nodes.
  const std::vector<int>& first_node() const { return first_node_; }
  // The places of the two ends of each own node among the ends of own blocks.
  const std::vector<int>& own_ends() const { return own_ends_; }

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
  void find_nodes(int level, int index, int process, std::span<const int> cuts, int rank);
  void set_up_stages(const std::vector<Joined>& own, int first_block);
  int levels() const;

  LayerBlocks blocks_;
  std::vector<LineLayer> layers_;
  double around_ = 0;  // the coupling of the last layer with the first one
  std::vector<LineOp> ops_;
  std::map<std::vector<double>, int> block_keys_;
  std::map<std::tuple<int, int, double>, int> node_keys_;
  std::map<int, int> merge_keys_;  // of kept factors
  std::vector<Joined> own_, others_;
  std::vector<LineMerge> merges_, top_;
  std::vector<int> tasks_;
  std::vector<Stage> stages_;
  std::vector<int> first_node_, own_ends_;
  std::map<int, int> place_of_end_;  // of the ends of all nodes, by the ends of all blocks
};

}  // namespace hodge::linalg
