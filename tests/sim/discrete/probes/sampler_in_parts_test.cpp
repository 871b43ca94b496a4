// Values at points of a box that processes share are those of one process, bit for bit.
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <random>

#include "sim/discrete/probes/sampler.hpp"
#include "tests/support/flow_in_parts.hpp"

namespace hodge::sim {
namespace {

using linalg::Host;
using tests::run_in_processes;
using tests::SharedFlow;

// Counts the calls of another communicator.
class CountedMessages final : public linalg::Communicator {
 public:
  explicit CountedMessages(linalg::Communicator& of) : of_(of) {}
  int count() const { return count_; }

  int rank() const override { return of_.rank(); }
  int size() const override { return of_.size(); }
  void sum(std::span<std::int64_t> values) override { of(1).sum(values); }
  void maximum(std::span<double> values) override { of(1).maximum(values); }
  void broadcast(std::span<std::byte> bytes, int root) override { of(1).broadcast(bytes, root); }
  void gather(std::span<const std::byte> own, std::span<std::byte> all,
              std::span<const std::size_t> sizes) override {
    of(1).gather(own, all, sizes);
  }
  void start_exchange(std::span<const linalg::OutgoingMessage> outgoing,
                      std::span<const linalg::IncomingMessage> incoming) override {
    of(1).start_exchange(outgoing, incoming);
  }
  void finish_exchange() override { of(0).finish_exchange(); }

 private:
  linalg::Communicator& of(int calls) {
    count_ += calls;
    return of_;
  }
  linalg::Communicator& of_;
  int count_ = 0;
};

// Random fields of a box, ghosts too, and what a part of the box has of them.
template <int Dim>
struct RandomBox {
  RandomBox(const Boundaries& sides, const std::vector<std::string>& names)
      : grid(test::grid_of(axes())), boundaries(sides), fields(names) {
    for (std::size_t k = 0; k < Dim + 2; ++k) {
      values.emplace_back(whole.size());
      for (double& value : values.back()) value = number(generator);
    }
  }

  static std::vector<AxisSettings> axes() {
    std::vector<AxisSettings> axes{test::uneven(35, -0.7, 0.3), test::uneven(9, 1, 3)};
    if constexpr (Dim == 3) axes.push_back(test::uneven(10, -2, -1.4));
    return axes;
  }
  // Everywhere, on edges of cells, in sides and in cuts.
  std::vector<Point> points() {
    std::vector<Point> points;
    for (int i = 0; i < 300; ++i) {
      Point x{};
      for (int d = 0; d < Dim; ++d) {
        const std::vector<double>& edges = grid.edges(d);
        const double share = 0.5 + 0.5 * number(generator);
        x[d] = edges.front() + share * grid.axis(d).length();
        if (generator() % 3 == 0) x[d] = edges[generator() % edges.size()];
        x[d] = std::clamp(x[d], edges.front(), edges.back());
      }
      points.push_back(x);
    }
    return points;
  }

  // `beyond_cuts`: what ghosts there hold in place of the neighbour's values; none: these.
  std::vector<double> sampled(const std::vector<Point>& points, const Layout<Dim>& part,
                              std::optional<double> beyond_cuts = {}) const {
    VelocityField<Dim, Host> velocity(part);
    Field<Dim, Host> pressure(part), heat(part);
    for (int d = 0; d < Dim; ++d) fill(velocity[d], values[d], beyond_cuts);
    fill(pressure, values[Dim], beyond_cuts);
    fill(heat, values[Dim + 1], beyond_cuts);
    const DeviceGrid<Dim, Host> metrics(grid, boundaries, part);
    const SampledFields<Dim> present{
        {metrics.view(), std::as_const(velocity).view(), std::as_const(pressure).view(), {}},
        {std::as_const(heat).view()}};
    const Sampler<Dim, Host> sampler(
        {grid, boundaries, bodies}, points, fields, {"heat"}, [&] { return present; }, part);
    std::vector<double> result(sampler.points() * sampler.columns().size());
    const int before = messages != nullptr ? messages->count() : 0;
    sampler.sample(result);
    if (messages != nullptr) {
      EXPECT_EQ(messages->count() - before, 1);
    }
    return result;
  }

  void fill(Field<Dim, Host>& field, const std::vector<double>& from,
            const std::optional<double>& beyond_cuts) const {
    const Layout<Dim> part = field.layout();
    const auto q = field.view();
    const auto all = view_of(whole, from.data());
    for_each_on_host(part.padded(), [&](const Index<Dim>& c) {
      bool beyond = false;
      for (int d = 0; d < Dim && part.halo != nullptr; ++d)
        beyond = beyond || (c[d] < 0 && part.halo->has_neighbour(d, 0)) ||
                 (c[d] >= part.cells[d] && part.halo->has_neighbour(d, 1));
      q(c) = beyond && beyond_cuts ? *beyond_cuts : all(part.in_whole(c));
    });
  }

