#include "sim/app/checkpoint/checkpoint.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "sim/base/crc32.hpp"
#include "tests/support/changed_checkpoint.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/failing_file_system.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::read_text;
using test::write_text;
using testing::HasSubstr;

struct State {
  double number = 0.1;
  long count = -7;
  bool flag = true;
  std::string text = "a line\nand another";
  std::vector<double> list{1, 2.5, -largest_stored};
  std::vector<double> fixed = std::vector<double>(5000, 0.3);

  void visit_state(StateVisitor& visitor) {
    visitor.visit("number", number);
    visitor.visit("count", count);
    visitor.visit("flag", flag);
    visitor.visit("text", text);
    StateGroup group(visitor, "group/inner");
    group.visit("list", list);
    group.visit_fixed("fixed", fixed);
  }
};

void save(State state, const fs::path& path) {
  write_checkpoint(path, {.version = "1.2.3", .config = "case: x\n", .step = 12, .time = 0.75},
                   [&](StateVisitor& writer) { state.visit_state(writer); });
}

TEST(Checkpoint, gives_back_what_it_was_given) {
  const test::TemporaryDirectory folder;
  save({}, folder / "c.h5");
  CheckpointReader reader(folder / "c.h5");
  EXPECT_EQ(reader.header().version, "1.2.3");
  EXPECT_EQ(reader.header().config, "case: x\n");
  EXPECT_EQ(reader.header().step, 12);
  EXPECT_EQ(reader.header().time, 0.75);
  State state{.number = 0, .count = 0, .flag = false, .text = "", .list = {}};
  state.fixed.assign(5000, 0);
  state.visit_state(reader);
  const State expected;
  EXPECT_EQ(state.number, expected.number);
  EXPECT_EQ(state.count, expected.count);
  EXPECT_EQ(state.flag, expected.flag);
  EXPECT_EQ(state.text, expected.text);
  EXPECT_EQ(state.list, expected.list);
  EXPECT_EQ(state.fixed, expected.fixed);
}

TEST(Checkpoint, keeps_every_bit_of_a_number) {
  const test::TemporaryDirectory folder;
  State state;
  state.list = {-0.0, 5e-324, largest_stored, 0.1 + 0.2, 1.0 / 3};
  save(state, folder / "c.h5");
  CheckpointReader reader(folder / "c.h5");
  State read;
  read.visit_state(reader);
  ASSERT_EQ(read.list.size(), state.list.size());
  EXPECT_EQ(std::memcmp(read.list.data(), state.list.data(), 5 * sizeof(double)), 0);
}

TEST(Checkpoint, an_empty_list_and_an_empty_text_are_kept) {
  const test::TemporaryDirectory folder;
  State state;
  state.list = {};
  state.text = "";
  save(state, folder / "c.h5");
  CheckpointReader reader(folder / "c.h5");
  State read;
  read.visit_state(reader);
  EXPECT_TRUE(read.list.empty());
  EXPECT_EQ(read.text, "");
}

TEST(Checkpoint, a_part_that_is_missing_or_of_another_size_is_named) {
  const test::TemporaryDirectory folder;
  save({}, folder / "c.h5");
  CheckpointReader reader(folder / "c.h5");
  double value = 0;
  EXPECT_THAT(message_of<IoError>([&] { reader.visit("no/such", value); }),
              HasSubstr("state/no/such is not there"));
  std::vector<double> few(3);
  EXPECT_THAT(message_of<IoError>([&] { reader.visit_fixed("group/inner/fixed", few); }),
              HasSubstr("state/group/inner/fixed has 5000 values, expected 3"));
  EXPECT_THAT(message_of<IoError>([&] { reader.visit("text", value); }),
              HasSubstr("state/text is of another type"));
}

// A list as the processes that share it have it: in ranges, which overlap where they are read.
struct RangesOfList {
  std::vector<RangedList::Range> ranges;
  std::vector<std::vector<double>> values;
  std::size_t total = 0;

  explicit RangesOfList(std::vector<RangedList::Range> of) : ranges(std::move(of)) {
    for (const auto& [first, count] : ranges) {
      std::vector<double>& own = values.emplace_back();
      for (std::size_t i = first; i < first + count; ++i) own.push_back(value(i));
      total = std::max(total, first + count);
    }
  }
  static double value(std::size_t i) { return 1.0 / static_cast<double>(i + 1); }
  RangedList list() {
    return {.total = total, .ranges = ranges, .values = [this](std::size_t r) {
              return std::span(values[r]);
            }};
  }
};

