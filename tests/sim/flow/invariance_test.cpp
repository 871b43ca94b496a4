// Mirrored, turned and shifted problems have mirrored, turned and shifted results, whatever the
// sides, scalars, forces, solids and schemes: fields, values at points, quantities, forces, norms.
#include <gtest/gtest.h>

#include <map>

#include "sim/discrete/operators/side_values.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/small_flows.hpp"
#include "tests/support/spaces.hpp"

namespace hodge {
namespace {

using test::CoordinateMap;
using test::FlowSketch;
using test::SketchedScalar;

const CoordinateMap mirrored_x{"mirrored in x", {0, 1, 2}, {-1, 1, 1}, {0.5, 0, 0}};
const CoordinateMap mirrored_y{"mirrored in y", {0, 1, 2}, {1, -1, 1}, {}};
const CoordinateMap mirrored_z{"mirrored in z", {0, 1, 2}, {1, 1, -1}, {0, 0, 0.25}};
const CoordinateMap swapped{"x and y swapped", {1, 0, 2}, {1, 1, 1}, {}};
const CoordinateMap turned{"turned by a right angle", {1, 0, 2}, {1, -1, 1}, {0, 0.5, 0}};
const CoordinateMap cyclic{"axes cyclic", {1, 2, 0}, {1, 1, 1}, {}};
const CoordinateMap anticyclic{"axes anticyclic, shifted", {2, 0, 1}, {1, 1, 1}, {3, -2, 1}};
const CoordinateMap shifted{"shifted", {0, 1, 2}, {1, 1, 1}, {2.5, -1.75, 0}};

std::vector<CoordinateMap> maps_of(int dim) {
  if (dim == 2) return {mirrored_x, mirrored_y, swapped, turned, shifted};
  return {mirrored_x, mirrored_y, mirrored_z, cyclic, anticyclic, swapped};
}

struct Outcome {
  std::unique_ptr<sim::Flow> flow;
  std::vector<std::string> fields;

