#include "sim/app/verify/csv_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using testing::HasSubstr;

struct CsvCheck : testing::Test {
  long rows(const std::string& text, RowOrder order) {
    test::write_text(folder / "a.csv", text);
    return check_csv(folder / "a.csv", order);
  }
  std::string complaint(const std::string& text, RowOrder order = RowOrder::every_step) {
    return test::message_of<IoError>([&] { rows(text, order); });
  }
  test::TemporaryDirectory folder;
};

TEST_F(CsvCheck, counts_the_rows_of_a_whole_file) {
  EXPECT_EQ(rows("step,t\n", RowOrder::every_step), 0);
  EXPECT_EQ(rows("step,t,dt\n0,0,\n1,0.5,1e-3\n2,nan,-inf\n", RowOrder::every_step), 3);
  EXPECT_EQ(rows("step,t\n5,1\n9,2\n", RowOrder::increasing_step), 2);
  EXPECT_EQ(rows("t,s\n0,0\n0,1\n0.5,0\n0.5,1\n", RowOrder::growing_time), 4);
  EXPECT_EQ(rows("step,why\n1,\"a, b\"\n1,x\n", RowOrder::growing_step), 2);
  EXPECT_EQ(rows("name,s\nwake,0\n", RowOrder::none), 1);
}

TEST_F(CsvCheck, names_the_first_line_that_is_wrong) {
  EXPECT_THAT(complaint(""), HasSubstr("line 1: there is no whole header"));
  EXPECT_THAT(complaint("step,t"), HasSubstr("line 1: there is no whole header"));
  EXPECT_THAT(complaint("step,t\n0,0\n1,0."), HasSubstr("line 3: it is cut off"));
  EXPECT_THAT(complaint("step,t\n0,0\n1\n"), HasSubstr("line 3: it has 1 cells, the header has 2"));
  EXPECT_THAT(complaint("step,t\n0,0\n2,1\n"), HasSubstr("line 3: 2 follows 0"));
  EXPECT_THAT(complaint("step,t\n0,0\n0,1\n", RowOrder::increasing_step), HasSubstr("0 follows 0"));
  EXPECT_THAT(complaint("t,s\n1,0\n0,1\n", RowOrder::growing_time), HasSubstr("0 follows 1"));
  EXPECT_THAT(complaint("step,t\n0,0.1x\n"), HasSubstr("line 2: \"0.1x\" is no number"));
  EXPECT_THAT(complaint(std::string("step,t\n0,0\n\0\0\0\0\n", 16)),
              HasSubstr("line 3: it has zero bytes"));
  EXPECT_THAT(complaint(std::string("\0\0\0\0,t\n0,0\n", 11)),
              HasSubstr("line 1: it does not name the columns"));
  EXPECT_THAT(complaint("0,0\n1,1\n"), HasSubstr("line 1: it does not name the columns"));
  EXPECT_THAT(complaint(std::string("name,\0\n", 8), RowOrder::none),
              HasSubstr("line 1: it does not name the columns"));
}

}  // namespace
}  // namespace hodge::sim
