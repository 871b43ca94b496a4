// The sampler that a flow of one dimension and space hands out.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/discrete/probes/sampler.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class FlowSampler final : public PointSampler {
 public:
  // `fields` gives the present fields of the flow whenever they are sampled.
  FlowSampler(Sampler<Dim, Space> sampler, std::function<SampledFields<Dim>()> fields)
      : sampler_(std::move(sampler)), fields_(std::move(fields)) {}

  const std::vector<std::string>& columns() const override { return sampler_.columns(); }
  std::size_t points() const override { return sampler_.points(); }
  void sample(std::span<double> values) const override { sampler_.sample(fields_(), values); }

 private:
  Sampler<Dim, Space> sampler_;
  std::function<SampledFields<Dim>()> fields_;
};

}  // namespace hodge::sim
