// Pieces of frames by several processes, which are threads.
#include "sim/processes/shared_pieces.hpp"

#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "sim/app/output/frame_index.hpp"
#include "sim/app/output/piece_files.hpp"
#include "sim/processes/follow.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/processes_in_threads.hpp"
#include "tests/support/same_runs.hpp"
#include "tests/support/small_flows.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;

// 9 x 13 cells, stretched.
FlowInput box_with_frames(const fs::path& directory, const MakePieceWriter& make) {
  test::FlowSketch sketch = test::flows::cavity(2);
  sketch.axes[0] = test::uneven(9, -0.4, 0.7);
  sketch.axes[1] = test::uneven(13, 0.3, 1.5);
  FlowInput input{test::flow_settings(2, 1), test::problem_of(sketch), make};
  input.settings.grid.axes = sketch.axes;
  input.settings.case_name = "box";
  input.settings.output.directory = directory.string();
  return input;
}

// lead(flow) in process 0 of several.
template <class Lead>
void lead_flow(int count, const FlowInput& input, Lead lead) {
  tests::run_in_processes(count, [&](linalg::Communicator& own) {
    if (own.rank() > 0) return follow(own, [&](const std::string&, bool) { return input; });
    FlowLeader leader(own);
    const auto flow = make_leading_flow(leader, input.settings, input.problem, "the file");
    ASSERT_TRUE(flow->advance(0.01).ok);
    lead(*flow);
  });
}

const std::vector<std::string> shown{"velocity", "pressure", "vorticity"};

// Of one process, after a step.
void write_whole_frame(const FlowInput& input, const fs::path& path) {
  const auto alone = make_flow(input.settings, input.problem);
  ASSERT_TRUE(alone->advance(0.01).ok);
  Frame whole;
  alone->fill(whole, shown, "single");
  write_frame(path, alone->grid(), whole);
}

// Returns the first layers of the pieces.
std::vector<int> write_in_pieces(const FlowInput& input, Flow& flow, const fs::path& frame) {
  const auto pieces = flow.make_pieces(input.settings, make_piece_files);
  if (pieces == nullptr) return {};
  const PieceReport begun = pieces->write(5, shown, "single");
  EXPECT_EQ(begun.error, "");
  EXPECT_EQ(pieces->finish().landed, 1);
  write_frame_index(frame, flow.grid(), begun.arrays, pieces->first_layers());
  return pieces->first_layers();
}

TEST(SharedPieces, are_the_frame_of_one_process) {
  const test::TemporaryDirectory folder;
  const FlowInput input = box_with_frames(folder.path(), make_piece_files);
  write_whole_frame(input, folder / "whole.vtr");
  for (const int count : {2, 3, 4}) {
    const fs::path frame = folder / "frames/box_000005.pvtr";
    fs::create_directories(folder / "frames/box_000005");
    lead_flow(count, input, [&](Flow& flow) {
      EXPECT_EQ(write_in_pieces(input, flow, frame).size(), static_cast<std::size_t>(count) + 1);
    });
    test::expect_same_frame(folder / "whole.vtr", frame);
    fs::remove_all(folder / "frames");
  }
}

TEST(SharedPieces, are_none_of_one_process_and_end_with_their_object) {
  const test::TemporaryDirectory folder;
  const FlowInput input = box_with_frames(folder.path(), make_piece_files);
  lead_flow(1, input, [&](Flow& flow) {
    EXPECT_EQ(flow.make_pieces(input.settings, make_piece_files), nullptr);
  });
  lead_flow(2, input, [&](Flow& flow) {
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(flow.make_pieces(input.settings, make_piece_files)->check().landed, 0);
  });
}

// Of piece 2 it has room for one until it is tried again; piece 1 takes until somebody waits for
// it.
class SmallDisk final : public PieceWriter {
 public:
  explicit SmallDisk(int piece) : is_full_(piece == 2), is_slow_(piece == 1) {}
  Frame blank() override {
    check();
    return {};
  }
  void submit(long, Frame) override {
    ++submitted_;
    if (!is_slow_) landed_ = submitted_;
  }
  void check() override {
    if (is_full_ && landed_ == 1) throw IoError("no room");
  }
  void finish() override {
    landed_ = submitted_;
    check();
  }
  void try_again() override {
    is_full_ = false;
    finish();
  }
  long landed() const override { return landed_; }

 private:
  bool is_full_, is_slow_;
  long submitted_ = 0, landed_ = 0;
};

TEST(SharedPieces, an_error_of_one_process_is_reported_and_leaves_nobody_waiting) {
  const MakePieceWriter make = [](const Settings&, const Grid&, const PieceLayers& layers) {
    return std::make_unique<SmallDisk>(layers.piece);
  };
  const FlowInput input = box_with_frames("nowhere", make);
  lead_flow(3, input, [&](Flow& flow) {
    const auto pieces = flow.make_pieces(input.settings, make);
    EXPECT_EQ(pieces->write(0, shown, "double").error, "");
    const PieceReport checked = pieces->check(), refused = pieces->write(1, shown, "double"),
                      finished = pieces->finish();
    for (const PieceReport* report : {&checked, &refused, &finished})
      EXPECT_EQ(report->error, "rank 2: no room");
    EXPECT_EQ(checked.landed, 0) << "piece 1 has not landed";
    EXPECT_EQ(finished.landed, 1);
    EXPECT_EQ(pieces->try_again().error, "");
    EXPECT_EQ(pieces->write(1, shown, "double").error, "");
    EXPECT_EQ(pieces->finish().landed, 2);
    EXPECT_TRUE(flow.advance(0.01).ok);
  });
}

}  // namespace
}  // namespace hodge::sim
