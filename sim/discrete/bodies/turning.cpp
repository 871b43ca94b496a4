#include "sim/discrete/bodies/turning.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "linalg/base/errors.hpp"

namespace hodge::sim {
namespace {

using Matrix = std::array<Point, 3>;

// Exact at the multiples of 90 degrees.
double sine(double degrees) {
  const double turn = std::remainder(degrees, 360.0);
  if (std::remainder(turn, 180.0) == 0) return 0;
  if (std::remainder(turn, 90.0) == 0) return turn > 0 ? 1 : -1;
  return std::sin(turn * std::numbers::pi / 180);
}

double cosine(double degrees) {
  return sine(degrees + 90);
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

// R = c I + s [n]x + (1 - c) n n^T with the unit vector n (O. Rodrigues, 1840).
Matrix about_axis(const Point& axis, double degrees) {
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  const double s = sine(degrees), c = cosine(degrees);
  Matrix rotation{};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double n_i = axis[i] / length, n_j = axis[j] / length, n_k = axis[k] / length;
    rotation[i][i] = c + (1 - c) * n_i * n_i;
    rotation[j][i] = (1 - c) * n_i * n_j + s * n_k;
    rotation[i][j] = (1 - c) * n_i * n_j - s * n_k;
  }
  return rotation;
}

Matrix rotation_of(const Turning& turned, int dim, const std::string& name) {
  const auto refuse = [&](const char* why) { throw ConfigError(fmt::format("{}: {}", name, why)); };
  if (turned.angle && turned.angles)
    refuse("it is turned by one angle and by three; only one of them can be");
  if (dim == 2) {
    if (turned.axis || turned.angles) refuse("in 2D a shape is turned by one angle, about z");
    return about_axis({0, 0, 1}, *turned.angle);
  }
  if (turned.angles) {
    const auto& [x, y, z] = *turned.angles;
    return product(about_axis({0, 0, 1}, z),
                   product(about_axis({0, 1, 0}, y), about_axis({1, 0, 0}, x)));
  }
  if (!turned.axis) refuse("in 3D a shape is turned by an angle about an axis, or by three angles");
  if (*turned.axis == Point{}) refuse("the axis that it is turned about is 0");
  return about_axis(*turned.axis, *turned.angle);
}

}  // namespace

Rotation::Rotation(const Turning& turned, const Point& middle, int dim, const std::string& name)
    : rows_(rotation_of(turned, dim, name)), about_(turned.about.value_or(middle)) {}

Point Rotation::back(const Point& x) const {
  Point was = about_;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) was[j] += rows_[i][j] * (x[i] - about_[i]);
  return was;
}

// Along an axis on which the box has no end it lies about the centre of the rotation.
ShapeExtent Rotation::turned(const ShapeExtent& extent) const {
  ShapeExtent result{about_, about_};
  for (int j = 0; j < 3; ++j) {
    const double half = 0.5 * (extent.upper[j] - extent.lower[j]);
    const double middle =
        std::isinf(half) ? 0 : 0.5 * (extent.upper[j] + extent.lower[j]) - about_[j];
    for (int i = 0; i < 3; ++i) {
      if (rows_[i][j] == 0) continue;
      result.lower[i] += rows_[i][j] * middle - std::abs(rows_[i][j]) * half;
      result.upper[i] += rows_[i][j] * middle + std::abs(rows_[i][j]) * half;
    }
  }
  return result;
}

}  // namespace hodge::sim
