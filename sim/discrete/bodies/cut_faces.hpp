// The unknowns beside sharp bodies, on the host: which faces and cells have one, and what the rows
// of a face are made of (sharp.hpp).
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "sim/discrete/bodies/cut_grid.hpp"
#include "sim/discrete/bodies/sharp_faces.hpp"

namespace hodge::sim {

template <int Dim>
inline constexpr double least_open = Dim == 2 ? 0.05 : 0.2;

template <int Dim>
class CutFaces {
 public:
  CutFaces(const Grid& grid, const Boundaries& boundaries, const LevelFunction& level,
           const Box<Dim>& cells);

  const CutGrid<Dim>& grid() const { return grid_; }
  OpenPart face(int d, const Index<Dim>& c);
  double fluid(const Index<Dim>& c);  // the fluid part of a cell
  // Whether the velocity across a face is given by the side that it lies in.
  bool is_given(int d, const Index<Dim>& c) const;
  // Whether it is given by an inflow side.
  bool is_inflow(int d, const Index<Dim>& c) const;
  // The open side that a face lies in, whose control volume is half a cell
  // (operators/open_faces.hpp); -1: none.
  int open_side_of(int d, const Index<Dim>& c) const;
  // The only face of a cell that is open enough has none either: what the cell's others let through
  // gives its flux, and friction so close to the wall would make a pressure of every error in it.
  bool has_unknown(int d, const Index<Dim>& c);
  bool is_slaved(int d, const Index<Dim>& c) {
    return face(d, c).fraction > 0 && !has_unknown(d, c);
  }
  bool is_in_box(int d, const Index<Dim>& c) const;
  // Of the places where the surface crosses the edges of a cell.
  Point middle_of_surface(const Index<Dim>& c) const;
  // The surface in cell c, about the centre of cell `from`; its body and place are left out.
  WallPiece<Dim> piece(const Index<Dim>& c, const Index<Dim>& from);
  // Where the pressure in cell c is known: there, or beyond the face that balances it.
  std::optional<Index<Dim>> pressure_cell_of(const Index<Dim>& c);
  // Whether a cell has a pressure.
  bool has_pressure(const Index<Dim>& c);
  // Whether all that the row of a face reads is far from bodies.
  bool is_regular(int d, const Index<Dim>& c);

  SharpFace<Dim> row(int d, const Index<Dim>& c);
  // What the friction of a row exceeds that of one far from bodies by, 1/L^2.
  double stiffness(int d, const Index<Dim>& c);
  // What a slaved face is made of, its places those of the whole box.
  std::vector<SlavedTap<Dim>> slave(int d, const Index<Dim>& c);

 private:
  bool is_open(int d, const Index<Dim>& c) { return face(d, c).fraction >= least_open<Dim>; }
  bool is_beyond_open_side(int d, const Index<Dim>& c) const;
  bool has_one_open_face(const Index<Dim>& c);
  struct SideOfRow {
    double distance;
    bool wall = false;
    FaceTap<Dim> taps[SharpFace<Dim>::most_taps] = {};
  };
  SideOfRow side_along(int d, const Index<Dim>& c, int side);
  SideOfRow side_across(int d, const Index<Dim>& c, int e, int side);
  // The next value beside a face on its line along t: a wall, a face or nothing.
  struct Beside {
    enum { nothing, wall, face } kind = nothing;
    Point x{};
    Index<Dim> shift{};
  };
  Beside beside(int d, const Index<Dim>& c, int t, int side);
  double wall_distance(const Point& x, const Index<Dim>& c, int d, int axis, int side,
                       double most) const;
  void find_turning(int d, const Index<Dim>& c, SharpFace<Dim>& row,
                    const SideOfRow (&sides)[Dim][2]);
  double open_in_side(int d, const Index<Dim>& c, int e, int side);
  double friction_of_link(int d, const Index<Dim>& c, int e, int side);
  void find_lean(int d, const Index<Dim>& c, SharpFace<Dim>& row);
  double regular_friction(int d, const Index<Dim>& c) const;
  double friction(const SharpFace<Dim>& row) const;
  void find_friction(int d, const Index<Dim>& c, const SideOfRow (&sides)[Dim][2],
                     SharpFace<Dim>& row) const;
  void find_sides(int d, const Index<Dim>& c, SideOfRow (&sides)[Dim][2]);

  // Cells without a pressure that are open: how many such cells lie between them and one with a
  // pressure.
  int depth(const Index<Dim>& c, int most);
  struct Balance {
    bool any = false;
    int d = 0;
    Index<Dim> face{};
  };
  Balance balancing_face(const Index<Dim>& c);
  void add_flux(int d, const Index<Dim>& c, double factor, int most,
                std::vector<SlavedTap<Dim>>& taps);
  void add_fitted(int d, const Index<Dim>& c, const Point& x, double factor,
                  std::vector<SlavedTap<Dim>>& taps);
  void add_interpolated(int d, const Index<Dim>& c, double factor,
                        std::vector<SlavedTap<Dim>>& taps);
  double area(int d, const Index<Dim>& c);
  double fluid_beside(int d, const Index<Dim>& c);
  double fluid_of_row(int d, const Index<Dim>& c);
  long long key_of(const Index<Dim>& c) const;

  CutGrid<Dim> grid_;
  bool given_[Dim][2], inflow_[Dim][2], open_[Dim][2], continues_[Dim];
  Index<Dim> whole_;
  std::unordered_map<long long, OpenPart> cut_[Dim];
  std::unordered_map<long long, double> fluid_;
};

}  // namespace hodge::sim
