// The section `probes`, from YAML to settings and back.
#include <gtest/gtest.h>

#include "sim/app/config/settings_yaml.hpp"
#include "tests/support/expect_error.hpp"

namespace hodge::sim::probes_test {
namespace {

const std::vector<CaseSchema> cases{{.name = "cavity",
                                     .parameters = {},
                                     .dimensions = {2, 3},
                                     .lower = {-1, -2, -3},
                                     .upper = {1, 2, 3}}};

Settings read(const std::string& probes, const std::string& cells = "[8, 8]") {
  const std::string head = "case: cavity\ngrid: {cells: " + cells + "}\ntime: {end: 2}\n";
  return settings_from_yaml(parse_yaml(head + "probes: " + probes, "f.yaml"), "f", cases);
}

std::string error_of(const std::string& probes, const std::string& cells = "[8, 8]") {
  return test::message_of<ConfigError>([&] { read(probes, cells); });
}

const std::string everything =
    "{fields: [pressure], every: 0.1, points: {b: [-1, 2], 2nd_a: [0.25, 0]}, "
    "lines: {l: {from: [0, -2], to: [1, 2], points: 7}}, averages: {from: 0.5}}";

TEST(ProbeSettings, points_and_lines_are_taken_in_their_order) {
  const ProbeSettings probes = read(everything).probes;
  EXPECT_EQ(probes.fields, std::vector<std::string>{"pressure"});
  EXPECT_EQ(probes.every, 0.1);
  ASSERT_EQ(probes.points.size(), 2U);
  EXPECT_EQ(probes.points[0].name, "b");
  EXPECT_EQ(probes.points[0].at, (Point{-1, 2, 0}));
  EXPECT_EQ(probes.points[1].name, "2nd_a");
  ASSERT_EQ(probes.lines.size(), 1U);
  EXPECT_EQ(probes.lines[0].from, (Point{0, -2, 0}));
  EXPECT_EQ(probes.lines[0].to, (Point{1, 2, 0}));
  EXPECT_EQ(probes.lines[0].points, 7);
  EXPECT_EQ(probes.average_from, 0.5);
}

TEST(ProbeSettings, a_point_alone_gets_every_field_at_every_step) {
  const ProbeSettings probes = read("{points: {a: [0, 0, 3]}}", "[8, 8, 8]").probes;
  EXPECT_EQ(probes.fields, (std::vector<std::string>{"velocity", "pressure", "vorticity"}));
  EXPECT_FALSE(probes.every);
  EXPECT_FALSE(probes.average_from);
  EXPECT_EQ(probes.points[0].at[2], 3);
}

TEST(ProbeSettings, the_resolved_file_reads_back_to_the_same_settings) {
  for (const std::string& text : {everything, std::string("{points: {1: [0.1, 0]}}")}) {
    const Settings settings = read(text);
    const std::string resolved = settings_to_yaml(settings);
    const Settings again = settings_from_yaml(parse_yaml(resolved, "g.yaml"), "g", cases);
    EXPECT_EQ(settings_to_yaml(again), resolved);
    EXPECT_EQ(again.probes.points[0].name, settings.probes.points[0].name);
    EXPECT_EQ(again.probes.points[0].at, settings.probes.points[0].at);
    EXPECT_EQ(again.probes.every, settings.probes.every);
    EXPECT_EQ(again.probes.average_from, settings.probes.average_from);
    EXPECT_EQ(again.probes.lines.size(), settings.probes.lines.size());
  }
}

TEST(ProbeSettings, a_point_beyond_the_box_is_refused_at_its_coordinate) {
  EXPECT_EQ(error_of("{points: {a: [0, 2.5]}}"),
            "f.yaml:4:26: probes.points.a[1] is '2.5', expected a point in the box from [-1, -2] "
            "to [1, 2]");
  EXPECT_EQ(error_of("{lines: {a: {from: [0, 0], to: [-1.1, 0]}}}"),
            "f.yaml:4:41: probes.lines.a.to[0] is '-1.1', expected a point in the box from "
            "[-1, -2] to [1, 2]");
}

TEST(ProbeSettings, a_point_has_a_coordinate_an_axis) {
  EXPECT_EQ(error_of("{points: {a: [0, 0, 0]}}"),
            "f.yaml:4:22: probes.points.a is a list of 3, expected 2 as grid.cells has");
}

TEST(ProbeSettings, names_that_make_no_file_or_no_column_are_refused) {
  for (const char* name : {"a b", "../x", "a,b", "-a", "_a", "é"})
    EXPECT_NE(error_of("{points: {'" + std::string(name) + "': [0, 0]}}")
                  .find("is no name of a probe, expected up to 64 letters, digits, '_' and '-'"),
              std::string::npos)
        << name;
}

TEST(ProbeSettings, a_point_and_a_line_cannot_share_a_name) {
  EXPECT_EQ(error_of("{points: {a: [0, 0]}, lines: {a: {from: [0, 0], to: [1, 0]}}}"),
            "f.yaml:4:39: probes.lines: there is another probe 'a', expected a name of its own for "
            "every point and line");
}

TEST(ProbeSettings, what_makes_no_sense_is_refused) {
  EXPECT_EQ(error_of("{fields: [velocity]}"),
            "f.yaml:4:9: probes has neither points nor lines, expected a map with points or lines");
  EXPECT_EQ(error_of("{points: {}}"),
            "f.yaml:4:18: probes.points is a map, expected a map of points, as {centre: [0.5, "
            "0.5]}");
  EXPECT_EQ(error_of("{lines: {a: {from: [0, 0], to: [0, 0]}}}"),
            "f.yaml:4:40: probes.lines.a ends where it begins, expected two points");
  EXPECT_EQ(error_of("{points: {a: [0, 0]}, averages: {from: 2}}"),
            "f.yaml:4:48: probes.averages.from is 2, expected a time before time.end = 2");
  EXPECT_EQ(error_of("{points: {a: [0, 0]}, fields: [pressure, pressure]}"),
            "f.yaml:4:50: probes.fields names 'pressure' twice, expected once");
  EXPECT_EQ(error_of("{points: {a: [0, 0]}, fields: [presure]}"),
            "f.yaml:4:40: probes.fields[0]: unknown field 'presure', did you mean 'pressure'? "
            "known: velocity, pressure, vorticity, speed, q_criterion, strain_rate, viscosity, "
            "eddy_viscosity");
  EXPECT_EQ(error_of("{lines: {a: {from: [0, 0], to: [1, 0], points: 1}}}"),
            "f.yaml:4:56: probes.lines.a.points is '1', expected a whole number from 2 to 10000");
}

}  // namespace
}  // namespace hodge::sim::probes_test
