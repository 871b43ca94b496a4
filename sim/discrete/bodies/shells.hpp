// The shells of a surface: the closed parts that it falls into where triangles without a common
// edge are apart.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/discrete/bodies/surface.hpp"

namespace hodge::sim {

struct Shell {
  std::vector<int> triangles;  // of the surface, in its order
  double volume = 0;           // < 0 where the normals point into it
  Point lower{}, upper{};      // the box around it
};

struct Shells {
  std::vector<Shell> all;  // in the order of their first triangles
  int turned = 0;          // triangles that were turned to agree with the others of their shell
};

// Finds the shells, and turns triangles so that those of a shell run through every edge in opposite
// directions; which of them is as the greater part of the shell was. At an edge of several shells,
// which touch there, those triangles belong together that do by other edges, or else run in
// opposite directions, in the order of the file.
//
// Errors: ConfigError, its text beginning with `name`, with the first edge that belongs to an odd
// number of triangles, or where a shell has only one side, or where shells touch whose triangles do
// not agree.
Shells find_shells(Surface& surface, const std::string& name);

void turn(Surface& surface, const Shell& shell);

}  // namespace hodge::sim
