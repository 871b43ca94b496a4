#include "sim/app/config/yaml_tree.hpp"

#include <gtest/gtest.h>

namespace hodge::sim::overrides_test {
namespace {

YamlNode sample() {
  return parse_yaml("time: {end: 1, step: {cfl: 0.5}}\ngrid: {cells: [8, 8]}\n", "f.yaml");
}

std::string error_of(const std::string& assignment) {
  YamlNode root = sample();
  try {
    apply_overrides(root, {assignment});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Overrides, replace_a_value_and_keep_the_others) {
  YamlNode root = sample();
  apply_overrides(root, {"time.end=5"});
  EXPECT_EQ(root.find("time")->find("end")->scalar, "5");
  EXPECT_EQ(root.find("time")->entries.size(), 2u);
  EXPECT_EQ(root.find("time")->find("end")->place.text(), "--set time.end=5");
}

TEST(Overrides, add_keys_and_the_maps_on_the_way) {
  YamlNode root = sample();
  apply_overrides(root, {"output.frames.every=0.5", "output.directory=out"});
  EXPECT_EQ(root.find("output")->find("frames")->find("every")->scalar, "0.5");
  EXPECT_EQ(root.find("output")->find("directory")->scalar, "out");
  EXPECT_EQ(root.entries.back().key.place.text(), "--set output.frames.every=0.5");
}

TEST(Overrides, take_lists_and_maps_as_values_and_numbers_as_list_items) {
  YamlNode root = sample();
  apply_overrides(root, {"grid.cells=[64, 32]", "grid.cells.1=16", "time.step={size: 0.1}"});
  EXPECT_EQ(root.find("grid")->find("cells")->items[0].scalar, "64");
  EXPECT_EQ(root.find("grid")->find("cells")->items[1].scalar, "16");
  EXPECT_EQ(root.find("time")->find("step")->find("size")->scalar, "0.1");
  EXPECT_EQ(root.find("time")->find("step")->find("cfl"), nullptr);
}

TEST(Overrides, the_value_may_hold_equals_signs_and_dots) {
  YamlNode root = sample();
  apply_overrides(root, {"output.directory=runs/a=1.5"});
  EXPECT_EQ(root.find("output")->find("directory")->scalar, "runs/a=1.5");
}

TEST(Overrides, change_one_place_of_an_anchor_alone) {
  YamlNode root = parse_yaml("a: &s {k: 1}\nb: *s\n", "f.yaml");
  apply_overrides(root, {"b.k=2"});
  EXPECT_EQ(root.find("a")->find("k")->scalar, "1");
  EXPECT_EQ(root.find("b")->find("k")->scalar, "2");
}

TEST(Overrides, the_first_number_beyond_a_list_adds_an_item_and_0_begins_one) {
  YamlNode root = parse_yaml("grid: {cells: [8, 8]}\n", "f.yaml");
  apply_overrides(root, {"grid.cells.2=4", "solids.0.box.lower=[0, 0]", "solids.1={name: b}"});
  EXPECT_EQ(root.find("grid")->find("cells")->items.at(2).scalar, "4");
  EXPECT_EQ(root.find("solids")->items.at(0).find("box")->find("lower")->items.size(), 2u);
  EXPECT_EQ(root.find("solids")->items.at(1).find("name")->scalar, "b");
}

TEST(Overrides, wrong_ones_are_named_in_one_line) {
  EXPECT_EQ(error_of("time.end"), "--set time.end: expected key=value, for example time.end=5");
  EXPECT_EQ(error_of("=5"), "--set =5: expected key=value, for example time.end=5");
  EXPECT_EQ(error_of("time..end=5"), "--set time..end=5: an empty key, expected key.key=value");
  EXPECT_EQ(error_of("time.end="), "--set time.end=: no value after '=', expected key=value");
  EXPECT_EQ(error_of("time.end.x=5"),
            "--set time.end.x=5: 'x' is asked of '1', which is a single value and has no keys");
  EXPECT_EQ(error_of("grid.cells.3=5"),
            "--set grid.cells.3=5: '3' is no item of a list of 2, expected a number from 0; 2 adds "
            "one");
  EXPECT_EQ(error_of("grid.cells=[1, 2"),
            "--set grid.cells=[1, 2: not valid YAML: end of sequence flow not found");
}

}  // namespace
}  // namespace hodge::sim::overrides_test
