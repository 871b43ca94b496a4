// Heat along the surfaces of sharp bodies that conduct a scalar, beyond conductances in series
// (bodies/sharp_media.hpp): a sum over cells around each face, which no row of a matrix has. Steps
// take it of the last iterate, until that changes no more (time/deferred_convection.hpp). What
// leaves a cell enters the next one.
#pragma once

#include "sim/discrete/bodies/scalar_media.hpp"

namespace hodge::sim {

template <int Dim>
struct AlongSurfaces {
  const CellAlongSurface<Dim>* cells = nullptr;
  int count = 0;
  const FluxAlongSurface<Dim>* faces = nullptr;
  int face_count = 0;
  const WeighedCell<Dim>* taps = nullptr;
  bool any = false;  // in the box; this part of it may have none

  // Into the cell above the face.
  HODGE_HD double flux(int face, const ConstFieldView<Dim>& q) const {
    const FluxAlongSurface<Dim>& of = faces[face];
    const double here = q(of.c);
    double sum = 0.0;
    for (int k = of.first; k < of.last; ++k) sum += taps[k].weight * (q(taps[k].c) - here);
    return sum;
  }
  // Into a cell: [q] L^Dim / T.
  HODGE_HD double gain(const CellAlongSurface<Dim>& cell, const ConstFieldView<Dim>& q) const {
    double sum = 0.0;
    for (int e = 0; e < Dim; ++e) {
      if (cell.face[e][0] >= 0) sum += flux(cell.face[e][0], q);
      if (cell.face[e][1] >= 0) sum -= flux(cell.face[e][1], q);
    }
    return sum;
  }
};

}  // namespace hodge::sim
