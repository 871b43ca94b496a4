// Frames that are damaged by rule: each is refused, or read with exactly the values of the whole
// one.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "linalg/base/errors.hpp"
#include "sim/app/output/vtk_frame.hpp"
#include "tests/sim/app/frames/read_fields.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;

enum class Outcome { refused, right, wrong };

class DamagedFrames : public testing::Test {
 protected:
  Outcome outcome(const std::string& text, const test::Fields& right, const std::string& ending) {
    const fs::path path = folder_ / ("a" + ending);
    test::write_text(path, text);
    try {
      return test::fields_of(path) == right ? Outcome::right : Outcome::wrong;
    } catch (const ConfigError& error) {
      EXPECT_EQ(std::ranges::count(std::string_view(error.what()), '\n'), 0) << error.what();
      return Outcome::refused;
    }
  }

  test::TemporaryDirectory folder_;
};

struct Sample {
  std::string name, ending, text;
  test::Fields right;
};

// Of VTK and of earlier versions of hodge: without a checksum.
std::vector<Sample> samples_without_checksum() {
  std::vector<Sample> samples;
  for (const auto& entry : fs::directory_iterator(tests::source_dir() / "tests/fuzz/corpus/frame"))
    if (const std::string name = entry.path().filename().string();
        name.starts_with("vtk_") || name.starts_with("hodge"))
      samples.push_back({name, entry.path().extension().string(), test::read_text(entry.path()),
                         test::fields_of(entry.path())});
  return samples;
}

TEST_F(DamagedFrames, of_hodge_are_refused_whichever_byte_is_changed_or_cut) {
  GridSettings settings;
  settings.dim = 2;
  settings.axes[0] = {.cells = 4};
  settings.axes[1] = {.cells = 3};
  const Grid grid(settings);
  const Frame frame =
      frame_of(7, 0.3, {{"pressure", 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3}}}, "single");
  for (const auto encoding : {FrameEncoding::appended, FrameEncoding::in_line}) {
    write_frame(folder_ / "b.vti", grid, frame, 1, encoding);
    const std::string whole = test::read_text(folder_ / "b.vti");
    const test::Fields right = test::fields_of(folder_ / "b.vti");
    const std::size_t behind_seal = whole.find("-->") + 3;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_EQ(outcome(whole.substr(0, i), right, ".vti"), Outcome::refused) << i;
      for (const char bit : {'\1', '@'}) {
        std::string changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ bit);
        const Outcome of_change = outcome(changed, right, ".vti");
        EXPECT_NE(of_change, Outcome::wrong) << i;
        if (i >= behind_seal) {
          EXPECT_EQ(of_change, Outcome::refused) << i;
        }
      }
    }
    EXPECT_EQ(outcome(whole + "\n", right, ".vti"), Outcome::refused);
  }
}

// But for the end of the last line.
TEST_F(DamagedFrames, without_checksum_are_never_read_beyond_a_cut) {
  for (const Sample& sample : samples_without_checksum())
    for (std::size_t bytes = 0; bytes + 1 < sample.text.size(); bytes += 3) {
      const Outcome of_cut = outcome(sample.text.substr(0, bytes), sample.right, sample.ending);
      EXPECT_EQ(of_cut, Outcome::refused) << sample.name << ": " << bytes;
    }
}

// Values may have changed then, and nothing can tell; the rest must be right.
TEST_F(DamagedFrames, without_checksum_never_crash_whichever_byte_is_changed) {
  for (const Sample& sample : samples_without_checksum())
    for (std::size_t i = 0; i < sample.text.size(); i += 5) {
      std::string changed = sample.text;
      changed[i] = static_cast<char>(changed[i] ^ (i % 2 == 0 ? 1 : 128));
      (void)outcome(changed, sample.right, sample.ending);
    }
}

// What stands in quotes behind `key`, where it stands for the nth time; empty where it does not.
struct Attribute {
  std::size_t begin = 0, size = 0;
};
std::vector<Attribute> attributes_of(const std::string& text, const std::string& key) {
  std::vector<Attribute> all;
  const std::string mark = " " + key + "=\"";
  const std::size_t data = std::min(text.find("<AppendedData"), text.size());
  for (std::size_t at = text.find(mark); at < data; at = text.find(mark, at + 1)) {
    const std::size_t begin = at + mark.size();
    all.push_back({begin, text.find('"', begin) - begin});
  }
  return all;
}

