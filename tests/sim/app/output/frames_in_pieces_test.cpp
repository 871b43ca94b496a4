// Frames in pieces as process 0 has them. The processes are played by an object that says when
// their pieces have landed.
#include "sim/app/output/frames_in_pieces.hpp"

#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "sim/app/output/frame_writer.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/fake_flow.hpp"
#include "tests/support/read_frame.hpp"
#include "tests/support/state_copy.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;

struct Processes {
  std::vector<long> begun{};
  long landed = 0;
  long questions = 0;
  std::string error{};  // of a piece that lacks room on its disk
  bool disk_has_room_again = false;
};

class PlayedPieces final : public FramePieces {
 public:
  explicit PlayedPieces(Processes& processes) : processes_(processes) {}
  const std::vector<int>& first_layers() const override { return layers_; }
  PieceReport write(long number, const std::vector<std::string>& names,
                    const std::string&) override {
    if (processes_.error.empty()) processes_.begun.push_back(number);
    PieceReport report = check();
    for (const std::string& name : names) report.arrays.push_back({name, 1, name == "pressure"});
    return report;
  }
  PieceReport check() override {
    ++processes_.questions;
    return {processes_.landed, processes_.error};
  }
  PieceReport finish() override {
    if (processes_.error.empty()) processes_.landed = static_cast<long>(processes_.begun.size());
    return check();
  }
  PieceReport try_again() override {
    if (processes_.disk_has_room_again) processes_.error.clear();
    return finish();
  }

 private:
  Processes& processes_;
  std::vector<int> layers_{0, 1, 3};
};

struct FolderOfRun : test::TemporaryDirectory {
  FolderOfRun() {
    fs::create_directory(path() / "frames");
    Manifest({"frames/fake_#.vti", "frames/fake_#.pvti", "frames/fake_#/fake_#_#.vti"})
        .write(path());
  }
};

struct RunInPieces : FolderOfRun {
  RunInPieces() {
    writer.write_in_pieces(std::make_unique<PlayedPieces>(processes));
    output.fields = {"pressure", "c"};
  }
  std::vector<std::string> listed() const {
    std::vector<std::string> files;
    if (!fs::exists(*this / "fake.pvd")) return files;
    for (const auto& [time, file] : test::read_collection(*this / "fake.pvd"))
      files.push_back(file);
    return files;
  }
  bool has(const std::string& file) const { return fs::exists(*this / file); }

  Processes processes;
  test::FakeFlow flow;
  OutputSettings output;
  std::vector<LandedFrame> noted;
  FrameWriter writer{path(),
                     "fake",
                     Grid(test::small_grid_settings()),
                     {.note = [this](const LandedFrame& frame) { noted.push_back(frame); }}};
};

using Names = std::vector<std::string>;

TEST(FramesInPieces, are_listed_once_all_pieces_have_landed) {
  RunInPieces run;
  run.writer.write(run.flow, run.output);
  EXPECT_TRUE(run.has("frames/fake_000000"));
  EXPECT_FALSE(run.has("frames/fake_000000.pvti"));
  EXPECT_EQ(run.listed(), Names());
  run.processes.landed = 1;
  run.writer.write(run.flow, run.output);
  EXPECT_TRUE(run.has("frames/fake_000000.pvti"));
  EXPECT_EQ(run.listed(), Names{"frames/fake_000000.pvti"});
  run.writer.finish();
  EXPECT_EQ(run.listed(), (Names{"frames/fake_000000.pvti", "frames/fake_000001.pvti"}));
  ASSERT_EQ(run.noted.size(), 2u);
  EXPECT_EQ(run.noted[1].doubles, Names{"c"});
  EXPECT_EQ(run.writer.last_landed()->path, run / "frames/fake_000001.pvti");
  EXPECT_NO_THROW(run.writer.check_files());
}

// A step may take a millisecond, and a question is a message to all processes.
TEST(FramesInPieces, are_asked_for_at_most_once_per_second_while_they_are_on_their_way) {
  RunInPieces run;
  for (int step = 0; step < 100; ++step) run.writer.check();
  EXPECT_EQ(run.processes.questions, 0);
  run.writer.write(run.flow, run.output);
  const long before = run.processes.questions;
  for (int step = 0; step < 100; ++step) run.writer.check();
  EXPECT_LE(run.processes.questions, before + 1);
}

TEST(FramesInPieces, a_piece_that_cannot_be_written_stops_until_it_is_there) {
  RunInPieces run;
  run.writer.write(run.flow, run.output);
  run.processes.landed = 1;
  run.processes.error = "rank 1: writing frames/fake_000001/fake_000001_1.vti: no room";
  EXPECT_EQ(test::message_of<IoError>([&] { run.writer.write(run.flow, run.output); }),
            run.processes.error);
  EXPECT_EQ(run.listed(), Names{"frames/fake_000000.pvti"}) << "what has landed counts";
  EXPECT_THROW(run.writer.finish(), IoError);
  EXPECT_THROW(run.writer.try_again(), IoError);
  EXPECT_EQ(run.processes.begun, std::vector<long>{0});
  run.processes.disk_has_room_again = true;
  run.writer.try_again();
  run.writer.write(run.flow, run.output);
  run.writer.finish();
  EXPECT_EQ(run.processes.begun, (std::vector<long>{0, 1}));
  EXPECT_EQ(run.listed().size(), 2u);
}

