#include "sim/app/checkpoint/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
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
  std::vector<double> list{1, 2.5, -1e300};
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
  CheckpointWriter writer({.version = "1.2.3", .config = "case: x\n", .step = 12, .time = 0.75});
  state.visit_state(writer);
  writer.save(path);
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
  state.list = {-0.0, 5e-324, std::numeric_limits<double>::infinity(), 0.1 + 0.2, 1.0 / 3};
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
  write_text(folder / "c.h5", seal_text(checkpoint_format + 1, contents) + contents);
  EXPECT_THAT(message_of<ConfigError>([&] { CheckpointReader reader(folder / "c.h5"); }),
              HasSubstr("has format " + std::to_string(checkpoint_format + 1) +
                        "; this hodge reads format " + std::to_string(checkpoint_format)));
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
