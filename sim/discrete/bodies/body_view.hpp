// What bodies leave of the faces and cells of the grid, as point functions see it, and what their
// surfaces make of the values beyond:
//
//   open(d, c)              the open part of the face of component d at c, 0 to 1; the velocity
//                           there is the mean over that part
//   fluid(c)                the fluid part of cell c, 0 to 1
//   excludes(l, c)          location l has no unknown at c: nothing of it is open, or fluid, or too
//                           little
//   mobility(d, c)          by what part of that of a face far from bodies a change of the pressure
//                           moves this one: friction beside sharp bodies is stiff and implicit
//   beyond(l, e, side, c)   the value beside c where that has none, as a closure of that at c
//   body(c)                 the number of the body in cell c, from 1; 0: none
//
// Points that are alike share an entry of a table, and each point of the padded layout has the
// number of its entry: 4 bytes a cell, none without bodies. Providers make both on the host:
// staircase.hpp, sharp.hpp.
#pragma once

#include <span>
#include <vector>

#include "linalg/vectors/buffer.hpp"
#include "sim/discrete/fields/field.hpp"

namespace hodge::sim {

// A value in terms of the one within.
struct AffineClosure {
  double offset = 0, slope = 0;

  HODGE_HD double operator()(double inner) const { return offset + slope * inner; }
};

// A cell, its lower faces, and the values beside them.
template <int Dim>
struct BodyPoint {
  double open[Dim], fluid;
  double stiffness[Dim];                  // of friction beside sharp bodies, else 0; 1/L^2
  bool excluded[Dim + 1];                 // [location + 1]
  AffineClosure beyond[Dim + 1][Dim][2];  // [location + 1][axis][side]
  int body;
  int row[Dim], piece;  // of a sharp body (sharp_faces.hpp), -1: none
};

// Where values in inflow sides are that belong to faces which a sharp body cuts: the middle of what
// is open, Dim coordinates for every point of the padded layer of a side, which are no numbers
// where the face is whole; none: all are. [component][axis][side]
template <int Dim>
struct PlacesInSides {
  std::vector<double> of[Dim][Dim][2];
};

// `entries`: of the padded layout, or none without bodies.
template <int Dim>
struct BodyPoints {
  std::vector<int> entries;
  std::vector<BodyPoint<Dim>> table;
  bool cuts_faces = false;  // faces are open in part; else open or blocked, with a velocity of 0
  PlacesInSides<Dim> places{};
};

template <int Dim>
struct BodyView {
  FieldView<Dim, const int> entry;
  const BodyPoint<Dim>* table = nullptr;
  double implicit_friction = 0;  // nu times the time over which friction is implicit, L^2
  bool cuts_faces = false;       // as BodyPoints

  HODGE_HD bool any() const { return table != nullptr; }
  HODGE_HD const BodyPoint<Dim>& at(const Index<Dim>& c) const { return table[entry(c)]; }
  HODGE_HD double open(int d, const Index<Dim>& c) const { return any() ? at(c).open[d] : 1.0; }
  HODGE_HD double mobility(int d, const Index<Dim>& c) const {
    return cuts_faces ? 1.0 / (1.0 + implicit_friction * at(c).stiffness[d]) : 1.0;
  }
  HODGE_HD double fluid(const Index<Dim>& c) const { return any() ? at(c).fluid : 1.0; }
  HODGE_HD bool excludes(int location, const Index<Dim>& c) const {
    return any() && at(c).excluded[location + 1];
  }
  HODGE_HD AffineClosure beyond(int location, int e, int side, const Index<Dim>& c) const {
    return at(c).beyond[location + 1][e][side];
  }
  HODGE_HD int body(const Index<Dim>& c) const { return any() ? at(c).body : 0; }
};

// Their memory in a space.
template <int Dim, class Space>
class Bodies {
 public:
  Bodies(const Layout<Dim>& layout, const BodyPoints<Dim>& points)
      : layout_(layout),
        entries_(std::span<const int>(points.entries)),
        table_(std::span<const BodyPoint<Dim>>(points.table)),
        cuts_faces_(points.cuts_faces) {}

  bool any() const { return entries_.size() > 0; }
  BodyPoint<Dim>* table() { return table_.data(); }  // for who refreshes its closures
  double implicit_friction() const { return implicit_friction_; }
  void set_implicit_friction(double value) { implicit_friction_ = value; }
  BodyView<Dim> view() const {
    if (!any()) return {};
    return {view_of(layout_, entries_.data()), table_.data(), implicit_friction_, cuts_faces_};
  }

 private:
  Layout<Dim> layout_;
  linalg::Buffer<int, Space> entries_;
  linalg::Buffer<BodyPoint<Dim>, Space> table_;
  double implicit_friction_ = 0;
  bool cuts_faces_ = false;
};

}  // namespace hodge::sim
