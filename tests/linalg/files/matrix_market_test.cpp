// Over 400 lines: a row for each way in which a file may be wrong, with the line that names it.
#include "linalg/files/matrix_market.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <tuple>

#include "linalg/matrices/convert.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_sparse.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::linalg {
namespace {

using test::message_of;
using test::read_text;
using test::TemporaryDirectory;
using test::write_text;
using Doubles = std::vector<double>;
using Ints = std::vector<int>;

const std::string banner = "%%MatrixMarket matrix ";

MatrixMarketData read(const std::string& text) {
  const TemporaryDirectory directory;
  write_text(directory / "a.mtx", text);
  return read_matrix_market(directory / "a.mtx");
}

void expect_entries(const CooMatrix<Host>& a, const Ints& rows, const Ints& columns,
                    const Doubles& values) {
  EXPECT_EQ(a.row_indices().to_host(), rows);
  EXPECT_EQ(a.columns().to_host(), columns);
  EXPECT_EQ(a.values().to_host(), values);
}

TEST(MatrixMarket, reads_coordinates_in_the_order_of_the_file) {
  const auto data =
      read(banner + "coordinate real general\n2 3 4\n2 3 -1.5e-3\n1 1 2\n2 1 .5\n1 1 +3.\n");
  EXPECT_EQ(data.header.format, MatrixMarketFormat::coordinate);
  EXPECT_EQ(data.header.field, MatrixMarketField::real);
  EXPECT_EQ(data.header.symmetry, MatrixMarketSymmetry::general);
  EXPECT_EQ(std::tuple(data.header.rows, data.header.cols, data.header.stored),
            std::tuple(2, 3, 4));
  EXPECT_EQ(std::tuple(data.matrix.rows(), data.matrix.cols()), std::tuple(2, 3));
  expect_entries(data.matrix, {1, 0, 1, 0}, {2, 0, 0, 0}, {-1.5e-3, 2, 0.5, 3});
  EXPECT_EQ(data.matrix.symmetry(), Symmetry::unknown);
}

TEST(MatrixMarket, completes_a_symmetric_matrix) {
  const auto data = read(banner + "coordinate real symmetric\n3 3 3\n1 1 4\n3 1 -1\n3 3 0\n");
  expect_entries(data.matrix, {0, 2, 0, 2}, {0, 0, 2, 2}, {4, -1, -1, 0});
  EXPECT_EQ(data.matrix.symmetry(), Symmetry::symmetric);
  EXPECT_EQ(data.header.stored, 3);
}

TEST(MatrixMarket, completes_a_skew_symmetric_matrix) {
  const auto data = read(banner + "coordinate integer skew-symmetric\n3 3 2\n2 1 5\n3 2 -7\n");
  expect_entries(data.matrix, {1, 0, 2, 1}, {0, 1, 1, 2}, {5, -5, -7, 7});
  EXPECT_EQ(data.header.field, MatrixMarketField::integer);
}

TEST(MatrixMarket, gives_the_places_of_a_pattern_the_value_1) {
  const auto data = read(banner + "coordinate pattern general\n2 2 2\n1 2\n2 1\n");
  expect_entries(data.matrix, {0, 1}, {1, 0}, {1, 1});
}

TEST(MatrixMarket, reads_arrays_by_columns_and_leaves_their_zeros_out) {
  expect_entries(read(banner + "array real general\n2 3\n1\n2\n0\n4\n5\n6\n").matrix,
                 {0, 1, 1, 0, 1}, {0, 0, 1, 2, 2}, {1, 2, 4, 5, 6});
  expect_entries(read(banner + "array real symmetric\n2 2\n1\n2\n3\n").matrix, {0, 1, 0, 1},
                 {0, 0, 1, 1}, {1, 2, 2, 3});
  const auto skew = read(banner + "array integer skew-symmetric\n3 3\n1\n2\n3\n");
  expect_entries(skew.matrix, {1, 0, 2, 0, 2, 1}, {0, 1, 0, 2, 1, 2}, {1, -1, 2, -2, 3, -3});
  EXPECT_EQ(skew.header.stored, 3);
}

TEST(MatrixMarket, allows_comments_blank_lines_tabs_crlf_and_any_case) {
  const auto data = read(
      "%%MATRIXMARKET Matrix Coordinate REAL General\r\n% a comment\r\n\r\n%%another\r\n"
      "  2\t2 2 \r\n\r\n1 1 1\r\n% in between\r\n \t2   2 2 \r\n\r\n  ");
  expect_entries(data.matrix, {0, 1}, {0, 1}, {1, 2});
}

TEST(MatrixMarket, reads_empty_matrices) {
  for (const char* size : {"0 0", "0 3", "3 0", "2 2"}) {
    const auto data = read(banner + "coordinate real general\n" + size + " 0\n");
    EXPECT_EQ(data.matrix.nonzeros(), 0) << size;
    EXPECT_EQ(to_csr(data.matrix)->rows(), data.header.rows) << size;
  }
  EXPECT_EQ(read(banner + "array real general\n0 7\n").matrix.cols(), 7);
}

TEST(MatrixMarket, keeps_small_numbers_and_takes_smaller_ones_for_zero) {
  const auto data =
      read(banner + "coordinate real general\n1 1 3\n1 1 4.9e-324\n1 1 1e-400\n1 1 -1e-4000");
  expect_entries(data.matrix, {0, 0, 0}, {0, 0, 0}, {4.9e-324, 0, 0});
}

// As SciPy reads them.
TEST(MatrixMarket, reads_harmless_habits_of_other_programs) {
  const auto skew =
      read(banner + "coordinate real skew-symmetric\n2 2 3\n1 1 0\n2 1 5\n2 2 -0.0\n");
  expect_entries(skew.matrix, {0, 1, 0, 1}, {0, 0, 1, 1}, {0, 5, -5, 0});
  for (const std::string field : {"integer", "real"}) {
    const auto symmetric =
        read(banner + "coordinate " + field + " Hermitian\n2 2 2\n1 1 3\n2 1 4\n");
    expect_entries(symmetric.matrix, {0, 1, 0}, {0, 0, 1}, {3, 4, 4});
    EXPECT_EQ(symmetric.matrix.symmetry(), Symmetry::symmetric);
  }
  const auto fortran =
      read(banner + "array real general\n5 1\n1d0\n-1.5D+03\n+.25d-1\n2.D2\n1D-400\n");
  expect_entries(fortran.matrix, {0, 1, 2, 3}, {0, 0, 0, 0}, {1, -1500, 0.025, 200});
}

TEST(MatrixMarket, says_file_line_and_what_was_expected) {
  const std::string general = banner + "coordinate real general\n", sizes = general + "2 3 2\n";
  const std::string symmetric = banner + "coordinate real symmetric\n";
  const std::string integers = banner + "coordinate integer general\n1 1 1\n1 1 ";
  const std::string kinds =
      "'%%MatrixMarket matrix <coordinate|array> <real|integer|pattern> "
      "<general|symmetric|skew-symmetric|hermitian>'";
  const std::string three = "three whole numbers: rows, columns and entries";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "1: the file is empty, expected the banner " + kinds},
      {"2 2 1\n1 1 1\n", "1: '2 2 1', expected the banner " + kinds},
      {std::string("\x7f"
                   "ELF\0\1",
                   6),
       "1: '?ELF?\?', expected the banner " + kinds},
      {"%%MatrixMarket vector array real general\n", "1: object 'vector', expected matrix"},
      {"%%MatrixMarket\n", "1: object '', expected matrix"},
      {banner + "coo real general\n", "1: format 'coo', expected coordinate or array"},
      {banner + "coordinate\n", "1: the banner names no field, expected real, integer or pattern"},
      {banner + "coordinate Complex general\n",
       "1: field 'complex' is not supported, matrices have real entries here; expected real, "
       "integer or pattern"},
      {banner + "coordinate real upper\n",
       "1: symmetry 'upper', expected general, symmetric, skew-symmetric or hermitian"},
      {banner + "coordinate real general x\n",
       "1: 'x' behind the symmetry, expected the end of the banner"},
      {banner + "array pattern general\n",
       "1: an array of field pattern has no values, expected real or integer"},
      {banner + "coordinate pattern skew-symmetric\n",
       "1: a pattern cannot be skew-symmetric, expected general or symmetric"},
      {general + "% only comments\n", "2: the file ends, expected " + three},
      {general + "2 3\n", "2: the number of entries is missing, expected " + three},
      {general + "2 3 4 5\n", "2: '5' behind the sizes, expected " + three},
      {general + "2 b 4\n", "2: 'b' as the number of columns, expected " + three},
      {general + "-2 3 4\n", "2: '-2' as the number of rows, expected " + three},
      {general + "2.0 3 4\n", "2: '2.0' as the number of rows, expected " + three},
      {general + "2147483647 1 1\n",
       "2: 2147483647 rows, expected at most 2147483646: indices are 32-bit"},
      {general + "1 1 99999999999999999999\n",
       "2: 99999999999999999999 entries, expected at most 2147483646: indices are 32-bit"},
      {general + "0 5 1\n1 1 1\n", "2: 1 entries in a matrix of 0 x 5, expected 0"},
      {banner + "array real general\n100000 100000\n",
       "2: an array of 100000 x 100000, expected at most 2147483646 values: indices are 32-bit"},
      {symmetric + "2 3 1\n1 1 1\n",
       "2: a matrix of 2 x 3 cannot be symmetric, expected as many columns as rows"},
      {sizes + "1 1 1\n3 1 1\n", "4: row '3', expected a whole number from 1 to 2"},
      {sizes + "1 0 1\n", "3: column '0', expected a whole number from 1 to 3"},
      {sizes + "1 4294967297 1\n", "3: column '4294967297', expected a whole number from 1 to 3"},
      {sizes + "1.5 1 1\n", "3: row '1.5', expected a whole number from 1 to 2"},
      {sizes + "1\n", "3: the column is missing, expected a whole number from 1 to 3"},
      {sizes + "1 1\n", "3: the value is missing, expected a number"},
      {sizes + "1 1 x\n", "3: value 'x', expected a number"},
      {sizes + "1 1 1,5\n", "3: value '1,5', expected a number"},
      {sizes + "1 1 1.0D+3d\n", "3: value '1.0D+3d', expected a number"},
      {sizes + "1 1 d3\n", "3: value 'd3', expected a number"},
      {sizes + "1 1 1d999\n", "3: value '1d999' is too large, expected a number up to 1.8e308"},
      {sizes + "1 1 +-1\n", "3: value '+-1', expected a number"},
      {sizes + "1 1 nan\n", "3: value 'nan', expected a finite number"},
      {sizes + "1 1 -inf\n", "3: value '-inf', expected a finite number"},
      {sizes + "1 1 1e999\n", "3: value '1e999' is too large, expected a number up to 1.8e308"},
      {sizes + "1 1 1e99999\n", "3: value '1e99999' is too large, expected a number up to 1.8e308"},
      {sizes + "1 1 1 2\n", "3: '2' behind the entry, expected the end of the line"},
      {sizes + "1 1 " + std::string(60, 'y') + "\n",
       "3: value '" + std::string(40, 'y') + "...', expected a number"},
      {sizes + "% comment\n1 1 1\n",
       "4: the file ends after 1 entries, expected 2 entries as line 2 says"},
      {sizes + "1 1 1\n2 2 2\n\n1 2 3\n",
       "6: the file goes on after 2 entries as line 2 says, expected the end of the file"},
      {symmetric + "2 2 2\n1 1 1\n1 2 1\n",
       "4: entry (1, 2) lies above the diagonal, expected the lower triangle of a symmetric "
       "matrix"},
      {banner + "coordinate real skew-symmetric\n2 2 1\n1 1 1\n",
       "3: entry (1, 1) of a skew-symmetric matrix is not 0, expected zeros on its diagonal"},
      {banner + "coordinate real skew-symmetric\n2 2 1\n1 2 1\n",
       "3: entry (1, 2) lies above the diagonal, expected the lower triangle of a skew-symmetric "
       "matrix"},
      {banner + "array real skew-symmetric\n3 3\n1\n2\n",
       "4: the file ends after 2 entries, expected 3 entries below the diagonal of the 3 x 3 in "
       "line 2"},
      {banner + "array real skew-symmetric\n3 3\n0\n1\n2\n0\n3\n0\n",
       "6: the file goes on after 3 entries below the diagonal of the 3 x 3 in line 2, expected "
       "the end of the file"},
      {banner + "array real symmetric\n2 2\n1\n2\n",
       "4: the file ends after 2 entries, expected 3 entries on and below the diagonal of the 2 x "
       "2 in line 2"},
      {integers + "1.5\n",
       "3: value '1.5', expected a whole number of at most 2^53, as the banner says integer"},
      {integers + "9007199254740993\n",
       "3: value '9007199254740993', expected a whole number of at most 2^53, as the banner says "
       "integer"},
      {banner + "array real general\n2 2\n1\n2\n3\n",
       "5: the file ends after 3 entries, expected 4 entries of the 2 x 2 in line 2"},
      {banner + "array real general\n1 2\n1 2\n",
       "3: '2' behind the entry, expected the end of the line"},
  };
  const TemporaryDirectory directory;
  const auto path = directory / "a.mtx";
  for (const auto& [text, expected] : cases) {
    write_text(path, text);
    EXPECT_EQ(message_of<ConfigError>([&] { read_matrix_market(path); }),
              path.string() + ":" + expected);
  }
}