  Grid grid;
  Boundaries boundaries;
  std::vector<std::string> fields;
  std::vector<std::uint8_t> bodies{};
  Layout<Dim> whole = layout_of<Dim>(grid);
  std::mt19937 generator{7};
  std::uniform_real_distribution<double> number{-1, 1};
  std::vector<std::vector<double>> values;
  const CountedMessages* messages = nullptr;
};

template <int Dim>
void expect_the_same_samples(RandomBox<Dim> box, int processes,
                             std::optional<double> beyond_cuts = {}) {
  const std::vector<Point> points = box.points();
  const std::vector<double> expected = box.sampled(points, box.whole);
  const Decomposition slabs(box.grid.cells(Dim - 1), processes);
  run_in_processes(processes, [&](linalg::Communicator& threads) {
    CountedMessages own(threads);
    RandomBox<Dim> mine = box;
    mine.messages = &own;
    const PartOfBox<Dim> part(own, slabs, box.whole, box.boundaries.periodic(Dim - 1));
    EXPECT_EQ(mine.sampled(points, part.layout(), beyond_cuts), expected);
  });
}

std::vector<Boundaries> kinds_of_sides() {
  Boundaries open = test::walls();
  for (int axis = 0; axis < 3; ++axis) open.sides[axis][1].kind = SideKind::outflow;
  return {test::walls(), open, test::with_periodic({0, 1, 2}), test::with_periodic({1})};
}

template <int Dim>
void expect_the_same_samples_everywhere() {
  for (const Boundaries& sides : kinds_of_sides())
    for (const int processes : {2, 3}) {
      // Each corner is that of the process that has it: no ghost beyond a cut is read for these.
      expect_the_same_samples<Dim>({sides, {"velocity", "pressure", "heat"}}, processes,
                                   std::numeric_limits<double>::quiet_NaN());
      expect_the_same_samples<Dim>({sides, {"speed", "heat", "vorticity", "q_criterion"}},
                                   processes);
    }
}

TEST(SamplerInParts, has_the_values_of_one_process_by_one_message_in_2d) {
  expect_the_same_samples_everywhere<2>();
}
TEST(SamplerInParts, has_the_values_of_one_process_by_one_message_in_3d) {
  expect_the_same_samples_everywhere<3>();
}

TEST(SamplerInParts, leaves_solids_out_as_one_process_does) {
  RandomBox<2> box(test::walls(), {"velocity", "pressure", "vorticity", "heat"});
  box.bodies.resize(static_cast<std::size_t>(box.grid.cell_count()));
  for (std::uint8_t& body : box.bodies) body = box.generator() % 3 == 0;
  expect_the_same_samples(box, 3);
}

TEST(SamplerInParts, refuses_a_point_beyond_the_box_in_all_processes) {
  const RandomBox<2> box(test::walls(), {"pressure"});
  tests::in_slabs<2>(2, box.grid, box.boundaries, [&](const Layout<2>& part) {
    EXPECT_THROW((void)box.sampled({{0, 2, 0}, {0, 3.1, 0}}, part), ConfigError);
  });
}

// Of a flow after some steps, as probes have them.
template <int Dim>
std::vector<double> probed(const SharedFlow& of, const Layout<Dim>& part,
                           const std::vector<Point>& points) {
  std::vector<double> values;
  tests::after_steps<Dim>(of, part, [&](const NavierStokes<Dim, Host>& flow) {
    const auto present = [&] {
      SampledFields<Dim> fields{{flow.grid.view(), flow.fields.velocity.view(),
                                 flow.fields.pressure_of_level().view(), flow.bodies.view()},
                                {}};
      for (const auto& scalar : flow.fields.scalars) fields.scalars.push_back(scalar.now.view());
      return fields;
    };
    const Sampler<Dim, Host> sampler({of.grid, of.problem.boundaries, of.domain.bodies}, points,
                                     {"velocity", "pressure", "vorticity", "strain_rate", "c"},
                                     scalar_names(of.problem), present, part);
    values.resize(sampler.points() * sampler.columns().size());
    sampler.sample(values);
  });
  return values;
}

template <int Dim>
void expect_the_same_probes(test::FlowSketch sketch) {
  SCOPED_TRACE(sketch.name);
  sketch.solids.clear();
  SharedFlow of = tests::shared_flow(sketch, "rk3", "central");
  of.settings.pressure.method = "direct";
  std::vector<Point> points;
  for (int i = 0; i <= 400; ++i) {
    Point x{};
    for (int d = 0; d < Dim; ++d) {
      const Axis& axis = of.grid.axis(d);
      const double share = (i * (d == 0 ? 7 : d == 1 ? 1 : 3)) % 401 / 400.0;
      x[d] = std::min(axis.upper(), axis.lower() + share * axis.length());
    }
    points.push_back(x);
  }
  const std::vector<double> expected = probed<Dim>(of, layout_of<Dim>(of.grid), points);
  for (const int processes : {2, 3})
    tests::in_slabs<Dim>(processes, of, [&](const Layout<Dim>& part) {
      EXPECT_EQ(probed<Dim>(of, part, points), expected);
    });
}

TEST(SamplerInParts, probes_a_flow_as_one_process_does) {
  expect_the_same_probes<2>(test::flows::cavity(2));
  expect_the_same_probes<2>(test::flows::open_box(2));
  expect_the_same_probes<2>(test::flows::periodic_box(2));
  expect_the_same_probes<3>(test::flows::periodic_box(3));
}

}  // namespace
}  // namespace hodge::sim
