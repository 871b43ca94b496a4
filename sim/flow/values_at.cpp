#include "sim/flow/flow.hpp"

namespace hodge::sim {

std::vector<std::vector<double>> Flow::values_at(const std::vector<Point>& points,
                                                 const std::vector<std::string>& fields) const {
  const std::unique_ptr<PointSampler> sampler = make_sampler(points, fields);
  const std::size_t columns = sampler->columns().size();
  std::vector<double> values(columns * points.size());
  sampler->sample(values);
  std::vector<std::vector<double>> rows(points.size(), std::vector<double>(columns));
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t column = 0; column < columns; ++column)
      rows[i][column] = values[column * points.size() + i];
  return rows;
}

}  // namespace hodge::sim
