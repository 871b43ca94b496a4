#include "sim/base/table.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hodge::sim {
namespace {

Table example() {
  Table table("t", "Title",
              {{"name", "name"}, {"ms", "time, µs", "{:.2f}"}, {"n", "n"}, {"ok", "ok"}});
  table.add({{"name", "a, \"b\""}, {"ms", 1.5}, {"n", 10}, {"ok", true}, {"hidden", 1}});
  table.add({{"name", "long name"}, {"ms", 0.1}, {"n", nullptr}});
  return table;
}

TEST(Table, text_aligns_words_left_and_numbers_right) {
  EXPECT_EQ(example().text(),
            "  name       time, µs   n   ok\n"
            "  a, \"b\"         1.50  10  yes\n"
            "  long name      0.10   -    -\n");
}

TEST(Table, csv_quotes_text_and_keeps_every_digit) {
  EXPECT_EQ(example().csv(), "name,ms,n,ok\n\"a, \"\"b\"\"\",1.5,10,yes\nlong name,0.1,,\n");
}

TEST(Table, markdown_has_a_line_below_the_headings) {
  EXPECT_EQ(example().markdown(),
            "### Title\n\n| name | time, µs | n | ok |\n|---|---|---|---|\n"
            "| a, \"b\" | 1.50 | 10 | yes |\n| long name | 0.10 | - | - |\n");
}

TEST(Table, json_keeps_what_is_no_column) {
  const Json json = example().json();
  EXPECT_EQ(json.at("title"), "Title");
  EXPECT_EQ(json.at("columns").size(), 4u);
  EXPECT_EQ(json.at("rows").at(0).at("hidden"), 1);
}

TEST(Table, sorting_keeps_the_order_of_equals) {
  Table table("t", "", {{"n", "n"}});
  for (const int n : {3, 1, 2}) table.add({{"n", n}, {"odd", n % 2}});
  table.sort([](const Json& a, const Json& b) { return a.at("odd") < b.at("odd"); });
  EXPECT_EQ(table.csv(), "n\n2\n3\n1\n");
}

TEST(Table, what_is_not_a_number_is_shown) {
  Table table("t", "", {{"x", "x"}});
  table.add({{"x", std::nan("")}});
  EXPECT_EQ(table.text(), "    x\n  nan\n");
}

}  // namespace
}  // namespace hodge::sim
