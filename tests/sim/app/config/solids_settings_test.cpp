// The sections solids and forces, from YAML and back.
#include <gtest/gtest.h>

#include <filesystem>

#include "sim/app/config/places.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/base/key_error.hpp"

namespace hodge::sim::solids_settings_test {
namespace {

const std::vector<CaseSchema> cases{{.name = "tunnel", .parameters = {}, .dimensions = {2, 3}}};

Settings read(const std::string& text, const std::vector<std::string>& overrides = {},
              const std::string& file = "f.yaml") {
  YamlNode root = parse_yaml(text, file);
  apply_overrides(root, overrides);
  return settings_from_yaml(root, "f", cases);
}

const std::string flat = "case: tunnel\ntime: {end: 2}\ngrid: {cells: [8, 8]}\n";
const std::string deep = "case: tunnel\ntime: {end: 2}\ngrid: {cells: [8, 8, 8]}\n";

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SolidsSettings, are_none_unless_given) {
  EXPECT_TRUE(read(flat).solids.empty());
  EXPECT_FALSE(read(flat).forces);
}

TEST(SolidsSettings, take_every_shape) {
  const Settings settings = read(deep + R"(solids:
  - {name: step, box: {lower: [0, 1, 2], upper: [3, 4.5, 6]}}
  - sphere: {centre: [1, -2, 3], radius: 0.25}
  - cylinder: {axis: y, centre: [1, 0, 3], radius: 2}
  - {name: wing_2, surface: {file: /models/wing.stl}}
)");
  ASSERT_EQ(settings.solids.size(), 4);
  EXPECT_EQ(settings.solids[0].name, "step");
  EXPECT_EQ(settings.solids[1].name, "");
  EXPECT_EQ(settings.solids[3].name, "wing_2");
  const auto& box = std::get<BoxShape>(settings.solids[0].region.shape);
  EXPECT_EQ(box.lower, (Point{0, 1, 2}));
  EXPECT_EQ(box.upper, (Point{3, 4.5, 6}));
  const auto& sphere = std::get<SphereShape>(settings.solids[1].region.shape);
  EXPECT_EQ(sphere.centre, (Point{1, -2, 3}));
  EXPECT_EQ(sphere.radius, 0.25);
  const auto& cylinder = std::get<CylinderShape>(settings.solids[2].region.shape);
  EXPECT_EQ(cylinder.axis, 1);
  EXPECT_EQ(cylinder.centre, (Point{1, 0, 3}));
  EXPECT_EQ(cylinder.radius, 2);
  EXPECT_EQ(std::get<SurfaceShape>(settings.solids[3].region.shape).file, "/models/wing.stl");
}

TEST(SolidsSettings, have_two_coordinates_in_2d) {
  const Settings settings = read(flat + "solids: [{sphere: {centre: [1, 2], radius: 3}}]\n");
  EXPECT_EQ(std::get<SphereShape>(settings.solids[0].region.shape).centre, (Point{1, 2, 0}));
}

std::string file_of(const Settings& settings) {
  return std::get<SurfaceShape>(settings.solids.at(0).region.shape).file;
}

TEST(SolidsSettings, look_for_surfaces_from_the_folder_of_the_file) {
  const std::string text = deep + "solids: [surface: {file: ../models/a.stl}]\n";
  EXPECT_EQ(file_of(read(text, {}, "/runs/b/f.yaml")), "/runs/models/a.stl");
  const auto here = std::filesystem::current_path();
  EXPECT_EQ(file_of(read(text, {}, "runs/f.yaml")), (here / "models" / "a.stl").string());
}

TEST(SolidsSettings, look_for_surfaces_of_the_command_line_from_the_working_directory) {
  EXPECT_EQ(file_of(read(deep, {"solids=[surface: {file: a.stl}]"}, "/runs/f.yaml")),
            (std::filesystem::current_path() / "a.stl").string());
}

TEST(SolidsSettings, survive_the_resolved_file) {
  for (const std::string& text :
       {deep + R"(solids:
  - {name: step, box: {lower: [0, 1, 2], upper: [3, 4.5, 6.000000000000001]}}
  - sphere: {centre: [1, -2, 3], radius: 0.25}
  - cylinder: {axis: y, centre: [1, 0, 3], radius: 2}
  - {name: wing_2, surface: {file: '/a "b" \ c.stl', scale: 0.001, shift: [1, 2, 3]}}
  - {ellipsoid: {centre: [1, 2, 3], radii: [1, 2, 3]}, turned: {angle: 30, axis: [1, 1, 0]}}
  - {ellipse: {axis: y, centre: [1, 2, 3], radii: [1, 2]}, turned: {angles: [1, 2, 3]}}
  - {level: 'sqrt(x^2 + y^2) - 0.5', inside: true}
  - difference:
      - union: [{box: {lower: [0, 0, 0], upper: [1, 1, 1]}}, {level: z}]
      - {cylinder: {axis: z, centre: [0, 0, 0], radius: 1, length: 2}, inside: true}
forces: {speed: 2, area: 0.785, drag: [1, 1, 0], lift: [0, 0, -1]}
)",
        flat + R"(solids: [{cylinder: {axis: z, centre: [1, 0], radius: 2}}]
forces: {speed: 2, length: 3}
)"}) {
    const std::string resolved = settings_to_yaml(read(text));
    EXPECT_EQ(settings_to_yaml(read(resolved)), resolved);
    const Settings once = read(text), twice = read(resolved);
    ASSERT_EQ(once.solids.size(), twice.solids.size());
    for (std::size_t k = 0; k < once.solids.size(); ++k) {
      EXPECT_EQ(once.solids[k].name, twice.solids[k].name);
      EXPECT_EQ(once.solids[k].region.shape.index(), twice.solids[k].region.shape.index());
    }
    ASSERT_EQ(once.forces.has_value(), twice.forces.has_value());
    if (once.forces) {
      EXPECT_EQ(once.forces->area, twice.forces->area);
      EXPECT_EQ(once.forces->drag, twice.forces->drag);
      EXPECT_EQ(once.forces->lift, twice.forces->lift);
    }
  }
}