TEST(MatrixMarket, does_not_take_memory_for_entries_that_are_not_there) {
  const std::string text =
      banner + "coordinate real general\n2000000000 2000000000 2000000000\n1 1 1\n";
  const std::string message = message_of<ConfigError>([&] { read(text); });
  EXPECT_NE(message.find("ends after 1 entries, expected 2000000000"), std::string::npos)
      << message;
}

TEST(MatrixMarket, does_not_take_memory_for_rows_that_hold_nothing) {
  const std::string rows = banner + "coordinate real general\n2000000000 2000000000 1\n1 1 1\n";
  EXPECT_THAT(message_of<ConfigError>([&] { read(rows); }),
              testing::HasSubstr("a.mtx:2: a matrix of 2000000000 x 2000000000 with 1 entries, "
                                 "expected at most 1000016 rows and columns"));
  EXPECT_THAT(message_of<ConfigError>([&] { read(banner + "array real general\n2000000000 0\n"); }),
              testing::HasSubstr("expected at most 1000000 rows"));
  EXPECT_EQ(read(banner + "coordinate real general\n1000016 3 1\n1 1 1\n").matrix.rows(), 1000016);
}

#if HODGE_HAS_ZLIB

TEST(MatrixMarket, unpacks_no_more_than_it_reads) {
  const TemporaryDirectory directory;
  const std::string file = (directory / "a.mtx.gz").string();
  const std::string command = "(echo '" + banner +
                              "coordinate real general'; echo '2 2 1'; head -c 400000000 "
                              "/dev/zero) | gzip -1 > '" +
                              file + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto peak = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;  // kB
  };
  const long before = peak();
  EXPECT_EQ(message_of<ConfigError>([&] { read_matrix_market(file); }),
            file + ":3: the line has more than 1 MiB, expected a text file");
  EXPECT_LT(peak() - before, 50000);
}

