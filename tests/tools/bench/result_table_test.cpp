#include "tools/hodge/bench/result_table.hpp"

#include <gtest/gtest.h>

namespace hodge::tools::bench {
namespace {

ResultTable two_rows() {
  ResultTable table("name", "A title");
  table.add({key("device", "cpu"), timing("ms", "time, ms", 2.0, "{:.1f}")});
  table.add({key("device", "cuda"), cell("iterations", 7), timing("ms", "time, ms", 1.0, "{:.1f}"),
             cell("reason", Json()), json_only("steps", 3)});
  return table;
}

TEST(ResultTable, a_column_stands_where_its_first_row_has_it) {
  EXPECT_EQ(two_rows().formatted().csv(), "device,iterations,ms,reason\ncpu,,2,\ncuda,7,1,\n");
}

TEST(ResultTable, the_json_names_keys_and_times_and_leaves_null_out) {
  const Json json = two_rows().json();
  EXPECT_EQ(json.at("keys"), Json({"device"}));
  EXPECT_EQ(json.at("times"), Json({"ms"}));
  EXPECT_EQ(json.at("columns").size(), 4u);
  EXPECT_EQ(json.at("rows")[1].dump(), R"({"device":"cuda","iterations":7,"ms":1.0,"steps":3})");
}

}  // namespace
}  // namespace hodge::tools::bench