TEST_F(DamagedFrames, with_one_changed_attribute_are_refused_or_right) {
  const std::vector<std::pair<const char*, std::vector<const char*>>> damages{
      {"NumberOfComponents", {"1000000000", "0", "-3", "2", "4", "18446744073709551615", "x", ""}},
      {"NumberOfTuples", {"1000000000", "0", "-1", "x"}},
      {"type", {"Int8", "UInt16", "Float32", "Float64", "Bit", "String", "PolyData", ""}},
      {"format", {"ascii", "binary", "appended", "none", ""}},
      {"offset", {"1", "-1", "7", "100000000000", "18446744073709551615", "nan", ""}},
      {"byte_order", {"BigEndian", "LittleEndian", "Middle"}},
      {"header_type", {"UInt32", "UInt64", "UInt8"}},
      {"compressor",
       {"vtkZLibDataCompressor", "vtkLZ4DataCompressor", "vtkLZMADataCompressor", "", "zip"}},
      {"encoding", {"base64", "gzip"}},
      {"Spacing",
       {"nan 1 1", "inf 1 1", "0 1 1", "-1 1 1", "1 1", "1 1 1 1", "1e400 1 1", "a b c"}},
      {"Origin", {"nan 0 0", "1e300 0 0", "0 0", ""}},
      {"WholeExtent",
       {"0 2000000000 0 2000000000 0 2000000000", "0 -1 0 2 0 0", "0 3 0 3 0 0", "0 4 0 2 0 0",
        "3 0 2 0 0 0", "-1 3 0 2 0 0", "0 3 0 2", "0 3 0 2 0 99999999999", "0 3 0 2 0 0 0", ""}},
      {"Extent", {"0 2 0 2 0 0", "0 3 0 3 0 0", "0 0 0 0 0 0", "1 4 0 2 0 0", "0 3 0 2 0 5", "x"}}};
  for (const Sample& sample : samples_without_checksum())
    for (const auto& [key, values] : damages)
      for (const Attribute& attribute : attributes_of(sample.text, key))
        for (const char* value : values) {
          // Numbers in text have no type of their own.
          if (sample.name.starts_with("vtk_ascii") && std::string(value) == "Float32") continue;
          std::string changed = sample.text;
          const std::string before = changed.substr(attribute.begin, attribute.size);
          changed.replace(attribute.begin, attribute.size, value);
          EXPECT_NE(outcome(changed, sample.right, sample.ending), Outcome::wrong)
              << sample.name << ": " << key << " " << before << " -> " << value;
        }
}

TEST_F(DamagedFrames, with_offsets_of_other_arrays_are_refused) {
  for (const Sample& sample : samples_without_checksum()) {
    const std::vector<Attribute> all = attributes_of(sample.text, "offset");
    for (const Attribute& a : all)
      for (const Attribute& b : all) {
        const std::string one = sample.text.substr(a.begin, a.size),
                          other = sample.text.substr(b.begin, b.size);
        if (one == other || a.begin > b.begin) continue;
        std::string copied = sample.text, swapped = sample.text;
        copied.replace(b.begin, b.size, one);
        swapped.replace(b.begin, b.size, one).replace(a.begin, a.size, other);
        EXPECT_EQ(outcome(copied, sample.right, sample.ending), Outcome::refused) << sample.name;
        EXPECT_EQ(outcome(swapped, sample.right, sample.ending), Outcome::refused) << sample.name;
      }
  }
}

TEST_F(DamagedFrames, with_a_piece_more_or_less_or_entities_that_grow_are_refused) {
  for (const Sample& sample : samples_without_checksum()) {
    const std::size_t begin = sample.text.find("<Piece"), behind = sample.text.find("</Piece>") + 8;
    std::string without = sample.text, twice = sample.text, bomb = sample.text;
    without.erase(begin, behind - begin);
    twice.insert(begin, sample.text.substr(begin, behind - begin));
    bomb.insert(bomb.find("<VTKFile"),
                "<!DOCTYPE VTKFile [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n");
    for (const std::string& text : {without, twice, bomb})
      EXPECT_EQ(outcome(text, sample.right, sample.ending), Outcome::refused) << sample.name;
  }
}

TEST_F(DamagedFrames, with_sizes_of_blocks_that_are_not_theirs_are_refused) {
  for (const Sample& sample : samples_without_checksum()) {
    const std::size_t data = sample.text.find("<AppendedData");
    if (data == std::string::npos || sample.text.find("base64") != std::string::npos) continue;
    const std::size_t begin = sample.text.find('_', data) + 1;
    for (std::size_t word = 0; word < 5; ++word)
      for (const char byte : {'\0', '\1', '\x7f', '\xff'}) {
        std::string changed = sample.text;
        changed.replace(begin + 8 * word, 8, std::string(8, byte));
        (void)outcome(changed, sample.right, sample.ending);
        changed.replace(begin, 8, std::string(8, byte));
        EXPECT_EQ(outcome(changed, sample.right, sample.ending), Outcome::refused) << sample.name;
      }
  }
}

}  // namespace
}  // namespace hodge::sim
