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

TEST(RunName, has_no_bytes_that_are_no_utf8_and_no_invisible_characters) {
  EXPECT_EQ(as_run_name("sur\xed\xa0\x80"), "sur___");                // half of a surrogate pair
  EXPECT_EQ(as_run_name("\xe0\x80\xaf\xf0\x80\x80\xaf"), "_______");  // / in too many bytes
  EXPECT_EQ(as_run_name("a\xf4\x90\x80\x80"), "a____");               // beyond U+10FFFF
  for (const char* one : {"\u202e", "\u2066", "\u200f", "\u2028", "\xc2\x85", "\ufeff", "\uffff",
                          "\ufffe", "\ufdd0", "\U0001ffff"})
    EXPECT_EQ(as_run_name(std::string("a") + one + "z"), "a_z") << one;
  for (const char* one : {"\ufffd", "\u00a1", "\ud7ff", "\ue000", "\u2027", "\u202f", "\ufdcf"})
    EXPECT_EQ(as_run_name(one), one);
}

TEST(RunName, is_not_blank) {
  EXPECT_EQ(as_run_name("   "), "_");
  EXPECT_EQ(as_run_name(" a "), " a ");
  EXPECT_FALSE(is_run_name("  "));
  EXPECT_TRUE(is_run_name(" a "));
}

TEST(FolderName, stays_in_the_folder_above_it) {
  EXPECT_EQ(as_folder_name("."), "_");
  EXPECT_EQ(as_folder_name(".."), "_.");
  for (const std::string name : {"cavity", ".hidden", "...", "a#1"})
    EXPECT_EQ(as_folder_name(name), name);
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
