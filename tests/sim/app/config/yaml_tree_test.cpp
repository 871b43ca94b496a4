#include "sim/app/config/yaml_tree.hpp"

#include <gtest/gtest.h>

namespace hodge::sim::yaml_tree_test {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_yaml(text, "f.yaml");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(YamlTree, values_know_their_line_and_column_from_one) {
  const YamlNode root = parse_yaml("a: 1\nb:\n  - x\n  - {c: 5}\n", "f.yaml");
  ASSERT_EQ(root.kind, YamlNode::Kind::map);
  EXPECT_EQ(root.find("a")->place.text(), "f.yaml:1:4");
  EXPECT_EQ(root.entries[1].key.place.text(), "f.yaml:2:1");
  EXPECT_EQ(root.find("b")->items[0].place.text(), "f.yaml:3:5");
  EXPECT_EQ(root.find("b")->items[1].find("c")->place.text(), "f.yaml:4:9");
}

TEST(YamlTree, knows_text_in_quotes_from_plain_scalars) {
  const YamlNode root = parse_yaml("[5, '5', \"5\", null, ~]", "f.yaml");
  EXPECT_FALSE(root.items[0].quoted);
  EXPECT_TRUE(root.items[1].quoted);
  EXPECT_TRUE(root.items[2].quoted);
  EXPECT_EQ(root.items[3].kind, YamlNode::Kind::null);
  EXPECT_EQ(root.items[4].kind, YamlNode::Kind::null);
}

TEST(YamlTree, keeps_keys_that_are_given_twice) {
  const YamlNode root = parse_yaml("a: 1\na: 2\n", "f.yaml");
  ASSERT_EQ(root.entries.size(), 2u);
  EXPECT_EQ(root.entries[1].value.scalar, "2");
}

TEST(YamlTree, places_an_empty_value_at_its_key) {
  const YamlNode root = parse_yaml("a:\n\n\nb: 1\n", "f.yaml");
  EXPECT_EQ(root.find("a")->kind, YamlNode::Kind::null);
  EXPECT_EQ(root.find("a")->place.text(), "f.yaml:1:1");
}

TEST(YamlTree, expands_aliases_into_copies) {
  const YamlNode root = parse_yaml("a: &x {k: [1, 2]}\nb: *x\nc: &y 5\nd: *y\n", "f.yaml");
  EXPECT_EQ(root.find("b")->find("k")->items[1].scalar, "2");
  EXPECT_EQ(root.find("d")->scalar, "5");
}

TEST(YamlTree, an_empty_text_is_a_null) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "~"}) {
    const YamlNode root = parse_yaml(text, "f.yaml");
    EXPECT_EQ(root.kind, YamlNode::Kind::null) << text;
    EXPECT_EQ(root.place.text(), "f.yaml:1:1") << text;
  }
}

TEST(YamlTree, refuses_an_alias_inside_its_own_anchor) {
  EXPECT_EQ(error_of("a: &x [1, *x]\n"), "f.yaml:1:11: this alias stands inside its own anchor");
}

TEST(YamlTree, refuses_aliases_that_multiply_without_end) {
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int k = 0; k < 9; ++k) text += ", " + last;
    text += "]\n";
  }
  EXPECT_NE(error_of(text).find("more than 100000 values"), std::string::npos);
}

TEST(YamlTree, refuses_a_second_document) {
  EXPECT_EQ(error_of("a: 1\n---\nb: 2\n"),
            "f.yaml:3:1: a second YAML document begins, expected one");
}

TEST(YamlTree, refuses_tabs_as_indentation_and_says_where) {
  EXPECT_EQ(error_of("a:\n\tb: 1\n"), "f.yaml:2:1: a tab in the indentation, expected spaces");
  EXPECT_EQ(error_of("a:\n  \tb: 1\n"), "f.yaml:2:3: a tab in the indentation, expected spaces");
  EXPECT_EQ(error_of("a: 1\t# a tab before a comment\n\t\n\t# and before this one\n"), "no error");
}

TEST(YamlTree, refuses_tags) {
  EXPECT_EQ(error_of("a: !!int 5\n"),
            "f.yaml:1:4: the tag 'tag:yaml.org,2002:int' has no meaning here, expected none");
}

TEST(YamlTree, syntax_errors_are_one_line_with_their_place) {
  EXPECT_EQ(error_of("a: [1, 2\nb: 3\n").substr(0, 9), "f.yaml:2:");
  EXPECT_NE(error_of("a: {b: 1").find("not valid YAML: "), std::string::npos);
  EXPECT_NE(error_of("a: \"open").find("not valid YAML: "), std::string::npos);
  EXPECT_NE(error_of("a: *nothing").find("not valid YAML: "), std::string::npos);
  EXPECT_NE(error_of("%YAML 9.9\n---\na: 1\n").find("not valid YAML: "), std::string::npos);
}

TEST(YamlTree, survives_deep_nesting) {
  EXPECT_NE(error_of(std::string(100000, '[')), "no error");
}

TEST(YamlTree, files_that_cannot_be_read_are_named_with_the_reason) {
  EXPECT_THROW(load_yaml("no/such/file.yaml"), ConfigError);
  try {
    load_yaml("/");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "/: cannot be read: it is a directory, expected a YAML file");
  }
  try {
    load_yaml("/dev/zero");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("larger than 4 MB"), std::string::npos);
  }
}

}  // namespace
}  // namespace hodge::sim::yaml_tree_test
