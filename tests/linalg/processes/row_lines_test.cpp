#include "linalg/processes/row_lines.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/host/pieces.hpp"
#include "linalg/processes/row_blocks.hpp"
#include "linalg/vectors/vector.hpp"
#include "tests/support/processes_in_threads.hpp"

namespace hodge::linalg {
namespace {

// Lines of 20, 0, 3 and 17 rows: pieces begin with rows 0, 16, 20, 23 and 39.
RowLines four_lines() {
  return RowLines({0, 20, 20, 23, 40});
}

std::vector<int> beginnings(const host::RowPieces& pieces) {
  std::vector<int> rows;
  for (int piece = 0; piece <= pieces.count(); ++piece) rows.push_back(pieces.first_row(piece));
  return rows;
}

std::vector<int> lengths(const host::RowPieces& pieces, int first, int last) {
  std::vector<int> rows;
  pieces.for_each(
      first, last, [&](int) { rows.push_back(sum_piece); },
      [&](int row, int end) { rows.push_back(end - row); });
  return rows;
}

TEST(RowLines, begin_with_pieces_of_their_own) {
  const RowLines lines = four_lines();
  const host::RowPieces all(40, {.lines = &lines});
  EXPECT_EQ(beginnings(all), (std::vector<int>{0, 16, 20, 23, 39, 40}));
  EXPECT_EQ(lengths(all, 0, 40), (std::vector<int>{16, 4, 3, 16, 1}));
  EXPECT_EQ(lengths(all, 20, 39), (std::vector<int>{3, 16}));
}

TEST(RowLines, have_the_same_pieces_in_each_process_that_begins_with_one) {
  const RowLines lines = four_lines();
  const host::RowPieces behind(20, {.first = 20, .total = 40, .lines = &lines});
  EXPECT_EQ(beginnings(behind), (std::vector<int>{0, 3, 19, 20}));
  EXPECT_EQ(lengths(behind, 0, 20), (std::vector<int>{3, 16, 1}));
  const host::RowPieces none(0, {.first = 20, .total = 40, .lines = &lines});
  EXPECT_EQ(none.count(), 0);
  EXPECT_EQ(none.first_row(0), 0);
}

TEST(RowLines, leave_vectors_of_another_length_one_line) {
  const RowLines lines = four_lines();
  EXPECT_EQ(beginnings(host::RowPieces(35, {.lines = &lines})), (std::vector<int>{0, 16, 32, 35}));
}

TEST(RowLines, say_where_processes_may_begin) {
  const auto lines = std::make_shared<const RowLines>(four_lines());
  EXPECT_EQ(RowBlocks({0, 23, 23, 40}, lines).owner(23), 2);
  EXPECT_THROW(RowBlocks({0, 16, 40}, lines), ShapeError);
}

// Values whose sum depends on the order in which they are rounded.
TEST(RowLines, give_sums_the_bits_of_one_process) {
  const auto lines = std::make_shared<const RowLines>(four_lines());
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.push_back((i % 3 - 1) * 1e15 + 1.0 / (i + 3));
  const auto sum_of = [&](std::size_t first, std::size_t last) {
    Vector<Host> own(static_cast<int>(last - first));
    own.upload(std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(first),
                                   values.begin() + static_cast<std::ptrdiff_t>(last)));
    return sum(own).to_host();
  };
  double expected = 0;
  {
    const SharingRows rows({.lines = lines.get()});
    expected = sum_of(0, 40);
  }
  const RowBlocks blocks({0, 20, 20, 40}, lines);
  tests::run_in_processes(3, [&](Communicator& own) {
    const SharingRows rows(blocks.shared_rows(own));
    EXPECT_EQ(sum_of(static_cast<std::size_t>(blocks.first(own.rank())),
                     static_cast<std::size_t>(blocks.first(own.rank() + 1))),
              expected);
  });
}

}  // namespace
}  // namespace hodge::linalg