  const sim::Grid& grid() const { return flow->grid(); }
};

Outcome run(const FlowSketch& sketch, const std::string& scheme, const std::string& convection,
            const std::string& device) {
  sim::Settings settings = test::flow_settings(sketch.dim, 4);
  settings.device = device;
  settings.grid.axes = sketch.axes;
  settings.time.scheme = scheme;
  settings.convection_scheme = convection;
  for (sim::SystemSettings* solver : {&settings.pressure, &settings.transport, &settings.scalars}) {
    solver->method = "gauss";
    solver->preconditioner = {"none"};
    solver->tolerance = 1e-12;
  }
  Outcome outcome{sim::make_flow(settings, test::problem_of(sketch)),
                  {"velocity", "pressure", "vorticity"}};
  for (const SketchedScalar& scalar : sketch.scalars) outcome.fields.push_back(scalar.name);
  for (const double dt : {0.02, 0.03, 0.015}) {
    const sim::StepReport report = outcome.flow->advance(dt);
    EXPECT_TRUE(report.ok) << report.failure;
    if (!report.ok) break;
  }
  return outcome;
}

// In corners and edges of the box the conditions of two sides meet, which may contradict each
// other: there the side of the later axis holds, so that only maps that keep the order of axes keep
// them.
bool keeps_corners(const CoordinateMap& map) {
  return map.to == std::array<int, 3>{0, 1, 2};
}

void expect_close(double found, double wanted, double scale, const std::string& what) {
  EXPECT_NEAR(found, wanted, 1e-8 * scale) << what;
}

// The components of a vector; a field of one component is a scalar, but the vorticity of a plane
// turns with its hand.
std::vector<double> mapped_values(const CoordinateMap& map, const std::string& field,
                                  const std::vector<double>& v) {
  const double hand = field == "vorticity" ? map.hand() : 1;
  if (v.size() == 1) return {hand * v[0]};
  const std::array<double, 3> u = map.vector({v[0], v[1], v.size() > 2 ? v[2] : 0});
  std::vector<double> mapped{hand * u[0], hand * u[1], hand * u[2]};
  mapped.resize(v.size());
  return mapped;
}

void expect_same_cells(const Outcome& base, const Outcome& other, const CoordinateMap& map) {
  const std::array<int, 3> n{base.grid().cells(0), base.grid().cells(1), base.grid().cells(2)};
  const std::array<int, 3> m = map.permuted(n);
  for (const std::string& field : base.fields) {
    const sim::CellArray a = base.flow->cell_arrays({field})[0];
    const sim::CellArray b = other.flow->cell_arrays({field})[0];
    const auto components = static_cast<std::size_t>(a.components);
    double scale = 1e-6;
    for (const double value : a.values) scale = std::max(scale, std::abs(value));
    sim::for_each_on_host(sim::all_cells(base.grid()), [&](const sim::Index<3>& c) {
      std::array<int, 3> place{};
      for (std::size_t d = 0; d < 3; ++d)
        place[d] = map.sign[d] > 0 ? c[static_cast<int>(d)] : n[d] - 1 - c[static_cast<int>(d)];
      int sides = 0;
      for (int d = 0; d < base.grid().dim(); ++d)
        sides += c[d] == 0 || c[d] == n[static_cast<std::size_t>(d)] - 1 ? 1 : 0;
      if (field == "vorticity" && sides > 1 && !keeps_corners(map)) return;
      const std::array<int, 3> at = map.permuted(place);
      const auto i = components * static_cast<std::size_t>(c[0] + n[0] * (c[1] + n[1] * c[2]));
      const auto j = components * static_cast<std::size_t>(at[0] + m[0] * (at[1] + m[1] * at[2]));
      const std::vector<double> wanted =
          mapped_values(map, field,
                        {a.values.begin() + static_cast<long>(i),
                         a.values.begin() + static_cast<long>(i + components)});
      for (std::size_t k = 0; k < components; ++k)
        expect_close(b.values[j + k], wanted[k], scale, field);
    });
  }
}

// At corners, in sides and within.
void expect_same_points(const Outcome& base, const Outcome& other, const CoordinateMap& map) {
  std::vector<sim::Point> points, mapped;
  const int dim = base.grid().dim();
  for (const double fx : {0.0, 0.37, 1.0})
    for (const double fy : {0.0, 0.33, 1.0})
      for (const double fz : {0.0, 0.44, 1.0}) {
        const std::array<double, 3> fraction{fx, fy, fz};
        const auto in_side = [](double f) { return f == 0 || f == 1 ? 1 : 0; };
        const int sides = in_side(fx) + in_side(fy) + (dim == 3 ? in_side(fz) : 0);
        if (sides > 1 && !keeps_corners(map)) continue;
        sim::Point x{};
        for (int d = 0; d < dim; ++d) {
          const sim::Axis& axis = base.grid().axis(d);
          const double f = fraction[static_cast<std::size_t>(d)];
          x[static_cast<std::size_t>(d)] = f == 1 ? axis.upper() : axis.lower() + f * axis.length();
        }
        points.push_back(x);
        sim::Point y = map.point(x);
        for (int d = 0; d < dim; ++d) {  // not beyond the box by rounding
          const sim::Axis& axis = other.grid().axis(d);
          double& at = y[static_cast<std::size_t>(d)];
          at = std::clamp(at, axis.lower(), axis.upper());
        }
        mapped.push_back(y);
      }
  for (const std::string& field : base.fields) {
    const auto a = base.flow->values_at(points, {field}),
               b = other.flow->values_at(mapped, {field});
    double scale = 1e-6;
    for (const auto& row : a)
      for (const double value : row) scale = std::max(scale, std::abs(value));
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::vector<double> wanted = mapped_values(map, field, a[i]);
      for (std::size_t k = 0; k < wanted.size(); ++k)
        expect_close(b[i][k], wanted[k], 10 * scale, field + " at a point");
    }
  }
}

// The name of a quantity of a side or an axis, and the factor that its value gets.
std::pair<std::string, double> mapped_quantity(const CoordinateMap& map, std::string name) {
  const bool is_flow_rate = name.starts_with("flow_rate_");
  for (std::size_t d = 0; d < 3; ++d)
    for (const std::string side : {"_lower", "_upper", ""}) {
      const std::string end = std::string("_") + "xyz"[d] + side;
      if (!name.ends_with(end) || (side.empty() && !is_flow_rate)) continue;
      std::string end_there = side;
      if (map.sign[d] < 0 && !side.empty()) end_there = side == "_lower" ? "_upper" : "_lower";
      name.resize(name.size() - end.size());
      return {name + "_" + "xyz"[map.to[d]] + end_there, is_flow_rate ? map.sign[d] : 1.0};
    }
  return {name, 1};
}

void expect_same_measures(const Outcome& base, const Outcome& other, const CoordinateMap& map) {
  std::map<std::string, double> found;
  for (const sim::Quantity& quantity : other.flow->quantities())
    found[quantity.name] = quantity.value;
  for (const sim::Quantity& quantity : base.flow->quantities()) {
    const bool has_corners = quantity.name == "enstrophy" || quantity.name == "dissipation";
    if (has_corners && !keeps_corners(map)) continue;
    const auto [name, factor] = mapped_quantity(map, quantity.name);
    ASSERT_TRUE(found.contains(name)) << name;
    expect_close(found[name], factor * quantity.value, 1 + std::abs(quantity.value), name);
  }
  const sim::Diagnostics a = base.flow->diagnostics(), b = other.flow->diagnostics();
  expect_close(b.cfl_rate, a.cfl_rate, 10, "cfl_rate");
  expect_close(b.kinetic_energy, a.kinetic_energy, 1, "kinetic_energy");
  expect_close(b.max_speed, a.max_speed, 1, "max_speed");
  expect_close(b.velocity_rate, a.velocity_rate, 100, "velocity_rate");
  ASSERT_EQ(a.scalar_rates.size(), b.scalar_rates.size());
  for (std::size_t k = 0; k < a.scalar_rates.size(); ++k)
    expect_close(b.scalar_rates[k], a.scalar_rates[k], 100, "scalar_rates");
  const auto forces = base.flow->forces(), mapped = other.flow->forces();
  for (std::size_t k = 0; k < forces.size(); ++k)
    for (const auto part : {&sim::BodyForce::pressure, &sim::BodyForce::viscous}) {
      const std::array<double, 3> wanted = map.vector(forces[k].*part);
      for (std::size_t d = 0; d < 3; ++d)
        expect_close((mapped[k].*part)[d], wanted[d], 10, forces[k].body);
    }
  const auto known = base.flow->error_norms()->known(), norms = other.flow->error_norms()->known();
  for (std::size_t k = 0; k < known.size(); ++k) {
    expect_close(norms[k].l2, known[k].l2, 1, known[k].name + " norm");
    expect_close(norms[k].max, known[k].max, 10, known[k].name + " norm");
  }
}

template <class Space>
class Invariance : public tests::SpaceTest<Space> {
 protected:
  void expect_for(const FlowSketch& sketch, const std::string& scheme,
                  const std::string& convection) {
    const std::string device = std::is_same_v<Space, linalg::Host> ? "cpu" : "cuda";
    const Outcome base = run(sketch, scheme, convection, device);
    for (const CoordinateMap& map : maps_of(sketch.dim)) {
      if (sketch.order_matters && !keeps_corners(map)) continue;
      SCOPED_TRACE(sketch.name + " by " + scheme + " and " + convection + ", " + map.name);
      const Outcome other = run(test::mapped(map, sketch), scheme, convection, device);
      expect_same_cells(base, other, map);
      expect_same_points(base, other, map);
      expect_same_measures(base, other, map);
      if (this->HasFailure()) return;
    }
  }
  // Every time scheme, and every convection scheme with one of them.
  void expect_for_schemes(const FlowSketch& sketch) {
    std::size_t next = 0;
    const auto times = sim::time_scheme_table();
    for (const sim::ConvectionScheme& convection : sim::convection_table()) {
      const std::string scheme = times[next++ % times.size()].name;
      const bool reacts = !sketch.scalars.empty() && !sketch.scalars[0].reaction.empty();
      if (reacts && !sim::find_time_scheme(scheme).lets_scalars_react()) continue;
      expect_for(sketch, scheme, convection.name);
    }
    if (sketch.dim == 3) return;
    for (const sim::TimeScheme& scheme : times)
      if (sketch.scalars[0].reaction.empty() || scheme.lets_scalars_react())
        expect_for(sketch, scheme.name, "quick");
  }
};
TYPED_TEST_SUITE(Invariance, tests::Spaces, tests::SpaceName);

TYPED_TEST(Invariance, of_a_cavity) {
  for (const int dim : {2, 3}) this->expect_for_schemes(test::flows::cavity(dim));
}

TYPED_TEST(Invariance, of_a_channel_with_a_solid) {
  for (const int dim : {2, 3}) this->expect_for_schemes(test::flows::channel(dim));
}

TYPED_TEST(Invariance, of_an_open_box) {
  for (const int dim : {2, 3}) {
    this->expect_for_schemes(test::flows::open_box(dim));
    this->expect_for_schemes(test::flows::open_corner(dim));
  }
}

TYPED_TEST(Invariance, of_a_periodic_box_with_solids) {
  for (const int dim : {2, 3}) this->expect_for_schemes(test::flows::periodic_box(dim));
}

TYPED_TEST(Invariance, of_flows_that_rotate) {
  namespace flows = test::flows;
  for (const int dim : {2, 3})
    for (const FlowSketch& sketch : {flows::cavity(dim), flows::channel(dim), flows::open_box(dim),
                                     flows::periodic_box(dim)}) {
      this->expect_for(flows::turning(sketch), "bdf2", "central");
      if (dim == 2)
        for (const char* scheme : {"backward_euler", "cn_ab2", "rk3", "ab2"})
          this->expect_for(flows::turning(sketch), scheme, "central");
    }
}

TYPED_TEST(Invariance, of_balanced_inflow) {
  for (const int dim : {2, 3}) this->expect_for_schemes(test::flows::balanced_box(dim));
}

TYPED_TEST(Invariance, of_scalars_in_a_prescribed_velocity) {
  for (const int dim : {2, 3}) {
    FlowSketch flow = test::flows::carried(dim);
    this->expect_for_schemes(flow);
    flow.name += " with reactions";
    flow.scalars[0].reaction = "-2*c*d + x";
    flow.scalars[1].reaction = "c*d - t";
    this->expect_for_schemes(flow);
  }
}

}  // namespace
}  // namespace hodge