#endif

TEST(MatrixMarket, names_files_that_cannot_be_read) {
  EXPECT_EQ(message_of<IoError>([] { read_matrix_market("/no/such/a.mtx"); }),
            "cannot open /no/such/a.mtx: No such file or directory");
  const TemporaryDirectory directory;
  EXPECT_EQ(message_of<IoError>([&] { read_matrix_market(directory.path()); }),
            "cannot read " + directory.path().string() + ": Is a directory");
}

TEST(MatrixMarket, reads_vectors_of_both_formats) {
  const TemporaryDirectory directory;
  const auto path = directory / "b.mtx";
  write_text(path, banner + "array real general\n3 1\n1\n0\n-2.5\n");
  EXPECT_EQ(read_vector(path), (Doubles{1, 0, -2.5}));
  write_text(path, banner + "coordinate integer general\n4 1 3\n3 1 7\n1 1 2\n3 1 1\n");
  EXPECT_EQ(read_vector(path), (Doubles{2, 0, 8, 0}));
  write_text(path, banner + "array real general\n%\n1 2\n1\n2\n");
  EXPECT_EQ(message_of<ConfigError>([&] { read_vector(path); }),
            path.string() + ":3: a matrix of 1 x 2, expected a vector: one column");
}

void expect_same(const CsrMatrix<Host>& a, const CsrMatrix<Host>& b) {
  EXPECT_EQ(a.cols(), b.cols());
  EXPECT_EQ(a.pattern().row_offsets().to_host(), b.pattern().row_offsets().to_host());
  EXPECT_EQ(a.pattern().columns().to_host(), b.pattern().columns().to_host());
  ASSERT_EQ(a.values().size(), b.values().size());
  // Compares bytes, so that 0 and -0 differ.
  EXPECT_TRUE(a.values().size() == 0 ||
              std::memcmp(a.values().data(), b.values().data(), a.values().bytes()) == 0);
}