void save(RangesOfList& ranges, const fs::path& path) {
  write_checkpoint(path, {.version = "1", .config = "", .step = 1, .time = 1},
                   [&](StateVisitor& writer) {
                     double before = 0.5, after = 0.25;
                     writer.visit("before", before);
                     StateGroup(writer, "group").visit_ranges("list", ranges.list());
                     writer.visit("after", after);
                   });
}

TEST(Checkpoint, a_list_is_the_same_in_ranges_and_as_a_whole) {
  const test::TemporaryDirectory folder;
  RangesOfList whole({{0, 20000}}), parts({{0, 7}, {7, 12000}, {12007, 1}, {12008, 7992}});
  save(whole, folder / "whole.h5");
  save(parts, folder / "parts.h5");
  EXPECT_TRUE(read_text(folder / "whole.h5") == read_text(folder / "parts.h5"));

  RangesOfList read({{0, 5000}, {4990, 11000}, {15980, 4020}});
  for (std::vector<double>& values : read.values) std::ranges::fill(values, 0.0);
  CheckpointReader reader(folder / "parts.h5");
  std::vector<std::size_t> filled;
  RangedList list = read.list();
  list.filled = [&](std::size_t r) { filled.push_back(r); };
  StateGroup(reader, "group").visit_ranges("list", list);
  EXPECT_EQ(filled, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(read.values, RangesOfList(read.ranges).values);
  double before = 0, after = 0;
  reader.visit("before", before);
  reader.visit("after", after);
  EXPECT_EQ(before, 0.5);
  EXPECT_EQ(after, 0.25);
}

// HDF5 puts small ones into blocks that it has kept free, in front of larger ones from before.
TEST(Checkpoint, lists_of_all_sizes_lie_beside_each_other) {
  const test::TemporaryDirectory folder;
  const std::vector<std::size_t> sizes{300, 3, 0, 50000, 7, 250, 1, 4000, 511, 2, 90, 1000, 5};
  const auto list_of = [](std::size_t size) {
    return std::vector<double>(size, 0.1 + static_cast<double>(size));
  };
  write_checkpoint(folder / "c.h5", {.version = "1", .config = "", .step = 1, .time = 1},
                   [&](StateVisitor& writer) {
                     for (const std::size_t size : sizes) {
                       std::vector<double> list = list_of(size);
                       auto number = static_cast<double>(size);
                       writer.visit("lists/" + std::to_string(size), list);
                       writer.visit("numbers/" + std::to_string(size), number);
                     }
                   });
  CheckpointReader reader(folder / "c.h5");
  for (const std::size_t size : sizes) {
    std::vector<double> list;
    reader.visit("lists/" + std::to_string(size), list);
    EXPECT_EQ(list, list_of(size)) << size;
  }
}

TEST(Checkpoint, a_list_in_ranges_has_the_length_and_the_checksum_of_the_table) {
  const test::TemporaryDirectory folder;
  RangesOfList ranges({{0, 300}, {300, 200}}), longer({{0, 300}, {300, 201}});
  save(ranges, folder / "c.h5");
  CheckpointReader reader(folder / "c.h5");
  EXPECT_THAT(message_of<IoError>([&] { reader.visit_ranges("group/list", longer.list()); }),
              HasSubstr("state/group/list has 500 values, expected 501"));
  test::ChangedCheckpoint changed(folder / "c.h5");
  const CheckpointPart part = changed.part("state/group/list");
  changed.replace_line("state/group/list", fmt::format("list 500 {} {:08x} state/group/list",
                                                       part.begin, part.crc32 ^ 1u));
  changed.save(folder / "changed.h5");
  CheckpointReader other(folder / "changed.h5");
  EXPECT_THAT(message_of<IoError>([&] { other.visit_ranges("group/list", ranges.list()); }),
              HasSubstr("state/group/list has a wrong checksum"));
}

TEST(Checkpoint, ranges_that_leave_values_out_are_refused) {
  const test::TemporaryDirectory folder;
  for (const auto& wrong : {std::vector<RangedList::Range>{{0, 5}, {6, 4}},
                            std::vector<RangedList::Range>{{5, 5}, {0, 5}}}) {
    RangesOfList ranges(wrong);
    EXPECT_THROW(save(ranges, folder / "c.h5"), ShapeError);
    EXPECT_FALSE(fs::exists(folder / "c.h5"));
  }
}

TEST(Checkpoint, a_file_that_was_cut_anywhere_is_refused) {
  const test::TemporaryDirectory folder;
  save({}, folder / "c.h5");
  const std::string whole = read_text(folder / "c.h5");
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{511}, std::size_t{512},
                                 whole.size() / 2, whole.size() - 1}) {
    write_text(folder / "cut.h5", whole.substr(0, size));
    EXPECT_THAT(message_of<IoError>([&] { CheckpointReader reader(folder / "cut.h5"); }),
                HasSubstr("cut.h5 is damaged: "))
        << size;
  }
  write_text(folder / "long.h5", whole + "x");
  EXPECT_THROW(CheckpointReader(folder / "long.h5"), IoError);
}

