// Writes the frames of a run while the next steps go on: frames/<name>_000000.vti, ... and
// <name>.pvd, or all of them into <name>.vtkhdf (vtkhdf_file.hpp). Where processes share the flow
// it may write each frame in pieces, one per process: frames/<name>_000000.pvti with a folder of
// files (frames_in_pieces.hpp).
//
// Frames wait and are written as frame_queue.hpp says, in each process that writes. A frame enters
// the .pvd once its files are on the disk, and counts once both are. Errors of frames that could
// not be written (IoError) are thrown by write(), blank(), submit(), check() and finish(), until
// try_again(). So no frame is left out, and finish() succeeds only where every frame counts.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/app/output/frame_collection.hpp"
#include "sim/app/output/frame_queue.hpp"
#include "sim/app/output/frames_in_pieces.hpp"
#include "sim/app/output/manifest.hpp"
#include "sim/app/output/vtk_frame.hpp"
#include "sim/base/state_visitor.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/flow.hpp"

namespace hodge::sim {

struct FrameBackground {
  FrameEncoding encoding = FrameEncoding::appended;
  bool in_one_file = false;                                // <name>.vtkhdf
  int threads = 1;                                         // that pack
  FrameCollection::Note note = [](const LandedFrame&) {};  // called where frames are listed
};

class FrameWriter {
 public:
  using Landed = LandedFrame;
  static constexpr std::size_t most_frames = FrameQueue::most_frames;  // in memory

  // `directory` is a run directory with its folder frames/.
  FrameWriter(std::filesystem::path directory, std::string run_name, Grid grid,
              FrameBackground background = {});

  // To be called before the first frame. Null: frames stay single files.
  void write_in_pieces(std::unique_ptr<FramePieces> pieces);

  // Begins to write the present fields.
  void write(const Flow& flow, const OutputSettings& output);
  // The same of a single file: a frame to fill, then the file that it will be in.
  Frame blank() { return queue_.blank(); }
  std::filesystem::path submit(Frame frame);

  // Throws the error of a frame that could not be written; waits for no file.
  void check();
  // Waits until every frame has landed.
  void finish();
  // The same, beginning with the frame that could not be written.
  void try_again();

  // Throws IoError where a frame that has landed, or the collection, is gone. Call after finish().
  void check_files() const { collection_.check_files(); }

  // The frames that have landed, and the number of the next one; all must have. Restoring changes
  // no file before go_back(), which lists those that are still there, and no others.
  void visit_state(StateVisitor& visitor, long step, double time);
  void go_back() { collection_.go_back(); }
  const std::vector<std::string>& gone() const { return collection_.gone(); }

  std::optional<Landed> last_landed() const { return collection_.last(); }
  const std::filesystem::path& collection() const { return collection_.path(); }

 private:
  std::filesystem::path next_frame() const;
  void write_file(const std::filesystem::path& path, const Frame& frame);

  std::filesystem::path directory_;
  std::string run_name_;
  Grid grid_;
  FrameBackground background_;
  Manifest listed_;             // the files that are the run's
  FrameCollection collection_;  // of the thread while it writes, else of the caller
  int submitted_ = 0;
  std::unique_ptr<FramesInPieces> pieces_;  // null: frames are single files
  FrameQueue queue_;                        // of single files; last: its thread uses all of these
};

}  // namespace hodge::sim
