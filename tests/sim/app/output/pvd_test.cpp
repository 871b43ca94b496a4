#include "sim/app/output/pvd.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/base/errors.hpp"
#include "tests/support/failing_file_system.hpp"
#include "tests/support/read_frame.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

// A collection that frames are added to.
struct PvdCollection {
  explicit PvdCollection(std::filesystem::path at) : path(std::move(at)) {}
  void add(double time, const std::string& file) {
    std::vector<PvdEntry> longer = entries;
    longer.push_back({time, file});
    write_pvd(path, longer);
    entries = longer;
  }
  std::filesystem::path path;
  std::vector<PvdEntry> entries;
};

TEST(PvdCollection, is_complete_after_every_frame) {
  const test::TemporaryDirectory directory;
  PvdCollection collection(directory / "cavity.pvd");
  for (int i = 0; i < 20; ++i) {
    const double time = i * 0.1;
    collection.add(time, "frames/cavity_" + std::to_string(i) + ".vti");
    const auto frames = test::read_collection(directory / "cavity.pvd");
    ASSERT_EQ(frames.size(), static_cast<std::size_t>(i) + 1);
    EXPECT_EQ(frames.back().first, time);
    EXPECT_EQ(frames.back().second, "frames/cavity_" + std::to_string(i) + ".vti");
  }
}

TEST(PvdCollection, times_come_back_as_the_same_double) {
  const test::TemporaryDirectory directory;
  PvdCollection collection(directory / "a.pvd");
  const std::vector<double> times{0.0, 0.1 + 0.2, 1.0 / 3, 1e-7, std::nextafter(1e6, 2e6), 1e22};
  for (const double time : times) collection.add(time, "f.vti");
  const auto frames = test::read_collection(directory / "a.pvd");
  ASSERT_EQ(frames.size(), times.size());
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_EQ(frames[i].first, times[i]);
}

TEST(PvdCollection, names_with_special_characters_survive) {
  const test::TemporaryDirectory directory;
  PvdCollection collection(directory / "a.pvd");
  collection.add(0, "a&b<c>\"d\".vti");
  const auto frames = test::read_collection(directory / "a.pvd");
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].second, "a&b<c>\"d\".vti");
}

TEST(PvdCollection, a_full_disk_leaves_the_last_complete_list) {
  const test::TemporaryDirectory directory;
  PvdCollection collection(directory / "a.pvd");
  collection.add(0, "first.vti");
  {
    const test::FileSizeLimit limit(64);
    EXPECT_THROW(collection.add(1, "second.vti"), IoError);
  }
  EXPECT_EQ(test::read_collection(directory / "a.pvd").size(), 1U);
  collection.add(2, "third.vti");
  const auto frames = test::read_collection(directory / "a.pvd");
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[1].second, "third.vti");
}

TEST(PvdCollection, is_read_back_and_a_cut_is_noticed) {
  const test::TemporaryDirectory directory;
  PvdCollection collection(directory / "a.pvd");
  collection.add(0, "a&b<c>\"d\".vti");
  collection.add(1.0 / 3, "second.vti");
  const std::vector<PvdEntry> read = read_pvd(directory / "a.pvd");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].file, "a&b<c>\"d\".vti");
  EXPECT_EQ(read[1].time, 1.0 / 3);
  const std::string whole = test::read_text(directory / "a.pvd");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    test::write_text(directory / "a.pvd", whole.substr(0, i));
    EXPECT_THROW(read_pvd(directory / "a.pvd"), ConfigError) << i;
  }
}

}  // namespace
}  // namespace hodge::sim
