// Time averages of fields as output arrays, against the trapezoidal rule on what every step had.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/app/config/settings_yaml.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge::sim {
namespace {

// Two scalars in a box whose flow is driven by a force that grows.
Problem driven_box() {
  Problem problem;
  problem.viscosity = 0.1;
  problem.force[0] = Expression::parse("sin(3*y) * (1 + 4*t)");
  for (const char* name : {"dye", "heat"}) {
    ScalarProblem scalar;
    scalar.name = name;
    scalar.diffusivity = 0.1;
    scalar.initial = [](Point x) { return x[1]; };
    scalar.source = Expression::parse("1 + x");
    problem.scalars.push_back(scalar);
  }
  return problem;
}

const std::vector<std::string> fields{"velocity", "pressure", "heat"};
const std::vector<std::string> means{"mean_velocity", "mean_pressure", "mean_heat"};

void expect_means_from(double from) {
  Settings settings = test::flow_settings(2, 6);
  settings.output.fields = means;
  settings.output.average_from = from;
  const auto flow = make_flow(settings, driven_box());
  std::vector<CellArray> sums;
  double duration = 0, before = 0;
  std::vector<CellArray> last = flow->cell_arrays(fields);
  for (const double dt : {0.02, 0.03, 0.01, 0.04, 0.02}) {
    before = flow->time();
    ASSERT_TRUE(flow->advance(dt).ok);
    const std::vector<CellArray> now = flow->cell_arrays(fields);
    (void)flow->cell_arrays(means);  // being looked at changes nothing
    if (sums.empty()) sums = std::vector<CellArray>{now[0], now[1], now[2]};
    for (std::size_t k = 0; k < sums.size(); ++k)
      for (std::size_t i = 0; i < sums[k].values.size(); ++i) {
        if (duration == 0) sums[k].values[i] = 0;
        if (before > from - 1e-9)
          sums[k].values[i] += 0.5 * dt * (last[k].values[i] + now[k].values[i]);
      }
    if (before > from - 1e-9) duration += dt;
    last = now;
  }
  const std::vector<CellArray> averages = flow->cell_arrays(means);
  for (std::size_t k = 0; k < means.size(); ++k) {
    EXPECT_EQ(averages[k].name, means[k]);
    EXPECT_EQ(averages[k].components, last[k].components);
    double largest = 0;
    for (std::size_t i = 0; i < averages[k].values.size(); ++i) {
      EXPECT_NEAR(averages[k].values[i], sums[k].values[i] / duration, 1e-14);
      largest = std::max(largest, std::abs(averages[k].values[i] - last[k].values[i]));
    }
    EXPECT_GT(largest, 1e-4);
  }
}

TEST(MeanFields, are_averages_over_the_time_of_the_run) {
  expect_means_from(0);
}

TEST(MeanFields, begin_at_the_first_step_that_starts_at_their_time) {
  expect_means_from(0.05);
}

TEST(MeanFields, are_zero_before_their_time) {
  Settings settings = test::flow_settings(2, 6);
  settings.output.fields = means;
  settings.output.average_from = 1;
  const auto flow = make_flow(settings, driven_box());
  ASSERT_TRUE(flow->advance(0.1).ok);
  const CellArray mean = flow->cell_arrays({"mean_heat"})[0];
  for (const double value : mean.values) EXPECT_EQ(value, 0);
}

TEST(MeanFields, count_in_the_memory_that_a_run_needs) {
  Settings settings = test::flow_settings(2, 100);
  const std::size_t without = memory_estimate(settings, driven_box());
  settings.output.fields = {"velocity", "mean_velocity", "mean_heat"};
  EXPECT_EQ(memory_estimate(settings, driven_box()) - without, 3 * 8 * 106 * 106U);
}

const std::vector<CaseSchema> cases{{.name = "cavity", .parameters = {}}};

Settings read(const std::string& output) {
  return settings_from_yaml(parse_yaml("case: cavity\ngrid: {cells: [8, 8]}\ntime: {end: 2}\n"
                                       "output: " +
                                           output,
                                       "f.yaml"),
                            "f", cases);
}

TEST(MeanFields, are_asked_for_by_name_in_the_configuration) {
  const std::string text = "{fields: [velocity, mean_pressure], averages: {from: 0.5}}";
  const Settings settings = read(text);
  EXPECT_EQ(settings.output.fields, (std::vector<std::string>{"velocity", "mean_pressure"}));
  EXPECT_EQ(settings.output.average_from, 0.5);
  const std::string resolved = settings_to_yaml(settings);
  EXPECT_EQ(settings_to_yaml(settings_from_yaml(parse_yaml(resolved, "g"), "g", cases)), resolved);
  EXPECT_NE(resolved.find("averages: {from: 0.5}"), std::string::npos);
}

TEST(MeanFields, and_moments_are_added_by_a_section_without_such_fields) {
  const Settings settings = read("{fields: [velocity], statistics: {start: 0.5, end: 1.5}}");
  EXPECT_EQ(settings.output.fields, (std::vector<std::string>{"velocity", "mean_velocity",
                                                              "mean_pressure", "reynolds_stress"}));
  EXPECT_EQ(statistics_window(settings.output).to, 1.5);
  const std::string resolved = settings_to_yaml(settings);
  EXPECT_EQ(settings_to_yaml(settings_from_yaml(parse_yaml(resolved, "g"), "g", cases)), resolved);
  EXPECT_NE(resolved.find("statistics: {start: 0.5, end: 1.5}"), std::string::npos);
}

TEST(MeanFields, of_a_window_that_is_none_are_refused) {
  const auto message = [](const std::string& output) {
    return test::message_of<ConfigError>([&] { read(output); });
  };
  EXPECT_EQ(message("{statistics: {start: 2}}"),
            "f.yaml:4:30: output.statistics.start is 2, expected a time before time.end = 2");
  EXPECT_EQ(message("{statistics: {start: 1, end: 0.5}}"),
            "f.yaml:4:38: output.statistics.end is 0.5, expected a time after "
            "output.statistics.start = 1");
  EXPECT_EQ(message("{fields: [mean_velocity], averages: {from: 1}, statistics: {start: 1}}"),
            "f.yaml:4:45: output.averages and output.statistics say both when averages begin, "
            "expected one");
}

TEST(MeanFields, a_start_without_a_mean_field_is_refused) {
  EXPECT_EQ(test::message_of<ConfigError>([] { read("{averages: {from: 0.5}}"); }),
            "f.yaml:4:20: output.averages has no field to average, expected one such as "
            "mean_velocity in output.fields");
}

}  // namespace
}  // namespace hodge::sim