const std::string shapes =
    "box, sphere, cylinder, ellipse, ellipsoid, surface, level, union, difference";

TEST(SolidsSettings, are_the_same_as_a_list_and_as_a_map_of_names) {
  const std::string ball = "sphere: {centre: [1, 2], radius: 0.25}, scalars: {dye: {value: 1}}";
  const std::string dye = flat + "scalars: {dye: {diffusivity: 1}}\n";
  const auto listed = read(dye + "solids: [{name: ball, " + ball + "}, {name: low, level: y}]\n");
  const auto named = read(dye + "solids: {ball: {" + ball + "}, low: {level: y}}\n");
  ASSERT_EQ(named.solids.size(), 2);
  EXPECT_EQ(settings_to_yaml(named), settings_to_yaml(listed));
}

TEST(SolidsSettings, are_refused_with_their_place) {
  const auto refused = [](const std::string& solids) {
    const std::string error = error_of(flat + "solids: " + solids + "\n");
    return error.substr(error.find(": ") + 2);
  };
  EXPECT_EQ(
      refused("3"),
      "solids is '3', expected a list of solids, as [{box: {lower: [0, 0], upper: [1, 1]}}], or "
      "a map of their names");
  EXPECT_EQ(refused("{sphere: {centre: [1, 1], radius: 1}}").substr(0, 51),
            "unknown key 'centre' in solids.sphere, did you mean");
  EXPECT_EQ(refused("{a: {level: x}, a: {level: y}}"),
            "solids: the name 'a' is given twice, expected once");
  EXPECT_EQ(refused("[{name: a}]"), "solids[0] has 0 shapes, expected one of " + shapes);
  EXPECT_EQ(refused("[{sphere: {centre: [1, 1], radius: 1}, box: {lower: [0, 0], upper: [1, 1]}}]"),
            "solids[0] has 2 shapes, expected one of " + shapes);
  EXPECT_EQ(refused("[{circle: {}}]"),
            "unknown key 'circle' in solids[0], did you mean 'sphere'? known keys: name, "
            "treatment, scalars, " +
                shapes + ", turned, inside");
  EXPECT_EQ(refused("[{sphere: {centre: [1, 1, 1], radius: 1}}]"),
            "solids[0].sphere.centre is a list of 3, expected 2 as grid.cells has");
  EXPECT_EQ(refused("[{sphere: {centre: [1, 1], radius: 0}}]"),
            "solids[0].sphere.radius is '0', expected a number > 0");
  EXPECT_EQ(refused("[{sphere: {centre: [1, 1]}}]"),
            "missing key 'radius' in solids[0].sphere, expected a number > 0");
  EXPECT_EQ(refused("[{box: {lower: [0, 1], upper: [1, 1]}}]"),
            "solids[0].box goes from 1 to 1 along y, expected lower < upper");
  EXPECT_EQ(refused("[{cylinder: {axis: x, centre: [1, 1], radius: 1}}]"),
            "solids[0].cylinder.axis is 'x', expected z, as the grid is 2D");
  EXPECT_EQ(refused("[{surface: {file: a.stl}}]"),
            "solids[0].surface is a surface in space, expected a grid of 3 dimensions");
  EXPECT_EQ(refused("[{name: a-b, sphere: {centre: [1, 1], radius: 1}}]"),
            "solids[0].name is 'a-b', expected a name of letters, digits and _");
}

