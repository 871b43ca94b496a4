// Tables of CSV files in formulas: by hand values, and what is said of files that are none.
#include "sim/base/formulas/csv_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "linalg/base/errors.hpp"
#include "sim/base/blake2b.hpp"
#include "sim/base/formulas/expression.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

const std::string profile = "# height\n\"y\" , u,\"v, m/s\"\n\n0,1,10\n0.5,+3,20\r\n2,0,-4e1\n";

class CsvTableTest : public ::testing::Test {
 protected:
  Expression formula(const std::string& text) const {
    return Expression::parse(text, {.folder = folder_.path()});
  }
  void write(const std::string& text) const { test::write_text(folder_ / "a.csv", text); }
  std::string error_of(const std::string& content, const std::string& text) const {
    write(content);
    return test::message_of<ConfigError>([&] { (void)formula(text); });
  }

  test::TemporaryDirectory folder_;
};

TEST_F(CsvTableTest, is_linear_between_its_rows_and_constant_beyond) {
  write(profile);
  const Expression u = formula("table('a.csv', y)");
  EXPECT_EQ(u({0, 0, 0}, 0), 1);
  EXPECT_EQ(u({0, 0.25, 0}, 0), 2);
  EXPECT_EQ(u({0, 0.5, 0}, 0), 3);
  EXPECT_EQ(u({0, 1, 0}, 0), 2);
  EXPECT_EQ(u({0, 2, 0}, 0), 0);
  EXPECT_EQ(u({0, -1, 0}, 0), 1);
  EXPECT_EQ(u({0, 7, 0}, 0), 0);
  EXPECT_TRUE(std::isnan(u({0, std::numeric_limits<double>::quiet_NaN(), 0}, 0)));
}

TEST_F(CsvTableTest, is_linear_between_rows_that_are_as_far_apart_as_numbers_are) {
  write("-1e308,0,-1.5e308\n1e308,1,1.5e308\n");
  const Expression u = formula("table('a.csv', x)"), v = formula("table('a.csv', x, 3)");
  EXPECT_EQ(u({0, 0, 0}, 0), 0.5);
  EXPECT_EQ(u({-5e307, 0, 0}, 0), 0.25);
  EXPECT_EQ(v({0, 0, 0}, 0), 0);
  EXPECT_EQ(v({5e307, 0, 0}, 0), 7.5e307);
  EXPECT_EQ(v.derivative(0)({0, 0, 0}, 0), 1.5);
  EXPECT_EQ(u.derivative(0)({0, 0, 0}, 0), 0.5 / 1e308);
}

TEST_F(CsvTableTest, takes_the_column_by_its_name_or_its_number) {
  write(profile);
  for (const char* text : {"table('a.csv', x, 'v, m/s')", "table(\"a.csv\", x, 3)"})
    EXPECT_EQ(formula(text)({0.25, 0, 0}, 0), 15) << text;
  EXPECT_EQ(formula("2*table('a.csv', t, 'u') + table('a.csv', x, 3)")({2, 0, 0}, 0.5), -34);
}

TEST_F(CsvTableTest, is_a_number_where_its_argument_is_one) {
  write(profile);
  const Expression number = formula("table('a.csv', 1/4)");
  EXPECT_TRUE(number.is_constant());
  EXPECT_EQ(number({}, 0), 2);
}

TEST_F(CsvTableTest, has_its_slope_as_derivative) {
  write(profile);
  const Expression slope = formula("table('a.csv', 2*x)^2").derivative(0);
  EXPECT_EQ(slope({0.125, 0, 0}, 0), 2 * 2 * 4 * 2);
  EXPECT_EQ(slope({0.5, 0, 0}, 0), 2 * 2 * -2 * 2);
  EXPECT_EQ(slope({1, 0, 0}, 0), 0);
  EXPECT_EQ(slope({-1, 0, 0}, 0), 0);
}

TEST_F(CsvTableTest, may_stand_anywhere_in_a_long_formula) {
  write(profile);
  const Expression nested =
      formula("x > 1 ? table('a.csv', table('a.csv', y)) : min(table('a.csv', y, 3), t)");
  EXPECT_EQ(nested({2, 0.25, 0}, 0), 0);
  EXPECT_EQ(nested({0, 0.25, 0}, 1), 1);
  EXPECT_EQ(nested({0, 2, 0}, 1), -40);
  EXPECT_EQ(nested.derivative(1)({0, 1, 0}, 1e9), -40);
}

