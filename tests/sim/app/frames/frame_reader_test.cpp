#include "sim/app/frames/frame_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "sim/app/output/frame_index.hpp"
#include "sim/app/output/vtk_frame.hpp"
#include "tests/sim/app/frames/read_fields.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string complaint_about(const fs::path& path) {
  return test::message_of<ConfigError>([&] { (void)test::fields_of(path); });
}

// 12 x 8 cells, uniform or stretched along y.
Grid twelve_by_eight(bool uniform) {
  GridSettings settings;
  settings.dim = 2;
  settings.axes[0] = {.cells = 12};
  settings.axes[1] = {.cells = 8};
  if (!uniform)
    settings.axes[1] = {.cells = 8, .lower = 0, .upper = 2, .stretching = "tanh", .strength = 2};
  return Grid(settings);
}

Frame frame_at(double time, int cells, const std::string& precision = "single") {
  std::vector<CellArray> arrays{{"velocity", 3, {}}, {"pressure", 1, {}}};
  for (int i = 0; i < 3 * cells; ++i) arrays[0].values.push_back(i % 7 == 0 ? 1e39 : 0.1 * i);
  for (int i = 0; i < cells; ++i) arrays[1].values.push_back(i % 5);  // as floats
  return frame_of(7, time, arrays, precision);
}

TEST(FrameReader, reads_what_VTK_reads_of_frames_by_hodge) {
  const test::TemporaryDirectory folder;
  for (const bool uniform : {true, false})
    for (const auto encoding : {FrameEncoding::appended, FrameEncoding::in_line})
      for (const char* precision : {"single", "double"}) {
        const fs::path path = folder / (uniform ? "a.vti" : "a.vtr");
        write_frame(path, twelve_by_eight(uniform), frame_at(0.3, 96, precision), 1, encoding);
        EXPECT_EQ(test::fields_of(path), test::fields_by_vtk(path));
        EXPECT_EQ(check_frame(path), 0.3);
      }
}

// As VTK 9.1 writes them, in text, base64 and appended data of both kinds, packed by all that it
// has, in both byte orders; and frames of earlier versions of hodge.
TEST(FrameReader, reads_what_VTK_reads_of_frames_by_others) {
  int count = 0;
  for (const auto& entry :
       fs::directory_iterator(tests::source_dir() / "tests/fuzz/corpus/frame")) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("vtk_") && !name.starts_with("hodge")) continue;
    EXPECT_EQ(test::fields_of(entry.path()), test::fields_by_vtk(entry.path())) << name;
    ++count;
  }
  EXPECT_GE(count, 14);
}

TEST(FrameReader, leaves_out_what_is_not_wanted) {
  const test::TemporaryDirectory folder;
  write_frame(folder / "a.vti", twelve_by_eight(true), frame_at(0.3, 96));
  std::vector<std::string> taken;
  const FrameContent content = read_frame(
      folder / "a.vti", [](const StoredType& array) { return array.name == "pressure"; },
      [&](const StoredType& array, const Extent&, const Extent&, const std::vector<double>&) {
        taken.push_back(array.name);
      });
  EXPECT_EQ(taken, std::vector<std::string>{"pressure"});
  EXPECT_EQ(content.edges[0].size(), 13u);
  EXPECT_EQ(content.time, 0.3);
}

// A frame of three pieces.
struct FrameOfPieces : test::TemporaryDirectory {
  explicit FrameOfPieces(bool is_uniform = true)
      : grid(twelve_by_eight(is_uniform)), ending(frame_extension(grid)) {
    fs::create_directory(*this / "a_000003");
    for (int p = 0; p < 3; ++p) write_piece(p, first_layers[p], first_layers[p + 1]);
    write_frame_index(frame(), grid, {{"velocity", 3, false}, {"pressure", 1, true}}, first_layers);
  }
  void write_piece(int p, int first, int behind, double time = 0.3,
                   const std::string& precision = "single") const {
    write_frame(piece(p), {grid, first, behind}, frame_at(time, 12 * (behind - first), precision));
  }
  fs::path frame() const { return *this / (std::string("a_000003.p") + ending.substr(1)); }
  fs::path piece(int p) const {
    return *this / ("a_000003/a_000003_" + std::to_string(p) + ending);
  }
  std::string complaint() const { return complaint_about(frame()); }
  // Without the checksum, which tells every change of a list.
  void change_list(const std::string& before, const std::string& after) const {
    std::string text = test::read_text(frame());
    if (const std::size_t seal = text.find("<!-- hodge"); seal != std::string::npos)
      text.erase(seal, text.find('\n', seal) - seal);
    const std::size_t at = text.find(before);
    ASSERT_NE(at, std::string::npos) << before;
    test::write_text(frame(), text.replace(at, before.size(), after));
  }

  Grid grid;
  std::string ending;
  std::vector<int> first_layers{0, 3, 5, 8};
};

