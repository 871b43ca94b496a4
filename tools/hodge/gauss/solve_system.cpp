#include "tools/hodge/gauss/solve_system.hpp"

#include <algorithm>
#include <cmath>

namespace hodge::tools {
namespace {

int power_of_largest(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest == 0 ? 0 : std::ilogb(largest);
}

}  // namespace

void scale(std::vector<double>& values, int power) {
  for (double& value : values) value = std::scalbn(value, power);
}

ScaledSystem scaled(DenseSystem system) {
  const int of_matrix = power_of_largest(system.matrix),
            of_right_side = power_of_largest(system.right_side);
  scale(system.matrix, -of_matrix);
  scale(system.right_side, -of_right_side);
  return {std::move(system), of_right_side - of_matrix};
}

double backward_error(const DenseSystem& system, const std::vector<double>& x) {
  const auto n = static_cast<std::size_t>(system.n);
  std::vector<long double> residual(system.right_side.begin(), system.right_side.end()), size(n);
  for (std::size_t i = 0; i < n; ++i) size[i] = std::abs(residual[i]);
  for (std::size_t j = 0; j < n; ++j) {
    if (!std::isfinite(x[j])) return 1.0;
    for (std::size_t i = 0; i < n; ++i) {
      const long double part = static_cast<long double>(system.matrix[i + j * n]) * x[j];
      residual[i] -= part;
      size[i] += std::abs(part);
    }
  }
  long double most = 0, scale = 0;
  for (std::size_t i = 0; i < n; ++i) {
    most = std::max(most, std::abs(residual[i]));
    scale = std::max(scale, size[i]);
  }
  return most == 0 ? 0.0 : static_cast<double>(most / scale);
}

}  // namespace hodge::tools
