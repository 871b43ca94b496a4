// The distance of points from a surface of triangles: a tree of boxes, each around the triangles
// below it. A query looks at the nearer of two boxes first, and at no box beyond the best triangle.
//
// Sources: C. Ericson, Real-Time Collision Detection, 2005, Sec. 5.1.5 (the nearest point of a
// triangle) and 6.3.
#pragma once

#include <vector>

#include "sim/discrete/bodies/shapes.hpp"
#include "sim/discrete/bodies/surface.hpp"

namespace hodge::sim {

class TriangleTree {
 public:
  // Keeps a reference to the surface.
  explicit TriangleTree(const Surface& surface);

  double distance(const Point& x) const;
  const ShapeExtent& extent() const { return nodes_.front().box; }

 private:
  struct Node {
    ShapeExtent box;
    int begin, end;            // its triangles in order_
    int lower = 0, upper = 0;  // the nodes below; 0: none
  };

  int build(int begin, int end);
  void search(int node, const Point& x, double& squared) const;

  const Surface& surface_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace hodge::sim
