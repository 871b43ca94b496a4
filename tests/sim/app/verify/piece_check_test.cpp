#include "sim/app/verify/piece_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "sim/app/output/frame_index.hpp"
#include "sim/app/output/vtk_frame.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

Grid twelve_by_eight() {
  GridSettings settings;
  settings.dim = 2;
  settings.axes[0] = {.cells = 12};
  settings.axes[1] = {.cells = 8};
  return Grid(settings);
}

// A frame of three pieces.
struct FrameOfPieces : test::TemporaryDirectory {
  FrameOfPieces() {
    fs::create_directory(*this / "a_000003");
    for (int p = 0; p < 3; ++p) write_piece(p, first_layers[p], first_layers[p + 1]);
    write_frame_index(frame(), grid, {{"pressure", 1, true}}, first_layers);
  }
  void write_piece(int p, int first, int behind, double time = 0.3,
                   const std::string& precision = "single") const {
    const std::size_t cells = 12 * static_cast<std::size_t>(behind - first);
    write_frame(piece(p), {grid, first, behind},
                frame_of(7, time, {{"pressure", 1, std::vector<double>(cells, 0.5)}}, precision));
  }
  fs::path frame() const { return *this / "a_000003.pvti"; }
  fs::path piece(int p) const {
    return *this / ("a_000003/a_000003_" + std::to_string(p) + ".vti");
  }
  std::string complaint() const {
    return test::message_of<IoError>([this] { check_frame(frame()); });
  }

  Grid grid = twelve_by_eight();
  std::vector<int> first_layers{0, 3, 5, 8};
};

TEST(PieceCheck, gives_the_time_of_whole_pieces_and_of_a_single_file) {
  const FrameOfPieces pieces;
  EXPECT_EQ(check_frame(pieces.frame()), 0.3);
  EXPECT_EQ(check_frame(pieces.piece(1)), 0.3);
}

TEST(PieceCheck, names_a_piece_that_is_missing_or_damaged) {
  const FrameOfPieces pieces;
  const std::string whole = test::read_text(pieces.piece(1));
  fs::remove(pieces.piece(1));
  EXPECT_EQ(pieces.complaint(),
            pieces.piece(1).string() + " is missing, a piece of " + pieces.frame().string());
  test::write_text(pieces.piece(1), whole.substr(0, whole.size() - 9));
  EXPECT_THAT(pieces.complaint(), HasSubstr(pieces.piece(1).string() + " is damaged"));
}

TEST(PieceCheck, notices_pieces_of_another_frame) {
  const FrameOfPieces pieces;
  pieces.write_piece(1, 3, 6);
  EXPECT_THAT(pieces.complaint(), HasSubstr("it has the extent 0 12 3 6 0 0, not 0 12 3 5 0 0"));
  pieces.write_piece(1, 3, 5, 0.4);
  EXPECT_THAT(pieces.complaint(), HasSubstr("it has t = 0.4, those before it 0.3"));
  pieces.write_piece(1, 3, 5, 0.3, "double");
  EXPECT_THAT(pieces.complaint(), HasSubstr("it has pressure (1 x 8 bytes), not pressure (1 x 4"));
  pieces.write_piece(1, 3, 5);
  EXPECT_EQ(check_frame(pieces.frame()), 0.3);
}

TEST(PieceCheck, notices_a_list_with_gaps_or_without_an_end) {
  const FrameOfPieces pieces;
  const std::string whole = test::read_text(pieces.frame());
  const std::size_t second = whole.find("    <Piece Extent=\"0 12 3");
  const std::size_t third = whole.find("    <Piece Extent=\"0 12 5");
  test::write_text(pieces.frame(), whole.substr(0, second) + whole.substr(third));
  EXPECT_THAT(pieces.complaint(), HasSubstr("its pieces leave a gap or overlap"));
  const std::size_t end = whole.find("  </PImageData>");
  test::write_text(pieces.frame(), whole.substr(0, third) + whole.substr(end));
  EXPECT_THAT(pieces.complaint(), HasSubstr("the extent 0 12 0 5 0 0, and it says 0 12 0 8 0 0"));
  test::write_text(pieces.frame(), whole.substr(0, end));
  EXPECT_THAT(pieces.complaint(), HasSubstr("cut off"));
}

}  // namespace
}  // namespace hodge::sim
