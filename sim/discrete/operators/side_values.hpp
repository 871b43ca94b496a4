// The value of a carried quantity at the side between two cells, by the name of the scheme.
//
//      s[0]    s[1]    s[2]  |  s[3]    s[4]      along the direction of the flow -->
//                           side
//
//   central    (s2 + s3) / 2                              second order, unbounded
//   upwind     s2                                         first order, bounded
//   quick      3/8 s3 + 6/8 s2 - 1/8 s1                   the parabola through three points
//   van_leer   s2 + a b / (a + b), or s2 if a b <= 0      a = s2 - s1, b = s3 - s2: second order,
//                                                         first at extrema; between s2 and s3, and
//                                                         total variation never grows (TVD)
//   weno5      of three parabolas, weighted by their      fifth order in cell means along one axis;
//              smoothness                                 essentially without oscillation
//
// The formulas are those of equal cells. On a smoothly stretched grid the centres of cells are off
// the images of equally spaced points by h^2/8 x'', so that central, quick, van_leer and weno5 are
// of second order there; where the width jumps from one cell to the next they are locally of first.
// The bounds of upwind and van_leer hold for any widths.
//
// Sources: B. P. Leonard, Comput. Methods Appl. Mech. Engrg. 19, 1979 (quick); B. van Leer,
// J. Comput. Phys. 14, 1974 (the harmonic mean); G.-S. Jiang & C.-W. Shu, J. Comput. Phys. 126,
// 1996, with the regularisation of S. Osher & R. Fedkiw, Level Set Methods, 2003, eq. 3.38, which
// makes the weights independent of the unit of s.
#pragma once

#include <span>
#include <string>

#include "linalg/base/macros.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {

enum class Convection : int { central, upwind, quick, van_leer, weno5 };

struct ConvectionScheme {
  const char* name;
  const char* description;
  Convection kind;

  // beta of the implicit matrix, and whether it leaves out a part of the scheme.
  double upwind_fraction() const { return kind == Convection::central ? 0.0 : 1.0; }
  bool is_deferred() const { return kind != Convection::central && kind != Convection::upwind; }
  // Whether values at sides lie between the neighbours', so that small steps keep q in its bounds.
  bool is_bounded() const { return kind == Convection::upwind || kind == Convection::van_leer; }
};

inline constexpr ConvectionScheme convection_rows[] = {
    {"central", "second order, conserves kinetic energy", Convection::central},
    {"upwind", "first order, dissipative, bounded where the steps are small enough (below)",
     Convection::upwind},
    {"quick", "upwind-biased parabola, second order, hardly dissipative", Convection::quick},
    {"van_leer",
     "second order where smooth, bounded (TVD) where the steps are small enough (below)",
     Convection::van_leer},
    {"weno5", "fifth-order values, second-order fluxes, hardly oscillating", Convection::weno5},
};
constexpr std::span<const ConvectionScheme> convection_table() {
  return convection_rows;
}

// Errors: ConfigError naming the known schemes.
inline const ConvectionScheme& find_convection_scheme(const std::string& name) {
  return find_by_name(convection_rows, "convection scheme", name);
}

HODGE_HD inline double van_leer_value(double s1, double s2, double s3) {
  const double a = s2 - s1, b = s3 - s2;
  return a * b > 0.0 ? s2 + a * (b / (a + b)) : s2;
}

HODGE_HD inline double weno5_value(const double* s) {
  double largest = 0.0;
  for (int i = 0; i < 5; ++i) largest = s[i] * s[i] > largest ? s[i] * s[i] : largest;
  const double least = 1e-6 * largest + 1e-150;  // the square of 1 / least is a number
  const auto weight = [least](double linear, double curvature, double slope) {
    const double roughness = 13.0 / 12.0 * curvature * curvature + 0.25 * slope * slope + least;
    return linear / (roughness * roughness);
  };
  const double w0 = weight(0.1, s[0] - 2.0 * s[1] + s[2], s[0] - 4.0 * s[1] + 3.0 * s[2]);
  const double w1 = weight(0.6, s[1] - 2.0 * s[2] + s[3], s[1] - s[3]);
  const double w2 = weight(0.3, s[2] - 2.0 * s[3] + s[4], 3.0 * s[2] - 4.0 * s[3] + s[4]);
  const double sum = w0 * (2.0 * s[0] - 7.0 * s[1] + 11.0 * s[2]) +
                     w1 * (-s[1] + 5.0 * s[2] + 2.0 * s[3]) + w2 * (2.0 * s[2] + 5.0 * s[3] - s[4]);
  return sum / (6.0 * (w0 + w1 + w2));
}

// s[0] ... s[4] as above; nothing but the values that the scheme names is read.
HODGE_HD inline double side_value(Convection scheme, const double* s) {
  switch (scheme) {
    case Convection::central:
      return 0.5 * (s[2] + s[3]);
    case Convection::upwind:
      return s[2];
    case Convection::quick:
      return 0.375 * s[3] + 0.75 * s[2] - 0.125 * s[1];
    case Convection::van_leer:
      return van_leer_value(s[1], s[2], s[3]);
    case Convection::weno5:
      return weno5_value(s);
  }
  return s[2];
}

}  // namespace hodge::sim