TEST_F(CsvTableTest, names_its_file_by_its_absolute_path) {
  write(profile);
  const Expression u = formula("0*x + table('a.csv', y) + table('./a.csv', y, 'u')");
  const std::string path = (folder_ / "a.csv").string();
  EXPECT_EQ(u.text(), "0*x + table(\"" + path + "\", y) + table(\"" + path + "\", y, 'u')");
  EXPECT_EQ(u.files(), (InputFiles{{path, blake2b(profile)}}));
  EXPECT_EQ(Expression::parse(u.text())({0, 0.25, 0}, 0), 4);
}

TEST_F(CsvTableTest, may_be_longer_than_the_longest_formula) {
  std::string rows;
  for (int i = 0; i < 10000; ++i) rows += std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  write(rows);
  const Expression long_one = formula("table('a.csv', x) + table('a.csv', y)");
  for (int i = 0; i < 10000; i += 13) ASSERT_EQ(long_one({1.0 * i, i + 0.0, 0}, 0), 2.0 * (i % 7));
}

TEST_F(CsvTableTest, has_no_locale_and_no_mark_of_utf8) {
  write("\xef\xbb\xbfx,f\n0,1.5\n1,2.5");
  EXPECT_EQ(formula("table('a.csv', x)")({0.5, 0, 0}, 0), 2);
}

TEST_F(CsvTableTest, says_where_a_file_is_wrong) {
  const std::string path = (folder_ / "a.csv").string();
  const struct {
    std::string content, text, message;
  } wrong[] = {
      {"", "table('a.csv', x)", ":0: the table ends after 0 rows, expected at least 2"},
      {"0,1\n", "table('a.csv', x)", ":1: the table ends after 1 rows, expected at least 2"},
      {"0 1\n", "table('a.csv', x)", ":1: '0 1' has one column, expected several with commas"},
      {"0,1\n1\n", "table('a.csv', x)", ":2: the row has 1 cells, expected 2 as in the first line"},
      {"0,1\n1,2,3\n", "table('a.csv', x)", ":2: the row has 3 cells, expected 2"},
      {"0,1\n\n1,2a\n", "table('a.csv', x)", ":3: '2a' is no finite number, expected one"},
      {"0,1a\n1,2\n", "table('a.csv', x)", ":1: '1a' is no finite number, expected one"},
      {"0,1\n1,\n", "table('a.csv', x)", ":2: '' is no finite number"},
      {"0,1\n1,inf\n", "table('a.csv', x)", ":2: 'inf' is no finite number"},
      {"0,1\n1,nan\n", "table('a.csv', x)", ":2: 'nan' is no finite number"},
      {"0,1\n1,1e999\n", "table('a.csv', x)", ":2: '1e999' is no finite number"},
      {"x,f\n0,1\n0,2\n", "table('a.csv', x)", ":3: the argument 0 follows 0, expected a larger"},
      {"x,f\n1,1\n0,2\n", "table('a.csv', x)", ":3: the argument 0 follows 1, expected a larger"},
      {"x,f\n0,1\n1,2\n", "table('a.csv', x, 'g')", ":1: there is no column 'g', known columns: f"},
      {"x,f,f\n0,1,2\n", "table('a.csv', x, 'f')", ":1: there are several columns 'f'"},
      {"0,1\n1,2\n", "table('a.csv', x, 'f')",
       ":1: the columns have no names, expected the number"},
      {"0,1\n1,2\n", "table('a.csv', x, 3)",
       ":1: there is no column 3 with values, expected 2 to 2"},
      {"0,1\n1,2\n", "table('a.csv', x, 1)", ":1: there is no column 1 with values"},
  };
  for (const auto& [content, text, message] : wrong) {
    const std::string error = error_of(content, text);
    EXPECT_NE(error.find(path + message), std::string::npos) << message << "\n gave " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST_F(CsvTableTest, refuses_what_is_no_file) {
  for (const char* text : {"table('', x)", "table('none.csv', x)", "table('/dev/zero', x)"})
    EXPECT_NE(error_of("0,1\n1,2\n", text).find("is no file, expected a table (CSV)"),
              std::string::npos)
        << text;
  EXPECT_NE(test::message_of<ConfigError>([] {
              (void)Expression::parse("table('', x)");
            }).find("is no file, expected a table (CSV)"),
            std::string::npos);
}

}  // namespace
}  // namespace hodge::sim
