// A scalar whose exact solution was chosen first: source and sides are what it needs.
//
//   c = 2 + cos(w t) sin q,   q = 1.5 x + y + 0.5 z + 0.3   (2D: without z),   w = frequency
//
//   dc/dt + u . grad c = D laplace(c) + s
//   s = -w sin(w t) sin q + (1.5 u + v + 0.5 w_z) cos(w t) cos q + D k^2 cos(w t) sin q
//
// with k^2 = 1.5^2 + 1 (+ 0.5^2), in the unit box, carried by a velocity without divergence that
// vanishes into the sides:
//
//   2D   u = U sin(pi x) cos(pi y),             v = -U cos(pi x) sin(pi y)
//   3D   u = U sin(pi x) cos(pi y) cos(pi z),   v = U cos(pi x) sin(pi y) cos(pi z),
//        w_z = -2 U cos(pi x) cos(pi y) sin(pi z)
//
// The sides have one kind each: value on x_lower and y_upper, flux on y_lower and z_lower,
// convective with the coefficient 1 + y on x_upper and with 2 on z_upper.
#include "cases/registry.hpp"

namespace hodge::cases::manufactured_scalar {

// Texts of the formulas; `slopes` are the derivatives of q.
struct Manufactured {
  int dim;
  FormulaNames names;  // D, U, frequency

  const char* phase() const { return dim == 2 ? "(1.5*x + y + 0.3)" : "(1.5*x + y + 0.5*z + 0.3)"; }
  std::string velocity(int d) const {
    static const char* const planar[] = {"U*sin(pi*x)*cos(pi*y)", "-U*cos(pi*x)*sin(pi*y)", "0"};
    static const char* const spatial[] = {"U*sin(pi*x)*cos(pi*y)*cos(pi*z)",
                                          "U*cos(pi*x)*sin(pi*y)*cos(pi*z)",
                                          "-2*U*cos(pi*x)*cos(pi*y)*sin(pi*z)"};
    return dim == 2 ? planar[d] : spatial[d];
  }
  std::string value() const { return std::string("2 + cos(frequency*t)*sin") + phase(); }
  std::string derivative(int d) const {
    static const char* const slopes[] = {"1.5", "1", "0.5"};
    return std::string(slopes[d]) + "*cos(frequency*t)*cos" + phase();
  }
  std::string source() const {
    const char* squares = dim == 2 ? "3.25" : "3.5";
    std::string text = std::string("-frequency*sin(frequency*t)*sin") + phase() + " + D*" +
                       squares + "*cos(frequency*t)*sin" + phase();
    for (int d = 0; d < dim; ++d) text += " + (" + velocity(d) + ")*" + derivative(d);
    return text;
  }
  Expression parse(const std::string& text) const { return Expression::parse(text, names); }

  ScalarSide convective(int axis, const std::string& coefficient) const {
    const std::string value_beyond = value() + " + D/(" + coefficient + ")*" + derivative(axis);
    return {ScalarSideKind::convective, parse(value_beyond), parse(coefficient)};
  }
  ScalarSide flux_of_lower(int axis) const {
    return {ScalarSideKind::flux, parse("-D*" + derivative(axis))};
  }
  sim::ScalarSides sides() const {
    const ScalarSide known{ScalarSideKind::value, parse(value())};
    return {{{known, convective(0, "1 + y")},
             {flux_of_lower(1), known},
             {flux_of_lower(2), convective(2, "2")}}};
  }
};

Problem make(const Settings& settings) {
  check_box("manufactured_scalar", settings, CaseBox{}, "the unit box");
  const auto& parameters = settings.parameters;
  const Manufactured chosen{settings.grid.dim,
                            {{{"D", parameters.at("diffusivity")},
                              {"U", parameters.at("speed")},
                              {"frequency", parameters.at("frequency")}},
                             {}}};
  const Expression exact = chosen.parse(chosen.value());
  ScalarProblem scalar;
  scalar.name = "scalar";
  scalar.diffusivity = parameters.at("diffusivity");
  scalar.initial = [exact](Point x) { return exact(x, 0); };
  scalar.exact = [exact](Point x, double t) { return exact(x, t); };
  scalar.source = chosen.parse(chosen.source());
  scalar.sides = chosen.sides();

  Problem problem;
  problem.prescribed_velocity.emplace();
  for (int d = 0; d < 3; ++d) (*problem.prescribed_velocity)[d] = chosen.parse(chosen.velocity(d));
  problem.scalars = {scalar};
  return problem;
}

Cases describe() {
  return {{.description = "a scalar with source, value, flux and convective sides, exact solution",
           .parameters = {{"diffusivity", 0.1, 1e-12, 1e9, "D"},
                          {"speed", 1, 0, 1e9, "U, of the fastest fluid"},
                          {"frequency", 2, 0, 1e9, "of the solution in time; 0: it is steady"}},
           .make = make,
           .starter = {"grid.cells: [64, 64]", "time.end: 1", "time.step.size: 0.01",
                       "convection.scalars: central", "output.frames.every: 0.1"}}};
}

}  // namespace hodge::cases::manufactured_scalar