void expect_round_trip(const CsrMatrix<Host>& a, MatrixMarketSymmetry symmetry) {
  const TemporaryDirectory directory;
  write_matrix_market(directory / "a.mtx", a, symmetry);
  const auto data = read_matrix_market(directory / "a.mtx");
  EXPECT_EQ(data.header.symmetry, symmetry);
  expect_same(*to_csr(data.matrix), a);
}

TEST(MatrixMarket, writes_what_it_reads) {
  for (const auto& [rows, cols] : tests::test_shapes()) {
    expect_round_trip(*tests::random_sparse(rows, cols, 4).in<Host>(),
                      MatrixMarketSymmetry::general);
  }
  using Limits = std::numeric_limits<double>;
  const auto extremes =
      tests::from_dense({{1e-310, 0.1, 1.0 / 3}, {Limits::max(), Limits::min(), 1e22}});
  expect_round_trip(*extremes.in<Host>(), MatrixMarketSymmetry::general);
  auto zeros = tests::from_dense({{1, 1}}).in<Host>();
  zeros->values().upload(Doubles{0.0, -0.0});
  expect_round_trip(*zeros, MatrixMarketSymmetry::general);
}

TEST(MatrixMarket, writes_the_lower_triangle_of_a_symmetric_matrix) {
  const TemporaryDirectory directory;
  const auto a = tests::from_dense({{4, -1, 0}, {-1, 0, 0.25}, {0, 0.25, 0}}).in<Host>();
  write_matrix_market(directory / "a.mtx", *a, MatrixMarketSymmetry::symmetric);
  EXPECT_EQ(read_text(directory / "a.mtx"),
            banner + "coordinate real symmetric\n3 3 3\n1 1 4\n2 1 -1\n3 2 0.25\n");
  expect_round_trip(*a, MatrixMarketSymmetry::symmetric);
  expect_round_trip(*tests::from_dense({{0, 2}, {-2, 0}}).in<Host>(), MatrixMarketSymmetry::skew);
}

