// Present values of output fields at points that were chosen once: what probes and comparisons with
// profiles read. Flow::make_sampler makes one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/point.hpp"

namespace hodge::sim {

class PointSampler {
 public:
  virtual ~PointSampler() = default;
  virtual const std::vector<std::string>& columns() const = 0;
  virtual std::size_t points() const = 0;
  // values[column * points() + point], as many as that.
  virtual void sample(std::span<double> values) const = 0;
};

}  // namespace hodge::sim
