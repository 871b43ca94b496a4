// The frames of a run that several processes write in pieces, as process 0 has them: it lists a
// frame in the collection once all of its pieces, and the file that lists these, are on the disk.
//
// What became of the pieces is asked for with the next frame, at checkpoints, at the end, and at
// most once per second in between while pieces are on their way (check()). Errors: IoError of a
// piece of any process, or of the files that list.
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sim/app/output/frame_collection.hpp"
#include "sim/app/output/manifest.hpp"
#include "sim/base/wall_clock.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/flow.hpp"
#include "sim/flow/frame_pieces.hpp"

namespace hodge::sim {

// Removes what a run that this one continues has left of this frame, which is not counted any more:
// the other form, or pieces for another number of processes. Only what the manifest lists.
void remove_uncounted(const std::filesystem::path& frame, const Grid& grid, const Manifest& listed);

class FramesInPieces {
 public:
  // The grid and the collection must outlive this object.
  FramesInPieces(std::unique_ptr<FramePieces> pieces, const Grid& grid,
                 FrameCollection& collection);

  // All processes begin to write the present fields, unless the report has an error. To be followed
  // by take().
  PieceReport begin(const std::filesystem::path& frame, long number, const Flow& flow,
                    const OutputSettings& output);
  // Lists the frames that have landed, then throws the error of the report.
  void take(const PieceReport& report);

  void check();
  void finish() { take(pieces_->finish()); }
  void try_again() { take(pieces_->try_again()); }

 private:
  struct Pending {
    LandedFrame frame;
    std::vector<FrameArrayType> arrays;
  };

  std::unique_ptr<FramePieces> pieces_;
  const Grid& grid_;
  FrameCollection& collection_;
  std::deque<Pending> pending_;
  long listed_ = 0;  // by this object
  WallClock since_asked_;
};

}  // namespace hodge::sim