TEST(FramesInPieces, a_list_that_cannot_be_written_is_written_in_the_next_attempt) {
  RunInPieces run;
  run.writer.write(run.flow, run.output);
  fs::create_directory(run / "frames/fake_000000.pvti");
  EXPECT_THROW(run.writer.finish(), IoError);
  EXPECT_EQ(run.listed(), Names());
  fs::remove(run / "frames/fake_000000.pvti");
  run.writer.try_again();
  EXPECT_EQ(run.listed(), Names{"frames/fake_000000.pvti"});
}

TEST(FramesInPieces, miss_their_folder_as_they_miss_a_file) {
  RunInPieces run;
  run.writer.write(run.flow, run.output);
  run.writer.finish();
  fs::remove(run / "frames/fake_000000");
  EXPECT_EQ(test::message_of<IoError>([&] { run.writer.check_files(); }),
            (run / "frames/fake_000000").string() + " was removed while the run went on");
}

TEST(FramesInPieces, of_an_earlier_run_are_listed_with_those_that_follow_in_either_form) {
  for (const bool in_pieces : {true, false}) {
    RunInPieces run;
    for (int i = 0; i < 3; ++i) {
      run.writer.write(run.flow, run.output);
      (void)run.flow.advance(0.25);
    }
    run.writer.finish();
    test::StateCopy state;
    run.writer.visit_state(state, 3, 1);
    fs::remove(run / "frames/fake_000001");
    state.restoring = true;
    FrameWriter next(run.path(), "fake", Grid(test::small_grid_settings()));
    Processes processes;
    if (in_pieces) next.write_in_pieces(std::make_unique<PlayedPieces>(processes));
    next.visit_state(state, 3, 1);
    next.go_back();
    EXPECT_EQ(next.gone(), Names{"frames/fake_000001.pvti"});
    run.output.fields = {"velocity", "pressure", "c"};
    next.write(run.flow, run.output);
    next.finish();
    EXPECT_EQ(run.listed(),
              (Names{"frames/fake_000000.pvti", "frames/fake_000002.pvti",
                     in_pieces ? "frames/fake_000003.pvti" : "frames/fake_000003.vti"}));
  }
}

// A run that is continued writes frames again that its checkpoint does not count.
TEST(FramesInPieces, replace_what_an_earlier_run_left_of_them) {
  RunInPieces run;
  fs::create_directory(run / "frames/fake_000000");
  for (const char* file : {"fake_000000.vti", "fake_000000.pvti", "fake_000000/fake_000000_2.vti",
                           "fake_000000/notes.txt"})
    test::write_text(run / "frames" / file, "old");
  run.writer.write(run.flow, run.output);
  for (const char* file : {"fake_000000.vti", "fake_000000.pvti", "fake_000000/fake_000000_2.vti"})
    EXPECT_FALSE(run.has(std::string("frames/") + file)) << file;
  EXPECT_TRUE(run.has("frames/fake_000000/notes.txt"));
}

TEST(FramesInPieces, of_others_are_left_where_a_file_is_written) {
  RunInPieces run;
  Manifest({"frames/fake_#.vti"}).write(run.path());
  test::write_text(run / "frames/fake_000000.pvti", "mine");
  fs::create_directory(run / "frames/fake_000000");
  FrameWriter one(run.path(), "fake", Grid(test::small_grid_settings()));
  run.output.fields = {"velocity", "pressure", "c"};
  one.write(run.flow, run.output);
  one.finish();
  EXPECT_EQ(test::read_text(run / "frames/fake_000000.pvti"), "mine");
  EXPECT_TRUE(run.has("frames/fake_000000"));
}

TEST(FramesInPieces, are_replaced_by_a_frame_in_one_file) {
  RunInPieces run;
  run.writer.write(run.flow, run.output);
  run.writer.finish();
  test::write_text(run / "frames/fake_000000/fake_000000_0.vti", "old");
  FrameWriter one(run.path(), "fake", Grid(test::small_grid_settings()));
  run.output.fields = {"velocity", "pressure", "c"};
  one.write(run.flow, run.output);
  one.finish();
  EXPECT_FALSE(run.has("frames/fake_000000"));
  EXPECT_FALSE(run.has("frames/fake_000000.pvti"));
  EXPECT_EQ(run.listed(), Names{"frames/fake_000000.vti"});
}

}  // namespace
}  // namespace hodge::sim
