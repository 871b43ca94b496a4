#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/matrix_files.hpp"
#include "tests/support/run_hodge.hpp"

namespace hodge::tools {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

class MatrixCommand : public testing::Test {
 protected:
  void write(const std::string& name, const tests::HostMatrix& a) {
    test::write_text(folder / name, tests::matrix_market_text(a));
  }
  test::ProgramResult matrix(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "matrix");
    return test::run_hodge(arguments, folder.path());
  }

  test::TemporaryDirectory folder;
};

TEST_F(MatrixCommand, info_by_hand) {
  test::write_text(folder / "a.mtx",
                   "%%MatrixMarket matrix coordinate real general\n3 3 6\n"
                   "1 1 4\n1 3 -1\n2 2 0\n2 1 2\n3 1 -1\n3 3 -3\n");
  const auto result = matrix({"info", "a.mtx"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("3 rows, 3 columns\n"));
  EXPECT_THAT(result.out, HasSubstr("6 entries stored, coordinate real general\n"));
  EXPECT_THAT(result.out, HasSubstr("6, of them 1 explicit zeros\n"));
  EXPECT_THAT(result.out, HasSubstr("pattern 66.7 % symmetric (1 of 3 off-diagonal entries have no "
                                    "mirror), values not symmetric: max |a_ij - a_ji| / max "
                                    "|a_ij| = 5.00e-01\n"));
  EXPECT_THAT(result.out, HasSubstr("1 positive, 1 negative, 1 zero, 0 missing\n"));
  EXPECT_THAT(result.out, HasSubstr("66.7 % of the rows diagonally dominant, least |a_ii| / sum of "
                                    "the others 0\n"));
  EXPECT_THAT(result.out, HasSubstr("2 below the diagonal, 2 above\n"));
  EXPECT_THAT(result.out, HasSubstr("least 2, mean 2, most 2, standard deviation 0, 0 empty\n"));
  EXPECT_THAT(result.out, HasSubstr("1: 7, infinity: 5, Frobenius: 5.56776, largest: 4\n"));
  EXPECT_THAT(result.out, ContainsRegex("SpMV kernel +[a-z]"));
  EXPECT_THAT(result.out, HasSubstr("gmres without preconditioner"));
}

TEST_F(MatrixCommand, info_hints_at_the_solver_that_applies) {
  write("spd.mtx", tests::poisson({6, 6, 1}));
  EXPECT_THAT(matrix({"info", "spd.mtx"}).out, HasSubstr("by diagonal dominance: cg"));
  write("neumann.mtx", tests::poisson({6, 6, 1}, true));
  EXPECT_THAT(matrix({"info", "neumann.mtx"}).out, HasSubstr("--null-space constant"));
  write("convection.mtx", tests::convection_diffusion({6, 6, 1}, 3));
  EXPECT_THAT(matrix({"info", "convection.mtx"}).out, HasSubstr("bicgstab"));
  write("indefinite.mtx", tests::from_dense({{1, 2}, {2, -1}}));
  EXPECT_THAT(matrix({"info", "indefinite.mtx"}).out, HasSubstr("indefinite: gmres"));
  write("wide.mtx", tests::from_dense({{1, 2, 0}}));
  const auto wide = matrix({"info", "wide.mtx"});
  EXPECT_EQ(wide.exit_code, 0);
  EXPECT_THAT(wide.out, HasSubstr("none: the matrix is not square"));
}

TEST_F(MatrixCommand, info_says_how_far_a_matrix_is_from_an_m_matrix) {
  write("grid.mtx", tests::poisson({6, 6, 1}));
  const auto grid = matrix({"info", "grid.mtx"});
  EXPECT_THAT(grid.out, HasSubstr("0.0 % of the off-diagonal entries have the sign of the "
                                  "diagonal, as in an M-matrix\n"));
  EXPECT_THAT(grid.out, Not(HasSubstr("not recommended")));
  write("plate.mtx", tests::from_dense({{9, 1, -1, 1}, {1, 9, 0, 0}, {-1, 0, 9, 1}, {1, 0, 1, 9}}));
  const auto plate = matrix({"info", "plate.mtx"});
  EXPECT_THAT(plate.out, HasSubstr("75.0 % of the off-diagonal entries have the sign"));
  EXPECT_THAT(plate.out, HasSubstr("ssor_sai with a fixed omega is not recommended"));
}

TEST_F(MatrixCommand, a_symmetric_file_is_expanded) {
  test::write_text(folder / "s.mtx",
                   "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 3\n2 1 1\n");
  const auto result = matrix({"info", "s.mtx"});
  EXPECT_THAT(result.out, HasSubstr("2 entries stored, coordinate integer symmetric\n"));
  EXPECT_THAT(result.out, HasSubstr("3, of them 0 explicit zeros\n"));
  EXPECT_THAT(result.out, HasSubstr("pattern symmetric, values symmetric\n"));
  EXPECT_THAT(result.out, HasSubstr("1 positive, 0 negative, 0 zero, 1 missing\n"));
}

TEST_F(MatrixCommand, transpose_writes_rows_as_columns) {
  write("wide.mtx", tests::from_dense({{1, 2, 0}, {0, 0, 5}}));
  const auto result = matrix({"transpose", "wide.mtx", "--output", "t.mtx"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "t.mtx: 3 x 2, 3 non-zeros\n");
  ASSERT_EQ(matrix({"convert", "t.mtx", "--to", "array", "--output", "d.mtx"}).exit_code, 0);
  EXPECT_EQ(tests::read_array(folder / "d.mtx"), (std::vector<double>{1, 2, 0, 0, 0, 5}));
}

TEST_F(MatrixCommand, convert_goes_from_general_to_symmetric_and_back) {
  write("spd.mtx", tests::poisson({4, 3, 1}));
  ASSERT_EQ(matrix({"convert", "spd.mtx", "--to", "symmetric", "--output", "s.mtx"}).exit_code, 0);
  EXPECT_EQ(test::lines_of(folder / "s.mtx")[0], "%%MatrixMarket matrix coordinate real symmetric");
  ASSERT_EQ(matrix({"convert", "s.mtx", "--to", "array", "--output", "d1.mtx"}).exit_code, 0);
  ASSERT_EQ(matrix({"convert", "spd.mtx", "--to", "array", "--output", "d2.mtx"}).exit_code, 0);
  EXPECT_EQ(tests::read_array(folder / "d1.mtx"), tests::read_array(folder / "d2.mtx"));
  ASSERT_EQ(matrix({"convert", "d1.mtx", "--output", "g.mtx"}).exit_code, 0);
  EXPECT_THAT(matrix({"info", "g.mtx"}).out, HasSubstr("46, of them 0 explicit zeros"));
}

TEST_F(MatrixCommand, convert_refuses_a_symmetry_that_is_not_there) {
  write("a.mtx", tests::from_dense({{1, 2}, {3, 4}}));
  for (const std::string form : {"symmetric", "skew"}) {
    const auto result = matrix({"convert", "a.mtx", "--to", form, "--output", "b.mtx"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.err, "a.mtx: the matrix is not " + form +
                              (form == "skew" ? "-symmetric" : "") +
                              " to the last bit, expected --to general\n");
    EXPECT_FALSE(std::filesystem::exists(folder / "b.mtx"));
  }
}

TEST_F(MatrixCommand, spy_draws_the_pattern_in_the_terminal) {
  write("a.mtx", tests::from_dense({{1, 0, 0}, {0, 1, 0}, {1, 0, 1}}));
  EXPECT_EQ(matrix({"spy", "a.mtx"}).out, "+------+\n|@@    |\n|  @@  |\n|@@  @@|\n+------+\n");
}

TEST_F(MatrixCommand, spy_writes_a_png_of_the_size_asked_for) {
  write("wide.mtx", tests::poisson({20, 20, 1}));
  const auto result = matrix({"spy", "wide.mtx", "--output", "spy.png", "--size", "100"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, testing::EndsWith("spy.png\n"));
  const std::string png = test::read_text(folder / "spy.png");
  ASSERT_GT(png.size(), 100u);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const auto word = [&png](std::size_t at) {  // big endian
    int value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      value = 256 * value + static_cast<unsigned char>(png[at + i]);
    return value;
  };
  EXPECT_EQ(word(16), 100);
  EXPECT_EQ(word(20), 100);
}

TEST_F(MatrixCommand, wrong_input_is_one_line) {
  write("a.mtx", tests::from_dense({{1, 2}, {3, 4}}));
  const auto expect_wrong = [&](const std::vector<std::string>& arguments,
                                const std::string& text) {
    const auto result = matrix(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_THAT(result.err, HasSubstr(text));
  };
  expect_wrong({"info", "missing.mtx"}, "missing.mtx: cannot be read: No such file or directory");
  expect_wrong({"info", "."},
               ".: cannot be read: it is a directory, expected a Matrix Market file");
  expect_wrong({"transpose", "a.mtx", "--output", "a.mtx"}, "a.mtx: is an input");
  expect_wrong({"transpose", "a.mtx"}, "--output is required");
  expect_wrong({"convert", "a.mtx", "--output", "b.mtx", "--to", "symetric"},
               "unknown form 'symetric', did you mean 'symmetric'?");
  expect_wrong({"spy", "a.mtx", "--size", "1"}, "--size");
  expect_wrong({}, "hodge matrix: no command given, known commands: info, transpose, ");
  expect_wrong({"inof", "a.mtx"}, "hodge matrix: unknown command 'inof', did you mean 'info'?");
  expect_wrong(
      {"convert", "a.mtx", "--output", "b.mtx", "--too", "array"},
      "hodge matrix convert: unexpected '--too', did you mean '--to'? 'hodge matrix convert "
      "--help' shows the usage");
  expect_wrong({"info"}, "hodge matrix info: FILE is required; ");
}

}  // namespace
}  // namespace hodge::tools
