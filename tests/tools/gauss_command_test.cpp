#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/run_hodge.hpp"
#include "tools/hodge/gauss/read_system.hpp"

namespace hodge::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

DenseSystem read(const std::string& text) {
  std::stringbuf in(text);
  return read_system(
      [&](char* to, std::size_t most) {
        return static_cast<std::size_t>(in.sgetn(to, static_cast<std::streamsize>(most)));
      },
      "a.txt");
}

std::string message_for(const std::string& text) {
  return test::message_of<ConfigError>([&] { read(text); });
}

TEST(ReadSystem, rows_become_columns_wherever_lines_end) {
  for (const char* text :
       {"2\n1 2\n3 4\n5 6\n", "2 1 2 3 4 5 6", "\n\t2\r\n1\r\n2 +3 4.0 5e0\v 0.6E+1"}) {
    const DenseSystem system = read(text);
    EXPECT_EQ(system.n, 2);
    EXPECT_THAT(system.matrix, ElementsAre(1, 3, 2, 4));
    EXPECT_THAT(system.right_side, ElementsAre(5, 6));
  }
}

TEST(ReadSystem, a_larger_matrix_is_transposed_entry_by_entry) {
  const int n = 71;
  std::ostringstream text;
  text << n << "\n";
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) text << 100 * i + j << " ";
    text << "\n";
  }
  for (int i = 0; i < n; ++i) text << -i << "\n";
  const DenseSystem system = read(text.str());
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) ASSERT_EQ(system.matrix[i + j * n], 100 * i + j);
    ASSERT_EQ(system.right_side[i], -i);
  }
}

TEST(ReadSystem, tiny_numbers_become_zero_and_huge_ones_are_refused) {
  EXPECT_THAT(read("1 1e-400 -1e308").matrix, ElementsAre(0));
  EXPECT_EQ(message_for("1\n1e400\n1"),
            "a.txt:2: '1e400' at row 1, column 1, expected a finite number");
}

TEST(ReadSystem, a_wrong_size_is_named) {
  const std::string expected = ", expected the number of unknowns, an integer >= 1";
  EXPECT_EQ(message_for(""), "a.txt:1: the text is empty" + expected);
  EXPECT_EQ(message_for("\n \n"), "a.txt:3: the text is empty" + expected);
  EXPECT_EQ(message_for("0"), "a.txt:1: '0'" + expected);
  EXPECT_EQ(message_for("\n-3 1"), "a.txt:2: '-3'" + expected);
  EXPECT_EQ(message_for("2.5"), "a.txt:1: '2.5'" + expected);
  EXPECT_EQ(message_for("two"), "a.txt:1: 'two'" + expected);
  EXPECT_THAT(message_for("99999999999 1"), HasSubstr("a.txt:1: 99999999999 unknowns are more"));
}

TEST(ReadSystem, words_that_are_no_numbers_are_named_with_their_place) {
  EXPECT_EQ(message_for("2\n1 2\n3 x\n5 6"),
            "a.txt:3: 'x' at row 2, column 2, expected a finite number");
  EXPECT_EQ(message_for("2\n1 2\n3 4\n5\n6,0"),
            "a.txt:5: '6,0' at right-hand side 2, expected a finite number");
  for (const char* word :
       {"nan", "-NaN", "inf", "1e", "--1", "+-1", "0x10", "1.2.3", "1d5d", "d5"}) {
    EXPECT_EQ(message_for(std::string("1\n") + word + "\n1"),
              std::string("a.txt:2: '") + word + "' at row 1, column 1, expected a finite number");
  }
}

TEST(ReadSystem, too_few_and_too_many_numbers_are_counted) {
  EXPECT_EQ(message_for("2\n1 2\n3 4\n5"),
            "a.txt:4: the text ends before right-hand side 2: 5 numbers follow the 2, expected "
            "2 x 2 coefficients and 2 right-hand sides, 6 numbers");
  EXPECT_THAT(message_for("1000000000\n1 2\n"), HasSubstr("ends before row 1, column 3"));
  EXPECT_EQ(message_for("1\n2\n3\n\n4\n"),
            "a.txt:5: '4' after the last right-hand side, expected the end: 1 unknowns have 1 x 1 "
            "coefficients and 1 right-hand sides");
}

class GaussCommand : public testing::Test {
 protected:
  test::ProgramResult gauss(const std::string& text, std::vector<std::string> options = {}) {
    std::ofstream(directory_.path() / "system.txt") << text;
    std::vector<std::string> arguments{"gauss", "system.txt", "--device", "cpu"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return test::run_hodge(arguments, directory_.path());
  }
  test::TemporaryDirectory directory_;
};

TEST_F(GaussCommand, reads_numbers_of_fortran_in_double_precision) {
  EXPECT_EQ(gauss("1\n2.D+00 1d1\n").out, "5.0000000000e+00\n");
}

TEST_F(GaussCommand, prints_a_value_a_line_with_ten_decimals) {
  const auto result = gauss("2\n0 2\n1 1\n6 -4\n");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "-7.0000000000e+00\n3.0000000000e+00\n");
  EXPECT_EQ(result.err, "");
}

