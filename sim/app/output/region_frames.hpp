// Frames of parts of the box, `output.regions`, beside those of the whole: <name>.pvd and
// frames/<name>_000000.vti, ..., each at t = 0, at every multiple of its own interval, which steps
// land on (run/schedule.hpp), and at the end. Values, encoding and background are those of frames
// of the whole box (frame_writer.hpp). Only the cells of a region leave the device and, where
// several processes share the flow, reach process 0, which writes each frame as one file.
#pragma once

#include <filesystem>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "sim/app/output/frame_writer.hpp"
#include "sim/base/state_visitor.hpp"
#include "sim/base/times.hpp"
#include "sim/discrete/bodies/body_frames.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

class RegionFrames {
 public:
  RegionFrames(const std::filesystem::path& directory, const Grid& grid,
               const OutputSettings& output, const FrameBackground& background);

  // Begins to write the present fields of the regions whose interval has a multiple now, or of all:
  // of those that have no frame of this step.
  void write_due(const Flow& flow);
  void write_end(const Flow& flow);

  // As those of FrameWriter, of all regions.
  void check();
  void finish();
  void try_again();
  void check_files() const;

  // A run that goes on from this step, whose frames before are elsewhere or none.
  void continue_from(long step);
  // The same in its directory, from a checkpoint with these regions. Those that are not written any
  // more keep their frames up to it.
  void continue_regions(const std::vector<std::string>& names);
  void visit_state(StateVisitor& visitor, long step, double time);
  void go_back();
  std::vector<std::string> gone() const;

 private:
  struct Region {
    Region(const std::filesystem::path& directory, const OutputRegion& settings, const Grid& grid,
           const FrameBackground& background);

    std::string name;
    CellRange cells;
    Multiples times;
    FrameWriter writer;
    long last_step = -1;  // that has a frame
    bool is_new = false;  // not in the checkpoint that the run goes on from
  };
  void write(Region& region, const Flow& flow);

  std::filesystem::path directory_;
  Grid grid_;
  std::vector<std::string> fields_;
  std::string precision_;
  std::list<Region> regions_;
  std::map<std::string, FrameWriter> ended_;  // write no more
};

}  // namespace hodge::sim
