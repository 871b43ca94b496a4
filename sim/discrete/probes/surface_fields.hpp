// What is sampled on surfaces: the present fields, on faces and on patches of sharp bodies alike.
#pragma once

#include <cmath>

#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/boundaries/side_kinds.hpp"
#include "sim/discrete/fields/face_coefficient.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/grid/metrics.hpp"

namespace hodge::sim {

template <int Dim>
struct SurfaceFields {
  GridView<Dim> grid;
  SideKinds<Dim> sides;
  BodyView<Dim> bodies;
  ConstVelocityView<Dim> velocity;
  ConstFieldView<Dim> pressure;
  double density = 1, viscosity = 0;
  FaceCoefficient<Dim> coefficient{};  // of the viscosity
};

// A scalar with what bodies are to it, and its diffusivity.
template <int Dim>
struct ScalarOnSurface {
  ConstFieldView<Dim> q;
  BodyView<Dim> bodies;
  FaceCoefficient<Dim> coefficient;
  double diffusivity;
  ConstFieldView<Dim> gain{}, loss{};  // of sharp bodies (scalar_bodies.hpp), or null
  double time = 0;
};

// y from the surface, where that has this friction. 0 without viscosity.
template <int Dim>
HODGE_HD double y_plus_at(const SurfaceFields<Dim>& f, double y, const double (&friction)[Dim]) {
  double squares = 0.0;
  for (int t = 0; t < Dim; ++t) squares += friction[t] * friction[t];
  return f.viscosity > 0.0 ? y * std::sqrt(std::sqrt(squares) / f.density) / f.viscosity : 0.0;
}

}  // namespace hodge::sim