TEST(Checkpoint, a_flipped_bit_anywhere_is_found) {
  const test::TemporaryDirectory folder;
  save({}, folder / "c.h5");
  const std::string whole = read_text(folder / "c.h5");
  std::mt19937 random(1);
  std::uniform_int_distribution<std::size_t> anywhere(0, whole.size() - 1);
  std::vector<std::size_t> places{0, 16, 24, 60, 511, 512, 600, whole.size() - 1};
  for (int i = 0; i < 200; ++i) places.push_back(anywhere(random));
  for (const std::size_t place : places) {
    std::string flipped = whole;
    flipped[place] = static_cast<char>(flipped[place] ^ (1 << (place % 8)));
    write_text(folder / "flipped.h5", flipped);
    EXPECT_THAT(message_of<IoError>([&] { CheckpointReader reader(folder / "flipped.h5"); }),
                HasSubstr("flipped.h5 is damaged: "))
        << place;
  }
}

TEST(Checkpoint, another_format_is_refused_as_such) {
  const test::TemporaryDirectory folder;
  save({}, folder / "c.h5");
  const std::string whole = read_text(folder / "c.h5");
  const std::string contents = whole.substr(seal_bytes);
  write_text(folder / "c.h5", seal_text(checkpoint_format + 1, contents, {}) + contents);
  EXPECT_THAT(message_of<ConfigError>([&] { CheckpointReader reader(folder / "c.h5"); }),
              HasSubstr("has format " + std::to_string(checkpoint_format + 1) +
                        "; this hodge reads format " + std::to_string(checkpoint_format)));
}

TEST(Checkpoint, one_of_an_earlier_version_is_refused_as_such) {
  const test::TemporaryDirectory folder;
  std::string seal = "hodge checkpoint\nformat 2\nbytes 8\ncrc32 00000000\n";
  seal += fmt::format("seal {:08x}\n", crc32(seal));
  seal.resize(seal_bytes - 1, ' ');
  write_text(folder / "c.h5", seal + "\n\x89HDF\r\n\x1a\n");
  EXPECT_THAT(message_of<ConfigError>([&] { CheckpointReader reader(folder / "c.h5"); }),
              HasSubstr("has format 2; this hodge reads format 3: restart with the hodge that"));
}

// The library of HDF5 can crash of a damaged file, so hodge does not read with it.
TEST(Checkpoint, is_read_without_what_hdf5_has_around_the_values) {
  const test::TemporaryDirectory folder;
  save({}, folder / "c.h5");
  test::ChangedCheckpoint changed(folder / "c.h5");
  changed.damage_hdf5();
  changed.save(folder / "changed.h5");
  CheckpointReader reader(folder / "changed.h5");
  State state{.number = 0};
  state.visit_state(reader);
  EXPECT_EQ(state.number, 0.1);
}

