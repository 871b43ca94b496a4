// What conducts a scalar beside sharp bodies, on the host: medium 0 is the fluid, each of the
// others one or more bodies with heat (model/solid_scalar.hpp) whose surfaces cut faces and cells.
// Near a surface with normal n the flux F_n across it and the gradient G along it are the same on
// both sides, up to what a resistance R changes of G. With the lengths l_m of the way between two
// centres, delta apart along e, that lie in medium m, and the parts A_m of the face between them
// (A: their sum, 1 but beside bodies that do not conduct),
//
//   q_there - q_here = F_n n_e (sum l_m / k_m + R / |n_e|) + G_e delta
//   flux through the face = A F_n n_e + sum A_m k_m G_e
//                         = A K (q_there - q_here) + (sum A_m k_m - A K delta) G_e
//
//   K = 1 / (sum l_m / k_m + R / |n_e|)                       conductances in series, per area
//
// A K is what the matrix has. The rest, heat along the surface, is a sum over the cells around the
// face: G_e is that of the function q_0 + G . x + F_n (distance / k_m) which fits their values
// best, cells weighed by k_m, because a gradient of the poor conductor would be magnified by the
// good one's conductivity. What is left out is of first order in the flux and of second order in q.
// Of three media and more around a face there is no rest.
//
// Sources: X.-D. Liu, R. P. Fedkiw & M. Kang, J. Comput. Phys. 160, 2000 (K); the rest follows R.
// Egan & F. Gibou, J. Comput. Phys. 409, 2020, in conservative form.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "sim/discrete/bodies/body_levels.hpp"
#include "sim/discrete/bodies/cut_faces.hpp"
#include "sim/discrete/bodies/scalar_media.hpp"

namespace hodge::sim {

template <int Dim>
class SharpMedia {
 public:
  // `blocked`: bodies that the scalar is not in, of which cells may be open in part; null: none.
  SharpMedia(const Grid& grid, const Problem& problem, const ScalarProblem& scalar,
             const LevelFunction& blocked, const Box<Dim>& cells);

  int count() const { return static_cast<int>(media_.size()); }  // with the fluid
  double conductivity(int m) const { return medium(m).conductivity; }
  double capacity(int m) const { return medium(m).capacity; }
  const CutGrid<Dim>& grid() const { return unions_.back().grid(); }
  // Whether a surface of a medium may be within two cells of a cell.
  bool is_near(const Index<Dim>& c) const;
  // That of its centre; of a centre in a blocked body that of the surface there.
  int medium_of(const Index<Dim>& c) const;
  // The body that is nearest of those of a medium, from 1; of the fluid 0.
  std::uint8_t body_of(int m, const Point& x) const;

  // Of a cell, of the face below it along d.
  const std::vector<double>& parts_of_cell(const Index<Dim>& c);
  std::vector<double> parts_of_face(int d, const Index<Dim>& c);

  // 1 over the resistance from the centre of c, per area, of the way towards a side: to the next
  // centre; over a distance, within the medium of c where nothing is crossed.
  double conductance_to_next(const Index<Dim>& c, int axis, int side);
  double conductance_over(const Index<Dim>& c, int axis, int side, double distance);

  // The rest of the flux through the face below c along e, towards c, per area: sum of
  // weight * q. Empty where there is none. `has_value`: of the cells around.
  using Taps = std::vector<WeighedCell<Dim>>;
  Taps along_surface(int e, const Index<Dim>& c,
                     const std::function<bool(const Index<Dim>&)>& has_value);

 private:
  struct Medium {
    double conductivity = 0, capacity = 1, resistance = 0;
    std::optional<BodyLevels> bodies{};  // none: the fluid
    LevelFunction level{};
  };
  struct Crossing {
    int from, to;
    double at;  // from the beginning
  };
  const Medium& medium(int m) const { return media_[static_cast<std::size_t>(m)]; }
  int medium_at(Point x) const;
  double level_between(int a, int b, const Point& x) const;
  Point normal_between(int a, int b, const Point& x, const Index<Dim>& c) const;
  std::vector<Crossing> crossings(const Point& x, int axis, double way, int first, int last) const;
  double resistance(const Index<Dim>& c, int axis, double way, int first, int last) const;
  std::vector<double> parts(const std::function<double(CutFaces<Dim>&)>& open);
  Taps gradient_along(int e, const Index<Dim>& c, const std::array<int, 2>& between,
                      const Point& at, const Taps& around, const std::array<double, 2>& factors);

  std::vector<Medium> media_;
  LevelFunction blocked_;
  std::deque<CutFaces<Dim>> unions_;  // of what is blocked and the media to each, in their order
  std::optional<CutFaces<Dim>> blocked_cuts_;
  std::map<std::vector<int>, std::vector<double>> parts_;
  Box<Dim> known_;  // cells whose medium is
  std::vector<std::uint8_t> medium_of_;
};

}  // namespace hodge::sim
