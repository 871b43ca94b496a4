// The velocity beside a sharp body: what the rows of faces that a body cuts, or whose neighbours it
// cuts, are made of (sharp.hpp says how). Lists of a component, with relative places:
//
//   value on a side of face c along axis e   0 at a wall, else sum of taps: weight u_d(c + shift);
//                                            the first tap is the neighbour c -+ e_e
//   lap u = sum over axes and sides of friction (u_side - u)
//   d u / d x_e = sum over both sides of slope (u_side - u)
//   d u_e / d x_d, e != d = sum of the taps `turning` of component e
//
// A slaved face is open, but too little for an unknown: its value is a sum of taps.
#pragma once

#include <span>
#include <vector>

#include "linalg/vectors/buffer.hpp"
#include "sim/discrete/fields/field.hpp"

namespace hodge::sim {

template <int Dim>
struct FaceTap {
  Index<Dim> shift{};
  double weight = 0;
};

template <int Dim>
struct SharpFace {
  static constexpr int most_taps = Dim, most_turning = 4;

  Index<Dim> c;
  double friction[Dim][2], slope[Dim][2];  // 1/L^2, 1/L
  bool wall[Dim][2];
  // Where the face beside a side has such a row, too: by what the value here counts more than half
  // on the line through both, in that side; and up to what of flux over nu, L^(Dim - 2).
  double lean[Dim][2], most_lean[Dim][2];
  FaceTap<Dim> taps[Dim][2][most_taps];
  FaceTap<Dim> turning[Dim][most_turning];  // weights 1/L
  double fluid;      // volume of its control volume, and of those around it without a row
  double stiffness;  // what sum of friction exceeds that of a face far from bodies by, at least 0
  bool regular_beside[Dim][2];  // the next face there has a row far from bodies
  double in_side[Dim][2];       // the open part of what of its control volume lies in a side, or 0
  int in_open_side = -1;        // the open side along its axis that it lies in, or -1
  int behind_inflow = -1;       // the inflow side along its axis that has the next face, or -1
  int body;                     // the nearest
};

// The surface in a cell. With p = p(c) + slope . (x - x_c) around a cell c,
// integral of p dS = p(c) area_d + sum_e slope_e moment_de.
template <int Dim>
struct WallPiece {
  Index<Dim> c;             // that cell: this one, or without a pressure one beside it
  double area[Dim];         // its vector, into the body
  double moment[Dim][Dim];  // of its area, about the centre of c
  double middle[Dim];       // from the centre of c
  int body;
};

template <int Dim>
struct SlavedTap {
  int d;
  Index<Dim> c;
  double weight;
};

template <int Dim>
struct SlavedFace {
  int d;
  Index<Dim> c;
  int first, last;  // taps
};

// On the host.
template <int Dim>
struct SharpLists {
  std::vector<SharpFace<Dim>> faces[Dim];
  std::vector<SlavedFace<Dim>> slaved;
  std::vector<SlavedTap<Dim>> taps;
  std::vector<WallPiece<Dim>> pieces;
};

template <int Dim>
struct SharpView {
  const SharpFace<Dim>* faces = nullptr;
  int count = 0;
};

// In a space, with room for a value and a rate of each.
template <int Dim, class Space>
class SharpFaces {
 public:
  explicit SharpFaces(const SharpLists<Dim>& lists)
      : slaved_(std::span<const SlavedFace<Dim>>(lists.slaved)),
        taps_(std::span<const SlavedTap<Dim>>(lists.taps)),
        pieces_(std::span<const WallPiece<Dim>>(lists.pieces)) {
    for (int d = 0; d < Dim; ++d) {
      faces_[d] =
          linalg::Buffer<SharpFace<Dim>, Space>(std::span<const SharpFace<Dim>>(lists.faces[d]));
      scratch_[d] = linalg::Buffer<double, Space>(2 * lists.faces[d].size());
    }
  }

  SharpView<Dim> view(int d) const {
    return {faces_[d].data(), static_cast<int>(faces_[d].size())};
  }
  double* scratch(int d) { return scratch_[d].data(); }
  const SlavedFace<Dim>* slaved() const { return slaved_.data(); }
  int slaved_count() const { return static_cast<int>(slaved_.size()); }
  const SlavedTap<Dim>* taps() const { return taps_.data(); }
  const WallPiece<Dim>* pieces() const { return pieces_.data(); }

 private:
  linalg::Buffer<SharpFace<Dim>, Space> faces_[Dim];
  linalg::Buffer<double, Space> scratch_[Dim];
  linalg::Buffer<SlavedFace<Dim>, Space> slaved_;
  linalg::Buffer<SlavedTap<Dim>, Space> taps_;
  linalg::Buffer<WallPiece<Dim>, Space> pieces_;
};

}  // namespace hodge::sim