TEST(SolidsSettings, that_are_turned_or_joined_wrongly_are_refused_with_their_place) {
  const auto refused = [](const std::string& grid, const std::string& solid) {
    const std::string error = error_of(grid + "solids: [" + solid + "]\n");
    return error.substr(error.find(": ") + 2);
  };
  const std::string box = "{box: {lower: [0, 0, 0], upper: [1, 1, 1]}";
  EXPECT_EQ(refused(deep, box + ", turned: {angle: 30}}"),
            "solids[0].turned has angle alone, expected angle and axis");
  EXPECT_EQ(refused(deep, box + ", turned: {about: [0, 0, 0]}}"),
            "solids[0].turned has no angle, expected angle or angles");
  EXPECT_EQ(refused(deep, box + ", turned: {angle: 1, axis: [0, 0, 0]}}"),
            "solids[0].turned.axis is 0, expected a direction");
  EXPECT_EQ(refused(flat, "{difference: [{sphere: {centre: [1, 1], radius: 1}}]}"),
            "solids[0].difference is a list of 1, expected at least 2");
  EXPECT_EQ(refused(flat, "{union: [{sphere: {centre: [1, 1], radius: -1}}]}"),
            "solids[0].union[0].sphere.radius is '-1', expected a number > 0");
  EXPECT_EQ(refused(flat, "{cylinder: {centre: [1, 1], radius: 1, length: 1}}"),
            "solids[0].cylinder.length is 1, expected none in 2D");
  EXPECT_EQ(refused(flat, "{level: 'x - t'}").substr(0, 51),
            "solids[0].level: the formula 'x - t' has t in it, w");
}

TEST(ForceSettings, have_the_axes_as_default_directions) {
  const ForceSettings forces = read(flat + "forces: {speed: 2, length: 3}\n").forces.value();
  EXPECT_EQ(forces.speed, 2);
  EXPECT_EQ(forces.area, 3);
  EXPECT_EQ(forces.drag, (Point{1, 0, 0}));
  EXPECT_EQ(forces.lift, (Point{0, 1, 0}));
}

TEST(ForceSettings, want_a_length_in_2d_an_area_in_3d_and_directions) {
  EXPECT_EQ(error_of(flat + "forces: {speed: 2, area: 3}\n"),
            "f.yaml:4:9: missing key 'length' in forces, expected a number > 0\n"
            "f.yaml:4:20: unknown key 'area' in forces, the grid is 2D, known keys: speed, length, "
            "drag, lift, about, boxes");
  EXPECT_EQ(error_of(deep + "forces: {speed: 2, length: 3}\n"),
            "f.yaml:4:9: missing key 'area' in forces, expected a number > 0");
  EXPECT_EQ(error_of(flat + "forces: {speed: 2, length: 3, lift: [0, 0]}\n"),
            "f.yaml:4:37: forces.lift is 0, expected a direction");
}

TEST(SolidsSettings, of_a_map_have_their_names_in_errors_that_count_them) {
  const YamlNode file =
      parse_yaml("case: custom\nsolids:\n  ball: {treatment: sharp}\n  post: {}\n", "f.yaml");
  const PlacedError error =
      placed(file, KeyError("solids[1].treatment", "solids[1] is a staircase, solids[0] is not"));
  EXPECT_STREQ(error.what(), "f.yaml:4:9: solids.post is a staircase, solids.ball is not");
}

}  // namespace
}  // namespace hodge::sim::solids_settings_test