TEST(FrameReader, puts_pieces_together) {
  for (const bool uniform : {true, false}) {
    const FrameOfPieces pieces(uniform);
    EXPECT_EQ(test::fields_of(pieces.frame()), test::fields_by_vtk(pieces.frame()));
    EXPECT_EQ(check_frame(pieces.frame()), 0.3);
    EXPECT_EQ(check_frame(pieces.piece(1)), 0.3);
  }
}

TEST(FrameReader, names_a_piece_that_is_missing_or_damaged) {
  const FrameOfPieces pieces;
  const std::string whole = test::read_text(pieces.piece(1));
  fs::remove(pieces.piece(1));
  EXPECT_EQ(pieces.complaint(),
            pieces.piece(1).string() + " is missing, a piece of " + pieces.frame().string());
  test::write_text(pieces.piece(1), whole.substr(0, whole.size() - 9));
  EXPECT_THAT(pieces.complaint(), HasSubstr(pieces.piece(1).string()));
}

TEST(FrameReader, notices_pieces_of_another_frame) {
  const FrameOfPieces pieces;
  pieces.write_piece(1, 3, 6);
  EXPECT_EQ(pieces.complaint(), pieces.piece(1).string() + " is no piece of " +
                                    pieces.frame().string() +
                                    ": it has the extent 0 12 3 6 0 0, not 0 12 3 5 0 0");
  pieces.write_piece(1, 3, 5, 0.4);
  EXPECT_THAT(pieces.complaint(), HasSubstr("it has t = 0.4, those before it t = 0.3"));
  pieces.write_piece(1, 3, 5, 0.3, "double");
  EXPECT_THAT(pieces.complaint(), HasSubstr("has not the array 'pressure' (1 x Float32)"));
  GridSettings settings;
  settings.dim = 2;
  settings.axes[0] = {.cells = 12, .lower = 0.25, .upper = 1.25};
  settings.axes[1] = {.cells = 8};
  write_frame(pieces.piece(1), {Grid(settings), 3, 5}, frame_at(0.3, 24));
  EXPECT_THAT(pieces.complaint(), HasSubstr("it has another origin or spacing"));
  pieces.write_piece(1, 3, 5);
  EXPECT_EQ(check_frame(pieces.frame()), 0.3);
  const FrameOfPieces stretched(false);
  fs::copy_file(stretched.piece(1), pieces.piece(1), fs::copy_options::overwrite_existing);
  EXPECT_THAT(pieces.complaint(), HasSubstr("it is RectilinearGrid"));
}

TEST(FrameReader, notices_a_list_with_gaps_overlaps_or_other_arrays) {
  const std::string second =
      "    <Piece Extent=\"0 12 3 5 0 0\" Source=\"a_000003/a_000003_1.vti\"/>\n";
  const std::vector<std::pair<std::string, std::string>> changes{
      {second, ""},
      {second, second + second},
      {"WholeExtent=\"0 12 0 8 0 0\"", "WholeExtent=\"0 12 0 9 0 0\""},
      {"WholeExtent=\"0 12 0 8 0 0\"", "WholeExtent=\"0 2000000000 0 2000000000 0 2000000000\""},
      {"Extent=\"0 12 3 5 0 0\"", "Extent=\"0 12 3 4 0 0\""},
      {"Extent=\"0 12 3 5 0 0\"", "Extent=\"0 12 5 5 0 0\""},
      {"a_000003_1.vti", "a_000003_2.vti"},
      {"a_000003_1.vti", "nothing.vti"},
      {"a_000003/a_000003_1.vti", "a_000003.pvti"},
      {"type=\"Float32\"", "type=\"Float64\""},
      {"NumberOfComponents=\"1\"", "NumberOfComponents=\"3\""},
      {"Name=\"pressure\"", "Name=\"heat\""},
      {"Spacing=\"", "Spacing=\"1"},
      {"PImageData\"", "PRectilinearGrid\""}};
  for (const auto& [before, after] : changes) {
    const FrameOfPieces pieces;
    pieces.change_list(before, after);
    EXPECT_NE(pieces.complaint(), "") << before << " -> " << after;
  }
}

// Each process of ParaView may write cells of its neighbours, too.
TEST(FrameReader, takes_cells_twice_from_pieces_with_ghosts) {
  const FrameOfPieces pieces;
  pieces.write_piece(1, 2, 6);
  pieces.change_list("Extent=\"0 12 3 5 0 0\"", "Extent=\"0 12 2 6 0 0\"");
  EXPECT_THAT(pieces.complaint(), HasSubstr("leave a gap or overlap"));
  pieces.change_list("GhostLevel=\"0\"", "GhostLevel=\"1\"");
  EXPECT_EQ(check_frame(pieces.frame()), 0.3);
}

}  // namespace
}  // namespace hodge::sim
