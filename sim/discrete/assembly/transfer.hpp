// Between a field and the vector of its unknowns: x_row(c) = field(c) and back, or back by adding
// an increment to another field. Ghosts and known faces are left alone.
#pragma once

#include "linalg/vectors/parallel.hpp"
#include "linalg/vectors/vector.hpp"
#include "sim/discrete/assembly/unknowns.hpp"
#include "sim/discrete/fields/field.hpp"

namespace hodge::sim {

template <int Dim, class Space>
void gather(const Unknowns<Dim>& unknowns, const Field<Dim, Space>& field, double factor,
            linalg::Vector<Space>& x) {
  const ConstFieldView<Dim> from = field.view();
  double* const to = x.data();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (unknowns.contains(c)) to[unknowns.row(c)] = factor * from(c);
  });
}

template <int Dim, class Space>
void scatter(const Unknowns<Dim>& unknowns, const linalg::Vector<Space>& x,
             Field<Dim, Space>& field) {
  const double* const from = x.data();
  const FieldView<Dim> to = field.view();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (unknowns.contains(c)) to(c) = from[unknowns.row(c)];
  });
}

// q ~ now + weight (before - now), from which a solve for q may start.
template <int Dim>
struct ExtrapolatedGuess {
  ConstFieldView<Dim> now, before;
  double weight = 0;
};

// x := the guess - now
template <int Dim, class Space>
void gather_change(const Unknowns<Dim>& unknowns, const ExtrapolatedGuess<Dim>& guess,
                   linalg::Vector<Space>& x) {
  if (guess.weight == 0.0) return x.fill(0.0);
  double* const to = x.data();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (unknowns.contains(c)) to[unknowns.row(c)] = guess.weight * (guess.before(c) - guess.now(c));
  });
}

// field := level + x, which may be the same field.
template <int Dim, class Space>
void scatter_increment(const Unknowns<Dim>& unknowns, const ConstFieldView<Dim>& level,
                       const linalg::Vector<Space>& x, Field<Dim, Space>& field) {
  const double* const from = x.data();
  const FieldView<Dim> to = field.view();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (unknowns.contains(c)) to(c) = level(c) + from[unknowns.row(c)];
  });
}

}  // namespace hodge::sim