TEST_F(GaussCommand, reads_the_standard_input_where_no_file_is_named) {
  const std::string out = directory_.path() / "out", err = directory_.path() / "err";
  const auto run = [&](const std::string& text) {
    const std::string command = "printf '" + text + "' | '" + tests::program_path().string() +
                                "' gauss --device cpu > '" + out + "' 2> '" + err + "'";
    return WEXITSTATUS(std::system(command.c_str()));
  };
  EXPECT_EQ(run("1\\n4\\n1\\n"), 0);
  EXPECT_EQ(test::read_text(out), "2.5000000000e-01\n");
  EXPECT_EQ(run("1\\nfour\\n1\\n"), 2);
  EXPECT_EQ(test::read_text(err),
            "<stdin>:2: 'four' at row 1, column 1, expected a finite number\n");
}

TEST_F(GaussCommand, wrong_input_is_one_line_and_exit_code_2) {
  const auto result = gauss("2\n1 2 3");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err,
              testing::StartsWith("system.txt:2: the text ends before row 2, column 2"));
  const auto missing = test::run_hodge({"gauss", "no_such.txt"}, directory_.path());
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_EQ(missing.err, "no_such.txt: cannot be read: No such file or directory\n");
  const auto folder = test::run_hodge({"gauss", "."}, directory_.path());
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_EQ(folder.err, ".: cannot be read: it is a directory, expected a text file\n");
}

// The squares of these numbers, and some of the numbers on the way, leave the range of double.
TEST_F(GaussCommand, tiny_and_huge_systems_are_solved_or_refused) {
  for (const char* scale : {"e-300", "e-200", "e-170", "", "e170", "e200", "e300"}) {
    const std::string s = scale;
    const auto result = gauss("2\n2" + s + " 1" + s + "\n1" + s + " 3" + s + "\n3" + s + " 4" + s);
    EXPECT_EQ(result.exit_code, 0) << s << result.err;
    EXPECT_EQ(result.out, "1.0000000000e+00\n1.0000000000e+00\n") << s;
  }
  const auto small = gauss("1\n4\n2e-310\n");
  EXPECT_EQ(small.exit_code, 0) << small.err;
  EXPECT_EQ(small.out.substr(0, 6), "5.0000");
  for (const char* text :
       {"1\n1e200\n1e-200\n", "1\n3\n5e-324\n", "2\n1e10 0\n0 1e10\n0 3e-311\n"}) {
    const auto result = gauss(text);
    EXPECT_EQ(result.exit_code, 3) << text << result.out;
    EXPECT_EQ(result.out, "") << text;
    EXPECT_THAT(result.err, HasSubstr("too large or too small")) << text;
  }
  const auto overflow = gauss("1\n1e-200\n1e200\n");
  EXPECT_EQ(overflow.exit_code, 3);
  EXPECT_THAT(overflow.err, HasSubstr("overflows"));
  // The elimination overflows unless it is scaled.
  const auto large = gauss("2\n1.5e308 -1.5e308\n1.5e308 1.5e308\n0 1.5e308\n");
  EXPECT_EQ(large.exit_code, 0) << large.err;
  EXPECT_EQ(large.out, "5.0000000000e-01\n5.0000000000e-01\n");
}

TEST_F(GaussCommand, a_singular_matrix_is_exit_code_3_with_the_column) {
  const auto result = gauss("3\n1 2 0\n2 4 0\n0 0 3\n1 1 1\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("the matrix is singular: no pivot is left in column 2"));
}

TEST_F(GaussCommand, a_nearly_singular_matrix_is_solved_with_a_warning) {
  std::ostringstream text;  // the Hilbert matrix of 14
  text.precision(17);
  text << "14\n";
  for (int i = 0; i < 14; ++i) {
    for (int j = 0; j < 14; ++j) text << 1.0 / (i + j + 1) << " ";
  }
  for (int i = 0; i < 14; ++i) text << " 1";
  const auto result = gauss(text.str());
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 14);
  EXPECT_THAT(result.err, HasSubstr("warning: the matrix is singular to working precision: "
                                    "condition number about "));
  EXPECT_THAT(result.err, HasSubstr("smallest pivot in column 14"));
}

TEST_F(GaussCommand, overflow_is_no_answer) {
  EXPECT_EQ(gauss("1\n1e-300\n1e300\n").exit_code, 3);
}

TEST_F(GaussCommand, products_that_overflow_are_scaled) {
  const auto result = gauss("2\n1e308 1e308\n-1e308 1e308\n1 1\n");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "0.0000000000e+00\n1.0000000000e-308\n");
}

}  // namespace
}  // namespace hodge::tools
