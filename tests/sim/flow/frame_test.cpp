// The arrays of a frame are those of cell_arrays(), rounded once.
#include "sim/flow/frame.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cstring>
#include <limits>

#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::sim {
namespace {

template <class Space>
class FrameOf : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(FrameOf, tests::Spaces, tests::SpaceName);

Problem heated_box(double heat) {
  Problem problem;
  problem.viscosity = 0.05;
  problem.boundaries.sides[1][1].velocity = {1, 0, 0};
  ScalarProblem scalar;
  scalar.name = "heat";
  scalar.initial = [heat](const Point& x) { return heat * (1 + x[0] + x[1] * x[1]); };
  problem.scalars.push_back(scalar);
  return problem;
}

template <class T>
std::vector<T> values_of(const FrameArray& array) {
  std::vector<T> values(array.count);
  EXPECT_EQ(array.bytes().size(), array.count * sizeof(T));
  std::memcpy(values.data(), array.bytes().data(), array.bytes().size());
  return values;
}

template <class T>
void expect_rounded(const CellArray& exact, const FrameArray& array) {
  EXPECT_EQ(array.name, exact.name);
  EXPECT_EQ(array.components, exact.components);
  EXPECT_EQ(array.is_single, sizeof(T) == sizeof(float));
  const std::vector<T> values = values_of<T>(array);
  ASSERT_EQ(values.size(), exact.values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(values[i], static_cast<T>(exact.values[i])) << array.name << " value " << i;
}

// A box of 2 layers does not fit into the scratch memory at once: 3 components in double.
TYPED_TEST(FrameOf, a_flow_has_its_cell_arrays_in_either_precision) {
  const std::vector<std::string> names{"velocity", "vorticity",     "heat",
                                       "pressure", "mean_velocity", "mean_heat"};
  for (const int dim : {2, 3})
    for (const int layers : {2, 5}) {
      Settings settings = test::flow_settings(dim, 6);
      settings.device = TypeParam::name;
      settings.output.fields = names;
      settings.grid.axes[dim - 1].cells = layers;
      const auto flow = make_flow(settings, heated_box(1));
      for (int step = 0; step < 3; ++step) ASSERT_TRUE(flow->advance(0.02).ok);
      const std::vector<CellArray> exact = flow->cell_arrays(names);
      Frame frame;
      for (const char* precision : {"single", "double", "single"}) {
        flow->fill(frame, names, precision);
        EXPECT_EQ(frame.step, 3);
        EXPECT_EQ(frame.time, flow->time());
        ASSERT_EQ(frame.arrays.size(), names.size());
        for (std::size_t i = 0; i < names.size(); ++i)
          *precision == 's' ? expect_rounded<float>(exact[i], frame.arrays[i])
                            : expect_rounded<double>(exact[i], frame.arrays[i]);
      }
    }
}

TYPED_TEST(FrameOf, an_array_with_a_value_that_no_float_holds_stays_double) {
  Settings settings = test::flow_settings(2, 6);
  settings.device = TypeParam::name;
  const auto flow = make_flow(settings, heated_box(2e38));
  Frame frame;
  flow->fill(frame, {"heat", "velocity"}, "single");
  expect_rounded<double>(flow->cell_arrays({"heat"})[0], frame.arrays[0]);
  EXPECT_TRUE(frame.arrays[1].is_single);
}

TYPED_TEST(FrameOf, the_memory_of_a_frame_is_used_again) {
  Settings settings = test::flow_settings(2, 6);
  settings.device = TypeParam::name;
  const auto flow = make_flow(settings, heated_box(1));
  Frame frame;
  flow->fill(frame, {"velocity", "heat"}, "double");
  const auto* const memory = frame.arrays[0].bytes().data();
  const std::size_t held = TypeParam::allocated_bytes();
  for (const char* precision : {"single", "double"}) {
    flow->fill(frame, {"velocity", "heat"}, precision);
    EXPECT_EQ(frame.arrays[0].bytes().data(), memory);
  }
  EXPECT_EQ(TypeParam::allocated_bytes(), held);
}

TEST(Frame, values_are_rounded_where_they_are_on_the_host_already) {
  CellArray array{"c", 1, {0.1, -FLT_MAX, 1e-300, 0}};
  FrameArray stored;
  store(array, "single", stored);
  expect_rounded<float>(array, stored);
  store(array, "double", stored);
  expect_rounded<double>(array, stored);
  for (const double beyond : {1e39, -1e300, std::numeric_limits<double>::infinity()}) {
    array.values[3] = beyond;
    store(array, "single", stored);
    expect_rounded<double>(array, stored);
  }
}

}  // namespace
}  // namespace hodge::sim