TEST(MatrixMarket, does_not_write_half_of_a_matrix_that_is_not_symmetric) {
  const TemporaryDirectory directory;
  const auto path = directory / "a.mtx";
  const auto write = [&path](const std::vector<std::vector<double>>& a,
                             MatrixMarketSymmetry symmetry) {
    const auto matrix = tests::from_dense(a).in<Host>();
    return message_of<ShapeError>([&] { write_matrix_market(path, *matrix, symmetry); });
  };
  using enum MatrixMarketSymmetry;
  const std::string cannot = "cannot write " + path.string() + " as ";
  EXPECT_EQ(write({{1, 2}, {std::nextafter(2.0, 3.0), 1}}, symmetric),
            cannot + "symmetric: row and column 1 do not mirror each other; write it as general");
  EXPECT_EQ(
      write({{1, 2}, {-2, 0}}, skew),
      cannot + "skew-symmetric: row and column 1 do not mirror each other; write it as general");
  EXPECT_EQ(write({{1, 2, 3}}, symmetric),
            cannot + "symmetric: the matrix is 1 x 3; write it as general");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(MatrixMarket, does_not_write_what_is_not_finite) {
  const TemporaryDirectory directory;
  const auto path = directory / "a.mtx";
  const auto a = tests::from_dense({{1, std::nan("")}}).in<Host>();
  EXPECT_EQ(message_of<NumericalError>([&] { write_matrix_market(path, *a); }),
            "cannot write " + path.string() + ": non-zero 2 is nan, expected finite numbers");
  EXPECT_THROW(write_vector(path, Doubles{1, INFINITY}), NumericalError);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(MatrixMarket, writes_vectors) {
  const TemporaryDirectory directory;
  write_vector(directory / "x.mtx", Doubles{1, -0.1, 1e-300});
  EXPECT_EQ(read_text(directory / "x.mtx"), banner + "array real general\n3 1\n1\n-0.1\n1e-300\n");
  for (const int n : {0, 1, 1000, 200000}) {
    const Doubles x = tests::random_values(n, 7);
    write_vector(directory / "x.mtx", x);
    EXPECT_EQ(read_vector(directory / "x.mtx"), x);
  }
}

TEST(MatrixMarket, knows_exact_symmetry) {
  using enum MatrixMarketSymmetry;
  const auto kind = [](const std::vector<std::vector<double>>& a) {
    return exact_symmetry(*tests::from_dense(a).in<Host>());
  };
  EXPECT_EQ(kind({{1, 2}, {2, 0}}), symmetric);
  EXPECT_EQ(kind({{0, 2}, {-2, 0}}), skew);
  EXPECT_EQ(kind({{1, 2}, {-2, 0}}), general);
  EXPECT_EQ(kind({{0, 2}, {0, 0}}), general);
  EXPECT_EQ(kind({{1, 2}}), general);
}

struct RealMatrix {
  const char* name;
  int rows, stored, nonzeros;
  MatrixMarketSymmetry symmetry;
};

TEST(MatrixMarket, reads_and_writes_matrices_of_real_problems) {
  using enum MatrixMarketSymmetry;
  for (const RealMatrix& m :
       {RealMatrix{"bcsstk01", 48, 224, 400, symmetric},
        RealMatrix{"nos4", 100, 347, 594, symmetric}, RealMatrix{"west0067", 67, 294, 294, general},
        RealMatrix{"pores_1", 30, 180, 180, general},
        RealMatrix{"gre_343", 343, 1435, 1435, general},
        RealMatrix{"tumorAntiAngiogenesis_2", 305, 1441, 2699, symmetric}}) {
    SCOPED_TRACE(m.name);
    const auto data = read_matrix_market(tests::source_dir() / "tests/data/matrices" /
                                         (std::string(m.name) + ".mtx"));
    EXPECT_EQ(data.header.symmetry, m.symmetry);
    EXPECT_EQ(data.header.stored, m.stored);
    const auto a = to_csr(data.matrix);
    EXPECT_EQ(std::tuple(a->rows(), a->cols()), std::tuple(m.rows, m.rows));
    EXPECT_EQ(a->pattern().nonzeros(), m.nonzeros);
    EXPECT_EQ(exact_symmetry(*a), m.symmetry);
    expect_round_trip(*a, m.symmetry);
    expect_round_trip(*a, general);
  }
}

}  // namespace
}  // namespace hodge::linalg
