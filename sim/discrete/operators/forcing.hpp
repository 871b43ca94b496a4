// What drives a velocity component or a scalar beside transport and pressure, as a field:
//
//   component d   f_d(x, t) + G_d + sum_k weight_k buoyancy_k,d (c_k - neutral_k)      L / T^2
//   scalar        s(x, t)                                                              [c] / T
//
// f and s, where piecewise, are means over the control volume (formula_field.hpp). G holds a flow
// rate (time/flow_rate_control.hpp). A scalar at a face is linear between the two cell centres.
// Source: J. Boussinesq, Theorie analytique de la chaleur, vol. 2, 1903 (buoyancy).
#pragma once

#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/fields/field.hpp"
#include "sim/discrete/grid/metrics.hpp"

namespace hodge::sim {

template <int Dim>
struct BuoyancyTerm {
  ConstFieldView<Dim> scalar;
  double acceleration = 0;  // along d, a unit of the scalar, times the weight
  double neutral = 0;
};

inline constexpr int most_buoyancy_terms = 8;

template <int Dim>
struct Forcing {
  GridView<Dim> grid;
  int location;
  ConstFieldView<Dim> given{};  // f or s; null: the constant below
  double constant = 0;
  int terms = 0;
  BuoyancyTerm<Dim> term[most_buoyancy_terms] = {};
  const double* uniform = nullptr;  // G, in the space; null: 0

  // Whether it is more than the constant.
  HODGE_HD bool varies() const { return given.origin != nullptr || is_more_than_given(); }
  HODGE_HD bool is_more_than_given() const { return terms > 0 || uniform != nullptr; }
  HODGE_HD bool any() const { return varies() || constant != 0.0; }
};

template <int Dim>
HODGE_HD double given_at(const Forcing<Dim>& f, const Index<Dim>& c) {
  const double uniform = f.uniform != nullptr ? *f.uniform : 0.0;
  return uniform + (f.given.origin != nullptr ? f.given(c) : f.constant);
}

template <int Dim>
HODGE_HD double forcing_at(const Forcing<Dim>& f, const Index<Dim>& c) {
  double sum = given_at(f, c);
  for (int k = 0; k < f.terms; ++k) {
    const int d = f.location;
    const double below = f.grid.width(d, c[d] - 1), above = f.grid.width(d, c[d]);
    const double scalar =
        (above * f.term[k].scalar(c.shifted(d, -1)) + below * f.term[k].scalar(c)) /
        (below + above);
    sum += f.term[k].acceleration * (scalar - f.term[k].neutral);
  }
  return sum;
}

// At cells, or at all faces of a component, those in sides too.
template <int Dim, class Space>
void evaluate_forcing(const Forcing<Dim>& forcing, Field<Dim, Space>& result) {
  const FieldView<Dim> f = result.view();
  Box<Dim> box = result.layout().interior();
  if (forcing.location != at_cells) ++box.upper[forcing.location];
  linalg::for_each<Space>(box,
                          [=] HODGE_LAMBDA(const Index<Dim>& c) { f(c) = forcing_at(forcing, c); });
}

}  // namespace hodge::sim
