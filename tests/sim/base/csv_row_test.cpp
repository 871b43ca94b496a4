#include "sim/base/csv_row.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "linalg/base/errors.hpp"
#include "sim/base/row_file.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

TEST(CsvRow, has_names_and_values_in_the_same_order) {
  const CsvRow row{{"step", 3}, {"t", 1.0 / 3}, {"name", "u"}, {"seconds", 0.25}};
  EXPECT_EQ(csv_header(row), "step,t,name,seconds\n");
  EXPECT_EQ(csv_line(row), "3,0.3333333333333333,u,0.25\n");
}

TEST(CsvRow, takes_a_format) {
  EXPECT_EQ(csv_line({{"a", 1.0 / 3, "{:.3g}"}, {"b", std::optional(1e-13 / 3), "{:.2g}"}}),
            "0.333,3.3e-14\n");
}

TEST(CsvRow, leaves_a_cell_empty_that_has_no_value) {
  const CsvRow row{{"first", std::optional<double>()}, {"second", 1}, {"last", ""}};
  EXPECT_EQ(csv_line(row), ",1,\n");
}

TEST(RowFile, writes_the_header_of_its_first_row) {
  const test::TemporaryDirectory directory;
  RowFile file(directory / "rows.csv");
  file.append(CsvRow{{"a", 1}, {"b", 2}});
  file.append(CsvRow{{"a", 3}, {"b", 4}});
  EXPECT_EQ(test::read_text(directory / "rows.csv"), "a,b\n1,2\n3,4\n");
}

TEST(RowFile, that_was_there_keeps_its_columns) {
  const test::TemporaryDirectory directory;
  test::write_text(directory / "rows.csv", "a,old,c\n1,2,3\n");
  RowFile file(directory / "rows.csv", RowFile::Start::with_what_is_there);
  file.append(CsvRow{{"a", 4}, {"new", 5}, {"c", 6}});
  EXPECT_EQ(test::read_text(directory / "rows.csv"), "a,old,c\n1,2,3\n4,,6\n");
}

TEST(RowFile, counts_no_row_after_its_file_was_removed_or_replaced) {
  const test::TemporaryDirectory directory;
  RowFile file(directory / "rows.csv");
  file.append(CsvRow{{"a", 1}});
  EXPECT_NO_THROW(file.synchronize());
  std::filesystem::remove(directory / "rows.csv");
  EXPECT_THROW(file.synchronize(), IoError);
  test::write_text(directory / "rows.csv", "a\n1\n");
  EXPECT_THROW(file.finish(), IoError);
}

TEST(RowFile, a_device_without_room_is_an_error) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  RowFile file("/dev/full");
  EXPECT_THROW(file.append(CsvRow{{"a", 1}}), IoError);
}

TEST(RowFile, that_others_have_shortened_or_lengthened_gets_no_row_and_is_not_called_whole) {
  for (const char* left : {"", "a\n", "a\n1\n2\n"}) {
    const test::TemporaryDirectory directory;
    const std::filesystem::path path = directory / "rows.csv";
    RowFile file(path);
    file.append(CsvRow{{"a", 1}});
    std::filesystem::resize_file(path, 0);  // the same inode
    std::ofstream(path) << left;
    const std::string said = path.string() + ": it has " + std::to_string(std::strlen(left)) +
                             " bytes and had 4: another program has changed it";
    EXPECT_THAT(test::message_of<IoError>([&] {
                  file.append(CsvRow{{"a", 2}});
                }),
                testing::HasSubstr(said));
    EXPECT_THAT(test::message_of<IoError>([&] { file.synchronize(); }), testing::HasSubstr(said));
    EXPECT_EQ(test::read_text(path), left);
  }
}

TEST(RowFile, a_header_longer_than_a_piece_that_is_read_is_whole) {
  const test::TemporaryDirectory directory;
  const std::string name(200'000, 'x');
  test::write_text(directory / "rows.csv", name + ",b\n1,2\n");
  RowFile file(directory / "rows.csv", RowFile::Start::with_what_is_there);
  file.append(CsvRow{{"b", 4}, {name, 3}});
  EXPECT_EQ(test::read_text(directory / "rows.csv"), name + ",b\n1,2\n3,4\n");
}

}  // namespace
}  // namespace hodge::sim
