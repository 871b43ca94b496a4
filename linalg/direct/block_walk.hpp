// The inner layers of a block eliminated one after the other, for point functions and loops.
#pragma once

#include "linalg/base/macros.hpp"
#include "linalg/direct/line_passes.hpp"

namespace hodge::linalg {

// x_k = inverse f_k + to_first x_first + to_next x_{k+1}, where f_k has what the layers before it
// have passed on: f_first += to_first f_k, f_{k+1} += to_next f_k.
struct LayerStep {
  double inverse, to_first, to_next;
};

class BlockWalk {
 public:
  BlockWalk() = default;
  // Of the system with this eigenvalue. layer: the first one of the block.
  HODGE_HD BlockWalk(double shift, double factor, double value, const LineLayer& layer)
      : factor_(factor), sum_(shift + factor * value), first_(excess_of(layer)) {}

  // To the second layer.
  HODGE_HD void begin(const LineLayer& first, const LineLayer& second) {
    coupling_ = factor_ * first.above;
    excess_ = excess_of(second);
  }
  HODGE_HD LayerStep eliminate(const LineLayer& layer, const LineLayer& next) {
    const double above = factor_ * layer.above, inverse = 1 / (excess_ + (coupling_ + above));
    const LayerStep step{inverse, coupling_ * inverse, above * inverse};
    first_ += step.to_first * excess_;
    excess_ = excess_of(next) + step.to_next * excess_;
    coupling_ = step.to_first * above;
    return step;
  }
  // A block of one layer is the whole axis. Its second end is a layer of its own, whose value is 0.
  HODGE_HD LineEnds ends(int count) const {
    if (count == 1) return {first_, 1, 0};
    return {first_, excess_, coupling_};
  }

 private:
  HODGE_HD double excess_of(const LineLayer& layer) const {
    return sum_ * layer.weight + factor_ * layer.end;
  }

  double factor_ = 0, sum_ = 0;
  double first_ = 0, excess_ = 0, coupling_ = 0;
};

}  // namespace hodge::linalg
