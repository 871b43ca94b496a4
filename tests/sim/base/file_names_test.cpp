#include "sim/base/file_names.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace hodge::sim {
namespace {

bool is_run_name(const std::string& text) {
  static const std::regex pattern(run_name_pattern);
  return std::regex_match(text, pattern);
}

TEST(RunName, of_letters_digits_and_usual_marks_stays_as_it_is) {
  for (const std::string name :
       {"cavity", "7", "my run", "cavity_reynolds=1e3,cells=64x64", "a.b", "-x", "%d",
        "(a+b) @home ~", "caf\xc3\xa9", "\xe6\xb5\x81\xf0\x9f\x8c\x8a"}) {
    EXPECT_TRUE(is_run_name(name)) << name;
    EXPECT_EQ(as_run_name(name), name);
  }
}

TEST(RunName, has_no_characters_of_xml_manifests_or_other_file_systems) {
  EXPECT_EQ(as_run_name("a#1"), "a_1");
  EXPECT_EQ(as_run_name(".hidden"), "_hidden");
  EXPECT_EQ(as_run_name("a\nb\x7f"), "a_b_");
  EXPECT_EQ(as_run_name("a\xff\xc3z"), "a__z");
  EXPECT_EQ(as_run_name("\xed\xa0"), "__");
  EXPECT_EQ(as_run_name(""), "_");
  for (const char c : std::string("!\"#$&'*/:;<>?[\\]^`{|}\t")) {
    EXPECT_FALSE(is_run_name(std::string("a") + c)) << c;
    EXPECT_EQ(as_run_name(std::string("a") + c), "a_") << c;
  }
  EXPECT_FALSE(is_run_name(""));
  EXPECT_FALSE(is_run_name(".a"));
}

TEST(RunName, leaves_room_for_numbers_and_extensions) {
  EXPECT_EQ(as_run_name(std::string(300, 'a')), std::string(120, 'a'));
  EXPECT_FALSE(is_run_name(std::string(121, 'a')));
  std::string accents;
  while (accents.size() < 300) accents += "\xc3\xa9";
  EXPECT_EQ(as_run_name("a" + accents), "a" + accents.substr(0, 118));  // whole characters
}

TEST(RunName, whatever_the_text_is_the_name_may_stand_in_a_file) {
  unsigned state = 1;
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (unsigned length = (state >> 16) % 9; text.size() <= length;) {
      state = state * 1664525U + 1013904223U;
      text += static_cast<char>(state >> 24);
    }
    const std::string name = as_run_name(text);
    EXPECT_TRUE(is_run_name(name)) << i;
    EXPECT_EQ(as_run_name(name), name) << i;
  }
}

}  // namespace
}  // namespace hodge::sim
