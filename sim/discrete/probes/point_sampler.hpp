// Present values of output fields at points that were chosen once: what probes and comparisons with
// profiles read. Flow::make_sampler makes one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/point.hpp"

namespace hodge::sim {

// The columns of output fields, one per component: u, v, w of velocity, pressure; vorticity in 2D
// and vorticity_x, ... in 3D; a scalar by its name.
std::vector<std::string> field_columns(const std::vector<std::string>& fields, int dim);

class PointSampler {
 public:
  virtual ~PointSampler() = default;
  virtual const std::vector<std::string>& columns() const = 0;
  virtual std::size_t points() const = 0;
  // values[column * points() + point], as many as that.
  virtual void sample(std::span<double> values) const = 0;
};

}  // namespace hodge::sim
