// Small closed surfaces, and STL files of them.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "sim/discrete/bodies/surface.hpp"

namespace hodge::test {

// Two triangles a side; corner i + 2 j + 4 k is lower or upper in x, y, z.
inline sim::Surface cube_surface(const sim::Point& lower, const sim::Point& upper) {
  sim::Surface surface;
  for (int corner = 0; corner < 8; ++corner)
    surface.points.push_back({(corner & 1) != 0 ? upper[0] : lower[0],
                              (corner & 2) != 0 ? upper[1] : lower[1],
                              (corner & 4) != 0 ? upper[2] : lower[2]});
  surface.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                       {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return surface;
}

// Rings of constant latitude between two poles; the corners lie on the sphere.
inline sim::Surface sphere_surface(const sim::Point& centre, double radius, int rings) {
  const int sectors = 2 * rings;
  sim::Surface surface;
  const auto at = [&](double latitude, double longitude) {
    return sim::Point{centre[0] + radius * std::cos(latitude) * std::cos(longitude),
                      centre[1] + radius * std::cos(latitude) * std::sin(longitude),
                      centre[2] + radius * std::sin(latitude)};
  };
  const double pi = std::numbers::pi;
  surface.points = {at(-pi / 2, 0), at(pi / 2, 0)};
  for (int ring = 1; ring < rings; ++ring)
    for (int s = 0; s < sectors; ++s)
      surface.points.push_back(at(-pi / 2 + pi * ring / rings, 2 * pi * s / sectors));
  const auto point = [&](int ring, int s) { return 2 + (ring - 1) * sectors + s % sectors; };
  for (int s = 0; s < sectors; ++s) {
    surface.triangles.push_back({0, point(1, s + 1), point(1, s)});
    surface.triangles.push_back({1, point(rings - 1, s), point(rings - 1, s + 1)});
    for (int ring = 1; ring + 1 < rings; ++ring) {
      surface.triangles.push_back({point(ring, s), point(ring, s + 1), point(ring + 1, s + 1)});
      surface.triangles.push_back({point(ring, s), point(ring + 1, s + 1), point(ring + 1, s)});
    }
  }
  return surface;
}

// The same with normals to the other side.
inline sim::Surface inside_out(sim::Surface surface) {
  for (auto& corners : surface.triangles) std::swap(corners[1], corners[2]);
  return surface;
}

// As an STL file has them: points with the same coordinates are one.
inline sim::Surface joined(const std::vector<sim::Surface>& surfaces) {
  sim::Surface all;
  std::map<sim::Point, int> numbers;
  for (const sim::Surface& surface : surfaces)
    for (const auto& corners : surface.triangles) {
      std::array<int, 3> triangle{};
      for (std::size_t i = 0; i < 3; ++i) {
        const sim::Point& point = surface.points[corners[i]];
        const auto [known, is_new] = numbers.emplace(point, static_cast<int>(numbers.size()));
        if (is_new) all.points.push_back(point);
        triangle[i] = known->second;
      }
      all.triangles.push_back(triangle);
    }
  return all;
}

inline std::string stl_text(const sim::Surface& surface) {
  std::string text = "solid body\n";
  for (const auto& corners : surface.triangles) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const int corner : corners) {
      const sim::Point& x = surface.points[corner];
      text += fmt::format("vertex {:.9g} {:.9g} {:.9g}\n", x[0], x[1], x[2]);
    }
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid body\n";
}

// 80 bytes of header, the count, and 50 bytes a triangle.
inline std::string stl_binary(const sim::Surface& surface) {
  std::string bytes(80, ' ');
  const auto put = [&bytes](const auto& value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(raw, sizeof value);
  };
  put(static_cast<std::uint32_t>(surface.triangles.size()));
  for (const auto& corners : surface.triangles) {
    put(std::array<float, 3>{});
    for (const int corner : corners)
      for (const double x : surface.points[corner]) put(static_cast<float>(x));
    put(std::uint16_t{0});
  }
  return bytes;
}

}  // namespace hodge::test