TEST(Checkpoint, a_part_that_does_not_lie_in_the_file_is_refused) {
  const test::TemporaryDirectory folder;
  save({}, folder / "c.h5");
  for (const char* line :
       {"list 2305843009213693953 600 00000000 state/group/inner/list", "list -1 600 0 state/x",
        "list 3 18446744073709551615 00000000 state/group/inner/list", "double 2 600 0 state/x",
        "text 0 600 0 state/x", "set 1 600 0 state/x", "double 1 600", "double 1 600 0 ",
        "double 1 600 123456789a state/x", "double 1 600 0 state/number"}) {
    test::ChangedCheckpoint changed(folder / "c.h5");
    changed.replace_line("state/group/inner/list", line);
    changed.save(folder / "changed.h5");
    EXPECT_THAT(message_of<IoError>([&] { CheckpointReader reader(folder / "changed.h5"); }),
                HasSubstr("cannot be read: its table of contents says '"))
        << line;
  }
}

TEST(Checkpoint, a_number_beyond_what_is_allowed_is_refused) {
  const test::TemporaryDirectory folder;
  save({}, folder / "c.h5");
  const auto read = [&](auto value, auto visit) {
    test::ChangedCheckpoint changed(folder / "c.h5");
    changed.set(sizeof value == 8 && std::is_same_v<decltype(value), double> ? "state/number"
                                                                             : "state/count",
                value);
    changed.save(folder / "changed.h5");
    CheckpointReader reader(folder / "changed.h5");
    return message_of<IoError>([&] { visit(reader); });
  };
  EXPECT_THAT(read(8L,
                   [](StateVisitor& visitor) {
                     long count = 0;
                     visitor.visit("count", count, {0, 7});
                   }),
              HasSubstr("changed.h5 cannot be read: state/count is 8, expected 0 to 7"));
  EXPECT_THAT(read(1L << 31,
                   [](StateVisitor& visitor) {
                     int count = 0;
                     visitor.visit("count", count);
                   }),
              HasSubstr("state/count is 2147483648, expected -2147483648 to 2147483647"));
  EXPECT_THAT(read(2L,
                   [](StateVisitor& visitor) {
                     bool flag = false;
                     visitor.visit("count", flag);
                   }),
              HasSubstr("state/count is 2, expected 0 to 1"));
  for (const double number : {std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THAT(read(number,
                     [](StateVisitor& visitor) {
                       double value = 0;
                       visitor.visit("number", value);
                     }),
                HasSubstr("state/number is "));
}

TEST(Checkpoint, a_list_with_a_value_that_no_flow_has_is_refused) {
  const test::TemporaryDirectory folder;
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(), -1e300}) {
    State state;
    state.fixed[4999] = value;
    save(state, folder / "c.h5");
    CheckpointReader reader(folder / "c.h5");
    const std::string in_ranges = message_of<IoError>([&] {
      reader.visit_ranges(
          "group/inner/fixed",
          {.total = 5000, .ranges = {{0, 3000}, {3000, 2000}}, .values = [&](std::size_t range) {
             return std::span(state.fixed).subspan(3000 * range, 3000 - 1000 * range);
           }});
    });
    const std::string whole = message_of<IoError>([&] { state.visit_state(reader); });
    EXPECT_EQ(in_ranges, whole);
    EXPECT_THAT(
        whole,
        HasSubstr(fmt::format(
            "c.h5 cannot be read: state/group/inner/fixed has the value {}, expected", value)));
  }
}

TEST(Checkpoint, a_file_of_another_kind_is_refused_as_such) {
  const test::TemporaryDirectory folder;
  write_text(folder / "c.h5", "case: lid_driven_cavity\n");
  EXPECT_THAT(message_of<ConfigError>([&] { CheckpointReader reader(folder / "c.h5"); }),
              HasSubstr("c.h5 is no checkpoint of hodge"));
  EXPECT_THROW(CheckpointReader(folder / "none.h5"), IoError);
}

TEST(Checkpoint, a_full_disk_leaves_the_one_before_as_it_is) {
  const test::TemporaryDirectory folder;
  save({}, folder / "c.h5");
  const std::string before = read_text(folder / "c.h5");
  {
    const test::FileSizeLimit limit(4000);
    EXPECT_THAT(message_of<IoError>([&] { save({.number = 2}, folder / "c.h5"); }),
                HasSubstr("cannot write " + (folder / "c.h5").string()));
  }
  EXPECT_TRUE(read_text(folder / "c.h5") == before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace hodge::sim
